// SPDX-License-Identifier: MIT
#include "sensitivity/intervals/carried.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "sensitivity/continuous/continuous.hpp"

namespace perilune::sensitivity {

using integrator::GroupKind;
using integrator::Link;
using integrator::Plan;
using integrator::Steps;

bool keeps_to_constraints(const formulation::Formulation& formulation) {
  const formulation::Properties form = formulation::properties(formulation);
  return form.projects || form.has_independent_coordinates() || is_stabilized(formulation);
}

std::vector<std::size_t> boundaries(const Steps& run, std::size_t count) {
  const Blocks<Steps::Step>& steps = run.steps;
  std::vector<std::size_t> out;
  for (std::size_t k = 1; k < steps.size(); ++k) {
    if (k * (count + 1) < (out.size() + 1) * steps.size()) continue;
    const integrator::EndSlopes* end = steps[k - 1].slopes.get();
    if (!end || (end->event < 0 && !end->moves_along)) out.push_back(k);
  }
  return out;
}

namespace {

using What = Carried::What;

/// Of nodes of a run, and of the steps that they belong to.
class Numbering {
 public:
  explicit Numbering(const Steps& run) : run_(run) {
    firsts_.reserve(run.steps.size() + 1);
    firsts_.push_back(1);
    for (std::size_t k = 0; k < run.steps.size(); ++k) {
      firsts_.push_back(firsts_.back() + static_cast<std::ptrdiff_t>(run.steps[k].plan->nodes.size()));
    }
  }
  std::ptrdiff_t first(std::size_t step) const { return firsts_[step]; }
  std::size_t slot(std::ptrdiff_t node) const {
    return static_cast<std::size_t>(node) & (static_cast<std::size_t>(run_.ring) - 1);
  }
  /// Of a node behind the initial point, before step `before`.
  std::size_t step_of(std::ptrdiff_t node, std::size_t before) const {
    while (firsts_[--before] > node) {
    }
    return before;
  }

 private:
  const Steps& run_;
  std::vector<std::ptrdiff_t> firsts_;
};

/// What steps behind a boundary read of nodes before it.
class Reads {
 public:
  Reads(std::ptrdiff_t end, bool has_own_rate) : end_(end), has_own_rate_(has_own_rate) {}
  void add(std::ptrdiff_t node, What what) {
    if (node >= end_) return;
    if (what == What::Rate && !has_own_rate_) what = What::Velocity;
    reads_[node][static_cast<std::size_t>(what)] = true;
  }
  void add_step(const Plan& plan, std::ptrdiff_t first) {
    for (const integrator::PlanNode& node : plan.nodes) {
      for (const std::vector<Link>* links : {&node.q, &node.v, &node.a}) {
        for (const Link& link : *links) add(first + link.node, static_cast<What>(link.part));
      }
    }
    for (const integrator::PlanGroup& group : plan.groups) {
      const bool is_own = group.kind == GroupKind::OwnStep;
      if (!is_own && group.kind != GroupKind::Tick) continue;
      const std::ptrdiff_t before = first + (is_own ? 0 : group.first) - 1;
      add(before, What::Position);
      add(before, What::Velocity);
      if (is_own && std::holds_alternative<formulation::VariationalScheme>(group.scheme)) continue;
      add(before, What::Acceleration);
      add(before, What::Multiplier);
    }
  }
  bool has(std::ptrdiff_t node) const { return reads_.contains(node); }
  using Of = std::array<bool, 5>;  // [What]
  std::map<std::ptrdiff_t, Of>& of_nodes() { return reads_; }

 private:
  std::ptrdiff_t end_;
  bool has_own_rate_;
  std::map<std::ptrdiff_t, Of> reads_;
};

/// The node that a proposal is a copy of, relative to the step.
std::optional<int> copied(const integrator::PlanNode& node) {
  if (node.q.size() != 1 || node.v.size() != 1) return {};
  const Link &q = node.q[0], &v = node.v[0];
  const bool is_copy = q.node == v.node && q.part == integrator::Part::Position && q.weight == 1 &&
                       v.part == integrator::Part::Velocity && v.weight == 1;
  return is_copy ? std::optional(q.node) : std::nullopt;
}

bool is_point(const Plan& plan, int node) {
  return std::any_of(plan.groups.begin(), plan.groups.end(), [&](const integrator::PlanGroup& group) {
    return group.kind == GroupKind::Point && group.first == node;
  });
}

/// Whether it is the end of its step, or what that takes its positions and velocities from.
bool is_state_at_end(const Plan& plan, int node) {
  return node == plan.end ||
         (is_point(plan, plan.end) && copied(plan.nodes[static_cast<std::size_t>(plan.end)]) == node);
}

void set_blocks(const Steps& run, const Numbering& numbers, Reads& reads, Carried& out) {
  auto& of_nodes = reads.of_nodes();
  // From the last to the first: points that are reversed down to others add to what is read of these.
  for (auto at = of_nodes.rbegin(); at != of_nodes.rend(); ++at) {
    const auto [node, of] = *at;
    if (node < 1) continue;  // the start, which no step has
    const std::size_t step = numbers.step_of(node, out.step);
    const Plan& plan = *run.steps[step].plan;
    const auto within = static_cast<int>(node - numbers.first(step));
    if (!is_point(plan, within)) continue;
    const std::optional<int> copy = copied(plan.nodes[static_cast<std::size_t>(within)]);
    const std::ptrdiff_t source = numbers.first(step) + copy.value_or(0);
    const bool has_source = copy && reads.has(source);
    const bool reads_more = of[static_cast<std::size_t>(What::Rate)] ||
                            of[static_cast<std::size_t>(What::Acceleration)] ||
                            of[static_cast<std::size_t>(What::Multiplier)];
    if (!has_source && !reads_more) continue;
    out.points.push_back({node, step, source, has_source});
    at->second = {};
    for (const What what : {What::Position, What::Velocity}) {
      of_nodes[has_source ? source : node][static_cast<std::size_t>(what)] = true;
    }
  }
  for (const auto& [node, of] : of_nodes) {
    const std::size_t step = node < 1 ? 0 : numbers.step_of(node, out.step);
    const bool is_mesh =
        node >= 1 && is_state_at_end(*run.steps[step].plan, static_cast<int>(node - numbers.first(step)));
    for (std::size_t what = 0; what < of.size(); ++what) {
      if (of[what]) out.blocks.push_back({node, static_cast<What>(what), is_mesh ? step + 1 : 0});
    }
  }
}

/// The integrals at the end, step by step backwards, without their integrands.
void set_integrals(const Steps& run, const Numbering& numbers, std::vector<Carried>& out) {
  std::vector<double> totals(static_cast<std::size_t>(run.ring), 0.0), rates = totals;
  std::size_t left = out.size();
  for (std::size_t k = run.steps.size(); k-- > 0 && left > 0;) {
    const Plan& plan = *run.steps[k].plan;
    const auto slot = [&](int i) { return numbers.slot(numbers.first(k) + i); };
    if (k + 1 == run.steps.size()) totals[slot(plan.end)] = 1;
    const double total = std::exchange(totals[slot(plan.end)], 0.0);
    for (const integrator::QuadratureLink& link : plan.quadrature) {
      totals[slot(link.node)] += link.of_total * total;
      rates[slot(link.node)] += run.steps[k].h * link.of_rate * total;
    }
    for (std::size_t i = 0; i < plan.nodes.size(); ++i) rates[slot(static_cast<int>(i))] = 0;
    if (out[left - 1].step != k) continue;
    --left;
    out[left].of_totals = totals;
    out[left].of_rates = rates;
  }
}

}  // namespace

std::vector<Carried> carried(const Steps& run, const std::vector<std::size_t>& at, bool has_own_rate) {
  const Numbering numbers(run);
  std::vector<Carried> out;
  for (const std::size_t step : at) {
    Carried& here = out.emplace_back();
    here.step = step;
    here.first = numbers.first(step);
    Reads reads(here.first, has_own_rate);
    for (std::size_t k = step; k < run.steps.size() && numbers.first(k) - here.first < run.ring; ++k) {
      reads.add_step(*run.steps[k].plan, numbers.first(k));
    }
    set_blocks(run, numbers, reads, here);
  }
  set_integrals(run, numbers, out);
  return out;
}

}  // namespace perilune::sensitivity
