// SPDX-License-Identifier: MIT
#pragma once
#include <lua.hpp>
#include <vector>

#include "simulation/problem.hpp"
#include "values/args.hpp"

namespace perilune::lua {

/// The formulation of a call whose script names none: that of simulations, unless the call's field "method" integrates
/// equations of sensitivities, which are best in another one. `parameters`: of the problem's model.
formulation::Formulation usual_form(Args& args, lua_State* L, const simulation::Problem& problem,
                                    const std::vector<double>& parameters);

}  // namespace perilune::lua
