// SPDX-License-Identifier: MIT
// Local errors, orders and steps of adaptive runs with backward differentiation formulas, as in IDA (Hindmarsh et al.,
// ACM Transactions on Mathematical Software 31, 2005; the user documentation, section 2.1), but that steps grow only
// where orders could be compared.
#include <algorithm>
#include <cmath>
#include <optional>

#include "error.hpp"
#include "integrator/method/bdf.hpp"
#include "integrator/method/differences.hpp"

namespace perilune::integrator {

namespace {

double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

/// Sizes of scaled derivatives of the solution, and the local error of the step.
struct Estimates {
  std::array<double, most_bdf_order + 2> terms{};  // h^(m+1) y^(m+1), by m
  double error = 0;
  double term(int m) const { return terms[static_cast<std::size_t>(m)]; }
  /// Of an order, on a mesh of equal steps.
  double error_of(int m) const { return term(m) / (m + 1); }
};

class Estimator {
 public:
  Estimator(const Run& run, const Tolerances& tolerances, const Past& past, bool only_positions)
      : run_(run),
        march_(run.march()),
        tolerances_(tolerances),
        past_(past),
        only_positions_(only_positions),
        n_(static_cast<std::size_t>(march_.motion().n())),
        difference_(2 * n_) {}

  /// Of the step just attempted, up to two orders below its own and up to `highest`.
  Estimates operator()(int order, int highest) {
    const Differences differences = with_new_point(highest);
    Estimates out;
    for (int m = std::max(1, order - 2); m <= highest; ++m) {
      const Combination& f = differences[m + 1];
      out.terms[static_cast<std::size_t>(m)] = factorial(m + 1) * std::max(norm(f), integral_norm(f, 1));
    }
    const double coefficient = error_coefficient(order, differences), size = coefficient * factorial(order + 1);
    integral_norm(differences[order + 1], size);  // of all, the one that counts
    out.error = coefficient * out.term(order);
    return out;
  }

 private:
  Differences with_new_point(int highest) const {
    std::array<double, most_points> x{1};
    const int points = std::min(highest + 1, past_.size());
    for (int i = 0; i < points; ++i) x[static_cast<std::size_t>(i + 1)] = -past_[i].age / march_.h();
    return {{x.data(), static_cast<std::size_t>(points + 1)}, points <= highest};
  }

  /// What the principal term of the local error and the error of interpolating between steps of unequal length are
  /// of h^(k+1) y^(k+1).
  static double error_coefficient(int order, const Differences& differences) {
    double product = 1, sum = 0, next = 0;
    for (int i = 0; i <= order; ++i) {
      const double distance = 1 - differences.x(i + 1);
      product *= distance;
      next = 1 / distance;
      sum += i < order ? 1.0 / (i + 1) - next : 0;
    }
    return std::max(next, std::abs(next - sum)) * product / factorial(order + 1);
  }

  double norm(const Combination& f) {
    double* out = difference_.data();
    std::fill(difference_.begin(), difference_.end(), 0.0);
    auto add = [&](double weight, const double* q, const double* v) {
      if (weight == 0) return;
      for (std::size_t k = 0; k < n_; ++k) {
        out[k] += weight * q[k];
        out[n_ + k] += weight * v[k];
      }
    };
    const Node& now = march_.node(0);
    add(f.value[0], now.q, now.v);
    for (int i = 0; i < past_.size(); ++i) {
      const Node& x = march_.node(past_[i].state);
      add(f.value[static_cast<std::size_t>(i + 1)], x.q, x.v);
    }
    const Node& oldest = march_.node(past_[past_.size() - 1].state);
    add(march_.h() * f.slope, oldest.u, oldest.a);
    return error_norm(march_, tolerances_, out, only_positions_ ? nullptr : out + n_);
  }

  /// The integrals follow from the same formula as positions and velocities, and so do their errors.
  double integral_norm(const Combination& f, double factor) {
    links_.clear();
    links_.push_back({march_.plan().end, factor * f.value[0], 0});
    for (int i = 0; i < past_.size(); ++i) {
      const double weight = factor * f.value[static_cast<std::size_t>(i + 1)];
      if (weight != 0) links_.push_back({past_[i].end, weight, 0});
    }
    if (f.slope != 0) links_.push_back({past_[past_.size() - 1].end, 0, factor * f.slope});
    return integral_error(run_, tolerances_, links_);
  }

  const Run& run_;
  const March& march_;
  const Tolerances& tolerances_;
  const Past& past_;
  bool only_positions_;
  std::size_t n_;
  std::vector<double> difference_;
  std::vector<QuadratureLink> links_;
};

/// Chooses the order, and by which factor the step changes. Few factors, so that patterns of steps recur.
class OrderControl {
 public:
  explicit OrderControl(int most) : most_(most) {}
  int order() const { return order_; }
  /// The highest order worth an estimate for a step of length h: one more only after steps of equal length and order.
  int highest(double h) const {
    return !is_starting_ && order_ < most_ && equal_steps(h) >= order_ + 2 ? order_ + 1 : order_;
  }

  double accepted(double h, const Estimates& estimates) {
    const bool knows_more = highest(h) > order_;
    equal_steps_ = equal_steps(h);
    last_h_ = h;
    last_order_ = order_;
    failures_ = 0;
    const int judged = order_;
    const bool is_lower = should_lower(estimates);
    if (is_lower || order_ == most_) is_starting_ = false;
    if (is_starting_) {
      ++order_;
      return 2;
    }
    if (is_lower) {
      --order_;
    } else if (knows_more) {
      change_by_next(estimates);
    }
    const double fitting = fitting_factor(estimates.error_of(order_));
    // Not before the steps have been equal for so long that orders can be compared: estimates of stiff components jump
    // when the step changes, and would make it swing.
    if (fitting >= 2) return equal_steps_ > std::min(judged + 1, most_) ? 2 : 1;
    return fitting <= 1 ? coarse(std::clamp(fitting, 0.5, 0.9)) : 1;
  }

  /// No estimates: nothing was found.
  double rejected(const Estimates* estimates) {
    is_starting_ = false;
    if (!estimates) return 0.25;
    ++failures_;
    if (failures_ > 2) {
      order_ = 1;
    } else if (should_lower(*estimates)) {
      --order_;
    }
    if (failures_ > 1) return 0.25;
    return coarse(std::clamp(0.9 * fitting_factor(estimates->error_of(order_)), 0.25, 0.9));
  }

 private:
  /// Of equal length and order, a step of length h included.
  int equal_steps(double h) const { return h == last_h_ && order_ == last_order_ ? equal_steps_ + 1 : 1; }
  bool should_lower(const Estimates& e) const {
    if (order_ == 1) return false;
    if (order_ == 2) return e.term(1) <= 0.5 * e.term(2);
    return std::max(e.term(order_ - 1), e.term(order_ - 2)) <= e.term(order_);
  }
  void change_by_next(const Estimates& e) {
    const double own = e.term(order_), next = e.term(order_ + 1);
    if (order_ == 1) {
      // Where steps end with a projection, what it takes away stands in all differences alike: of the first order that
      // is so much that the next one never looks better. After many steps it is tried; it may lower the order again.
      constexpr int many = 20;
      if (next < 0.5 * own || equal_steps_ > many) ++order_;
    } else if (e.term(order_ - 1) <= std::min(own, next)) {
      --order_;
    } else if (next < own) {
      ++order_;
    }
  }
  double fitting_factor(double error) const { return std::pow(2 * error + 1e-4, -1.0 / (order_ + 1)); }
  static double coarse(double factor) { return factor <= 0.3 ? 0.25 : std::floor(10 * factor + 1e-9) / 10; }

  int most_, order_ = 1;
  bool is_starting_ = true;  // order and step rise until an error speaks against it
  double last_h_ = 0;
  int last_order_ = 0, equal_steps_ = 0, failures_ = 0;
};

void start_anew(Run& run, double h, StepControl& steps) {
  try {
    run.march().attempt(run.short_plan(), h, run.newton_tolerance());
  } catch (const NumericalError& e) {
    return steps.reject(0.25, e.what());
  }
  steps.take(1);
}

}  // namespace

void run_bdf_adaptive(Run& run, const Bdf& method, const Ending& ending, bool only_positions) {
  BdfPlans plans(run, ending);
  Past past;
  OrderControl orders(method.max_order);
  StepControl steps(run, method.tolerances, orders.order());
  Estimator estimate(run, method.tolerances, past, only_positions);
  while (!steps.is_done()) {
    const double h = steps.h();
    if (run.starts_anew()) {
      // A short first step that knows no past, as exact as the event; then from a single point as in the beginning.
      start_anew(run, h, steps);
      past = Past();
      orders = OrderControl(method.max_order);
      continue;
    }
    std::optional<Estimates> found;
    std::string failure;
    try {
      run.march().attempt(plans.plan(orders.order(), past, h), h, method.tolerance);
      found = estimate(orders.order(), orders.highest(h));
    } catch (const NumericalError& e) {
      failure = e.what();
    }
    if (found && found->error <= 1) {
      const Plan& plan = run.march().plan();
      steps.take(orders.accepted(h, *found));
      if (run.starts_anew()) continue;
      past.advance(static_cast<int>(plan.nodes.size()), ending.replaces_state ? plan.end : 0, plan.end, h);
    } else {
      steps.reject(orders.rejected(found && std::isfinite(found->error) ? &*found : nullptr), failure);
    }
  }
}

}  // namespace perilune::integrator
