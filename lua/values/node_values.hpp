// SPDX-License-Identifier: MIT
// Numbers for single nodes of a growing graph, on demand: argument checks, the value of a parameter expression, and
// the samples at which a traced law is checked.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "expr/graph.hpp"

namespace perilune::lua {

class NodeValues {
 public:
  /// `variable` gives the value of a variable that was not set.
  NodeValues(const expr::Graph& graph, std::function<double(const expr::Variable&)> variable)
      : graph_(&graph), variable_(std::move(variable)) {}

  /// Forgets all values, in constant time.
  void clear() { ++now_; }
  /// Overrides the value of any node until the next clear(). Nodes that were computed already keep their value.
  void set(expr::NodeId node, double value);
  double operator()(expr::NodeId node);

 private:
  bool known(expr::NodeId node) const { return stamps_[static_cast<std::size_t>(node)] == now_; }
  void grow();

  const expr::Graph* graph_;
  std::function<double(const expr::Variable&)> variable_;
  std::vector<double> values_;
  std::vector<std::uint32_t> stamps_;
  std::vector<expr::NodeId> stack_;
  std::uint32_t now_ = 1;
};

/// Which nodes depend on more than parameters. Nodes never change, so the answers are kept.
class StateDependence {
 public:
  explicit StateDependence(const expr::Graph& graph) : graph_(&graph) {}
  /// A variable other than a parameter that the node depends on; no_node if there is none.
  expr::NodeId operator()(expr::NodeId node);

 private:
  const expr::Graph* graph_;
  std::vector<expr::NodeId> found_;
  std::vector<expr::NodeId> stack_;
};

}  // namespace perilune::lua
