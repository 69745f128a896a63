// SPDX-License-Identifier: MIT
#include "model/model.hpp"

#include <cmath>

#include "error.hpp"
#include "model/declare.hpp"
#include "model/signals.hpp"
#include "model/text.hpp"
#include "model/unit.hpp"

namespace perilune::model {

Model::Model(std::string name, const std::vector<double>& gravity)
    : name_(std::move(name)), dimension_(static_cast<int>(gravity.size())), graph_(std::make_shared<Graph>()) {
  if (dimension_ != 2 && dimension_ != 3) {
    throw Error("gravity needs 2 components for a planar model or 3 for a spatial one, not " +
                std::to_string(dimension_));
  }
  gravity_.assign(gravity.begin(), gravity.end());
  time_ = graph_->variable(expr::Quantity::Time, 0, "t");
  add_model_signals(*this);
}

void Model::set_gravity(const Vector& gravity) {
  check_dimension(*this, gravity, "gravity");
  if (!elements_.empty()) throw Error("gravity must be set before the first body, bar or mass is declared");
  gravity_ = gravity;
}

void Model::claim_name(const std::string& name, const char* what) {
  const auto [it, is_new] =
      names_.try_emplace(name, std::string(what) + (record_.defined_at.empty() ? "" : " at " + record_.defined_at));
  if (!is_new) throw Error(std::string(what) + " \"" + name + "\": the name is taken by the " + it->second);
  ++revision_;
}

namespace {

void check_value(const Parameter& p, double value) {
  if (!std::isfinite(value)) throw Error("parameter \"" + p.name + "\": the value must be a finite number");
  if (value >= p.lower && value <= p.upper) return;
  throw Error("parameter \"" + p.name + "\": the value " + text_of(value) + " is outside its bounds " +
              text_of(p.lower) + " to " + text_of(p.upper));
}

}  // namespace

Symbol Model::add_parameter(const std::string& name, double value, const std::string& unit, double lower,
                            double upper) {
  const std::optional<UnitInSi> in_si = unit_in_si(unit.empty() ? "1" : unit);
  if (!in_si) {
    throw Error("parameter \"" + name + "\": " + not_known(unit) +
                "; without unit, the value is one in SI units\nknown are " + std::string(known_units()));
  }
  Parameter parameter{name, unit, value, lower, upper, expr::no_node, in_si->size, expr::no_node, record_.defined_at};
  check_value(parameter, value);
  claim_name(name, "parameter");
  parameter.node = graph_->variable(expr::Quantity::Parameter, static_cast<int>(parameters_.size()), name);
  const Symbol quantity = Symbol(*graph_, parameter.node) * parameter.size;
  parameter.quantity = quantity.in(*graph_);
  parameters_.push_back(std::move(parameter));
  return quantity;
}

void Model::set_parameter(int index, double value) {
  Parameter& p = parameters_.at(static_cast<std::size_t>(index));
  check_value(p, value);
  p.value = value;
}

namespace {

// The name of a coordinate's rate, as the signals have it: P1.x gives P1.vx, arm.angle gives arm.omega.
std::string rate_name(const std::string& owner, const std::string& what, int order) {
  if (what == "angle") return owner + (order == 1 ? ".omega" : ".alpha");
  if (what.size() == 1) return owner + (order == 1 ? ".v" : ".a") + what;
  return owner + "." + what + (order == 1 ? "'" : "''");
}

}  // namespace

int Model::add_coordinate(const std::string& owner, const std::string& what, const std::string& unit,
                          const Symbol& position, const Symbol& velocity, Role role) {
  const std::string name = owner + "." + what;
  const int index = static_cast<int>(coordinates_.size());
  const bool is_state = role == Role::State;
  const auto variable = [&](expr::Quantity quantity, const std::string& of) {
    return graph_->variable(quantity, index, of);
  };
  const std::string position_name = is_state ? "integral of " + name : name;
  const std::string position_unit = !is_state ? unit : unit.empty() ? "s" : unit + " s";
  coordinates_.push_back({position_name, position_unit, variable(expr::Quantity::Position, position_name),
                          variable(expr::Quantity::Velocity, is_state ? name : rate_name(owner, what, 1)),
                          variable(expr::Quantity::Acceleration, rate_name(owner, what, is_state ? 1 : 2)),
                          position.in(*graph_), velocity.in(*graph_), role, owner});
  coordinate_numbers_.push_back(coordinate_count_++);
  return index;
}

void Model::set_initial_velocity(int coordinate, const Symbol& velocity) {
  coordinates_.at(static_cast<std::size_t>(coordinate)).initial_velocity = velocity.in(*graph_);
  ++revision_;
}

int Model::add_multiplier(const std::string& owner, const std::string& what) {
  const std::string name = owner + "." + what;
  const int index = static_cast<int>(multipliers_.size());
  multipliers_.push_back({name, graph_->variable(expr::Quantity::Multiplier, index, name), owner});
  multiplier_numbers_.push_back(multiplier_count_++);
  add_signal(*this, owner, what, "", {*graph_, multipliers_.back().node});
  return index;
}

void Model::add_element(Element element) {
  elements_.push_back(std::move(element));
  ++revision_;
}

NodeId Model::signal(const std::string& name) const {
  const auto found = record_.signals.find(name);
  if (found == record_.signals.end()) throw Error("there is no signal '" + name + "'");
  // Energies and drifts change with every further element, so only the graph's own sharing caches them.
  return found->second.make(*this).in(*graph_);
}

}  // namespace perilune::model
