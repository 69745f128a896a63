// SPDX-License-Identifier: MIT
// New nodes from old ones: substitution of variables, and derivatives as expressions, forward and reverse.
#pragma once
#include <unordered_map>
#include <vector>

#include "expr/graph.hpp"

namespace perilune::expr {

using NodeMap = std::unordered_map<NodeId, NodeId>;

/// The node with every node that `by` names replaced.
NodeId substitute(Graph& graph, NodeId output, const NodeMap& by);

/// Sum over the variables x that `rates` names of d(output)/dx * rates[x]; other variables are held fixed. Slopes
/// follow Graph's conventions.
NodeId derivative(Graph& graph, NodeId output, const NodeMap& rates);

/// d(output)/dx for each of these variables x, by one reverse sweep: as many new nodes for one variable as for many.
std::vector<NodeId> gradient(Graph& graph, NodeId output, const std::vector<NodeId>& variables);

}  // namespace perilune::expr
