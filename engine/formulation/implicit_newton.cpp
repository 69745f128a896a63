// SPDX-License-Identifier: MIT
#include "formulation/implicit_newton.hpp"

#include <algorithm>
#include <cmath>

#include "at_time.hpp"
#include "formulation/step_failure.hpp"

namespace perilune::formulation {

namespace {

/// Applies a step and says how large it was, relative to the largest number.
double apply(const double* step, int count, double* x) {
  double most = 0, size = 0;
  for (int i = 0; i < count; ++i) {
    x[i] -= step[i];
    size = std::max(size, std::abs(x[i]));
    most = std::abs(step[i]) < 1e300 ? std::max(most, std::abs(step[i])) : std::numeric_limits<double>::infinity();
  }
  return most > 0 ? most / std::max(size, most) : 0;
}

}  // namespace

void ImplicitNewton::judge(const system::Workspace& at, const double* residual, const double* a) {
  double size = 0, rest = 0;
  for (std::size_t i = 0; i < at.force.size(); ++i) {
    const int slot = system_.nn().slot(static_cast<int>(i), static_cast<int>(i));
    size = std::max({size, std::abs(at.force[i]), std::abs(at.mass[static_cast<std::size_t>(slot)] * a[i])});
    rest = std::max(rest, std::abs(residual[i]));
  }
  imbalance_ = rest > 0 ? rest / size : rest;
}

bool ImplicitNewton::correct(const double* step, double* a, double* lambda) {
  constexpr int most_iterations = 50;
  constexpr double rounding = 4e-16, near_rounding = 1e-11, balanced = 1e-14;
  const int n = system_.coordinate_count(), m = system_.constraint_count();
  const double of_a = a ? apply(step, n, a) : 0;
  const double size = std::max(of_a, apply(a ? step + n : step, m, lambda));
  ++iteration_;
  if (size <= rounding || (size <= near_rounding && size > before_ / 2)) return true;
  if (imbalance_ <= balanced && std::isfinite(size)) return true;
  is_slow_ = !(size < 0.1 * before_);
  before_ = size;
  if (iteration_ < most_iterations && std::isfinite(size)) return false;
  throw StepFailure(at_time(t_) + "no accelerations and reactions were found that fit the forces which read them, as " +
                    system_.implicit_element() + ": Newton's method did not converge, as where friction jams");
}

}  // namespace perilune::formulation
