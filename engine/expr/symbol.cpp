#include "expr/symbol.hpp"

#include "expr/operations.hpp"

namespace perilune::expr {

Symbol Symbol::map(Op op) const {
  if (!graph_) return apply<double>(op, value_, 0, 0, 0);
  return {*graph_, graph_->unary(op, id_)};
}

Symbol Symbol::combine(Op op, const Symbol& a, const Symbol& b) {
  Graph* graph = a.graph_ ? a.graph_ : b.graph_;
  if (!graph) return apply<double>(op, a.value_, b.value_, 0, 0);
  return {*graph, graph->binary(op, a.in(*graph), b.in(*graph))};
}

}  // namespace perilune::expr
