// Comparing gradients.
#pragma once
#include <vector>

#include "run_check.hpp"

/// Largest difference of two gradients of an objective, relative to the largest entry of the second. Entries count per
/// relative change of a parameter (absolute below 1), so that a stiffness of 100 N/m weighs as much as a length of 1 m.
/// Infinite where an entry is not finite.
double difference(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& rho);

/// Of all objectives: the largest of the above.
double difference(const std::vector<std::vector<double>>& x, const std::vector<std::vector<double>>& y,
                  const std::vector<double>& rho);

/// Discrete direct, discrete adjoint and extrapolated differences on the same sequence of steps are the same. `step`:
/// the largest of the differences.
void check_discrete_gradients(Mechanism mechanism, const Integration& how, double step = 4e-3);
