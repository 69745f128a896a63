// SPDX-License-Identifier: MIT
#include "model/model_fingerprint.hpp"

#include "expr/tape.hpp"

namespace perilune::model {

namespace {

/// What is to be told apart: numbers and texts as they come, expressions all together in the end.
class Formulas {
 public:
  explicit Formulas(const Graph& graph) : graph_(graph) {}

  void add_node(NodeId node) {
    print_.add_number(node == expr::no_node ? 0 : 1);
    if (node != expr::no_node) nodes_.push_back(node);
  }
  void add_nodes(const std::vector<NodeId>& nodes) {
    print_.add_number(nodes.size());
    for (const NodeId node : nodes) add_node(node);
  }
  void add(const std::vector<int>& numbers) { print_.add(std::vector<double>(numbers.begin(), numbers.end())); }
  void add_numbers(const std::vector<double>& numbers) { print_.add(numbers); }
  template <class Number>
  void add_number(Number number) {
    print_.add_number(static_cast<std::uint64_t>(number));
  }
  void add(const std::string& text) { print_.add(text); }

  std::uint64_t value() {
    const expr::Tape tape(graph_, graph_.variables_of(nodes_), nodes_);
    std::vector<std::uint64_t> inputs;
    for (const NodeId id : tape.inputs()) {
      const expr::Variable& variable = graph_.variable_of(id);
      Fingerprint one;
      one.add_number(static_cast<std::uint64_t>(variable.quantity)).add({double(variable.index)});
      inputs.push_back(one.value());
    }
    for (const std::uint64_t output : tape.fingerprints(inputs)) print_.add_number(output);
    return print_.value();
  }

 private:
  const Graph& graph_;
  Fingerprint print_;
  std::vector<NodeId> nodes_;
};

}  // namespace

std::uint64_t fingerprint(const Model& model) {
  Formulas all(model.graph());
  all.add_number(model.dimension());
  for (const Coordinate& c : model.coordinates()) {
    if (c.is_removed) continue;
    all.add_number(c.role);
    all.add_node(c.initial_position);
    all.add_node(c.initial_velocity);
  }
  for (const Element& e : model.elements()) {
    if (e.is_removed) continue;
    all.add_number(e.form);
    all.add(e.type);
    all.add(e.coordinates);
    all.add(e.multipliers);
    all.add_nodes(e.data);
    all.add_nodes(e.law);
    all.add(e.reads);
    all.add_number(e.reads_accelerations);
    all.add_node(e.potential);
  }
  for (const auto& [coordinate, sampled] : model.record().sampled) {
    all.add_number(coordinate);
    all.add_numbers({sampled.period, sampled.first});
    all.add_node(sampled.next);
  }
  for (const Switch& s : model.record().switches) {
    all.add_node(s.function);
    all.add_node(s.positive);
    all.add_number(s.is_held);
    all.add_number(s.is_of_kink);
    all.add_number(s.is_of_objectives);
  }
  return all.value();
}

}  // namespace perilune::model
