// SPDX-License-Identifier: MIT
#include "values/node_values.hpp"

#include "expr/operations.hpp"

namespace perilune::lua {

using expr::Node;
using expr::NodeId;
using expr::Op;

namespace {

constexpr NodeId unknown = -2;

bool is_leaf(const Node& node) { return node.op == Op::Constant || node.op == Op::Variable; }

}  // namespace

void NodeValues::grow() {
  values_.resize(graph_->size());
  stamps_.resize(graph_->size(), 0);
}

void NodeValues::set(NodeId node, double value) {
  grow();
  values_[static_cast<std::size_t>(node)] = value;
  stamps_[static_cast<std::size_t>(node)] = now_;
}

double NodeValues::operator()(NodeId wanted) {
  grow();
  stack_.assign(1, wanted);
  while (!stack_.empty()) {
    const NodeId id = stack_.back();
    if (known(id)) {
      stack_.pop_back();
      continue;
    }
    const Node& node = graph_->node(id);
    if (!is_leaf(node)) {
      const std::size_t depth = stack_.size();
      for (const NodeId operand : {node.a, node.b, node.c}) {
        if (operand >= 0 && !known(operand)) stack_.push_back(operand);
      }
      if (stack_.size() > depth) continue;
    }
    const auto value = [&](NodeId operand) { return operand < 0 ? 0.0 : values_[static_cast<std::size_t>(operand)]; };
    double result = node.value;
    if (node.op == Op::Variable) {
      result = variable_(graph_->variable_of(id));
    } else if (node.op != Op::Constant) {
      result = expr::apply<double>(node.op, value(node.a), value(node.b), value(node.c), node.value, &graph_->tables());
    }
    set(id, result);
    stack_.pop_back();
  }
  return values_[static_cast<std::size_t>(wanted)];
}

NodeId StateDependence::operator()(NodeId wanted) {
  found_.resize(graph_->size(), unknown);
  stack_.assign(1, wanted);
  const auto found = [this](NodeId id) -> NodeId& { return found_[static_cast<std::size_t>(id)]; };
  while (!stack_.empty()) {
    const NodeId id = stack_.back();
    const Node& node = graph_->node(id);
    if (found(id) != unknown) {
      stack_.pop_back();
    } else if (is_leaf(node)) {
      const bool is_state = node.op == Op::Variable && graph_->variable_of(id).quantity != expr::Quantity::Parameter &&
                            graph_->variable_of(id).quantity != expr::Quantity::Absence;
      found(id) = is_state ? id : expr::no_node;
      stack_.pop_back();
    } else {
      NodeId result = expr::no_node;
      const std::size_t depth = stack_.size();
      for (const NodeId operand : {node.a, node.b, node.c}) {
        if (operand < 0) continue;
        if (found(operand) == unknown) {
          stack_.push_back(operand);
        } else if (result == expr::no_node) {
          result = found(operand);
        }
      }
      if (stack_.size() > depth) continue;
      found(id) = result;
      stack_.pop_back();
    }
  }
  return found(wanted);
}

}  // namespace perilune::lua
