// SPDX-License-Identifier: MIT
// The formulation that a problem gets where nobody names one.
#pragma once
#include <vector>

#include "simulation/problem.hpp"

namespace perilune::simulation {

/// Joint coordinates where spatial bodies on hinges, slides and ball joints make a tree, by explicit integrators:
/// exact, and fastest. Else the index-1 form, its steps projected onto the constraints, which has no modelling error at
/// all; where constraints are redundant, Maggi's, which asks for no multipliers; where they are so in the singular
/// position of the start only, the augmented Lagrangian, projected, which is the one to leave it.
/// scripts/default_study.lua has the reasons. A mechanism that cannot be assembled gets the first, and the run says
/// what is wrong.
formulation::Formulation usual_formulation(const Problem& problem, const std::vector<double>& parameters);
/// The same for second derivatives, which projections do not have.
formulation::Formulation usual_smooth_formulation(const Problem& problem, const std::vector<double>& parameters);

}  // namespace perilune::simulation
