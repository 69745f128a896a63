// SPDX-License-Identifier: MIT
// The formulation that a problem gets where nobody names one.
#pragma once
#include <vector>

#include "simulation/problem.hpp"

namespace perilune::simulation {

/// Joint coordinates where spatial bodies on hinges, slides and ball joints make a tree, or loops that few constraints
/// close, by explicit integrators: exact, and fastest. Else the index-1 form, its steps projected onto the constraints,
/// which has no modelling error at all; where constraints are redundant, joint coordinates of planar bodies on the same
/// conditions, and Maggi's form of others, which asks for no multipliers; where they are so in the singular position of
/// the start only, the augmented Lagrangian, projected, which is the one to leave it. scripts/default_study.lua has the
/// reasons. A mechanism that cannot be assembled gets the index-1 form, and the run says what is wrong.
formulation::Formulation usual_formulation(const Problem& problem, const std::vector<double>& parameters);
/// The same for second derivatives, which projections do not have.
formulation::Formulation usual_smooth_formulation(const Problem& problem, const std::vector<double>& parameters);
/// The same for methods that integrate equations of sensitivities: in independent coordinates these are dense, and
/// cost more than the recursions save.
formulation::Formulation usual_continuous_formulation(const Problem& problem, const std::vector<double>& parameters);

}  // namespace perilune::simulation
