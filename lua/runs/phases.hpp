// SPDX-License-Identifier: MIT
// Motions in phases, for the experiments.
#pragma once
#include "runs/experiment.hpp"

namespace perilune::lua {

/// What a script holds: declared once, compiled when the model is complete.
struct PhaseHandle {
  ModelPtr model;
  std::string name;
  std::vector<std::string> without;
  expr::NodeId stop = expr::no_node;
  double longest = 0;
  bool is_impact = false;
  expr::NodeId restitution = expr::no_node;
  std::vector<std::pair<int, expr::NodeId>> set = {};
  std::shared_ptr<const simulation::Phase> compiled = nullptr;
  int revision = -1;
};
void push_phase(lua_State* L, PhaseHandle handle);

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
/// Parameters by number, in their order, and expressions.
using Assignments = std::vector<std::pair<int, expr::NodeId>>;
/// A field with a table of them, by name. `accelerations`: whether functions may read these.
Assignments read_assignments(Args& args, lua_State* L, std::string_view field, bool accelerations);
/// Pushes the list run.phases.
void push_phase_list(lua_State* L, const simulation::Trajectory& trajectory);

// The function that phases.cpp lists in the schema.
int limit_cycle(lua_State* L);

}  // namespace perilune::lua
