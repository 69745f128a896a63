// SPDX-License-Identifier: MIT
// What takes part in a phase of a motion.
#include <algorithm>
#include <set>

#include "simulation/phases.hpp"

namespace perilune::simulation {

namespace {

using model::Element;

/// A joint's angle in space is a coordinate with a constraint of its own, the first that reads it.
bool defines_coordinate(const model::Model& model, const Element& e, std::set<int>& defined) {
  if (e.multipliers.empty()) return false;
  return std::any_of(e.coordinates.begin(), e.coordinates.end(), [&](int i) {
    const model::Coordinate& c = model.coordinates()[static_cast<std::size_t>(i)];
    return c.role == model::Role::Auxiliary && c.owner == e.name && defined.insert(i).second;
  });
}

}  // namespace

std::vector<char> acting_elements(const model::Model& model, const std::vector<std::string>& without) {
  std::vector<char> acts;
  std::set<int> defined;
  for (const Element& e : model.elements()) {
    const bool is_named = std::find(without.begin(), without.end(), e.name) != without.end();
    const bool defines = defines_coordinate(model, e, defined);
    acts.push_back(!is_named || is_inertia_of_state(e) || defines);
  }
  return acts;
}

Phase phase_without(const model::Model& model, const std::string& name, const std::vector<std::string>& without) {
  const std::vector<char> acting = acting_elements(model, without);
  Phase phase;
  phase.name = name;
  phase.system = std::make_shared<System>(model, acting);
  for (const int coordinate : model.record().anchors) {
    const auto state = std::find_if(model.elements().begin(), model.elements().end(), [&](const Element& e) {
      return is_inertia_of_state(e) && e.coordinates.front() == coordinate;
    });
    if (std::find(without.begin(), without.end(), state->name) != without.end()) continue;
    phase.anchors.push_back(model.coordinate_numbers()[static_cast<std::size_t>(coordinate)]);
  }
  return phase;
}

std::optional<Measure> renumbered(const std::optional<Measure>& measure, const System& system) {
  std::optional<Measure> out = measure;
  if (out) out->number_multipliers(system.multiplier_numbers());
  if (out) out->leave_out(system.takes_part());
  return out;
}

Measure in_phase(const Measure& measure, const System& system) {
  Measure out = measure;
  out.leave_out(system.takes_part());
  return out;
}

}  // namespace perilune::simulation
