// SPDX-License-Identifier: MIT
// What m:optimize returns: a table of numbers that can draw its own history.
#pragma once
#include <lua.hpp>
#include <vector>

#include "optimize/constrained/constrained.hpp"
#include "optimize/multi_start.hpp"
#include "runs/experiment.hpp"

namespace perilune::lua {

/// Gives the table on top of the stack its text and its methods. `over`: numbers of the parameters, as in the history.
/// `limited`: the same result of a search under limits, or null.
void make_optimum(lua_State* L, const model::Model& engine, const std::vector<int>& over,
                  const optimize::Result& result, const optimize::ConstrainedResult* limited);

/// Gives the list of starts on top of the stack a text with a line for each.
void print_starts(lua_State* L, const model::Model& engine, const std::vector<int>& over,
                  const optimize::MultiStart& found);

}  // namespace perilune::lua
