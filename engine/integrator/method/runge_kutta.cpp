// SPDX-License-Identifier: MIT
#include "integrator/method/runge_kutta.hpp"

#include <algorithm>

namespace perilune::integrator {

bool Tableau::is_explicit(std::size_t i) const {
  return std::all_of(a[i].begin() + static_cast<std::ptrdiff_t>(i), a[i].end(), [](double x) { return x == 0; });
}

bool Tableau::is_explicit() const {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!is_explicit(i)) return false;
  }
  return true;
}

namespace {

/// Stages that depend on each other both ways, or on themselves: the last one of the group that starts with `first`.
std::size_t last_of_group(const Tableau& tableau, std::size_t first) {
  std::size_t last = first;
  for (std::size_t i = first; i <= last; ++i) {
    for (std::size_t j = last + 1; j < tableau.a[i].size(); ++j) {
      if (tableau.a[i][j] != 0) last = j;
    }
  }
  return last;
}

}  // namespace

RungeKuttaPlan runge_kutta_plan(const Tableau& tableau, const Ending& ending) {
  RungeKuttaPlan out;
  Plan& plan = out.plan;
  const bool with_points = ending.with_point && !tableau.is_explicit();  // at every implicit stage with a weight
  const auto stages = static_cast<std::size_t>(tableau.stages);
  std::vector<std::pair<std::size_t, std::size_t>> groups;  // of stages: first, last
  for (std::size_t i = tableau.starts_at_start() ? 1 : 0; i < stages; i = groups.back().second + 1) {
    groups.emplace_back(i, last_of_group(tableau, i));
  }
  const bool projects_end = ending.projects && tableau.ends_at_end();
  auto has_point = [&](std::size_t stage) {
    if (stage + 1 == stages) return with_points || (projects_end && !tableau.is_explicit());
    return with_points && tableau.b[stage] != 0;
  };
  int points_at_end = 0;
  for (std::size_t i = groups.back().first; i < stages; ++i) points_at_end += has_point(i);
  // The end of the step before: the point, or the stage behind it.
  const int start = ending.replaces_state ? -1 : -1 - points_at_end;
  out.copies = -start - 1;
  out.ends_with_point = with_points;
  out.stage_node.assign(stages, start);
  std::vector<int> rated(stages, -1);  // where the integrands of a stage are taken

  auto propose = [&](const std::vector<double>& weights, std::size_t known) {
    PlanNode node;
    node.q.push_back({start, Part::Position, 1});
    node.v.push_back({start, Part::Velocity, 1});
    for (std::size_t j = 0; j < known; ++j) {
      node.q.push_back({out.stage_node[j], Part::Rate, weights[j]});
      node.v.push_back({out.stage_node[j], Part::Acceleration, weights[j]});
    }
    return node;
  };
  auto next = [&] { return static_cast<int>(plan.nodes.size()); };
  for (const auto& [first, last] : groups) {
    const std::size_t size = last - first + 1;
    if (projects_end && first + 1 == stages && tableau.is_explicit(first)) {
      PlanNode end = propose(tableau.a[first], first);
      end.c = tableau.c[first];
      append_point(plan, end, true);
      out.stage_node[first] = rated[first] = next() - 1;
      break;
    }
    PlanGroup group{tableau.is_explicit(first) ? GroupKind::Point : GroupKind::Implicit, next(),
                    Coupling(static_cast<int>(size))};
    for (std::size_t i = first; i <= last; ++i) {
      out.stage_node[i] = rated[i] = next();
      plan.nodes.push_back(propose(tableau.a[i], first));
      plan.nodes.back().c = tableau.c[i];
      for (std::size_t j = 0; j < size; ++j) {
        const std::size_t k = (i - first) * size + j;
        group.weights.v_from_a[k] = group.weights.q_from_u[k] = tableau.a[i][first + j];
      }
    }
    plan.groups.push_back(group);
    for (std::size_t i = first; i <= last; ++i) {
      if (!has_point(i)) continue;
      PlanNode node;
      node.c = tableau.c[i];
      node.q.push_back({out.stage_node[i], Part::Position, 1});
      node.v.push_back({out.stage_node[i], Part::Velocity, 1});
      append_point(plan, node, ending.projects);
      rated[i] = next() - 1;
    }
  }
  if (!tableau.ends_at_end()) append_point(plan, propose(tableau.b, stages), ending.projects);
  plan.end = next() - 1;

  plan.quadrature.push_back({-1, 1, 0});
  for (std::size_t i = 0; i < stages; ++i) {
    if (tableau.b[i] != 0) plan.quadrature.push_back({rated[i], 0, tableau.b[i]});
  }
  plan.finish();
  if (tableau.error.empty()) return out;
  if (tableau.error_start != 0) out.quadrature_error.push_back({-1, 0, tableau.error_start});
  for (std::size_t i = 0; i < stages; ++i) {
    if (tableau.error[i] != 0) out.quadrature_error.push_back({rated[i], 0, tableau.error[i]});
  }
  for (const QuadratureLink& link : out.quadrature_error) {
    plan.has_rate[static_cast<std::size_t>(link.node < 0 ? plan.end : link.node)] = 1;
  }
  return out;
}

}  // namespace perilune::integrator
