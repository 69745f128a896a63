// SPDX-License-Identifier: MIT
#include "formulation/impact.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "at_time.hpp"
#include "error.hpp"
#include "system/constraint_rank.hpp"

namespace perilune::formulation {

Impact::Impact(std::shared_ptr<const System> system, std::shared_ptr<const Data> data)
    : dynamics_(std::move(system), std::move(data), AugmentedLagrangian{.index = 3}),
      projection_(dynamics_),
      q_(static_cast<std::size_t>(dynamics_.n())),
      v_(q_),
      before_(2 * q_.size()),
      zero_(static_cast<std::size_t>(dynamics_.n() + dynamics_.m())) {}

void Impact::strike(double t, const double* q, double* v, const std::vector<int>& closing, Restitution restitution) {
  restitution_ = std::move(restitution);
  std::copy_n(q, q_.size(), q_.begin());
  std::copy_n(v, v_.size(), v_.begin());
  at_ = {t, q_.data(), v_.data(), zero_.data(), zero_.data() + q_.size(), v_.data(), nullptr, before_.data()};
  projection_.project(at_);
  check_positions(t, closing);
  check_velocities(t, before_.data() + v_.size(), v_.data());
  check_forces(t, before_.data() + v_.size(), v_.data());
  for (std::size_t i = 0; i < v_.size(); ++i) v[i] = v_[i] + restitution_.value * change(i);
}

double Impact::change(std::size_t i) const { return v_[i] - before_[v_.size() + i]; }

std::vector<double> Impact::impulses() const {
  const double* sigma = projection_.multipliers();
  std::vector<double> out(sigma, sigma + dynamics_.m());
  for (double& impulse : out) impulse *= 1 + restitution_.value;
  const system::ConstraintRank rank = system::constraint_rank(dynamics_.system(), dynamics_.workspace());
  const std::vector<char> undetermined = system::undetermined_rows(rank.rows, out.size());
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (undetermined[k]) out[k] = std::numeric_limits<double>::quiet_NaN();
  }
  return out;
}

double Impact::kinetic_energy_lost() const {
  const double* before = before_.data() + v_.size();
  const double e = restitution_.value;
  std::vector<double> sum(v_), momentum(v_.size());
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += before[i] + e * change(i);
  dynamics_.system().mass().multiply(dynamics_.workspace().mass.data(), sum.data(), momentum.data());
  double lost = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) lost -= 0.5 * (1 + e) * change(i) * momentum[i];
  return lost;
}

void Impact::linearize() {
  // Forces drop out: the derivatives of any accelerations and multipliers do.
  dynamics_.factor_point(at_.t, at_.q, at_.v);
  dynamics_.linearize_metric(at_.t, at_.q, at_.v, at_.a, at_.lambda);
  projection_.linearize(at_);
}

void Impact::tangent(int count, double* z, const double* parameters) {
  const auto columns = static_cast<std::size_t>(count), half = v_.size() * columns;
  const std::vector<double> before(z + half, z + 2 * half);
  projection_.tangent(count, z);
  const double e = restitution_.value;
  for (std::size_t i = 0; i < half; ++i) z[half + i] += e * (z[half + i] - before[i]);
  for (std::size_t p = 0; p < restitution_.slopes.size(); ++p) {
    if (restitution_.slopes[p] == 0) continue;
    for (std::size_t i = 0; i < half; ++i) {
      z[half + i] += change(i / columns) * restitution_.slopes[p] * parameters[p * columns + i % columns];
    }
  }
}

void Impact::adjoint(double* z, double* parameters) {
  const std::size_t n = v_.size();
  const double e = restitution_.value;
  const std::vector<double> after(z + n, z + 2 * n);
  double by_restitution = 0;
  for (std::size_t i = 0; i < n; ++i) {
    by_restitution += after[i] * change(i);
    z[n + i] *= 1 + e;
  }
  projection_.adjoint(z);
  for (std::size_t i = 0; i < n; ++i) z[n + i] -= e * after[i];
  for (std::size_t p = 0; p < restitution_.slopes.size(); ++p) parameters[p] += by_restitution * restitution_.slopes[p];
}

void Impact::check_positions(double t, const std::vector<int>& closing) const {
  constexpr double open = 1e-6;
  for (int k : closing) {
    const double gap = dynamics_.workspace().phi[static_cast<std::size_t>(k)];
    if (std::abs(gap) <= open) continue;
    char size[32];
    std::snprintf(size, sizeof size, "%.3g", std::abs(gap));
    throw NumericalError(at_time(t) + "an impact cannot close the constraint of " +
                         dynamics_.system().describe_constraint(k) + ", which is open by " + size +
                         "; the phase before must end where it closes, or a parameter be set so that it does");
  }
}

void Impact::check_forces(double t, const double* before, const double* after) const {
  constexpr double small = 1e-9;  // of the fastest coordinate: rounding of a constraint that was fulfilled already
  if (!dynamics_.system().is_implicit()) return;
  double fastest = 0, change = 0;
  for (std::size_t i = 0; i < v_.size(); ++i) {
    fastest = std::max({fastest, std::abs(before[i]), std::abs(after[i])});
    change = std::max(change, std::abs(after[i] - before[i]));
  }
  if (change <= small * fastest) return;
  throw NumericalError(at_time(t) + "an impact is not offered for models with forces such as " +
                       dynamics_.system().implicit_element() +
                       ", which reads accelerations or reactions: these are infinite in it, and so would be the force");
}

void Impact::check_velocities(double t, const double* before, const double* after) const {
  constexpr double contradiction = 1e-6;  // of a constraint's rate, relative to that of the fastest coordinate
  double fastest = 0;
  for (std::size_t i = 0; i < v_.size(); ++i) fastest = std::max({fastest, std::abs(before[i]), std::abs(after[i])});
  const system::Workspace& w = dynamics_.workspace();
  const std::vector<int>&start = dynamics_.system().mn().row_start(), &column = dynamics_.system().mn().column();
  for (int k = 0; k < dynamics_.m(); ++k) {
    const auto row = static_cast<std::size_t>(k);
    // phi_rate is that before the impact.
    double rate = w.phi_rate[row], size = 0;
    for (int j = start[row]; j < start[row + 1]; ++j) {
      const auto entry = static_cast<std::size_t>(j), i = static_cast<std::size_t>(column[entry]);
      rate += w.jacobian[entry] * (after[i] - before[i]);
      size += std::abs(w.jacobian[entry]) * fastest;
    }
    if (std::abs(rate) <= contradiction * std::max(size, std::abs(w.phi_rate[row]))) continue;
    throw NumericalError(at_time(t) + "no impact can satisfy all constraints: the rate that the constraint of " +
                         dynamics_.system().describe_constraint(k) +
                         ", asks for contradicts the others; leave out one of them");
  }
}

}  // namespace perilune::formulation
