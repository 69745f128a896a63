// SPDX-License-Identifier: MIT
// Constraints stated as expressions: drivers, couplings, and the user's own.
#include <numbers>

#include "error.hpp"
#include "expr/rewrite.hpp"
#include "model/kinks.hpp"
#include "model/symbolic.hpp"

namespace perilune::model {

using expr::Quantity;

Symbol Model::time_derivative(const Symbol& value) const {
  const NodeId node = value.in(*graph_);
  expr::NodeMap rates{{time_, graph_->constant(1)}};
  for (NodeId id : graph_->variables_of({node})) {  // what it reads, not the whole model
    const expr::Variable& variable = graph_->variable_of(id);
    if (variable.quantity != Quantity::Position && variable.quantity != Quantity::Velocity) continue;
    const Coordinate& c = coordinates_[static_cast<std::size_t>(variable.index)];
    rates[id] = variable.quantity == Quantity::Position ? c.velocity : c.acceleration;
  }
  return {*graph_, expr::derivative(*graph_, node, rates)};
}

Symbol Model::declared_value(const Symbol& value) const {
  const NodeId node = value.in(*graph_);
  expr::NodeMap by{{time_, graph_->constant(0)}};
  for (NodeId id : graph_->variables_of({node})) {
    const expr::Variable& variable = graph_->variable_of(id);
    if (variable.quantity != Quantity::Position) continue;
    by[id] = coordinates_[static_cast<std::size_t>(variable.index)].initial_position;
  }
  return {*graph_, expr::substitute(*graph_, node, by)};
}

void Model::add_relation_element(const std::string& name, const std::string& who, const Symbol& value) {
  Element element{"relation", name, defined_at_, {}, {}, {}, {value.in(*graph_)}};
  for (NodeId id : graph_->variables_of(element.law)) {
    const expr::Variable& variable = graph_->variable_of(id);
    if (variable.quantity == Quantity::Position) element.coordinates.push_back(variable.index);
    if (variable.quantity == Quantity::Parameter || variable.quantity == Quantity::Side) element.data.push_back(id);
    if (variable.quantity == Quantity::Velocity || variable.quantity == Quantity::Acceleration ||
        variable.quantity == Quantity::Multiplier) {
      throw Error(who + ": a constraint cannot read '" + variable.name + "', only positions, time and parameters");
    }
  }
  if (element.coordinates.empty()) throw Error(who + ": what it prescribes does not depend on any coordinate");
  element.multipliers = {add_multiplier(name + ".lambda")};
  elements_.push_back(std::move(element));
  ++revision_;
}

void Model::add_relation(const std::string& name, const char* what, const Symbol& value) {
  claim_name(name, what);
  add_relation_element(name, std::string(what) + " \"" + name + "\"", with_switches(*this, name, value));
}

void Model::add_thread(const std::string& name, const Symbol& lead) {
  const Symbol displacement = node_symbol(signal(name + ".displacement")), angle = node_symbol(signal(name + ".angle"));
  const Symbol value = displacement - lead * (0.5 / std::numbers::pi) * angle;
  add_relation_element(name, "screw \"" + name + "\"", value - declared_value(value));
}

void Model::add_driver(const std::string& name, const Symbol& what, const Symbol& law) {
  for (NodeId id : graph_->variables_of({law.in(*graph_)})) {
    const expr::Variable& variable = graph_->variable_of(id);
    if (variable.quantity == Quantity::Time || variable.quantity == Quantity::Parameter) continue;
    throw Error("driver \"" + name + "\": its law cannot read '" + variable.name +
                "', only time and parameters; for a relation of coordinates use m:constraint");
  }
  add_relation(name, "driver", what - law);
  const NodeId multiplier = multipliers_.back().node;
  add_signal(name + ".force", "", -node_symbol(multiplier));
  add_signal(name + ".power", "W",
             [multiplier, what](const Model& m) { return -(m.node_symbol(multiplier) * m.time_derivative(what)); });
}

void Model::add_coupling(const std::string& name, const Symbol& a, const Symbol& b, const Symbol& ratio) {
  const Symbol value = b - ratio * a;
  add_relation(name, "coupling", value - declared_value(value));
}

void Model::add_constraint(const std::string& name, const Symbol& value) { add_relation(name, "constraint", value); }

}  // namespace perilune::model
