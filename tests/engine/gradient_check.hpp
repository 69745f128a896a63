// SPDX-License-Identifier: MIT
// Comparing gradients.
#pragma once
#include <vector>

#include "run_check.hpp"

/// A row of numbers for every objective.
using Rows = std::vector<std::vector<double>>;

/// Largest entry of an objective's gradient, per relative change of a parameter (absolute below 1), so that a stiffness
/// of 100 N/m weighs as much as a length of 1 m. Infinite where an entry is not finite.
double size_of(const std::vector<double>& gradient, const std::vector<double>& rho);
/// Size of the difference of two gradients of an objective, relative to the second.
double difference(std::vector<double> x, const std::vector<double>& y, const std::vector<double>& rho);
/// The largest of all objectives.
double difference(const Rows& x, const Rows& y, const std::vector<double>& rho);

/// A direction in which all parameters change, by parts of their sizes as above; sqrt(sum of (part)^2) is 1. Phases
/// make different ones.
std::vector<double> oblique_direction(const std::vector<double>& rho, double phase);

/// Derivatives of the objectives in a direction of the parameters, from extrapolated differences of runs that repeat
/// the steps of the nominal one.
std::vector<double> difference_along(const Mechanism& mechanism, const std::vector<double>& direction);

/// Derivatives by all parameters of the mechanism's objectives, in its problem as it stands.
Rows derivatives(const Mechanism& mechanism, const perilune::sensitivity::Method& method);

/// The continuous methods that the engine offers for a mechanism with its formulation and integrator. Some may object
/// to terminal parts of objectives that read accelerations or multipliers,
std::vector<perilune::sensitivity::Method> continuous_methods(const Mechanism& mechanism);
/// but not to these: of such objectives the integrals alone.
Mechanism with_plain_ends(Mechanism mechanism);
