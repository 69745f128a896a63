// SPDX-License-Identifier: MIT
#include "integrator/method/bdf.hpp"

#include <algorithm>
#include <cmath>

#include "error.hpp"
#include "integrator/method/differences.hpp"

namespace perilune::integrator {

void Past::advance(int nodes, int state, int end, double h) {
  if (size_ == static_cast<int>(points_.size())) {
    has_start_ = false;
  } else {
    ++size_;
  }
  for (auto i = static_cast<std::size_t>(size_ - 1); i > 0; --i) {
    points_[i] = points_[i - 1];
    points_[i].state -= nodes;
    points_[i].end -= nodes;
    points_[i].age += h;
  }
  points_[0] = {state - nodes, end - nodes, 0};
}

namespace {

/// Points that a formula refers to.
int points_of(int order, const Past& past) { return std::min(order + 1, past.size()); }

/// Times relative to the start of the step, over h.
std::array<double, most_points> times_of(const Past& past, int points, double h) {
  std::array<double, most_points> x{};
  for (int i = 0; i < points; ++i) x[static_cast<std::size_t>(i)] = -past[i].age / h;
  return x;
}

double leading_coefficient(int order) {
  double sum = 0;
  for (int j = 1; j <= order; ++j) sum += 1.0 / j;
  return sum;
}

/// Weights of what is known of y in y(t + h) - h / leading y'(t + h).
Combination history(int order, std::span<const double> x, bool with_slope) {
  const Differences past(x, with_slope);
  const Combination value = past.value(1), slope = past.slope(1);
  const double factor = 1 / leading_coefficient(order);
  Combination out;
  double others = 0;
  auto rounded = [](double w) { return std::abs(w) < 1e-13 ? 0 : w; };  // equal steps need one point less
  for (std::size_t i = x.size() - 1; i > 0; --i) {
    out.value[i] = rounded(value.value[i] - factor * slope.value[i]);
    others += out.value[i];
  }
  out.value[0] = 1 - others;  // so that nothing creeps
  out.slope = rounded(value.slope - factor * slope.slope);
  return out;
}

}  // namespace

Plan bdf_plan(int order, const Past& past, double h, const Ending& ending) {
  const int points = points_of(order, past);
  const bool with_slope = points <= order;
  const auto x = times_of(past, points, h);
  const std::span<const double> times(x.data(), static_cast<std::size_t>(points));
  const Combination weights = history(order, times, with_slope), guess = Differences(times, false).value(1);
  const double own = 1 / leading_coefficient(order);

  Plan plan;
  PlanNode node;
  for (int i = 0; i < points; ++i) {
    const double w = weights.value[static_cast<std::size_t>(i)];
    node.q.push_back({past[i].state, Part::Position, w});
    node.v.push_back({past[i].state, Part::Velocity, w});
    if (w != 0) plan.quadrature.push_back({past[i].end, w, 0});
    plan.guess.push_back({past[i].state, guess.value[static_cast<std::size_t>(i)]});
  }
  if (with_slope && weights.slope != 0) {
    const Past::Point& oldest = past[points - 1];
    node.q.push_back({oldest.state, Part::Rate, weights.slope});
    node.v.push_back({oldest.state, Part::Acceleration, weights.slope});
    plan.quadrature.push_back({oldest.end, 0, weights.slope});
  }
  plan.nodes.push_back(node);
  plan.groups.push_back({GroupKind::Implicit, 0, Coupling(1)});
  plan.groups[0].weights.v_from_a[0] = plan.groups[0].weights.q_from_u[0] = own;
  if (ending.with_point || ending.projects) {
    PlanNode point;
    point.q = {{0, Part::Position, 1}};
    point.v = {{0, Part::Velocity, 1}};
    append_point(plan, point, ending.projects);
    plan.end = static_cast<int>(plan.nodes.size()) - 1;
  }
  plan.quadrature.push_back({plan.end, 0, own});
  plan.finish();
  return plan;
}

const Plan& BdfPlans::plan(int order, const Past& past, double h) {
  Key key{};
  key[0] = order;
  const int points = points_of(order, past);
  for (int i = 0; i < points; ++i) {
    const auto at = static_cast<std::size_t>(1 + 2 * i);
    key[at] = past[i].end;
    key[at + 1] = std::llround(1e13 * past[i].age / h);
  }
  const Plan*& known = known_[key];
  if (!known) known = &run_.keep(bdf_plan(order, past, h, ending_));
  return *known;
}

RungeKuttaPlan bdf_starter(const Ending& ending) { return runge_kutta_plan(radau5_tableau(), ending); }

void run_bdf_fixed(Run& run, const Bdf& method, const RungeKuttaPlan& starter, const Ending& ending) {
  BdfPlans plans(run, ending);
  const Plan* first = nullptr;
  while (!run.is_done()) {
    const FixedGrid grid(run.t(), run.until(), method.step);
    Past past;  // behind a tick nothing is known of the steps before
    for (std::size_t k = 0; k < grid.steps() && !run.is_stopped(); ++k) {
      const double h = grid[k + 1] - grid[k];
      const bool is_first = static_cast<int>(k) + 1 < method.max_order;
      if (is_first && !first) first = &run.keep(starter.plan);
      // All but the last step are equal; rounding of the grid must not make plans of its own.
      const double length = std::abs(h - method.step) < 1e-9 * method.step ? method.step : h;
      const Plan& plan = is_first ? *first : plans.plan(method.max_order, past, length);
      run.march().attempt(plan, h, method.tolerance);
      run.accept(grid[k + 1]);
      const int solution = is_first ? starter.stage_node.back() : 0;
      past.advance(static_cast<int>(plan.nodes.size()), ending.replaces_state ? plan.end : solution, plan.end, length);
    }
  }
}

}  // namespace perilune::integrator
