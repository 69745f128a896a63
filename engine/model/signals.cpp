// SPDX-License-Identifier: MIT
#include "model/signals.hpp"

#include <algorithm>

#include "error.hpp"
#include "model/element/registry.hpp"
#include "model/force/law.hpp"
#include "model/joint/relations.hpp"
#include "model/law/symbolic.hpp"
#include "model/momenta.hpp"
#include "model/place/places.hpp"

namespace perilune::model {

void add_signal(Model& model, const std::string& owner, const std::string& what, const std::string& unit,
                std::function<Symbol(const Model&)> make) {
  model.record().signals[owner.empty() ? what : owner + "." + what] = {std::move(make), unit, owner, what};
}

void add_signal(Model& model, const std::string& owner, const std::string& what, const std::string& unit,
                const Symbol& value) {
  add_signal(model, owner, what, unit, [value](const Model&) { return value; });
}

Symbol while_acting(const Model& model, std::size_t element, const Symbol& x) {
  if (x.is_number() && x.number() == 0) return x;
  const Element& e = model.elements()[element];
  const NodeId absence =
      model.graph().variable(expr::Quantity::Absence, static_cast<int>(element), "absence of " + e.name);
  return Symbol::where(symbol_of(model, absence), 0.0, x);
}

void add_acting_signal(Model& model, const std::string& owner, const std::string& what, const std::string& unit,
                       std::function<Symbol(const Model&)> make) {
  add_signal(model, owner, what, unit, [owner, make = std::move(make)](const Model& m) {
    const auto own = std::find_if(m.elements().begin(), m.elements().end(),
                                  [&](const Element& e) { return e.name == owner && !is_inertia_of_state(e); });
    if (own == m.elements().end()) return make(m);
    return while_acting(m, static_cast<std::size_t>(own - m.elements().begin()), make(m));
  });
}

void add_acting_signal(Model& model, const std::string& owner, const std::string& what, const std::string& unit,
                       const Symbol& value) {
  add_acting_signal(model, owner, what, unit, [value](const Model&) { return value; });
}

void add_coordinate_signals(Model& model, const std::string& owner, int coordinate, const std::string& what,
                            const std::string& unit) {
  const auto c = static_cast<std::size_t>(coordinate);
  add_signal(model, owner, what, unit, [c](const Model& m) { return symbol_of(m, m.coordinates()[c].position); });
  add_signal(model, owner, "v" + what, unit + "/s",
             [c](const Model& m) { return symbol_of(m, m.coordinates()[c].velocity); });
  add_signal(model, owner, "a" + what, unit + "/s^2",
             [c](const Model& m) { return symbol_of(m, m.coordinates()[c].acceleration); });
}

void add_length_signals(Model& model, const std::string& name, const Place& a, const Place& b) {
  add_signal(model, name, "length", "m", [a, b](const Model& m) { return length_of(m, a, b); });
  add_signal(model, name, "rate", "m/s", [a, b](const Model& m) { return length_rate(m, a, b); });
}

bool has_signal(const Model& model, const std::string& name) { return model.record().signals.contains(name); }

std::vector<std::string> signal_names(const Model& model) {
  std::vector<std::string> names;
  for (const auto& [name, signal] : model.record().signals) names.push_back(name);
  return names;
}

std::vector<std::string> signals_of(const Model& model, const std::string& owner) {
  std::vector<std::string> out;
  const auto& all = model.record().signals;
  const std::string prefix = owner + ".";
  for (auto it = all.lower_bound(prefix); it != all.end() && it->first.starts_with(prefix); ++it) {
    if (it->second.owner == owner) out.push_back(it->second.what);
  }
  return out;
}

const std::string& signal_unit(const Model& model, const std::string& name) {
  const auto found = model.record().signals.find(name);
  if (found == model.record().signals.end()) throw Error("there is no signal '" + name + "'");
  return found->second.unit;
}

namespace {

Vector symbols_of(const Model& model, const std::vector<NodeId>& nodes) {
  Vector out;
  for (NodeId id : nodes) out.push_back(symbol_of(model, id));
  return out;
}

Symbol potential_energy(const Model& model) {
  Symbol total = 0.0;
  for (std::size_t i = 0; i < model.elements().size(); ++i) {
    const Element& element = model.elements()[i];
    if (element.potential != expr::no_node) total += while_acting(model, i, symbol_of(model, element.potential));
    if (is_expression(element)) continue;
    const Kernel& kernel = kernel_of(element.type);
    Vector q;
    for (int c : element.coordinates)
      q.push_back(symbol_of(model, model.coordinates()[static_cast<std::size_t>(c)].position));
    const Symbol stored = kernel.symbolic_potential(q, symbols_of(model, element.data));
    total += kernel.has_mass() ? stored : while_acting(model, i, stored);  // bodies are in every phase
  }
  return total;
}

std::vector<Symbol> constraint_values(const Model& model, bool rates) {
  std::vector<Symbol> values;
  for (std::size_t i = 0; i < model.elements().size(); ++i) {
    const Element& element = model.elements()[i];
    if (element.multipliers.empty()) continue;
    const auto keep = [&](const Symbol& value) { values.push_back(while_acting(model, i, value)); };
    if (constrains_velocities(element)) {
      if (rates) keep(symbol_of(model, element.law.front()));
      continue;
    }
    if (is_expression(element)) {
      const Symbol value = symbol_of(model, element.law.front());
      keep(rates ? time_derivative(model, value) : value);
      continue;
    }
    const Kernel& kernel = kernel_of(element.type);
    Vector q;
    for (int c : element.coordinates)
      q.push_back(symbol_of(model, model.coordinates()[static_cast<std::size_t>(c)].position));
    const Vector d = symbols_of(model, element.data);
    if (!rates) {
      const Vector phi = kernel.symbolic_constraints(q, symbol_of(model, model.time()), d);
      std::for_each(phi.begin(), phi.end(), keep);
    } else {
      Vector v;
      for (int c : element.coordinates)
        v.push_back(symbol_of(model, model.coordinates()[static_cast<std::size_t>(c)].velocity));
      const Vector rate = kernel.symbolic_constraint_rates(q, v, symbol_of(model, model.time()), d);
      std::for_each(rate.begin(), rate.end(), keep);
    }
  }
  return values;
}

}  // namespace

void add_model_signals(Model& model) {
  add_signal(model, "", "t", "s", symbol_of(model, model.time()));
  add_signal(model, "energy", "kinetic", "J", [](const Model& m) { return kinetic_energy(m); });
  add_signal(model, "energy", "potential", "J", [](const Model& m) { return potential_energy(m); });
  add_signal(model, "energy", "total", "J", [](const Model& m) { return kinetic_energy(m) + potential_energy(m); });
  constexpr const char* axes[] = {"x", "y", "z"};
  for (std::size_t k = 0; k < static_cast<std::size_t>(model.dimension()); ++k) {
    add_signal(model, "momentum", axes[k], "N s", [k](const Model& m) { return linear_momentum(m)[k]; });
  }
  const std::size_t turns = model.dimension() == 2 ? 1 : 3;
  for (std::size_t k = 0; k < turns; ++k) {
    add_signal(model, "angular_momentum", axes[3 - turns + k], "N m s",
               [k](const Model& m) { return angular_momentum(m)[k]; });
  }
  for (bool rates : {false, true}) {
    add_signal(model, "constraint", rates ? "velocity_drift" : "drift", "", [rates](const Model& m) {
      Symbol square = 0.0;
      for (const Symbol& value : constraint_values(m, rates)) square += value * value;
      return sqrt(square);
    });
  }
}

}  // namespace perilune::model
