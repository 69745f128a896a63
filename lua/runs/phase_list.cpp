// SPDX-License-Identifier: MIT
// run.phases.
#include <algorithm>

#include "base/guard.hpp"
#include "base/suggest.hpp"
#include "base/table_fields.hpp"
#include "error.hpp"
#include "runs/phases.hpp"
#include "simulation/phases.hpp"

namespace perilune::lua {

namespace {

int unknown_phase_field(lua_State* L) {
  const std::string key = luaL_tolstring(L, 2, nullptr);
  static const std::vector<std::string> known = {"name", "start",    "finish",   "first",
                                                 "last", "complete", "impulses", "kinetic_energy_lost"};
  throw Error("an item of run.phases has no field '" + key + "'" + suggestion_or_list(key, known, "it has"));
}

/// Nil for a joint that has none because it does not act.
int unknown_impulse(lua_State* L) {
  const std::string key = luaL_tolstring(L, 2, nullptr);
  std::vector<std::string> known;
  for (lua_pushnil(L); lua_next(L, lua_upvalueindex(1)); lua_pop(L, 1)) known.emplace_back(lua_tostring(L, -2));
  if (std::find(known.begin(), known.end(), key) != known.end()) return 0;
  if (known.empty()) throw Error("an impact has no impulse of '" + key + "': the model has no joints or constraints");
  throw Error("an impact has no impulse of '" + key + "'" + suggestion_or_list(key, known, "those that can have one"));
}

/// A set of names: of all joints and constraints.
void push_constrained(lua_State* L, const model::Model& model) {
  lua_newtable(L);
  for (const model::Element& e : model.elements()) {
    if (e.multipliers.empty() || e.is_inner) continue;
    lua_pushboolean(L, 1);
    lua_setfield(L, -2, e.name.c_str());
  }
}

/// `names`: the stack index of the set.
void push_impulses(lua_State* L, const std::vector<simulation::Impulse>& impulses, int names) {
  lua_newtable(L);
  for (const simulation::Impulse& each : impulses) {
    if (lua_getfield(L, -1, each.joint.c_str()) != LUA_TTABLE) {
      lua_pop(L, 1);
      lua_newtable(L);
      lua_pushvalue(L, -1);
      lua_setfield(L, -3, each.joint.c_str());
    }
    set_number(L, each.signal.c_str(), each.value);
    lua_pop(L, 1);
  }
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, names);
  lua_pushcclosure(L, guarded<unknown_impulse>, 1);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
}

}  // namespace

void push_phase_list(lua_State* L, const simulation::Trajectory& trajectory) {
  const simulation::Evaluation& run = trajectory.run();
  const std::vector<double>& t = run.solution.mesh.t;
  push_constrained(L, trajectory.model());
  const int names = lua_gettop(L);
  lua_createtable(L, static_cast<int>(run.phases.size()), 0);
  for (std::size_t k = 0; k < run.phases.size(); ++k) {
    const simulation::PhaseRun& phase = run.phases[k];
    lua_newtable(L);
    set_text(L, "name", phase.phase->name);
    set_number(L, "start", t[phase.first]);
    set_number(L, "finish", t[phase.last]);
    set_integer(L, "first", static_cast<lua_Integer>(phase.first) + 1);
    set_integer(L, "last", static_cast<lua_Integer>(phase.last) + 1);
    const bool lasts_to_the_end = !phase.phase->stop && run.solution.status == integrator::Status::Completed;
    lua_pushboolean(L, phase.is_complete || lasts_to_the_end);
    lua_setfield(L, -2, "complete");
    push_impulses(L, trajectory.impulses()[k], names);
    lua_setfield(L, -2, "impulses");
    set_number(L, "kinetic_energy_lost", phase.impact ? phase.impact->kinetic_energy_lost : 0);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, guarded<unknown_phase_field>);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
  lua_remove(L, names);
}

}  // namespace perilune::lua
