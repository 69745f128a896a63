// SPDX-License-Identifier: MIT
// run.phases.
#include "error.hpp"
#include "guard.hpp"
#include "phases.hpp"
#include "simulation/phases.hpp"
#include "suggest.hpp"
#include "table_fields.hpp"

namespace perilune::lua {

namespace {

int unknown_phase_field(lua_State* L) {
  const std::string key = luaL_tolstring(L, 2, nullptr);
  static const std::vector<std::string> known = {"name", "start", "finish", "first", "last", "complete"};
  throw Error("an item of run.phases has no field '" + key + "'" + suggestion_or_list(key, known, "it has"));
}

}  // namespace

void push_phase_list(lua_State* L, const simulation::Evaluation& run) {
  const std::vector<double>& t = run.solution.mesh.t;
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
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, guarded<unknown_phase_field>);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
}

}  // namespace perilune::lua
