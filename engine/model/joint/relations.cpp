// SPDX-License-Identifier: MIT
#include "model/joint/relations.hpp"

#include <set>

#include "error.hpp"
#include "expr/rewrite.hpp"
#include "model/law/kinks.hpp"
#include "model/law/symbolic.hpp"
#include "model/signals.hpp"

namespace perilune::model {

using expr::Quantity;

Symbol time_derivative(const Model& model, const Symbol& value) {
  const NodeId node = value.in(model.graph());
  expr::NodeMap rates{{model.time(), model.graph().constant(1)}};
  for (NodeId id : model.graph().variables_of({node})) {  // what it reads, not the whole model
    const expr::Variable& variable = model.graph().variable_of(id);
    if (variable.quantity != Quantity::Position && variable.quantity != Quantity::Velocity) continue;
    const Coordinate& c = model.coordinates()[static_cast<std::size_t>(variable.index)];
    rates[id] = variable.quantity == Quantity::Position ? c.velocity : c.acceleration;
  }
  return {model.graph(), expr::derivative(model.graph(), node, rates)};
}

Symbol declared_value(const Model& model, const Symbol& value) {
  const NodeId node = value.in(model.graph());
  expr::NodeMap by{{model.time(), model.graph().constant(0)}};
  for (NodeId id : model.graph().variables_of({node})) {
    const expr::Variable& variable = model.graph().variable_of(id);
    if (variable.quantity != Quantity::Position) continue;
    by[id] = model.coordinates()[static_cast<std::size_t>(variable.index)].initial_position;
  }
  return {model.graph(), expr::substitute(model.graph(), node, by)};
}

void add_relation_element(Model& model, const std::string& name, const char* what, const Symbol& value,
                          const char* multiplier) {
  const std::string who = std::string(what) + " \"" + name + "\"";
  Element element{Element::Form::Relation,  what, name, model.record().defined_at, {}, {}, {},
                  {value.in(model.graph())}};
  for (NodeId id : model.graph().variables_of(element.law)) {
    const expr::Variable& variable = model.graph().variable_of(id);
    if (variable.quantity == Quantity::Position) element.coordinates.push_back(variable.index);
    if (variable.quantity == Quantity::Parameter || is_setting(variable.quantity)) element.data.push_back(id);
    if (variable.quantity == Quantity::Velocity || variable.quantity == Quantity::Acceleration ||
        variable.quantity == Quantity::Multiplier) {
      throw Error(who + ": a constraint cannot read '" + variable.name + "', only positions, time and parameters");
    }
  }
  if (element.coordinates.empty()) throw Error(who + ": what it prescribes does not depend on any coordinate");
  element.multipliers = {model.add_multiplier(name, multiplier)};
  model.add_element(std::move(element));
}

void add_velocity_relation_element(Model& model, const std::string& name, const char* what, const Symbol& value,
                                   const char* multiplier) {
  Element element{Element::Form::VelocityRelation, what, name, model.record().defined_at, {}, {}, {},
                  {value.in(model.graph())}};
  std::set<int> coordinates;
  for (NodeId id : model.graph().variables_of(element.law)) {
    const expr::Variable& variable = model.graph().variable_of(id);
    if (variable.quantity == Quantity::Position || variable.quantity == Quantity::Velocity)
      coordinates.insert(variable.index);
    if (variable.quantity == Quantity::Parameter || is_setting(variable.quantity)) element.data.push_back(id);
  }
  element.coordinates.assign(coordinates.begin(), coordinates.end());
  element.multipliers = {model.add_multiplier(name, multiplier)};
  model.add_element(std::move(element));
}

namespace {

void add_relation(Model& model, const std::string& name, const char* what, const Symbol& value) {
  model.claim_name(name, what);
  add_relation_element(model, name, what, with_switches(model, name, value));
}

}  // namespace

void add_driver(Model& model, const std::string& name, const Symbol& what, const Symbol& law) {
  for (NodeId id : model.graph().variables_of({law.in(model.graph())})) {
    const expr::Variable& variable = model.graph().variable_of(id);
    if (variable.quantity == Quantity::Time || variable.quantity == Quantity::Parameter) continue;
    if (variable.quantity == Quantity::Absence) continue;
    throw Error("driver \"" + name + "\": its law cannot read '" + variable.name +
                "', only time and parameters; for a relation of coordinates use m:constraint");
  }
  add_relation(model, name, "driver", what - law);
  const NodeId multiplier = model.multipliers().back().node;
  add_signal(model, name, "force", "", -symbol_of(model, multiplier));
  add_signal(model, name, "power", "W",
             [multiplier, what](const Model& m) { return -(symbol_of(m, multiplier) * time_derivative(m, what)); });
}

void add_coupling(Model& model, const std::string& name, const Symbol& a, const Symbol& b, const Symbol& ratio) {
  const Symbol value = b - ratio * a;
  add_relation(model, name, "coupling", value - declared_value(model, value));
}

void add_constraint(Model& model, const std::string& name, const Symbol& value) {
  add_relation(model, name, "constraint", value);
}

namespace {

/// The first expression in `root` that is no sum of products of one velocity each, conditions on velocities and signs
/// of them among these; none where all are. Other laws may be linear, too, but only by what cancels.
NodeId first_nonlinear(const Graph& graph, NodeId root) {
  std::set<NodeId> moving;                           // those that read velocities, linearly
  for (const NodeId id : graph.needed_by({root})) {  // operands come before who uses them
    const expr::Node& node = graph.node(id);
    if (node.op == expr::Op::Variable && graph.variable_of(id).quantity == Quantity::Velocity) moving.insert(id);
    if (node.op == expr::Op::Constant || node.op == expr::Op::Variable) continue;
    const auto reads = [&](NodeId operand) { return operand >= 0 && moving.contains(operand); };
    const bool a = reads(node.a), b = reads(node.b), c = reads(node.c);
    if (!a && !b && !c) continue;
    switch (node.op) {
      case expr::Op::Neg:
      case expr::Op::Add:
      case expr::Op::Sub:
        break;
      case expr::Op::Mul:
        if (a && b) return id;
        break;
      case expr::Op::Div:
        if (b) return id;
        break;
      case expr::Op::Where:
        if (a) return id;
        break;
      default:
        return id;
    }
    moving.insert(id);
  }
  return expr::no_node;
}

/// Throws Error for what is no constraint A v - b on the velocities of coordinates.
void check_velocity_constraint(const Model& model, const std::string& who, const Symbol& value) {
  Graph& graph = model.graph();
  const NodeId node = value.in(graph);
  bool reads_velocity = false;
  for (NodeId id : graph.variables_of({node})) {
    const expr::Variable& variable = graph.variable_of(id);
    const bool is_of_motion = variable.quantity == Quantity::Position || variable.quantity == Quantity::Velocity;
    if (variable.quantity == Quantity::Acceleration || variable.quantity == Quantity::Multiplier) {
      throw Error(who + ": a constraint cannot read '" + variable.name +
                  "', only positions, velocities, time and parameters");
    }
    if (is_of_motion && model.coordinates()[static_cast<std::size_t>(variable.index)].role == Role::State) {
      throw Error(who + ": a constraint cannot read '" + variable.name +
                  "': a first-order state has no inertia that a reaction could act on");
    }
    reads_velocity = reads_velocity || variable.quantity == Quantity::Velocity;
  }
  if (!reads_velocity) {
    throw Error(who + ": what stays zero reads no velocity; a constraint on positions is given by law = ...");
  }
  const NodeId nonlinear = first_nonlinear(graph, node);
  if (nonlinear == expr::no_node) return;
  for (NodeId id : graph.variables_of({nonlinear})) {
    const expr::Variable& variable = graph.variable_of(id);
    if (variable.quantity != Quantity::Velocity) continue;
    throw Error(who + ": what stays zero must be linear in the velocities, A v - b, but is not in '" + variable.name +
                "'; a reaction acts along A, which velocities cannot change");
  }
}

}  // namespace

void add_velocity_constraint(Model& model, const std::string& name, const Symbol& value) {
  const std::string who = "constraint \"" + name + "\"";
  check_velocity_constraint(model, who, value);
  model.claim_name(name, "constraint");
  add_velocity_relation_element(model, name, "constraint", with_switches(model, name, value));
}

}  // namespace perilune::model
