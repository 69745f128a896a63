#include "expr/symbol.hpp"

#include "expr/operations.hpp"

namespace perilune::expr {

Symbol Symbol::map(Op op) const {
  if (!graph_) return apply<double>(op, value_, 0, 0, 0);
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

Symbol Symbol::combine(Op op, const Symbol& a, const Symbol& b) {
  Graph* graph = a.graph_ ? a.graph_ : b.graph_;
  if (!graph) return apply<double>(op, a.value_, b.value_, 0, 0);
  return {*graph, graph->binary(op, a.in(*graph), b.in(*graph))};
}

}  // namespace perilune::expr
