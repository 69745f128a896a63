// SPDX-License-Identifier: MIT
#include "model/force/law_batches.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>
#include <utility>

#include "error.hpp"
#include "poll.hpp"

namespace perilune::model {

namespace {

using expr::Node;
using expr::Op;
using expr::Quantity;

/// What elements of a batch have in common is found by a table of all their operations, which is to stay small.
constexpr std::size_t most_in_batch = 256, most_operations = 1'000'000;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t part) {
  hash = (hash ^ part) * 0x9E3779B97F4A7C15ULL;
  return hash ^ hash >> 29;
}

bool is_commutative(Op op) { return op == Op::Add || op == Op::Mul; }

/// What the operations of one law have in common with those of others: the form of each node, in which numbers and
/// sides of switches are all alike, and coordinates and multipliers have the element's numbers.
class Form {
 public:
  Form(const Model& model, const Element& element) : graph_(model.graph()), law_(element.law) {
    for (std::size_t i = 0; i < element.coordinates.size(); ++i) number_of_coordinate_[element.coordinates[i]] = i;
    for (std::size_t i = 0; i < element.reads.size(); ++i) number_of_read_[element.reads[i]] = i;
    Poll poll;
    for (NodeId id : graph_.needed_by(law_)) {
      poll();
      form_.emplace(id, make(id));
    }
    whole_ = mixed(mixed(mixed(0, element.coordinates.size()), element.reads.size()), element.reads_accelerations);
    for (NodeId id : law_) whole_ = mixed(whole_, form_.at(id));
  }

  std::uint64_t whole() const { return whole_; }
  /// How many of them a batch may have.
  std::size_t most() const {
    return std::min(most_in_batch, std::max(most_operations / std::max(form_.size(), std::size_t{1}), std::size_t{1}));
  }
  std::uint64_t of(NodeId id) const { return form_.at(id); }
  const std::vector<NodeId>& law() const { return law_; }
  /// A number at any parameters: it does not depend on the motion, nor on a switch.
  bool is_number(NodeId id) const { return form_.at(id) == number; }
  bool is_side(NodeId id) const { return form_.at(id) == side; }

 private:
  static constexpr std::uint64_t number = 1, side = 2;

  std::uint64_t make(NodeId id) const {
    const Node& node = graph_.node(id);
    if (node.op == Op::Constant) return number;
    if (node.op == Op::Variable) return of_variable(graph_.variable_of(id));
    std::vector<std::uint64_t> operands;
    for (NodeId operand : {node.a, node.b, node.c}) {
      if (operand >= 0) operands.push_back(form_.at(operand));
    }
    if (std::all_of(operands.begin(), operands.end(), [](std::uint64_t form) { return form == number; })) return number;
    if (is_commutative(node.op)) std::sort(operands.begin(), operands.end());
    std::uint64_t form = mixed(static_cast<std::uint64_t>(node.op) + 1000, std::bit_cast<std::uint64_t>(node.value));
    for (std::uint64_t operand : operands) form = mixed(form, operand);
    return form;
  }
  std::uint64_t of_variable(const expr::Variable& variable) const {
    std::size_t own = static_cast<std::size_t>(variable.index);
    switch (variable.quantity) {
      case Quantity::Parameter:
        return number;
      case Quantity::Side:
      case Quantity::Absence:
        return side;
      case Quantity::Position:
      case Quantity::Velocity:
      case Quantity::Acceleration:
        own = number_of_coordinate_.at(variable.index);
        break;
      case Quantity::Multiplier:
        own = number_of_read_.at(variable.index);
        break;
      case Quantity::Time:
      case Quantity::Argument:
        break;
    }
    return mixed(mixed(500, static_cast<std::uint64_t>(variable.quantity)), own);
  }

  const Graph& graph_;
  std::vector<NodeId> law_;
  std::unordered_map<int, std::size_t> number_of_coordinate_, number_of_read_;
  std::unordered_map<NodeId, std::uint64_t> form_;
  std::uint64_t whole_ = 0;
};

/// The nodes of several laws that stand at the same place.
using Nodes = std::vector<NodeId>;

struct NodesHash {
  std::size_t operator()(const Nodes& nodes) const {
    std::uint64_t hash = 0;
    for (NodeId id : nodes) hash = mixed(hash, static_cast<std::uint64_t>(id));
    return hash;
  }
};

/// Laws of one form, and their common law in a graph of its own.
class CommonLaw {
 public:
  CommonLaw(const Model& model, std::vector<int> elements)
      : model_(model), graph_(model.graph()), elements_(std::move(elements)) {
    for (int number : elements_) {
      check_interrupt();
      forms_.emplace_back(model, model.elements()[static_cast<std::size_t>(number)]);
    }
    for (std::size_t k = 0; k < forms_.front().law().size(); ++k) {
      Nodes nodes;
      for (const Form& form : forms_) nodes.push_back(form.law()[k]);
      outputs_.push_back(visit(nodes));
    }
    // In the order of the first law, of which the instructions keep theirs: operands before who uses them.
    std::vector<std::size_t> order(steps_.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t x, std::size_t y) { return steps_[x].nodes[0] < steps_[y].nodes[0]; });
    for (std::size_t k : order) made_[k] = make(steps_[k]);
  }

  LawBatch batch() {
    const Element& first = model_.elements()[static_cast<std::size_t>(elements_.front())];
    std::vector<NodeId> inputs{own_.variable(Quantity::Time, 0, "t")};
    const auto add = [&](Quantity quantity, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) inputs.push_back(own_.variable(quantity, static_cast<int>(i), "x"));
    };
    add(Quantity::Position, first.coordinates.size());
    add(Quantity::Velocity, first.coordinates.size());
    if (first.reads_accelerations) add(Quantity::Acceleration, first.coordinates.size());
    add(Quantity::Multiplier, first.reads.size());
    add(Quantity::Parameter, data_.size());
    std::vector<NodeId> law;
    for (std::size_t k : outputs_) law.push_back(made_.at(k));
    std::vector<std::vector<NodeId>> data(elements_.size());
    for (const Nodes& datum : data_) {
      for (std::size_t e = 0; e < elements_.size(); ++e) data[e].push_back(datum[e]);
    }
    return {std::make_shared<const LawKernel>(own_, inputs, law, first), elements_, std::move(data)};
  }

 private:
  struct Step {
    Nodes nodes;
    std::vector<std::size_t> operands;  // steps
    bool is_datum = false;
  };

  /// Returns the number of the step, made after all that it needs. Laws may be deep: nothing here calls itself.
  std::size_t visit(const Nodes& whole) {
    std::vector<Nodes> waiting{whole};
    while (!waiting.empty()) {
      poll_();
      const Nodes nodes = waiting.back();
      if (number_.contains(nodes)) {
        waiting.pop_back();
        continue;
      }
      Step step{nodes, {}, is_datum(nodes)};
      const std::size_t waited = waiting.size();
      for (Nodes& below : step.is_datum ? std::vector<Nodes>() : operands_of(nodes)) {
        if (const auto known = number_.find(below); known != number_.end()) {
          step.operands.push_back(known->second);
        } else {
          waiting.push_back(std::move(below));
        }
      }
      if (waiting.size() > waited) continue;
      number_.emplace(nodes, steps_.size());
      steps_.push_back(std::move(step));
      waiting.pop_back();
    }
    return number_.at(whole);
  }

  /// What is given to each law as its own: parameters, switches, and numbers that are not all one.
  bool is_datum(const Nodes& nodes) const {
    const NodeId first = nodes[0];
    const bool is_one = std::all_of(nodes.begin(), nodes.end(), [&](NodeId id) { return id == first; });
    const bool is_parameter = graph_.is_variable(first) && graph_.variable_of(first).quantity == Quantity::Parameter;
    return is_parameter || forms_[0].is_side(first) || (forms_[0].is_number(first) && !is_one);
  }

  std::vector<Nodes> operands_of(const Nodes& nodes) const {
    std::vector<Nodes> out;
    const Node& first = graph_.node(nodes[0]);
    if (first.op == Op::Constant || first.op == Op::Variable) return out;
    for (NodeId Node::*operand : {&Node::a, &Node::b, &Node::c}) {
      if (first.*operand < 0) continue;
      Nodes& below = out.emplace_back();
      for (std::size_t e = 0; e < nodes.size(); ++e) below.push_back(operand_of(e, nodes[e], first, operand));
    }
    return out;
  }

  /// Of the e-th law, where sums and products may have been written the other way round.
  NodeId operand_of(std::size_t e, NodeId id, const Node& first, NodeId Node::*operand) const {
    const Node& node = graph_.node(id);
    const bool is_swapped = is_commutative(node.op) && forms_[e].of(node.a) != forms_[0].of(first.a);
    if (!is_swapped) return node.*operand;
    return operand == &Node::a ? node.b : node.a;
  }

  NodeId make(const Step& step) {
    const NodeId first = step.nodes[0];
    const Node& node = graph_.node(first);
    if (step.is_datum) {
      data_.push_back(step.nodes);
      return own_.variable(Quantity::Parameter, static_cast<int>(data_.size()) - 1, "x");
    }
    if (node.op == Op::Constant) return own_.constant(node.value);
    if (node.op == Op::Variable) return own_variable(graph_.variable_of(first));
    std::vector<NodeId> x;
    for (std::size_t operand : step.operands) x.push_back(made_.at(operand));
    if (node.op == Op::Where) return own_.where(x[0], x[1], x[2]);
    if (node.op == Op::PowConstant) return own_.binary(Op::Pow, x[0], own_.constant(node.value));
    const auto table = static_cast<std::size_t>(node.value);
    if (node.op == Op::Table) return own_.lookup(graph_.tables().curves[table], x[0]);
    if (node.op == Op::Surface) return own_.lookup(graph_.tables().surfaces[table], x[0], x[1]);
    return x.size() == 1 ? own_.unary(node.op, x[0]) : own_.binary(node.op, x[0], x[1]);
  }

  NodeId own_variable(const expr::Variable& variable) {
    const Element& element = model_.elements()[static_cast<std::size_t>(elements_.front())];
    const std::vector<int>& numbers = variable.quantity == Quantity::Multiplier ? element.reads : element.coordinates;
    const auto at = std::find(numbers.begin(), numbers.end(), variable.index) - numbers.begin();
    if (variable.quantity == Quantity::Time) return own_.variable(Quantity::Time, 0, "t");
    return own_.variable(variable.quantity, static_cast<int>(at), "x");
  }

  const Model& model_;
  const Graph& graph_;
  std::vector<int> elements_;
  std::vector<Form> forms_;
  std::vector<Step> steps_;
  std::unordered_map<Nodes, std::size_t, NodesHash> number_;
  std::vector<std::size_t> outputs_;
  Graph own_;
  std::unordered_map<std::size_t, NodeId> made_;
  std::vector<Nodes> data_;
  Poll poll_;
};

LawBatch alone(const Model& model, int number) {
  const Element& element = model.elements()[static_cast<std::size_t>(number)];
  return {std::make_shared<const LawKernel>(model, element), {number}, {element.data}};
}

}  // namespace

std::vector<LawBatch> batch_laws(const Model& model, const std::vector<int>& elements) {
  std::map<std::uint64_t, std::size_t> open;  // by form: the batch that takes more of it
  std::vector<std::vector<int>> batches;
  for (int number : elements) {
    check_interrupt();
    const Form form(model, model.elements()[static_cast<std::size_t>(number)]);
    auto [known, is_new] = open.try_emplace(form.whole(), batches.size());
    if (!is_new && batches[known->second].size() >= form.most()) {
      known->second = batches.size();
      is_new = true;
    }
    if (is_new) batches.emplace_back();
    batches[known->second].push_back(number);
  }
  std::vector<LawBatch> out;
  for (const std::vector<int>& batch : batches) {
    out.push_back(batch.size() == 1 ? alone(model, batch.front()) : CommonLaw(model, batch).batch());
  }
  return out;
}

}  // namespace perilune::model
