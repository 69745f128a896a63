// SPDX-License-Identifier: MIT
#include "integrator/step_slopes.hpp"

#include <cmath>

#include "formulation/projection.hpp"
#include "formulation/step_solver.hpp"

namespace perilune::integrator {

using formulation::TangentNode;

void find_group_tangents(const March& march, std::size_t g, Motion::Here here, int count, const TangentNode& start,
                         std::span<const Node> nodes, std::span<const TangentNode> tangents, const double* by_length) {
  Motion& motion = march.motion();
  switch (const PlanGroup& group = march.plan().groups[g]; group.kind) {
    case GroupKind::Combination:
    case GroupKind::Tick:  // nothing is solved for; whoever goes along knows what becomes of what is sampled
      break;
    case GroupKind::Point:
      motion.linearize_point(nodes.front(), here, {});
      motion.tangent_point(count, tangents.front());
      break;
    case GroupKind::Implicit:
      motion.linearize_group(march.coupling(g), nodes);
      motion.tangent_group(march.coupling(g), count, tangents);
      break;
    case GroupKind::Projection:
      motion.projection()->linearize(nodes.front());
      motion.projection()->tangent(count, tangents.front().z);
      break;
    case GroupKind::OwnStep: {
      formulation::StepSolver& solver = *motion.step_solver(group.scheme);
      if (here == Motion::Here::Again) solver.linearize(march.h(), march.node(-1), nodes);
      solver.tangent(count, start, tangents, by_length);
      break;
    }
  }
}

StepSlopes::StepSlopes(const March& march, By by)
    : march_(march), by_(by), n_(static_cast<std::size_t>(march.motion().n())) {
  const Plan& plan = march.plan();
  const auto m = static_cast<std::size_t>(march.motion().m()),
             data = static_cast<std::size_t>(march.motion().system().data_count());
  const bool has_own_rate = march.motion().has_own_rate();
  const std::size_t size = 3 * n_ + data + m + (has_own_rate ? n_ + m : 0);
  storage_.assign((plan.nodes.size() + 1) * size, 0.0);
  for (std::size_t i = 0; i <= plan.nodes.size(); ++i) {
    double *z = storage_.data() + i * size, *x = z + 2 * n_ + data, *u = x + n_ + m;
    tangents_.push_back(has_own_rate ? TangentNode{z, x, u, u + n_} : TangentNode{z, x, z + n_, nullptr});
  }
  const int time = march.motion().system().time_datum();
  auto set_time = [&](int i, double slope) {
    if (time >= 0) tangent(i).z[2 * n_ + static_cast<std::size_t>(time)] = slope;
  };
  if (by == By::Start) set_time(-1, 1);
  std::vector<Node> nodes;
  std::vector<TangentNode> tangents;
  const double length = of_length();
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    nodes.clear();
    tangents.clear();
    for (int i = plan.groups[g].first; i < plan.group_end(g); ++i) {
      const PlanNode& how = plan.nodes[at(i)];
      const TangentNode y = tangents.emplace_back(tangent(i));
      nodes.push_back(march.node(i));
      set_time(i, by == By::Start ? 1 : how.c);
      combine(how.q, Part::Position, y.z);
      combine(how.v, Part::Velocity, y.z + n_);
      combine(how.a, Part::Acceleration, y.x);
    }
    if (plan.groups[g].kind == GroupKind::Implicit && by == By::Length) add_coupling(g, nodes, tangents);
    find_group_tangents(march, g, Motion::Here::Again, 1, tangent(-1), nodes, tangents, &length);
  }
}

system::MotionPoint StepSlopes::operator[](int i) const {
  const Node x = node(i);
  return {x.t, x.q, x.v, x.a, x.lambda};
}

Node StepSlopes::node(int i) const {
  const TangentNode& y = tangent(i);
  const double c = i < 0 ? 0 : by_ == By::Start ? 1 : march_.plan().nodes[at(i)].c;
  return {c, y.z, y.z + n_, y.x, y.x + n_, y.u, y.mu, nullptr};
}

void StepSlopes::combine(const std::vector<Link>& links, Part to, double* out) {
  for (const Link& link : links) {
    const double *own = part_of(node(link.node), link.part), *value = part_of(march_.node(link.node), link.part);
    const int k_h = power(link.part, to);  // the weight's power of h
    const double h = march_.h(), weight = link.weight * (k_h == 0 ? 1 : k_h == 1 ? h : h * h);
    const double by_length = of_length() * link.weight * (k_h == 0 ? 0 : k_h == 1 ? 1 : 2 * h);
    for (std::size_t k = 0; k < n_; ++k) out[k] += weight * own[k] + by_length * value[k];
  }
}

std::vector<double> StepSlopes::proposed_velocities(std::size_t g, std::span<const Node> nodes) const {
  const Coupling& weights = march_.plan().groups[g].weights;
  std::vector<double> out;
  for (int i = 0; i < weights.size; ++i) {
    const std::size_t first = out.size();
    out.resize(first + n_, 0.0);
    double* v = out.data() + first;
    const auto add = [&](double weight, const double* x) {
      for (std::size_t k = 0; k < n_; ++k) v[k] += weight * x[k];
    };
    const int own = march_.plan().groups[g].first + i;
    for (const Link& link : march_.plan().nodes[at(own)].v) {
      const double weight = link.weight * std::pow(march_.h(), power(link.part, Part::Velocity));
      add(weight, part_of(march_.node(link.node), link.part));
    }
    for (int j = 0; j < weights.size; ++j) add(march_.h() * weights.va(i, j), nodes[static_cast<std::size_t>(j)].a);
  }
  return out;
}

void StepSlopes::add_coupling(std::size_t g, std::span<const Node> nodes, std::span<const TangentNode> tangents) {
  const Coupling& weights = march_.plan().groups[g].weights;
  const double h = march_.h();
  // Where velocities are constrained, a form may find others than the step proposes, by which positions go on.
  std::vector<double> proposed;
  if (march_.motion().system().constrains_velocities() && !march_.motion().has_own_rate()) {
    proposed = proposed_velocities(g, nodes);
  }
  for (int i = 0; i < weights.size; ++i) {
    double *q = tangents[static_cast<std::size_t>(i)].z, *v = q + n_;
    for (int j = 0; j < weights.size; ++j) {
      const Node& x = nodes[static_cast<std::size_t>(j)];
      const double* u = proposed.empty() ? x.u : proposed.data() + static_cast<std::size_t>(j) * n_;
      for (std::size_t k = 0; k < n_; ++k) {
        q[k] += weights.qu(i, j) * u[k] + 2 * h * weights.qa(i, j) * x.a[k];
        v[k] += weights.va(i, j) * x.a[k];
      }
    }
  }
}

}  // namespace perilune::integrator
