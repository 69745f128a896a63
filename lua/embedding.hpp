// SPDX-License-Identifier: MIT
// For C++ programs that let scripts describe models and then work without Lua:
//   luaL_requiref(L, "perilune", open_perilune, 0);   (perilune.hpp)
//   luaL_dofile(L, "model.lua");                      the script returns an objective
//   Experiment e = experiment_at(L, -1);
#pragma once
#include <lua.hpp>
#include <memory>

#include "model/model.hpp"
#include "simulation/run.hpp"

namespace perilune::lua {

struct Experiment {
  std::shared_ptr<const model::Model> model;  // parameters by name, with their present values
  simulation::Problem problem;                // with the objective, as the model was simulated last
};

/// Of the objective at the stack index. Outlives the interpreter; later changes by scripts do not reach the problem.
/// Throws Error if the value is no objective or its model was never simulated.
Experiment experiment_at(lua_State* L, int index);

}  // namespace perilune::lua
