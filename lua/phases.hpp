// SPDX-License-Identifier: MIT
// Motions in phases, for the experiments.
#pragma once
#include "experiment.hpp"

namespace perilune::lua {

/// The schema's field of the experiments that go through phases.
inline Field phases_field() {
  return {.name = "phases",
          .type = Type::Phases,
          .text = "of m:phase, which the motion goes through in this order; {} for none",
          .fallback = "one, with all that is declared"};
}
enum class PhaseSource { Given, Remembered };
/// That field, or the phases of the last simulation, which an experiment without the field refuses.
PhaseSource read_phases(Args& args, lua_State* L, simulation::Problem& problem);
/// Those that the call was given. Without any, the remembered ones stay.
void remember_phases(Args& args, lua_State* L, const simulation::Problem& problem);
/// Of its gradient, where the script names none.
inline sensitivity::Method default_method(const simulation::Problem& problem) {
  if (problem.phases.empty()) return sensitivity::DiscreteAdjoint{};
  return sensitivity::DiscreteDirect{};
}
/// Pushes the list run.phases.
void push_phase_list(lua_State* L, const simulation::Evaluation& run);

}  // namespace perilune::lua
