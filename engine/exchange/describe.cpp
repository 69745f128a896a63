// SPDX-License-Identifier: MIT
#include "exchange/describe.hpp"

#include <algorithm>

#include "error.hpp"

namespace perilune::exchange {

std::vector<char> tunable_parameters(const model::Model& model, const Plant& plant) {
  std::vector<expr::NodeId> held;
  const auto add = [&held](const std::vector<expr::NodeId>& nodes) {
    held.insert(held.end(), nodes.begin(), nodes.end());
  };
  for (const model::Element& element : model.elements()) {
    if (element.is_removed || element.multipliers.empty()) continue;
    add(element.data);
    add(element.law);
  }
  for (const model::Coordinate& coordinate : model.coordinates()) {
    if (!coordinate.is_removed) add({coordinate.initial_position, coordinate.initial_velocity});
  }
  const std::vector<expr::NodeId> read = model.graph().variables_of(held);
  std::vector<char> out;
  for (const model::Parameter& p : model.parameters()) {
    const bool is_set = plant.is_set_by_phases(static_cast<int>(out.size()));
    out.push_back(!is_set && std::find(read.begin(), read.end(), p.node) == read.end());
  }
  return out;
}

Interface interface_of(const model::Model& model, const Plant& plant, const std::vector<int>& inputs,
                       const std::vector<model::ShownSignal>& outputs) {
  const simulation::Problem& problem = plant.problem();
  Interface out;
  out.name = model.name();
  const std::vector<char> tunable = tunable_parameters(model, plant);
  for (std::size_t k = 0; k < model.parameters().size(); ++k) {
    const model::Parameter& p = model.parameters()[k];
    const bool is_input = std::find(inputs.begin(), inputs.end(), static_cast<int>(k)) != inputs.end();
    const bool is_set = plant.is_set_by_phases(static_cast<int>(k));
    if (is_input && is_set) throw Error("inputs: phases set \"" + p.name + "\", so that no host can");
    if (is_input && !tunable[k]) {
      throw Error("inputs: joints or the start depend on \"" + p.name +
                  "\", so that it cannot change while the mechanism moves; let a force read it");
    }
    const Interface::Use use = is_input     ? Interface::Use::Input
                               : tunable[k] ? Interface::Use::Tunable
                               : is_set     ? Interface::Use::Set
                                            : Interface::Use::Fixed;
    out.parameters.push_back({p.name, p.unit, p.value, p.lower, p.upper, use});
  }
  for (const model::ShownSignal& signal : outputs) out.outputs.push_back({signal.name, signal.unit});
  out.has_model_exchange = !plant.has_phases();
  const int positions = plant.position_count();
  for (int k = 0; k < plant.size() && out.has_model_exchange; ++k) {
    const bool is_position = k < positions;
    out.states.push_back(
        {(is_position ? "position " : "velocity ") + std::to_string(1 + (is_position ? k : k - positions)), "",
         "of an independent coordinate, at first " + plant.name_of_entry(k)});
  }
  out.positions = out.has_model_exchange ? static_cast<std::size_t>(positions) : 0;
  for (int k = 0; k < plant.indicator_count() && out.has_model_exchange; ++k) {
    out.indicators.push_back({"switch " + std::to_string(k + 1), "", problem.system->switch_name(k)});
  }
  out.start = problem.start;
  out.stop = problem.end;
  out.step = integrator::fixed_step(problem.integrator);
  return out;
}

}  // namespace perilune::exchange
