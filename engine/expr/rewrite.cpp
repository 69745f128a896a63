// SPDX-License-Identifier: MIT
#include "expr/rewrite.hpp"

#include <unordered_set>

namespace perilune::expr {

namespace {

NodeId rebuild(Graph& graph, const Node& node, NodeId a, NodeId b, NodeId c) {
  if (node.op == Op::Where) return graph.where(a, b, c);
  if (node.op == Op::PowConstant) return graph.binary(Op::Pow, a, graph.constant(node.value));
  if (node.op == Op::Table) return graph.lookup(graph.tables().curves[static_cast<std::size_t>(node.value)], a);
  if (node.op == Op::Surface) {
    return graph.lookup(graph.tables().surfaces[static_cast<std::size_t>(node.value)], a, b);
  }
  return node.b < 0 ? graph.unary(node.op, a) : graph.binary(node.op, a, b);
}

/// d(node)/d(first argument), as an expression; `self` is the node itself.
NodeId slope_in_first(Graph& g, const Node& n, NodeId self) {
  const NodeId one = g.constant(1);
  auto over = [&](NodeId x, NodeId y) { return g.binary(Op::Div, x, y); };
  auto times = [&](NodeId x, NodeId y) { return g.binary(Op::Mul, x, y); };
  auto one_minus_square = [&](NodeId x) { return g.binary(Op::Sub, one, times(x, x)); };
  auto one_plus_square = [&](NodeId x) { return g.binary(Op::Add, one, times(x, x)); };
  switch (n.op) {
    case Op::Neg:
      return g.constant(-1);
    case Op::Abs:
      return g.unary(Op::Sign, n.a);
    case Op::Sqrt:
      return over(g.constant(0.5), self);
    case Op::Exp:
      return self;
    case Op::Log:
      return over(one, n.a);
    case Op::Sin:
      return g.unary(Op::Cos, n.a);
    case Op::Cos:
      return g.unary(Op::Neg, g.unary(Op::Sin, n.a));
    case Op::Tan:
      return one_plus_square(self);
    case Op::Asin:
      return over(one, g.unary(Op::Sqrt, one_minus_square(n.a)));
    case Op::Acos:
      return over(g.constant(-1), g.unary(Op::Sqrt, one_minus_square(n.a)));
    case Op::Atan:
      return over(one, one_plus_square(n.a));
    case Op::Sinh:
      return g.unary(Op::Cosh, n.a);
    case Op::Cosh:
      return g.unary(Op::Sinh, n.a);
    case Op::Tanh:
      return one_minus_square(self);
    case Op::PowConstant:
      return times(g.constant(n.value), g.binary(Op::Pow, n.a, g.constant(n.value - 1)));
    case Op::Table:
      return g.lookup_slope(self);
    case Op::Surface:
      return g.surface_slope(self, false);
    case Op::Add:
    case Op::Sub:
      return one;
    case Op::Mul:
      return n.b;
    case Op::Div:
      return over(one, n.b);
    case Op::Pow:
      return times(n.b, g.binary(Op::Pow, n.a, g.binary(Op::Sub, n.b, one)));
    case Op::Atan2:
      return over(n.b, g.binary(Op::Add, times(n.a, n.a), times(n.b, n.b)));
    case Op::Min:
      return g.where(g.binary(Op::Less, n.b, n.a), g.constant(0), one);
    case Op::Max:
      return g.where(g.binary(Op::Less, n.a, n.b), g.constant(0), one);
    default:
      return g.constant(0);
  }
}

NodeId slope_in_second(Graph& g, const Node& n, NodeId self) {
  const NodeId one = g.constant(1);
  switch (n.op) {
    case Op::Surface:
      return g.surface_slope(self, true);
    case Op::Add:
      return one;
    case Op::Sub:
      return g.constant(-1);
    case Op::Mul:
      return n.a;
    case Op::Div:
      return g.unary(Op::Neg, g.binary(Op::Div, self, n.b));
    case Op::Pow: {
      const NodeId is_zero = g.binary(Op::LessEqual, n.a, g.constant(0));
      return g.where(is_zero, g.constant(0), g.binary(Op::Mul, self, g.unary(Op::Log, n.a)));
    }
    case Op::Atan2:
      return g.unary(
          Op::Neg, g.binary(Op::Div, n.a, g.binary(Op::Add, g.binary(Op::Mul, n.a, n.a), g.binary(Op::Mul, n.b, n.b))));
    case Op::Min:
      return g.where(g.binary(Op::Less, n.b, n.a), one, g.constant(0));
    case Op::Max:
      return g.where(g.binary(Op::Less, n.a, n.b), one, g.constant(0));
    default:
      return g.constant(0);
  }
}

NodeId add_product(Graph& g, NodeId sum, NodeId slope, NodeId rate) {
  if (g.is_constant(slope) && g.constant_value(slope) == -1) return g.binary(Op::Sub, sum, rate);
  return g.binary(Op::Add, sum, g.binary(Op::Mul, slope, rate));
}

bool is_choice(Op op) { return op == Op::Where || op == Op::Min || op == Op::Max; }
bool is_flat(Op op) { return op == Op::Sign || op == Op::Less || op == Op::LessEqual; }

using NodeSet = std::unordered_set<NodeId>;

/// Those of the nodes (operands first) that depend on any of these variables by more than a condition.
NodeSet moved_by(const Graph& graph, const std::vector<NodeId>& nodes, const std::vector<NodeId>& variables) {
  NodeSet moved(variables.begin(), variables.end());
  for (NodeId id : nodes) {
    const Node& n = graph.node(id);
    if (n.op == Op::Variable || n.op == Op::Constant || is_flat(n.op)) continue;
    if ((n.op != Op::Where && moved.contains(n.a)) || moved.contains(n.b) || moved.contains(n.c)) moved.insert(id);
  }
  return moved;
}

/// Those that the output uses whatever its conditions choose.
NodeSet always_used(const Graph& graph, const std::vector<NodeId>& nodes, NodeId output) {
  NodeSet used{output};
  for (auto id = nodes.rbegin(); id != nodes.rend(); ++id) {
    const Node& n = graph.node(*id);
    if (n.op == Op::Variable || is_choice(n.op) || is_flat(n.op) || !used.contains(*id)) continue;
    used.insert({n.a, n.b, n.c});
  }
  return used;
}

}  // namespace

NodeId substitute(Graph& graph, NodeId output, const NodeMap& by) {
  NodeMap done;
  auto of = [&](NodeId id) { return id < 0 ? id : done.at(id); };
  for (NodeId id : graph.needed_by({output})) {
    const Node node = graph.node(id);  // by value: new nodes move the graph's storage
    if (const auto found = by.find(id); found != by.end()) {
      done[id] = found->second;
    } else if (node.op == Op::Constant || node.op == Op::Variable) {
      done[id] = id;
    } else {
      done[id] = rebuild(graph, node, of(node.a), of(node.b), of(node.c));
    }
  }
  return done.at(output);
}

NodeId derivative(Graph& graph, NodeId output, const NodeMap& rates) {
  const NodeId zero = graph.constant(0);
  NodeMap rate;
  for (NodeId id : graph.needed_by({output})) {
    const Node node = graph.node(id);
    if (node.op == Op::Constant || node.op == Op::Variable) {
      const auto found = rates.find(id);
      rate[id] = found == rates.end() ? zero : found->second;
    } else if (node.op == Op::Where) {
      rate[id] = graph.where(node.a, rate.at(node.b), rate.at(node.c));
    } else {
      NodeId sum = zero;
      const NodeId in_a = rate.at(node.a), in_b = node.b < 0 ? zero : rate.at(node.b);
      // Only what moves is formed: a slope may be infinite where it does not matter.
      if (in_a != zero) sum = add_product(graph, sum, slope_in_first(graph, node, id), in_a);
      if (in_b != zero) sum = add_product(graph, sum, slope_in_second(graph, node, id), in_b);
      rate[id] = sum;
    }
  }
  return rate.at(output);
}

std::vector<NodeId> gradient(Graph& graph, NodeId output, const std::vector<NodeId>& variables) {
  const NodeId zero = graph.constant(0);
  const std::vector<NodeId> nodes = graph.needed_by({output});
  const NodeSet moved = moved_by(graph, nodes, variables), certain = always_used(graph, nodes, output);
  NodeMap adjoint;
  auto of = [&](NodeId id) -> NodeId& { return adjoint.try_emplace(id, zero).first->second; };
  of(output) = graph.constant(1);
  for (auto at = nodes.rbegin(); at != nodes.rend(); ++at) {
    const NodeId id = *at, seed = of(id);
    const Node node = graph.node(id);  // by value: new nodes move the graph's storage
    if (seed == zero || node.op == Op::Variable || !moved.contains(id)) continue;
    auto add = [&](NodeId operand, auto&& slope) {
      if (operand < 0 || !moved.contains(operand)) return;
      NodeId& sum = of(operand);
      // What is not chosen has no effect, though its slope may be infinite there.
      sum = certain.contains(id)
                ? add_product(graph, sum, slope(), seed)
                : graph.binary(Op::Add, sum, graph.where(seed, add_product(graph, zero, slope(), seed), zero));
    };
    if (node.op == Op::Where) {
      if (moved.contains(node.b)) of(node.b) = graph.binary(Op::Add, of(node.b), graph.where(node.a, seed, zero));
      if (moved.contains(node.c)) of(node.c) = graph.binary(Op::Add, of(node.c), graph.where(node.a, zero, seed));
    } else {
      add(node.a, [&] { return slope_in_first(graph, node, id); });
      add(node.b, [&] { return slope_in_second(graph, node, id); });
    }
  }
  std::vector<NodeId> slopes;
  for (NodeId x : variables) slopes.push_back(of(x));
  return slopes;
}

}  // namespace perilune::expr
