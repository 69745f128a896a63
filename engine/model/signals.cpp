// SPDX-License-Identifier: MIT
// The signals of a model: everything that can be measured, as expressions of coordinates, time and parameters.
#include <algorithm>

#include "error.hpp"
#include "model/force/law.hpp"
#include "model/model.hpp"
#include "model/registry.hpp"
#include "model/symbolic.hpp"

namespace perilune::model {

void Model::add_signal(const std::string& name, const std::string& unit, std::function<Symbol(const Model&)> make) {
  signals_[name] = {std::move(make), unit};
}

void Model::add_signal(const std::string& name, const std::string& unit, const Symbol& value) {
  add_signal(name, unit, [value](const Model&) { return value; });
}

void Model::add_coordinate_signals(const std::string& prefix, int coordinate, const std::string& suffix,
                                   const std::string& unit) {
  const auto c = static_cast<std::size_t>(coordinate);
  add_signal(prefix + "." + suffix, unit, [c](const Model& m) { return m.node_symbol(m.coordinates_[c].position); });
  add_signal(prefix + ".v" + suffix, unit + "/s",
             [c](const Model& m) { return m.node_symbol(m.coordinates_[c].velocity); });
  add_signal(prefix + ".a" + suffix, unit + "/s^2",
             [c](const Model& m) { return m.node_symbol(m.coordinates_[c].acceleration); });
}

void Model::add_length_signals(const std::string& name, const Place& a, const Place& b) {
  add_signal(name + ".length", "m", [a, b](const Model& m) { return m.length(a, b); });
  add_signal(name + ".rate", "m/s", [a, b](const Model& m) { return m.length_rate(a, b); });
}

Symbol Model::length(const Place& a, const Place& b) const {
  const Vector u = minus(position(b), position(a));
  return sqrt(dot(u, u));
}

Symbol Model::length_rate(const Place& a, const Place& b) const {
  return dot(minus(position(b), position(a)), minus(velocity(b), velocity(a))) / length(a, b);
}

void Model::add_model_signals() {
  add_signal("t", "s", node_symbol(time_));
  add_signal("energy.kinetic", "J", [](const Model& m) { return m.kinetic_energy(); });
  add_signal("energy.potential", "J", [](const Model& m) { return m.potential_energy(); });
  add_signal("energy.total", "J", [](const Model& m) { return m.kinetic_energy() + m.potential_energy(); });
  for (bool rates : {false, true}) {
    add_signal(rates ? "constraint.velocity_drift" : "constraint.drift", "", [rates](const Model& m) {
      Symbol square = 0.0;
      for (const Symbol& value : m.constraint_values(rates)) square += value * value;
      return sqrt(square);
    });
  }
}

NodeId Model::signal(const std::string& name) const {
  const auto found = signals_.find(name);
  if (found == signals_.end()) throw Error("there is no signal '" + name + "'");
  // Energies and drifts change with every further element, so only the graph's own sharing caches them.
  return found->second.make(*this).in(*graph_);
}

std::vector<std::string> Model::signal_names() const {
  std::vector<std::string> names;
  for (const auto& [name, signal] : signals_) names.push_back(name);
  return names;
}

const std::string& Model::signal_unit(const std::string& name) const {
  const auto found = signals_.find(name);
  if (found == signals_.end()) throw Error("there is no signal '" + name + "'");
  return found->second.unit;
}

namespace {

Vector symbols_of(const Model& model, const std::vector<NodeId>& nodes) {
  Vector out;
  for (NodeId id : nodes) out.push_back({const_cast<Graph&>(model.graph()), id});
  return out;
}

}  // namespace

Symbol Model::kinetic_energy() const {
  Symbol total = 0.0;
  for (const Element& element : elements_) {
    if (is_expression(element) || element.type == "state") continue;  // a state's inertia is no mass
    const Kernel& kernel = kernel_of(element.type);
    if (!kernel.has_mass()) continue;
    Vector q, v;
    for (int c : element.coordinates) {
      q.push_back(node_symbol(coordinates_[static_cast<std::size_t>(c)].position));
      v.push_back(node_symbol(coordinates_[static_cast<std::size_t>(c)].velocity));
    }
    const Vector zero(q.size(), 0.0), d = symbols_of(*this, element.data);
    // M v: the residual is linear in the accelerations, so it gives v^T M v without a second statement of the mass.
    const Vector moving = kernel.symbolic_residual(q, zero, v, node_symbol(time_), d);
    const Vector resting = kernel.symbolic_residual(q, zero, zero, node_symbol(time_), d);
    for (std::size_t i = 0; i < v.size(); ++i) total += 0.5 * v[i] * (moving[i] - resting[i]);
  }
  return total;
}

Symbol Model::potential_energy() const {
  Symbol total = 0.0;
  for (const Element& element : elements_) {
    if (element.potential != expr::no_node) total += node_symbol(element.potential);
    if (is_expression(element)) continue;
    Vector q;
    for (int c : element.coordinates) q.push_back(node_symbol(coordinates_[static_cast<std::size_t>(c)].position));
    total += kernel_of(element.type).symbolic_potential(q, symbols_of(*this, element.data));
  }
  return total;
}

std::vector<Symbol> Model::constraint_values(bool rates) const {
  std::vector<Symbol> values;
  for (const Element& element : elements_) {
    if (element.multipliers.empty()) continue;
    if (is_expression(element)) {
      const Symbol value = node_symbol(element.law.front());
      values.push_back(rates ? time_derivative(value) : value);
      continue;
    }
    const Kernel& kernel = kernel_of(element.type);
    Vector q;
    for (int c : element.coordinates) q.push_back(node_symbol(coordinates_[static_cast<std::size_t>(c)].position));
    const Vector d = symbols_of(*this, element.data);
    if (!rates) {
      const Vector phi = kernel.symbolic_constraints(q, node_symbol(time_), d);
      values.insert(values.end(), phi.begin(), phi.end());
    } else {
      Vector v;
      for (int c : element.coordinates) v.push_back(node_symbol(coordinates_[static_cast<std::size_t>(c)].velocity));
      const Vector rate = kernel.symbolic_constraint_rates(q, v, node_symbol(time_), d);
      values.insert(values.end(), rate.begin(), rate.end());
    }
  }
  return values;
}

}  // namespace perilune::model
