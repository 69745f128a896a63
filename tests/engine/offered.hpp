// SPDX-License-Identifier: MIT
// Every formulation and every integrator, for tests that walk them. What goes together, and which sensitivity methods
// there are then, they ask the engine; a new formulation or integrator is tested once it stands here.
#pragma once
#include <vector>

#include "analysis/mobility.hpp"
#include "mechanisms.hpp"

std::vector<perilune::formulation::Formulation> all_formulations();
/// Constant steps of about h that suit the orders, then adaptive ones, of tolerances that ask for few steps.
std::vector<perilune::integrator::Integrator> all_integrators(double h);

/// Where it starts.
perilune::analysis::Mobility mobility_of(const Mechanism& mechanism);

/// Whether its joints make a tree of spatial bodies or of planar ones, without loops.
bool is_tree(const Mechanism& mechanism);
/// Whether mbs.joint_coordinates goes by recursions.
bool has_recursions(const Mechanism& mechanism);

/// Those that take the mechanism's constraints: not all take redundant ones. Joint coordinates where these go by
/// recursions.
std::vector<perilune::formulation::Formulation> formulations_for(const Mechanism& mechanism);
/// Those that go with a formulation.
std::vector<perilune::integrator::Integrator> integrators_for(const perilune::formulation::Formulation& formulation,
                                                              double h);
