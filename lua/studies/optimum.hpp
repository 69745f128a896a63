// SPDX-License-Identifier: MIT
// What m:optimize returns: a table of numbers that can draw its own history.
#pragma once
#include <lua.hpp>
#include <string>
#include <vector>

#include "optimize/constrained/constrained.hpp"
#include "optimize/multi_start.hpp"
#include "runs/experiment.hpp"
#include "studies/minimization.hpp"

namespace perilune::lua {

/// Gives the table on top of the stack its text and its methods. `objective`: its name. `limited`: the same result of a
/// search under limits, or null.
void make_optimum(lua_State* L, const ModelPtr& model, const Minimization& task, const std::string& objective,
                  const optimize::Result& result, const optimize::ConstrainedResult* limited);

/// "The best of 8 starts, number 3." of the optimum at the stack index; empty of a single start.
std::string starts_sentence(lua_State* L, int index);

/// Gives the list of starts on top of the stack a text with a line for each.
void print_starts(lua_State* L, const model::Model& engine, const std::vector<int>& over,
                  const optimize::MultiStart& found);

}  // namespace perilune::lua
