// SPDX-License-Identifier: MIT
// What m:fit returns: numbers, a report, and pictures of the fit beside the measurements.
#pragma once
#include <lua.hpp>

#include "studies/fit_problem.hpp"

namespace perilune::lua {

/// Pushes the table.
void push_fit(lua_State* L, const model::Model& engine, const FitProblem& problem, const FitFound& found,
              double confidence, const std::vector<std::string>& warnings);

}  // namespace perilune::lua
