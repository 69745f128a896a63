// SPDX-License-Identifier: MIT
#include "expr/symbol.hpp"

#include "expr/operations.hpp"
#include "expr/tape.hpp"

namespace perilune::expr {

Symbol Symbol::map(Op op) const {
  if (is_number()) return apply<double>(op, number(), 0, 0, 0);
  return {*graph_, graph_->unary(op, id_)};
}

Symbol Symbol::where(const Symbol& condition, const Symbol& yes, const Symbol& no) {
  if (condition.is_number()) return condition.number() != 0 ? yes : no;
  Graph& graph = *condition.graph_;
  return {graph, graph.where(condition.id_, yes.in(graph), no.in(graph))};
}

Symbol Symbol::lookup(const TablePtr& table, const Symbol& x) {
  if (!x.graph_) return (*table)(x.value_);
  return {*x.graph_, x.graph_->lookup(table, x.id_)};
}

Symbol Symbol::lookup(const SurfacePtr& surface, const Symbol& x, const Symbol& y) {
  Graph* graph = x.graph_ ? x.graph_ : y.graph_;
  if (!graph) return (*surface)(x.value_, y.value_);
  return {*graph, graph->lookup(surface, x.in(*graph), y.in(*graph))};
}

Symbol Symbol::combine(Op op, const Symbol& a, const Symbol& b) {
  // Numbers stay out of the graph until something needs them there: declaring a body or a joint combines hundreds.
  if (a.is_number() && b.is_number()) return apply<double>(op, a.number(), b.number(), 0, 0);
  Graph* graph = a.graph_ ? a.graph_ : b.graph_;
  return {*graph, graph->binary(op, a.in(*graph), b.in(*graph))};
}

std::vector<Symbol> Symbol::replay(const Tape& tape, const std::vector<Symbol>& inputs) {
  const auto found = std::find_if(inputs.begin(), inputs.end(), [](const Symbol& x) { return x.graph_ != nullptr; });
  Graph numbers;  // where all inputs are plain numbers, the outputs are constants of this graph
  Graph& graph = found == inputs.end() ? numbers : *found->graph_;
  std::vector<NodeId> nodes;
  for (const Symbol& x : inputs) nodes.push_back(x.in(graph));
  std::vector<Symbol> outputs;
  for (NodeId id : tape.replay(graph, nodes)) {
    outputs.push_back(&graph == &numbers ? Symbol(graph.constant_value(id)) : Symbol(graph, id));
  }
  return outputs;
}

}  // namespace perilune::expr
