// SPDX-License-Identifier: MIT
#include "model/force/control.hpp"

#include <utility>

#include "error.hpp"
#include "expr/rewrite.hpp"
#include "model/declare.hpp"
#include "model/force/filters.hpp"
#include "model/force/sampled.hpp"
#include "model/law/kinks.hpp"
#include "model/signals.hpp"
#include "model/text.hpp"

namespace perilune::model {

using expr::Quantity;

void add_state_law(Model& model, const std::string& name, int coordinate, const Symbol& rate) {
  GeneralizedForce force(model);
  force.add_on_coordinate(coordinate, rate);
  Element law = law_element(model, name, "state", force);
  add_element(model, "state", name, {coordinate}, {}, {});
  model.add_element(std::move(law));
  model.record().state_rates[coordinate] = rate.in(model.graph());
}

Symbol add_state(Model& model, const std::string& name, const Symbol& at, const std::string& unit) {
  const auto waiting = model.record().waiting_states.find(name);
  if (waiting != model.record().waiting_states.end()) {
    model.set_initial_velocity(waiting->second, at);
    return symbol_of(model, model.coordinates()[static_cast<std::size_t>(waiting->second)].velocity);
  }
  model.claim_name(name, "state");
  const int index = model.add_coordinate(name, "value", unit, 0.0, at, Role::State);
  model.record().waiting_states[name] = index;
  const Coordinate& state = model.coordinates().back();
  add_signal(model, name, "value", unit, symbol_of(model, state.velocity));
  add_signal(model, name, "integral", state.unit, symbol_of(model, state.position));
  return symbol_of(model, state.velocity);
}

void set_state_rate(Model& model, const std::string& name, const Symbol& rate) {
  const auto waiting = model.record().waiting_states.find(name);
  if (waiting == model.record().waiting_states.end()) {
    throw Error(model.record().signals.contains(name + ".value") ? "state \"" + name + "\" has its rate already"
                                                                 : "there is no state \"" + name + "\"");
  }
  GeneralizedForce force(model);
  force.add_on_coordinate(waiting->second, rate);
  add_state_law(model, name, waiting->second, with_switches(model, name, force).terms().at(waiting->second));
  const std::string& unit = signal_unit(model, name + ".value");
  add_acting_signal(model, name, "rate", unit.empty() ? "1/s" : unit + "/s", rate);
  model.record().waiting_states.erase(waiting);
}

void check_complete(const Model& model) {
  check_sampled_complete(model);
  if (model.record().waiting_states.empty()) return;
  throw Error("state \"" + model.record().waiting_states.begin()->first +
              "\" has no rate; a state changes as its rate says, which must be set before the model is used");
}

Symbol rate_of(const Model& model, const Symbol& expression) {
  const NodeId node = expression.in(model.graph());
  expr::NodeMap rates;
  for (NodeId id : model.graph().variables_of({node})) {
    const expr::Variable variable = model.graph().variable_of(id);
    if (variable.quantity == Quantity::Parameter || is_setting(variable.quantity)) continue;
    if (variable.quantity == Quantity::Time) {
      rates[id] = model.graph().constant(1);
      continue;
    }
    const auto state = model.record().state_rates.find(variable.index);
    if (variable.quantity == Quantity::Position) {
      rates[id] = model.coordinates()[static_cast<std::size_t>(variable.index)].velocity;
    } else if (variable.quantity == Quantity::Velocity && state != model.record().state_rates.end()) {
      rates[id] = state->second;
    } else if (const std::string jumps = sampled_read(model, id); !jumps.empty()) {
      throw Error("\"" + jumps + "\" jumps at its ticks, so that '" + model.graph().to_string(node, 40) +
                  "' has no rate; let it pass m:filter first");
    } else {
      throw Error("the rate of '" + model.graph().to_string(node, 40) +
                  "' is not known before the forces are: it reads '" + variable.name + "'");
    }
  }
  return {model.graph(), expr::derivative(model.graph(), node, rates)};
}

namespace {

bool is_zero(const Symbol& gain) { return gain.is_number() && gain.number() == 0; }

std::string fault_of_limits(const double* limits) {
  if (limits[0] < limits[1]) return "";
  return "lower must be below upper, got " + text_of(limits[0]) + " and " + text_of(limits[1]);
}

std::string fault_of_ratio(const double* gains) {
  if (gains[0] != 0 && gains[0] * gains[1] >= 0) return "";
  return "anti-windup has the time constant kp / ki, which must be positive, but kp is " + text_of(gains[0]) +
         " and ki " + text_of(gains[1]) + "; give tracking (s)";
}

std::string fault_of_integral(const double* gain) {
  return *gain != 0 ? "" : "ki must not be zero where tracking is given, since I' = e + (u - v) / (ki tracking)";
}

/// What is added to the rate of the integral for each unit by which the limits lower the output.
Symbol taken_back(Model& model, const std::string& owner, const PidGains& gains) {
  if (gains.tracking) {
    require(model, owner, {gains.integral}, fault_of_integral);
    return 1.0 / (gains.integral * *gains.tracking);
  }
  require(model, owner, {gains.proportional, gains.integral}, fault_of_ratio);
  return 1.0 / gains.proportional;
}

}  // namespace

std::string winding_up(const Model& model, const Symbol& x) {
  const Record& record = model.record();
  std::set<int> passed;  // rate limits and filters
  std::vector<NodeId> waiting{x.in(model.graph())};
  while (!waiting.empty()) {
    std::vector<NodeId> behind;
    for (const NodeId id : model.graph().variables_of(waiting)) {
      const expr::Variable& variable = model.graph().variable_of(id);
      if (variable.quantity != Quantity::Velocity) continue;
      if (record.unlimited_integrals.contains(variable.index)) {
        return model.coordinates()[static_cast<std::size_t>(variable.index)].owner;
      }
      if (record.followers.contains(variable.index) && passed.insert(variable.index).second) {
        behind.push_back(record.state_rates.at(variable.index));
      }
    }
    waiting = std::move(behind);
  }
  return "";
}

Symbol add_pid(Model& model, const std::string& name, const Symbol& error, const PidGains& gains) {
  const std::string owner = "PID controller \"" + name + "\"";
  const bool integrates = !is_zero(gains.integral), differentiates = !is_zero(gains.derivative);
  const bool is_limited = gains.lower || gains.upper;
  Symbol output = gains.proportional * error, derivative = 0.0, integral = 0.0, back = 0.0;
  // What throws does so before anything is declared.
  if (differentiates) derivative = rate_of(model, error);
  if (gains.lower && gains.upper) require(model, owner, {*gains.lower, *gains.upper}, fault_of_limits);
  if (integrates && is_limited) back = taken_back(model, owner, gains);
  model.claim_name(name, "PID controller");
  int index = -1;
  if (integrates) {
    index = model.add_coordinate(name, "integral", "", 0.0, 0.0, Role::State);
    integral = symbol_of(model, model.coordinates().back().velocity);
    output += gains.integral * integral;
    add_signal(model, name, "integral", "", integral);
    if (!is_limited) {
      add_state_law(model, name, index, error);
      model.record().unlimited_integrals.insert(index);
    }
  }
  if (differentiates) {
    if (gains.filter) {
      const int lag = model.add_coordinate(name, "derivative", "", 0.0, 0.0, Role::State);
      const Symbol filtered = symbol_of(model, model.coordinates().back().velocity);
      add_state_law(model, name, lag, (derivative - filtered) / *gains.filter);
      derivative = filtered;
    }
    output += gains.derivative * derivative;
    add_signal(model, name, "derivative", "", derivative);
  }
  add_signal(model, name, "error", "", error);
  if (is_limited) {
    const Symbol unlimited = output;
    output = limited(unlimited, gains.lower, gains.upper);
    if (integrates) {
      add_state_law(model, name, index, with_switches(model, name, error + back * (output - unlimited)));
    }
    add_signal(model, name, "unlimited", "", unlimited);
  }
  add_signal(model, name, "output", "", output);
  return output;
}

}  // namespace perilune::model
