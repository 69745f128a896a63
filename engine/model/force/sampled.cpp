// SPDX-License-Identifier: MIT
#include "model/force/sampled.hpp"

#include <cmath>

#include "error.hpp"
#include "model/declare.hpp"
#include "model/signals.hpp"
#include "model/text.hpp"

namespace perilune::model {

namespace {

/// The one of this name, null if there is none.
std::pair<const int, SampledNumber>* find_sampled(Model& model, const std::string& name) {
  for (auto& entry : model.record().sampled) {
    if (model.coordinates()[static_cast<std::size_t>(entry.first)].owner == name) return &entry;
  }
  return nullptr;
}

}  // namespace

Symbol add_sampled(Model& model, const std::string& name, const Symbol& at, const std::string& unit, double period,
                   double first) {
  if (!(period > 0) || !std::isfinite(period)) throw Error("period must be positive, got " + text_of(period) + " s");
  if (!std::isfinite(first)) throw Error("first must be a time (s), got " + text_of(first));
  if (auto* waiting = find_sampled(model, name); waiting && waiting->second.next == expr::no_node) {
    waiting->second.period = period;
    waiting->second.first = first;
    model.set_initial_velocity(waiting->first, at);
    return symbol_of(model, model.coordinates()[static_cast<std::size_t>(waiting->first)].velocity);
  }
  model.claim_name(name, "sampled");
  const int index = model.add_coordinate(name, "value", unit, 0.0, at, Role::State);
  const Coordinate& held = model.coordinates().back();
  add_signal(model, name, "value", unit, symbol_of(model, held.velocity));
  add_signal(model, name, "integral", held.unit, symbol_of(model, held.position));
  const Symbol value = symbol_of(model, held.velocity);
  add_element(model, "state", name, {index}, {}, {});
  model.record().sampled[index] = {period, first, expr::no_node, {}};
  model.note_change();
  return value;
}

void set_next(Model& model, const std::string& name, const Symbol& next) {
  auto* sampled = find_sampled(model, name);
  if (!sampled) throw Error("there is no sampled \"" + name + "\"");
  if (sampled->second.next != expr::no_node) throw Error("sampled \"" + name + "\" has its next value already");
  sampled->second.next = next.in(model.graph());
  sampled->second.defined_at = model.record().defined_at;
  add_signal(model, name, "next", signal_unit(model, name + ".value"), next);
  model.note_change();
}

void check_sampled_complete(const Model& model) {
  for (const auto& [coordinate, sampled] : model.record().sampled) {
    if (sampled.next != expr::no_node) continue;
    throw Error("sampled \"" + model.coordinates()[static_cast<std::size_t>(coordinate)].owner +
                "\" has no next value; what it becomes at a tick must be set before the model is used, by next or "
                "set_next");
  }
}

std::string sampled_read(const Model& model, NodeId expression) {
  for (const NodeId id : model.graph().variables_of({expression})) {
    const expr::Variable& variable = model.graph().variable_of(id);
    if (variable.quantity == expr::Quantity::Velocity && model.record().sampled.contains(variable.index)) {
      return model.coordinates()[static_cast<std::size_t>(variable.index)].owner;
    }
  }
  return {};
}

}  // namespace perilune::model
