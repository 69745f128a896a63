// SPDX-License-Identifier: MIT
#include "integrator/plan.hpp"

#include <algorithm>

namespace perilune::integrator {

/// Proposals of motions of the start and of points before alone: those of a chain.
static bool continues_chain(const PlanNode& node) {
  const auto is_of_chain = [](const Link& link) { return link.node >= -1; };
  return !node.q.empty() && !node.v.empty() && node.a.empty() &&
         std::all_of(node.q.begin(), node.q.end(), is_of_chain) &&
         std::all_of(node.v.begin(), node.v.end(), is_of_chain);
}

void Plan::finish() {
  has_rate.assign(nodes.size(), 0);
  for (const QuadratureLink& link : quadrature) {
    if (link.of_rate == 0) continue;
    has_rate[static_cast<std::size_t>(link.node < 0 ? end : link.node)] = 1;
  }
  for (PlanNode& node : nodes) {
    for (std::vector<Link>* links : {&node.q, &node.v, &node.a}) {
      std::erase_if(*links, [](const Link& link) { return link.weight == 0; });
    }
  }
  chain = {};
  chain_weights.clear();
  std::size_t length = 0;
  while (length < groups.size() && groups[length].kind == GroupKind::Point && continues_chain(nodes[length])) ++length;
  for (std::size_t i = 0; i < length && length > 1; ++i) {
    const auto add = [&](const std::vector<Link>& links, Part to) {
      chain.counts.push_back(static_cast<int>(links.size()));
      for (const Link& link : links) {
        chain.sources.push_back(3 * (link.node + 1) + order_of(link.part));
        chain_weights.push_back({link.weight, power(link.part, to)});
      }
    };
    add(nodes[i].q, Part::Position);
    add(nodes[i].v, Part::Velocity);
  }
}

int Plan::reach() const {
  int first = -1;
  for (const PlanNode& node : nodes) {
    for (const std::vector<Link>* links : {&node.q, &node.v, &node.a}) {
      for (const Link& link : *links) first = std::min(first, link.node);
    }
  }
  for (const GuessLink& link : guess) first = std::min(first, link.node);
  return -first;
}

bool Plan::guesses_on_line() const {
  auto is_implicit = [](const PlanGroup& group) { return group.kind == GroupKind::Implicit; };
  return guess.empty() && std::any_of(groups.begin(), groups.end(), is_implicit);
}

bool Plan::has_points_alone() const {
  return std::all_of(groups.begin(), groups.end(), [](const PlanGroup& each) { return each.kind == GroupKind::Point; });
}

void append_point(Plan& plan, PlanNode proposal, bool projects) {
  if (projects) {
    const int projected = static_cast<int>(plan.nodes.size());
    plan.groups.push_back({GroupKind::Projection, projected, Coupling()});
    plan.nodes.push_back(proposal);
    proposal.q = {{projected, Part::Position, 1}};
    proposal.v = {{projected, Part::Velocity, 1}};
  }
  plan.groups.push_back({GroupKind::Point, static_cast<int>(plan.nodes.size()), Coupling()});
  plan.nodes.push_back(std::move(proposal));
}

static Plan plan_of_points(const PlanNode& point, int copies, double of_rate) {
  Plan plan;
  for (int i = 0; i <= copies; ++i) {
    plan.nodes.push_back(point);
    plan.groups.push_back({GroupKind::Point, i, Coupling()});
  }
  plan.end = copies;
  plan.quadrature = {{-1, 1, 0}};
  if (of_rate != 0) plan.quadrature.push_back({copies, 0, of_rate});
  plan.finish();
  plan.has_rate.back() = 1;  // the next step may begin with it
  return plan;
}

Plan restart_plan(int copies) {
  PlanNode point;
  point.q = {{-1, Part::Position, 1}};
  point.v = {{-1, Part::Velocity, 1}};
  return plan_of_points(point, copies, 0);
}

Plan sliver_plan(int copies) {
  PlanNode point;
  point.q = {{-1, Part::Position, 1}, {-1, Part::Rate, 1}};
  point.v = {{-1, Part::Velocity, 1}, {-1, Part::Acceleration, 1}};
  return plan_of_points(point, copies, 1);
}

Plan tick_plan(int from, int copies, const std::vector<int>& due) {
  // What is sampled may read accelerations and reactions, which have to be those of the very state: a point is found
  // before the tick, and others behind it.
  constexpr int before = 0, tick = 1;
  Plan plan;
  const auto append = [&plan](GroupKind kind, int source) {
    plan.groups.push_back({kind, static_cast<int>(plan.nodes.size()), Coupling()});
    PlanNode node;
    node.q = {{source, Part::Position, 1}};
    node.v = {{source, Part::Velocity, 1}};
    plan.nodes.push_back(std::move(node));
  };
  append(GroupKind::Point, from);
  append(GroupKind::Tick, before);
  plan.groups.back().due = due;
  for (int i = 0; i < std::max(copies + 1, -from); ++i) append(GroupKind::Point, tick);
  plan.end = static_cast<int>(plan.nodes.size()) + from;  // where later steps look for the end of the one before
  plan.quadrature = {{from, 1, 0}};
  plan.finish();
  std::fill(plan.has_rate.begin() + tick + 1, plan.has_rate.end(), 1);  // the next step may begin with one of these
  return plan;
}

void scale(const Coupling& weights, double h, Coupling& out) {
  out.size = weights.size;
  out.h = h;
  out.v_from_a.resize(weights.v_from_a.size());
  out.q_from_u.resize(out.v_from_a.size());
  out.q_from_a.resize(out.v_from_a.size());
  for (std::size_t k = 0; k < weights.v_from_a.size(); ++k) {
    out.v_from_a[k] = h * weights.v_from_a[k];
    out.q_from_u[k] = h * weights.q_from_u[k];
    out.q_from_a[k] = h * h * weights.q_from_a[k];
  }
}

}  // namespace perilune::integrator
