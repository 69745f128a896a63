// SPDX-License-Identifier: MIT
#include "sensitivity/continuous/linear_ode.hpp"

#include <algorithm>
#include <cmath>

#include "at_time.hpp"
#include "error.hpp"

namespace perilune::sensitivity {

namespace {

class LinearStepper {
 public:
  LinearStepper(const integrator::Tableau& tableau, const LinearRhs& rhs, std::size_t size)
      : tableau_(tableau),
        rhs_(rhs),
        size_(size),
        slopes_(size * static_cast<std::size_t>(tableau.stages)),
        at_(size) {}

  /// y(to) into next. Stages at the ends are asked for at these very times, where the motion is known already.
  void step(double from, double to, const std::vector<double>& y, std::vector<double>& next) {
    const double h = to - from;
    for (std::size_t i = 0; i < static_cast<std::size_t>(tableau_.stages); ++i) {
      combine(tableau_.a[i], h, y, at_);
      rhs_(tableau_.c[i] == 1 ? to : from + tableau_.c[i] * h, at_.data(), slopes_.data() + i * size_);
    }
    combine(tableau_.b, h, y, next);
  }

  /// Largest embedded error of the first `controlled` entries, each against its scale.
  double error(double h, std::size_t controlled, const std::vector<double>& scale) const {
    double worst = 0;
    for (std::size_t k = 0; k < controlled; ++k) {
      double e = 0;
      for (std::size_t i = 0; i < tableau_.error.size(); ++i) e += tableau_.error[i] * slopes_[i * size_ + k];
      worst = std::max(worst, std::abs(h * e) / scale[k]);
    }
    return worst;
  }

 private:
  void combine(const std::vector<double>& weights, double h, const std::vector<double>& y, std::vector<double>& out) {
    std::copy(y.begin(), y.end(), out.begin());
    for (std::size_t j = 0; j < weights.size(); ++j) {
      if (weights[j] == 0) continue;
      for (std::size_t k = 0; k < size_; ++k) out[k] += h * weights[j] * slopes_[j * size_ + k];
    }
  }

  const integrator::Tableau& tableau_;
  const LinearRhs& rhs_;
  std::size_t size_;
  std::vector<double> slopes_, at_;
};

using Tolerances = integrator::Tolerances;

void check_finite(double t, const std::vector<double>& y) {
  double sum = 0;
  for (double x : y) sum += x - x;  // 0, or NaN if any is not finite
  if (sum == 0) return;
  throw NumericalError(at_time(t) +
                       "the sensitivity equations grow beyond all numbers: stiff equations want "
                       "tolerances, or a discrete method");
}

void on_mesh(const std::vector<double>& mesh, bool backward, const LinearRhs& rhs, std::vector<double>& y,
             const BetweenSteps& between) {
  LinearStepper stepper(integrator::rk4_tableau(), rhs, y.size());
  std::vector<double> next(y.size());
  for (std::size_t k = 0; k + 1 < mesh.size(); ++k) {
    check_interrupt();
    const double from = backward ? mesh[mesh.size() - 1 - k] : mesh[k];
    const double to = backward ? mesh[mesh.size() - 2 - k] : mesh[k + 1];
    stepper.step(from, to, y, next);
    y.swap(next);
    check_finite(to, y);
    if (between && k + 2 < mesh.size()) between(to, y);
  }
}

void adaptively(const Tolerances& tolerances, const std::vector<double>& mesh, bool backward, std::size_t controlled,
                const LinearRhs& rhs, std::vector<double>& y, const BetweenSteps& between, const AtEvent& at_event) {
  LinearStepper stepper(integrator::dormand_prince_tableau(), rhs, y.size());
  std::vector<double> next(y.size()), scale(controlled);
  const auto at = [&](std::size_t k) { return backward ? mesh[mesh.size() - 1 - k] : mesh[k]; };
  const double to = at(mesh.size() - 1), sign = backward ? -1 : 1, span = std::abs(to - at(0));
  // The adjoint of an integral starts at zero, so a pure relative control would have nothing to hold on to.
  double largest = 0, h = span, t = at(0);
  std::size_t k = 0;  // the interval of the mesh that comes next begins at its point k
  while (t != to) {
    check_interrupt();
    const std::size_t reached = k;
    while (at(k + 1) == t) ++k;
    const bool is_event = k > reached + 1;  // two points at t, before and after it
    if (is_event && at_event) at_event(t, y);
    // The motion may be quite different from now on, and its own first step there says how much.
    const double left = std::abs(at(k + 1) - t);
    if (is_event) h = left;
    h = std::min(h, tolerances.max_step);
    const bool is_last = h >= left * (1 - 1e-10);
    const double wanted = h, next_t = is_last ? at(k + 1) : t + sign * h;
    h = std::min(h, left);
    stepper.step(t, next_t, y, next);
    double size = largest;
    for (std::size_t i = 0; i < controlled; ++i) size = std::max(size, std::abs(next[i]));
    for (std::size_t i = 0; i < controlled; ++i) {
      scale[i] = tolerances.absolute +
                 tolerances.relative * std::max(size * 1e-2, std::max(std::abs(y[i]), std::abs(next[i])));
    }
    const double error = stepper.error(h, controlled, scale);
    const double factor = error == 0 ? 5.0 : std::clamp(0.9 * std::pow(error, -0.2), 0.2, 5.0);
    if (error <= 1) {
      t = next_t;
      largest = size;
      y.swap(next);
      if (between && t != to) between(t, y);
    } else if (!(h > 1e-15 * span)) {
      throw NumericalError("the step size of the sensitivity equations collapsed; a force may jump there");
    }
    h *= std::isfinite(error) ? factor : 0.2;
    if (error <= 1 && is_last) h = std::max(h, wanted);
  }
}

}  // namespace

LinearMethod linear_method(const integrator::Integrator& forward, const std::optional<Tolerances>& own) {
  const Tolerances* of_motion = integrator::tolerances_of(forward);
  return own || !of_motion ? own : *of_motion;
}

void integrate_linear(const LinearMethod& method, const std::vector<double>& mesh, bool backward,
                      std::size_t controlled, const LinearRhs& rhs, std::vector<double>& y, const BetweenSteps& between,
                      const AtEvent& at_event) {
  if (method) {
    adaptively(*method, mesh, backward, controlled, rhs, y, between, at_event);
  } else {
    on_mesh(mesh, backward, rhs, y, between);
  }
}

}  // namespace perilune::sensitivity
