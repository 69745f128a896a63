// SPDX-License-Identifier: MIT
#include "expr/tape.hpp"

#include <cmath>
#include <map>
#include <unordered_map>

#include "error.hpp"
#include "expr/piecewise.hpp"
#include "expr/piecewise_surface.hpp"
#include "fingerprint.hpp"
#include "poll.hpp"

namespace perilune::expr {

namespace {

bool is_operation(const Graph& graph, NodeId id) { return !graph.is_constant(id) && !graph.is_variable(id); }

/// The operations among these nodes, which come after their operands, in an order that has few changes from one
/// operation to another: a program of thousands of instructions is too long for a processor to foresee its jumps.
std::vector<NodeId> grouped(const Graph& graph, const std::vector<NodeId>& nodes) {
  std::unordered_map<NodeId, std::vector<NodeId>> users;
  std::unordered_map<NodeId, int> waits_for;
  std::map<Op, std::vector<NodeId>> ready;
  Poll poll;
  for (NodeId id : nodes) {
    poll();
    if (!is_operation(graph, id)) continue;
    const Node& n = graph.node(id);
    for (NodeId operand : {n.a, n.b, n.c}) {
      if (operand < 0 || !is_operation(graph, operand)) continue;
      users[operand].push_back(id);
      ++waits_for[id];
    }
    if (waits_for[id] == 0) ready[n.op].push_back(id);
  }
  std::vector<NodeId> order;
  while (!ready.empty()) {
    const auto most = std::max_element(ready.begin(), ready.end(),
                                       [](const auto& x, const auto& y) { return x.second.size() < y.second.size(); });
    std::vector<NodeId>& group = most->second;
    for (std::size_t k = 0; k < group.size(); ++k) {  // it grows by those that wait for its own results
      poll();
      order.push_back(group[k]);
      for (NodeId user : users[group[k]]) {
        if (--waits_for[user] == 0) ready[graph.node(user).op].push_back(user);
      }
    }
    ready.erase(most);
  }
  return order;
}

}  // namespace

Tape::Tape(const Graph& graph, std::vector<NodeId> inputs, const std::vector<NodeId>& outputs)
    : inputs_(std::move(inputs)) {
  const std::vector<NodeId> needed = graph.needed_by(outputs);
  const bool looks_up = std::any_of(needed.begin(), needed.end(), [&](NodeId id) {
    return graph.node(id).op == Op::Table || graph.node(id).op == Op::Surface;
  });
  if (looks_up) tables_ = graph.tables();
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
  const int one = next;  // 1 and -1 stand after the other constants, as the partial derivatives of sums
  if (std::any_of(needed.begin(), needed.end(), [&](NodeId id) { return is_sum(graph.node(id).op); })) {
    constants_.insert(constants_.end(), {1.0, -1.0});
    next += 2;
  }
  first_result_ = next;
  Poll poll;
  for (NodeId id : grouped(graph, needed)) {
    poll();
    const Node& n = graph.node(id);
    const int a = slot.at(n.a);
    code_.push_back({n.op, a, n.b >= 0 ? slot.at(n.b) : a, n.c >= 0 ? slot.at(n.c) : a, n.value, id});
    slot[id] = next++;
  }
  size_ = next;
  for (NodeId id : outputs) outputs_.push_back(slot.at(id));

  make_groups();
  mark_optional();
  mark_bilinear(one);
}

void Tape::make_groups() {
  for (const Instruction& i : code_) {
    operands_.push_back({i.a, i.b});
    if (groups_.empty() || groups_.back().op != i.op) groups_.push_back({i.op, 0});
    ++groups_.back().count;
  }
}

void Tape::mark_bilinear(int one) {
  const int minus_one = one + 1;
  for (Instruction& i : code_) {
    if (is_sum(i.op)) {
      i.in_a = one;
      i.in_b = i.op == Op::Add ? one : minus_one;
    } else if (i.op == Op::Mul) {
      i.in_a = i.b;
      i.in_b = i.a;
    }
  }
}

void Tape::mark_optional() {
  std::vector<char> certain(static_cast<std::size_t>(size_), 0);
  for (int slot : outputs_) certain[static_cast<std::size_t>(slot)] = 1;
  for (int slot = size_ - 1; slot >= first_result_; --slot) {
    Instruction& i = code_[static_cast<std::size_t>(slot - first_result_)];
    i.optional = !certain[static_cast<std::size_t>(slot)];
    if (i.optional || is_choice(i.op) || is_flat(i.op)) continue;
    for (int operand : {i.a, i.b, i.c}) certain[static_cast<std::size_t>(operand)] = 1;
  }
}

bool Tape::depends(int k, int i) const {
  std::vector<char> needed(static_cast<std::size_t>(size_), 0);
  needed[static_cast<std::size_t>(output_slot(k))] = 1;
  for (int slot = output_slot(k); slot >= first_result_; --slot) {
    if (!needed[static_cast<std::size_t>(slot)]) continue;
    const Instruction& instruction = code_[static_cast<std::size_t>(slot - first_result_)];
    for (int operand : {instruction.a, instruction.b, instruction.c}) needed[static_cast<std::size_t>(operand)] = 1;
  }
  return needed[static_cast<std::size_t>(i)] != 0;
}

std::vector<char> Tape::reached_by(const std::vector<int>& inputs) const {
  std::vector<char> depends(static_cast<std::size_t>(size_), 0);
  for (int i : inputs) depends[static_cast<std::size_t>(i)] = 1;
  auto at = [&](int slot) -> char& { return depends[static_cast<std::size_t>(slot)]; };
  int slot = first_result_;
  for (const Instruction& i : code_) at(slot++) = at(i.a) || at(i.b) || at(i.c);
  std::vector<char> out;
  for (int output : outputs_) out.push_back(at(output));
  return out;
}

namespace {

std::uint64_t fingerprint_of(const PiecewisePolynomial& table) {
  Fingerprint print;
  print.add(table.knots());
  for (std::size_t k = 0; k <= table.knots().size(); ++k) {
    print.add(std::vector<double>(table.coefficients(k), table.coefficients(k) + table.degree() + 1));
  }
  return print.value();
}

std::uint64_t fingerprint_of(const PiecewiseSurface& table) {
  return Fingerprint().add(table.x_knots()).add(table.y_knots()).add(table.coefficients()).value();
}

}  // namespace

std::vector<std::uint64_t> Tape::fingerprints(const std::vector<std::uint64_t>& inputs) const {
  std::vector<std::uint64_t> slots(inputs);
  slots.reserve(static_cast<std::size_t>(size_));
  for (const double value : constants_) slots.push_back(Fingerprint().add({value}).value());
  for (const Instruction& i : code_) {
    std::uint64_t a = slots[static_cast<std::size_t>(i.a)], b = slots[static_cast<std::size_t>(i.b)];
    // The graph orders the operands of these by their age.
    if ((i.op == Op::Add || i.op == Op::Mul) && b < a) std::swap(a, b);
    Fingerprint print;
    print.add_number(static_cast<std::uint64_t>(i.op)).add_number(a).add_number(b);
    print.add_number(slots[static_cast<std::size_t>(i.c)]);
    const auto number = static_cast<std::size_t>(i.op == Op::Table || i.op == Op::Surface ? i.exponent : 0);
    if (i.op == Op::Table) {
      print.add_number(fingerprint_of(*tables_.curves[number]));
    } else if (i.op == Op::Surface) {
      print.add_number(fingerprint_of(*tables_.surfaces[number]));
    } else if (i.op == Op::PowConstant) {
      print.add({i.exponent});
    }
    slots.push_back(print.value());
  }
  std::vector<std::uint64_t> out;
  for (const int slot : outputs_) out.push_back(slots[static_cast<std::size_t>(slot)]);
  return out;
}

std::vector<NodeId> Tape::replay(Graph& graph, const std::vector<NodeId>& inputs) const {
  std::vector<NodeId> node(inputs);
  for (double value : constants_) node.push_back(graph.constant(value));
  for (const Instruction& i : code_) {
    const NodeId a = node[static_cast<std::size_t>(i.a)], b = node[static_cast<std::size_t>(i.b)];
    if (i.op == Op::Where) {
      node.push_back(graph.where(a, b, node[static_cast<std::size_t>(i.c)]));
    } else if (i.op == Op::Table) {
      node.push_back(graph.lookup(tables_.curves[static_cast<std::size_t>(i.exponent)], a));
    } else if (i.op == Op::Surface) {
      node.push_back(graph.lookup(tables_.surfaces[static_cast<std::size_t>(i.exponent)], a, b));
    } else if (i.op == Op::PowConstant) {
      node.push_back(graph.binary(Op::Pow, a, graph.constant(i.exponent)));
    } else {
      node.push_back(is_binary(i.op) ? graph.binary(i.op, a, b) : graph.unary(i.op, a));
    }
  }
  std::vector<NodeId> outputs;
  for (int slot : outputs_) outputs.push_back(node[static_cast<std::size_t>(slot)]);
  return outputs;
}

std::string Tape::first_failure(const Graph& graph, const double* work) const {
  // Back from the outputs that are not finite, through the operands that made them so.
  std::vector<char> guilty(static_cast<std::size_t>(size_), 0);
  auto accuse = [&](int slot) { guilty[static_cast<std::size_t>(slot)] |= !std::isfinite(work[slot]); };
  for (int slot : outputs_) accuse(slot);
  for (int slot = size_ - 1; slot >= first_result_; --slot) {
    if (!guilty[static_cast<std::size_t>(slot)]) continue;
    const Instruction& i = code_[static_cast<std::size_t>(slot - first_result_)];
    if (i.op == Op::Where) {
      accuse(work[i.a] != 0 ? i.b : i.c);
    } else {
      accuse(i.a);
      accuse(i.b);
    }
  }
  // Inputs and constants that are not finite show in the formula of the operation on them that was written first.
  NodeId first = -1;
  for (int slot = first_result_; slot < size_; ++slot) {
    const NodeId node = code_[static_cast<std::size_t>(slot - first_result_)].node;
    if (guilty[static_cast<std::size_t>(slot)] && (first < 0 || node < first)) first = node;
  }
  if (first >= 0) {
    const std::string& origin = graph.origin(first);
    return (origin.empty() ? "" : origin + ": ") + graph.to_string(first, 80);
  }
  for (int k = 0; k < output_count(); ++k) {
    const int slot = output_slot(k);
    if (std::isfinite(work[slot])) continue;
    if (slot < input_count()) return graph.variable_of(inputs_[static_cast<std::size_t>(slot)]).name;
    return "a constant expression that is not a finite number";
  }
  return {};
}

}  // namespace perilune::expr
