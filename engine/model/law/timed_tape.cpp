// SPDX-License-Identifier: MIT
#include "model/law/timed_tape.hpp"

#include <algorithm>

#include "expr/symbol.hpp"

namespace perilune::model {

using expr::NodeId;
using expr::Symbol;

expr::Tape timed_tape(const expr::Graph& graph, const std::vector<NodeId>& inputs, const std::vector<NodeId>& law) {
  expr::Tape plain(graph, inputs, law);
  const std::vector<NodeId> read = graph.variables_of(law);
  if (std::find(read.begin(), read.end(), inputs.front()) == read.end()) return plain;
  expr::Graph own;
  std::vector<NodeId> variables;
  for (std::size_t i = 0; i <= inputs.size(); ++i) {
    variables.push_back(own.variable(expr::Quantity::Parameter, static_cast<int>(i), "x"));
  }
  std::vector<NodeId> shifted(variables.begin(), variables.end() - 1);
  shifted.front() = (Symbol(own, variables.front()) + Symbol(own, variables.back())).in(own);
  return {own, variables, plain.replay(own, shifted)};
}

}  // namespace perilune::model
