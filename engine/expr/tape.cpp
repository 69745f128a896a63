#include "expr/tape.hpp"

#include <cmath>
#include <unordered_map>

#include "error.hpp"

namespace perilune::expr {

Tape::Tape(const Graph& graph, std::vector<NodeId> inputs, const std::vector<NodeId>& outputs)
    : inputs_(std::move(inputs)) {
  // Nodes are appended after their operands, so ascending ids are a valid order of evaluation.
  std::vector<NodeId> needed;
  {
    std::vector<char> seen(graph.size(), 0);
    std::vector<NodeId> stack(outputs);
    while (!stack.empty()) {
      const NodeId id = stack.back();
      stack.pop_back();
      if (id < 0 || seen[static_cast<std::size_t>(id)]) continue;
      seen[static_cast<std::size_t>(id)] = 1;
      needed.push_back(id);
      const Node& n = graph.node(id);
      if (n.op != Op::Variable) stack.insert(stack.end(), {n.a, n.b, n.c});
    }
    std::sort(needed.begin(), needed.end());
  }

  std::unordered_map<NodeId, int> slot;
  for (std::size_t i = 0; i < inputs_.size(); ++i) slot[inputs_[i]] = static_cast<int>(i);
  int next = input_count();
  for (NodeId id : needed) {
    if (graph.is_constant(id)) {
      constants_.push_back(graph.constant_value(id));
      slot[id] = next++;
    } else if (graph.is_variable(id) && !slot.contains(id)) {
      throw Error("an expression reads '" + graph.variable_of(id).name + "', which is not available here");
    }
  }
  first_result_ = next;
  for (NodeId id : needed) {
    if (graph.is_constant(id) || graph.is_variable(id)) continue;
    const Node& n = graph.node(id);
    const int a = slot.at(n.a);
    code_.push_back({n.op, a, n.b >= 0 ? slot.at(n.b) : a, n.c >= 0 ? slot.at(n.c) : a, n.value, id});
    slot[id] = next++;
  }
  size_ = next;
  for (NodeId id : outputs) outputs_.push_back(slot.at(id));

  for (NodeId output : outputs) {
    const std::vector<NodeId> reads = graph.variables_of({output});
    for (NodeId input : inputs_) dependency_.push_back(std::binary_search(reads.begin(), reads.end(), input));
  }
}

std::string Tape::first_failure(const Graph& graph, const double* work) const {
  int slot = first_result_;
  for (const Instruction& i : code_) {
    if (!std::isfinite(work[slot++])) {
      const std::string& origin = graph.origin(i.node);
      return (origin.empty() ? "" : origin + ": ") + graph.to_string(i.node, 80);
    }
  }
  return {};
}

}  // namespace perilune::expr
