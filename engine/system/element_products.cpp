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
    const std::pair<PointPart, int> parts[] = {{PointPart::Position, n},     {PointPart::Velocity, n},
                                               {PointPart::Acceleration, n}, {PointPart::Multiplier, m},
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
    for (const auto& [part, count] : {parts[0], parts[3]}) {
      for (int i = 0; i < count; ++i) {
        weight_.push_back(add(Of::Weight, part, i));
        weight_place_.push_back({part, i});
      }
    }
    for (int i = 0; i < 4; ++i) law_.push_back(add(Of::Law, PointPart::Position, i));
  }

  ElementProducts products() {
    const NodeId along = derivative(graph_, weighted_residual(), first_), twice = derivative(graph_, along, second_);
    // S is linear in w: its gradient by w is R.
    return {product(gradient(graph_, along, z_), z_place_, false),
            product(gradient(graph_, along, weight_), weight_place_, true),
            product(gradient(graph_, twice, weight_), weight_place_, true)};
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

  NodeId weighted_residual() {
    const auto q = symbols(PointPart::Position), v = symbols(PointPart::Velocity), a = symbols(PointPart::Acceleration),
               d = symbols(PointPart::Datum);
    const expr::Symbol t = symbols(PointPart::Time).front();
    NodeId sum = graph_.constant(0);
    std::size_t row = 0;
    for (const expr::Symbol& r : kernel_.symbolic_residual(q, v, a, t, d)) {
      add_product(sum, weight_[row++], r.in(graph_));
    }
    NodeMap along_weight, along_motion{{point(PointPart::Time).front(), graph_.constant(1)}};
    for (std::size_t i = 0; i < q.size(); ++i) {
      along_weight[point(PointPart::Position)[i]] = weight_[i];
      along_motion[point(PointPart::Position)[i]] = point(PointPart::Velocity)[i];
      along_motion[point(PointPart::Velocity)[i]] = point(PointPart::Acceleration)[i];
    }
    std::size_t k = 0;
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

ElementProducts element_products(const model::Kernel& kernel, const std::vector<char>& moving) {
  return ElementGraph(kernel, moving).products();
}

std::shared_ptr<const ElementProducts> ElementProductCache::find(const Kernel& kernel,
                                                                 const std::vector<char>& moving) {
  const std::lock_guard lock(mutex_);
  auto& found = known_[{kernel, moving}];
  if (!found) found = std::make_shared<const ElementProducts>(element_products(*kernel, moving));
  return found;
}

}  // namespace perilune::system
