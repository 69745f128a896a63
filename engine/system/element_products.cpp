// SPDX-License-Identifier: MIT
#include "system/element_products.hpp"

#include <unordered_map>
#include <utility>

#include "expr/rewrite.hpp"

namespace perilune::system {

namespace {

using expr::Graph;
using expr::NodeId;
using expr::NodeMap;
using expr::Op;
using Nodes = std::vector<NodeId>;
using Of = ElementProduct::Of;

/// The graph of one element type. Everything is derived from the scalar S = w^T R, in which all rows of R share what
/// they have in common, and in which Phi_q^T lambda needs one derivative of Phi along w instead of a Jacobian.
class ElementGraph {
 public:
  ElementGraph(const model::Kernel& kernel, const std::vector<char>& moving) : kernel_(kernel) {
    const int n = kernel.coordinate_count(), m = kernel.constraint_count(), d = kernel.data_count();
    const std::pair<PointPart, int> parts[] = {
        {PointPart::Position, n},     {PointPart::Velocity, n},
        {PointPart::Acceleration, n}, {PointPart::Multiplier, m + kernel.read_count()},
        {PointPart::Datum, d},        {PointPart::Time, 1}};
    for (const auto& [part, count] : parts) {
      Nodes& own = point_.emplace_back();
      for (int i = 0; i < count; ++i) {
        own.push_back(add(Of::Point, part, i));
        if (part == PointPart::Datum && !moving[static_cast<std::size_t>(i)]) continue;
        z_.push_back(own.back());
        z_place_.push_back({part, i});
        first_[own.back()] = add(Of::First, part, i);
        second_[own.back()] = add(Of::Second, part, i);
      }
    }
    for (const auto& [part, count] : {std::pair(PointPart::Position, n), std::pair(PointPart::Multiplier, m)}) {
      for (int i = 0; i < count; ++i) {
        weight_.push_back(add(Of::Weight, part, i));
        weight_place_.push_back({part, i});
      }
    }
    for (int i = 0; i < 5; ++i) law_.push_back(add(Of::Law, PointPart::Position, i));
  }

  ElementProduct product(ProductKind kind) {
    const NodeId s = weighted_residual();
    auto along = [this](NodeId of) { return derivative(graph_, of, first_); };
    // S is linear in w: its gradient by w is R.
    auto rows = [this](NodeId of) { return gradient(graph_, of, weight_); };
    switch (kind) {
      case ProductKind::Gradient:
        return product(gradient(graph_, along(s), z_), z_place_, false);
      case ProductKind::First:
        return product(rows(along(s)), weight_place_, true);
      case ProductKind::Second:
        return product(rows(derivative(graph_, along(s), second_)), weight_place_, true);
      case ProductKind::MetricChange:
        return metric_change(metric(s));
      case ProductKind::MetricTangent:
        return product(rows(along(metric(s))), weight_place_, true);
      case ProductKind::RatesOfRows:
        return rates_of_rows(along(s), {PointPart::Velocity, PointPart::Acceleration, PointPart::Multiplier});
      case ProductKind::SecondRates:
        return second_rates(along(s));
      case ProductKind::DampingRates:
        return rates_of_rows(along(of_forces(s)), {PointPart::Velocity});
      case ProductKind::TimePartial:
        return product(rows(derivative(graph_, s, {{point(PointPart::Time).front(), graph_.constant(1)}})),
                       weight_place_, true);
      case ProductKind::Curvature:
        return product(on_motion(rows(along(along(s)))), weight_place_, true);
      case ProductKind::MassRates:
        break;
    }
    return mass_rates(s);
  }

 private:
  NodeId add(Of of, PointPart part, int number) {
    const auto index = static_cast<int>(place_.size());
    const NodeId id = graph_.variable(expr::Quantity::Parameter, index, "x");
    place_[id] = {of, part, number};
    return id;
  }
  const Nodes& point(PointPart part) const { return point_[static_cast<std::size_t>(part)]; }
  model::Kernel::Symbols symbols(PointPart part) {
    model::Kernel::Symbols out;
    for (NodeId id : point(part)) out.push_back({graph_, id});
    return out;
  }
  void add_product(NodeId& sum, NodeId x, NodeId y) { sum = graph_.binary(Op::Add, sum, graph_.binary(Op::Mul, x, y)); }

  /// The derivatives along any direction, along the motion.
  Nodes on_motion(Nodes nodes) {
    NodeMap by{{first_.at(point(PointPart::Time).front()), graph_.constant(1)}};
    for (std::size_t i = 0; i < point(PointPart::Position).size(); ++i) {
      by[first_.at(point(PointPart::Position)[i])] = point(PointPart::Velocity)[i];
      by[first_.at(point(PointPart::Velocity)[i])] = point(PointPart::Acceleration)[i];
    }
    for (NodeId& node : nodes) node = substitute(graph_, node, by);
    return nodes;
  }

  /// Without weights of the rows of constraints.
  NodeId of_forces(NodeId s) {
    NodeMap none;
    for (std::size_t k = point(PointPart::Position).size(); k < weight_.size(); ++k) {
      none[weight_[k]] = graph_.constant(0);
    }
    return substitute(graph_, s, none);
  }

  /// w^T (M a + Phi_q^T lambda) for the a and lambda of Second: what S has of these, which is linear in them.
  NodeId metric(NodeId s) {
    NodeMap along, at_rest;
    for (PointPart part : {PointPart::Acceleration, PointPart::Multiplier}) {
      for (const NodeId own : point(part)) along[own] = second_.at(own);
    }
    for (const NodeId own : point(PointPart::Velocity)) at_rest[own] = graph_.constant(0);
    for (const NodeId own : law_) at_rest[own] = graph_.constant(0);
    return substitute(graph_, derivative(graph_, s, along), at_rest);
  }

  ElementProduct metric_change(NodeId of) {
    Nodes by;
    std::vector<ElementProduct::Output> places;
    for (std::size_t i = 0; i < z_.size(); ++i) {
      if (z_place_[i].part != PointPart::Position && z_place_[i].part != PointPart::Datum) continue;
      by.push_back(z_[i]);
      places.push_back(z_place_[i]);
    }
    return product(gradient(graph_, of, by), places, false);
  }

  /// The gradient by some parts of z, whose places are appended to `places`.
  Nodes by_parts(NodeId of, std::initializer_list<PointPart> parts, std::vector<ElementProduct::Output>& places) {
    Nodes by;
    for (PointPart part : parts) {
      for (std::size_t i = 0; i < point(part).size(); ++i) {
        by.push_back(point(part)[i]);
        places.push_back({part, static_cast<int>(i)});
      }
    }
    return gradient(graph_, of, by);
  }

  ElementProduct rates_of_rows(NodeId along, std::initializer_list<PointPart> parts) {
    std::vector<ElementProduct::Output> places;
    const Nodes rates = by_parts(along, parts, places);
    return product(on_motion(rates), places, false);
  }

  /// The first rates read z and the rates of a and lambda, all of which move.
  ElementProduct second_rates(NodeId along) {
    std::vector<ElementProduct::Output> places;
    Nodes nodes = on_motion(by_parts(along, {PointPart::Acceleration, PointPart::Multiplier}, places));
    NodeMap motion{{point(PointPart::Time).front(), graph_.constant(1)}};
    for (std::size_t i = 0; i < point(PointPart::Position).size(); ++i) {
      motion[point(PointPart::Position)[i]] = point(PointPart::Velocity)[i];
      motion[point(PointPart::Velocity)[i]] = point(PointPart::Acceleration)[i];
    }
    for (PointPart part : {PointPart::Acceleration, PointPart::Multiplier}) {
      for (const NodeId own : point(part)) {
        motion[own] = first_.at(own);
        motion[first_.at(own)] = second_.at(own);
      }
    }
    for (NodeId& node : nodes) node = derivative(graph_, node, motion);
    return product(nodes, places, false);
  }

  ElementProduct mass_rates(NodeId s) {
    const Nodes &q = point(PointPart::Position), &v = point(PointPart::Velocity), &a = point(PointPart::Acceleration);
    NodeMap into_mass, motion{{point(PointPart::Time).front(), graph_.constant(1)}};
    for (std::size_t i = 0; i < q.size(); ++i) {
      into_mass[a[i]] = first_.at(a[i]);
      motion[q[i]] = v[i];
      motion[v[i]] = a[i];
    }
    const NodeId rate = derivative(graph_, derivative(graph_, s, into_mass), motion);
    const Nodes weights(weight_.begin(), weight_.begin() + static_cast<std::ptrdiff_t>(q.size()));
    Nodes nodes = gradient(graph_, rate, weights);
    std::vector<ElementProduct::Output> places;
    for (std::size_t i = 0; i < q.size(); ++i) places.push_back({PointPart::Acceleration, static_cast<int>(i)});
    for (NodeId node : gradient(graph_, derivative(graph_, rate, motion), weights)) {
      places.push_back({PointPart::Position, static_cast<int>(nodes.size() - q.size())});
      nodes.push_back(node);
    }
    return product(nodes, places, false);
  }

  NodeId weighted_residual() {
    const auto q = symbols(PointPart::Position), v = symbols(PointPart::Velocity), a = symbols(PointPart::Acceleration),
               d = symbols(PointPart::Datum);
    const expr::Symbol t = symbols(PointPart::Time).front();
    NodeId sum = graph_.constant(0);
    std::size_t row = 0;
    model::Kernel::Symbols reads = symbols(PointPart::Multiplier);
    reads.erase(reads.begin(), reads.begin() + kernel_.constraint_count());
    for (const expr::Symbol& r : kernel_.symbolic_residual(q, v, a, reads, t, d)) {
      add_product(sum, weight_[row++], r.in(graph_));
    }
    NodeMap along_weight, along_motion{{point(PointPart::Time).front(), graph_.constant(1)}};
    for (std::size_t i = 0; i < q.size(); ++i) {
      along_weight[point(PointPart::Position)[i]] = weight_[i];
      along_motion[point(PointPart::Position)[i]] = point(PointPart::Velocity)[i];
      along_motion[point(PointPart::Velocity)[i]] = point(PointPart::Acceleration)[i];
    }
    std::size_t k = 0;
    if (kernel_.constrains_velocities()) {
      for (std::size_t i = 0; i < q.size(); ++i) {
        along_weight.erase(point(PointPart::Position)[i]);
        along_weight[point(PointPart::Velocity)[i]] = weight_[i];
      }
      for (const expr::Symbol& constraint : kernel_.symbolic_constraint_rates(q, v, t, d)) {
        const NodeId psi = constraint.in(graph_), kappa = point(PointPart::Multiplier)[k], w = weight_[q.size() + k];
        add_product(sum, kappa, derivative(graph_, psi, along_weight));
        add_product(sum, graph_.binary(Op::Mul, law_[0], w), derivative(graph_, psi, along_motion));
        add_product(sum, graph_.binary(Op::Mul, law_[4], w), psi);
        sum = graph_.binary(Op::Sub, sum, graph_.binary(Op::Mul, graph_.binary(Op::Mul, law_[3], w), kappa));
        ++k;
      }
      return sum;
    }
    for (const expr::Symbol& constraint : kernel_.symbolic_constraints(q, t, d)) {
      const NodeId phi = constraint.in(graph_), lambda = point(PointPart::Multiplier)[k], w = weight_[q.size() + k];
      const NodeId rate = derivative(graph_, phi, along_motion);
      add_product(sum, lambda, derivative(graph_, phi, along_weight));
      add_product(sum, graph_.binary(Op::Mul, law_[0], w), derivative(graph_, rate, along_motion));
      add_product(sum, graph_.binary(Op::Mul, law_[1], w), rate);
      add_product(sum, graph_.binary(Op::Mul, law_[2], w), phi);
      sum = graph_.binary(Op::Sub, sum, graph_.binary(Op::Mul, graph_.binary(Op::Mul, law_[3], w), lambda));
      ++k;
    }
    return sum;
  }

  ElementProduct product(const Nodes& all, const std::vector<ElementProduct::Output>& places, bool is_residual) const {
    ElementProduct out;
    out.is_residual = is_residual;
    Nodes nodes;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (graph_.is_constant(all[i]) && graph_.constant_value(all[i]) == 0) continue;
      nodes.push_back(all[i]);
      out.outputs.push_back(places[i]);
    }
    const Nodes inputs = graph_.variables_of(nodes);
    for (NodeId id : inputs) out.inputs.push_back(place_.at(id));
    out.tape = expr::Tape(graph_, inputs, nodes);
    return out;
  }

  const model::Kernel& kernel_;
  Graph graph_;
  std::unordered_map<NodeId, ElementProduct::Input> place_;
  std::vector<Nodes> point_;  // by part
  Nodes z_, weight_, law_;    // z without the data that are constant
  std::vector<ElementProduct::Output> z_place_, weight_place_;
  NodeMap first_, second_;
};

}  // namespace

ElementProduct element_product(ProductKind kind, const model::Kernel& kernel, const std::vector<char>& moving) {
  return ElementGraph(kernel, moving).product(kind);
}

std::shared_ptr<const ElementProduct> ElementProductCache::find(ProductKind kind, const Kernel& kernel,
                                                                const std::vector<char>& moving) {
  const std::lock_guard lock(mutex_);
  auto& found = known_[{kind, kernel, moving}];
  if (!found) found = std::make_shared<const ElementProduct>(element_product(kind, *kernel, moving));
  return found;
}

}  // namespace perilune::system
