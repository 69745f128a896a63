// SPDX-License-Identifier: MIT
// First-order states and controllers.
#include "error.hpp"
#include "expr/rewrite.hpp"
#include "model/kinks.hpp"

namespace perilune::model {

using expr::Quantity;

int Model::add_state_coordinate(const std::string& value_name, const std::string& unit, const Symbol& at) {
  const int index = static_cast<int>(coordinates_.size());
  const std::string integral = "integral of " + value_name;
  coordinates_.push_back({integral, unit.empty() ? "s" : unit + " s",
                          graph_->variable(Quantity::Position, index, integral),
                          graph_->variable(Quantity::Velocity, index, value_name),
                          graph_->variable(Quantity::Acceleration, index, value_name + "'"), graph_->constant(0),
                          at.in(*graph_), Role::State});
  return index;
}

void Model::add_state_law(const std::string& name, int coordinate, const Symbol& rate) {
  GeneralizedForce force(*this);
  force.add_on_coordinate(coordinate, rate);
  Element law = law_element(name, "state", force);
  add_element("state", name, {coordinate}, {}, {});
  elements_.push_back(std::move(law));
  state_rates_[coordinate] = rate.in(*graph_);
}

Symbol Model::add_state(const std::string& name, const Symbol& at, const std::string& unit) {
  const auto waiting = waiting_states_.find(name);
  if (waiting != waiting_states_.end()) {
    Coordinate& again = coordinates_[static_cast<std::size_t>(waiting->second)];
    again.initial_velocity = at.in(*graph_);
    ++revision_;
    return node_symbol(again.velocity);
  }
  claim_name(name, "state");
  const int index = add_state_coordinate(name + ".value", unit, at);
  waiting_states_[name] = index;
  const Coordinate& state = coordinates_.back();
  add_signal(name + ".value", unit, node_symbol(state.velocity));
  add_signal(name + ".integral", state.unit, node_symbol(state.position));
  return node_symbol(state.velocity);
}

void Model::set_state_rate(const std::string& name, const Symbol& rate) {
  const auto waiting = waiting_states_.find(name);
  if (waiting == waiting_states_.end()) {
    throw Error(signals_.contains(name + ".value") ? "state \"" + name + "\" has its rate already"
                                                   : "there is no state \"" + name + "\"");
  }
  GeneralizedForce force(*this);
  force.add_on_coordinate(waiting->second, rate);
  add_state_law(name, waiting->second, with_switches(*this, name, force).terms().at(waiting->second));
  const std::string& unit = signal_unit(name + ".value");
  add_signal(name + ".rate", unit.empty() ? "1/s" : unit + "/s", rate);
  waiting_states_.erase(waiting);
}

void Model::check_complete() const {
  if (waiting_states_.empty()) return;
  throw Error("state \"" + waiting_states_.begin()->first +
              "\" has no rate; a state changes as its rate says, which must be set before the model is used");
}

Symbol Model::rate_of(const Symbol& expression) const {
  const NodeId node = expression.in(*graph_);
  expr::NodeMap rates;
  for (NodeId id : graph_->variables_of({node})) {
    const expr::Variable variable = graph_->variable_of(id);
    if (variable.quantity == Quantity::Parameter || variable.quantity == Quantity::Side) continue;
    if (variable.quantity == Quantity::Time) {
      rates[id] = graph_->constant(1);
      continue;
    }
    const auto state = state_rates_.find(variable.index);
    if (variable.quantity == Quantity::Position) {
      rates[id] = coordinates_[static_cast<std::size_t>(variable.index)].velocity;
    } else if (variable.quantity == Quantity::Velocity && state != state_rates_.end()) {
      rates[id] = state->second;
    } else {
      throw Error("the rate of '" + graph_->to_string(node, 40) + "' is not known before the forces are: it reads '" +
                  variable.name + "'");
    }
  }
  return {*graph_, expr::derivative(*graph_, node, rates)};
}

Symbol Model::add_pid(const std::string& name, const Symbol& error, const PidGains& gains) {
  auto is_zero = [](const Symbol& gain) { return gain.is_number() && gain.number() == 0; };
  Symbol output = gains.proportional * error, derivative = 0.0;
  const bool integrates = !is_zero(gains.integral), differentiates = !is_zero(gains.derivative);
  if (differentiates) derivative = rate_of(error);  // throws before anything is declared
  claim_name(name, "PID controller");
  if (integrates) {
    const int index = add_state_coordinate(name + ".integral", "", 0.0);
    add_state_law(name, index, error);
    const Symbol integral = node_symbol(coordinates_.back().velocity);
    output += gains.integral * integral;
    add_signal(name + ".integral", "", integral);
  }
  if (differentiates) {
    if (gains.filter) {
      const int index = add_state_coordinate(name + ".derivative", "", 0.0);
      const Symbol filtered = node_symbol(coordinates_.back().velocity);
      add_state_law(name, index, (derivative - filtered) / *gains.filter);
      derivative = filtered;
    }
    output += gains.derivative * derivative;
    add_signal(name + ".derivative", "", derivative);
  }
  add_signal(name + ".error", "", error);
  add_signal(name + ".output", "", output);
  return output;
}

}  // namespace perilune::model
