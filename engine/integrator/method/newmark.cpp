// SPDX-License-Identifier: MIT
#include "integrator/method/newmark.hpp"

namespace perilune::integrator {

NewmarkWeights generalized_alpha_weights(double rho) {
  const double alpha_m = (2 * rho - 1) / (rho + 1), alpha_f = rho / (rho + 1);
  const double gamma = 0.5 + alpha_f - alpha_m;
  return {alpha_m, alpha_f, (gamma + 0.5) * (gamma + 0.5) / 4, gamma};
}

NewmarkWeights hht_weights(double alpha) { return {0, -alpha, (1 - alpha) * (1 - alpha) / 4, 0.5 - alpha}; }

NewmarkPlan newmark_plan(const NewmarkWeights& weights, const Ending& ending) {
  NewmarkPlan out;
  Plan& plan = out.plan;
  const bool has_auxiliary = weights.alpha_m != 0 || weights.alpha_f != 0;
  // Nodes: the solution, the auxiliary acceleration, the point.
  const bool has_point = ending.with_point || ending.projects;
  const int size = 1 + has_auxiliary + has_point + ending.projects;
  const int solution = -size, auxiliary = has_auxiliary ? solution + 1 : solution;
  const int state = ending.replaces_state ? -1 : solution;  // where positions and velocities are carried on
  // Without an auxiliary acceleration, the corrected one is the better to go on with.
  const int w = has_auxiliary ? auxiliary : state;
  out.copies = size - 1;

  const double own = (1 - weights.alpha_f) / (1 - weights.alpha_m);  // of a' in w'
  const double of_a = weights.alpha_f / (1 - weights.alpha_m);       // of a
  const double of_w = -weights.alpha_m / (1 - weights.alpha_m);      // of w
  auto add = [&](std::vector<Link>& links, double of_w_now, double of_w_next) {
    links.push_back({w, Part::Acceleration, of_w_now + of_w_next * of_w});
    links.push_back({solution, Part::Acceleration, of_w_next * of_a});
  };
  PlanNode node;
  node.q = {{state, Part::Position, 1}, {state, Part::Velocity, 1}};
  node.v = {{state, Part::Velocity, 1}};
  add(node.q, 0.5 - weights.beta, weights.beta);
  add(node.v, 1 - weights.gamma, weights.gamma);
  PlanGroup group{GroupKind::Implicit, 0, Coupling(1)};
  group.weights.v_from_a[0] = weights.gamma * own;
  group.weights.q_from_a[0] = weights.beta * own;
  plan.nodes.push_back(node);
  plan.groups.push_back(group);
  if (has_auxiliary) {
    PlanNode next;
    next.a = {
        {0, Part::Acceleration, own}, {solution, Part::Acceleration, of_a}, {auxiliary, Part::Acceleration, of_w}};
    plan.groups.push_back({GroupKind::Combination, static_cast<int>(plan.nodes.size()), Coupling()});
    plan.nodes.push_back(next);
  }
  plan.end = 0;
  if (has_point) {
    PlanNode point;
    point.q = {{0, Part::Position, 1}};
    point.v = {{0, Part::Velocity, 1}};
    append_point(plan, point, ending.projects);
    plan.end = size - 1;
  }
  // The integrals by the trapezoidal rule, of second order too.
  const int before = plan.end - size;
  plan.quadrature = {{before, 1, 0.5}, {plan.end, 0, 0.5}};
  plan.finish();
  return out;
}

}  // namespace perilune::integrator
