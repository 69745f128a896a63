// SPDX-License-Identifier: MIT
#include "integrator/method/rosenbrock.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "error.hpp"
#include "integrator/stepping.hpp"

namespace perilune::integrator {

namespace {

using formulation::RosenbrockScheme;
using Rows = std::vector<std::vector<double>>;

std::vector<double> square(const Rows& rows) {
  std::vector<double> out;
  for (std::vector<double> row : rows) {
    row.resize(rows.size(), 0.0);
    out.insert(out.end(), row.begin(), row.end());
  }
  return out;
}

/// The increments of positions are h times combinations of velocities: of that at the start, with weight 1 in their sum
/// at the end of the step, and of the increments of velocities, with these weights.
std::vector<double> position_weights(const RosenbrockMethod& method) {
  // With u_q = gamma (h (v + a u_v + u_v) + c u_q) for all stages at once: end^T u_q.
  const RosenbrockScheme& s = method.scheme;
  const auto stages = static_cast<std::size_t>(s.stages);
  std::vector<double> z(stages), weights(stages);
  for (int j = s.stages; j-- > 0;) {
    const auto at = static_cast<std::size_t>(j);
    double sum = method.end[at];
    for (int i = j + 1; i < s.stages; ++i) sum += z[static_cast<std::size_t>(i)] * s.rate_weight(i, j);
    z[at] = weights[at] = s.gamma * sum;
    for (int i = j + 1; i < s.stages; ++i) weights[at] += z[static_cast<std::size_t>(i)] * s.stage_weight(i, j);
  }
  return weights;
}

}  // namespace

const RosenbrockMethod& rodas3() {
  static const RosenbrockMethod method = [] {
    RosenbrockMethod m;
    m.scheme.stages = 4;
    m.scheme.gamma = 0.5;
    m.scheme.a = square({{}, {}, {2}, {2, 0, 1}});
    m.scheme.c = square({{}, {4}, {1, -1}, {1, -1, -8.0 / 3}});
    m.scheme.time = {0, 0, 1, 1};
    m.scheme.of_time = {0.5, 1.5, 0, 0};
    m.end = {2, 0, 1, 1};
    m.error_order = 2;
    return m;
  }();
  return method;
}

const RosenbrockMethod& rodas4() {
  static const RosenbrockMethod method = [] {
    const double a51 = 1.221224509226641, a52 = 6.019134481288629, a53 = 12.53708332932087, a54 = -0.6878860361058950;
    RosenbrockMethod m;
    m.scheme.stages = 6;
    m.scheme.gamma = 0.25;
    m.scheme.a = square({{},
                         {1.544},
                         {0.9466785280815826, 0.2557011698983284},
                         {3.314825187068521, 2.896124015972201, 0.9986419139977817},
                         {a51, a52, a53, a54},
                         {a51, a52, a53, a54, 1}});
    m.scheme.c =
        square({{},
                {-5.6688},
                {-2.430093356833875, -0.2063599157091915},
                {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
                {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
                {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054}});
    m.scheme.time = {0, 0.386, 0.21, 0.63, 1, 1};
    m.scheme.of_time = {0.25, -0.1043, 0.1035, -0.0362, 0, 0};
    m.end = {a51, a52, a53, a54, 1, 1};
    m.error_order = 3;
    return m;
  }();
  return method;
}

const RosenbrockMethod& rosenbrock_method(int order) { return order == 3 ? rodas3() : rodas4(); }

Plan rosenbrock_plan(const RosenbrockMethod& method, bool projects) {
  Plan plan;
  const int stages = method.scheme.stages, middle = stages;
  plan.groups = {{GroupKind::OwnStep, 0, Coupling(), &method.scheme}, {GroupKind::Point, middle, Coupling()}};
  plan.nodes.resize(static_cast<std::size_t>(stages) + 1);
  PlanNode &half = plan.nodes[static_cast<std::size_t>(middle)], whole;
  // At the middle: q = q0 + 5/16 (q1 - q0) + h (3 v0 - (v1 - v0)) / 16 + h^2 a0 / 32,
  //                v = -v0 / 2 - (v1 - v0) / 4 + 3/2 (q1 - q0) / h.
  half.c = 0.5;
  half.q = {{-1, Part::Position, 1}, {-1, Part::Velocity, 3.0 / 16}, {-1, Part::Acceleration, 1.0 / 32}};
  half.v = {{-1, Part::Velocity, 1}};
  whole.q = {{-1, Part::Position, 1}};
  whole.v = {{-1, Part::Velocity, 1}};
  const std::vector<double> of_velocity = position_weights(method);
  for (int i = 0; i < stages; ++i) {
    const auto at = static_cast<std::size_t>(i);
    plan.nodes[at].c = method.scheme.time[at];
    const double weight = method.end[at];
    whole.q.push_back({i, Part::Position, weight});
    whole.v.push_back({i, Part::Velocity, weight});
    half.q.push_back({i, Part::Position, weight * 5 / 16});
    half.q.push_back({i, Part::Velocity, -weight / 16});
    half.v.push_back({i, Part::Velocity, 1.5 * of_velocity[at] - weight / 4});
  }
  append_point(plan, whole, projects);
  plan.end = static_cast<int>(plan.nodes.size()) - 1;
  plan.quadrature = {{-1, 1, 1.0 / 6}, {middle, 0, 2.0 / 3}, {plan.end, 0, 1.0 / 6}};
  plan.finish();
  return plan;
}

namespace {

/// The difference of Simpson's rule to the quadratic polynomial through the middle of the step before, which was of
/// length `before`, and both ends of the step; to the trapezoidal rule where there is no such step (0).
std::array<QuadratureLink, 4> quadrature_error(const Plan& plan, double before, double h) {
  const int middle = plan.quadrature[1].node, middle_before = middle - static_cast<int>(plan.nodes.size());
  if (before == 0) return {{{-1, 0, -1.0 / 3}, {middle, 0, 2.0 / 3}, {plan.end, 0, -1.0 / 3}, {-1, 0, 0}}};
  const double x = before / (2 * h);  // the middle before is at -x, the step from 0 to 1
  // The divided difference through -x, 0, 1/2, 1 times the integral of (s + x) s (s - 1).
  const double size = 1.0 / 12 + x / 6;
  return {{{middle_before, 0, size / (x * (x + 0.5) * (x + 1))},
           {-1, 0, -size / (0.5 * x)},
           {middle, 0, size / (0.25 * (x + 0.5))},
           {plan.end, 0, -size / (0.5 * (x + 1))}}};
}

}  // namespace

void run_rosenbrock_adaptive(Run& run, const Plan& plan, const RosenbrockMethod& method, const Tolerances& tolerances) {
  StepControl control(run, tolerances, method.error_order);
  March& march = run.march();
  double before = 0;  // length of the last step
  while (!control.is_done()) {
    double error = std::numeric_limits<double>::infinity();
    std::string failure;
    try {
      march.attempt(plan, control.h());
      const Node& last = march.node(method.scheme.stages - 1);
      error = std::max(error_norm(march, tolerances, last.q, last.v),
                       integral_error(run, tolerances, quadrature_error(plan, before, march.h())));
    } catch (const NumericalError& e) {  // a stage left the domain of the equations
      failure = e.what();
    }
    if (control.decide(error, failure)) before = run.starts_anew() ? 0 : run.solution().steps.steps.back().h;
  }
}

}  // namespace perilune::integrator
