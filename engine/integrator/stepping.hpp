// What the integrators share: the run's bookkeeping around their step functions.
#pragma once
#include <cstddef>
#include <vector>

#include "integrator/integrator.hpp"

namespace perilune::integrator {

/// The mesh of a fixed-step method: whole steps, the last one shortened to end exactly.
std::vector<double> fixed_grid(double start, double end, double step);

/// Advance from options.start to options.end, appending to `out`. They throw on failure; integrate() catches.
void run_explicit(Dynamics& dynamics, const Tableau& tableau, const std::vector<double>& grid, const Options& options,
                  Solution& out);
void run_dormand_prince(Dynamics& dynamics, const DormandPrince& method, const Options& options, Solution& out);
/// Diagonally implicit methods: Newton with the exact Jacobian on the accelerations and multipliers of each stage,
/// until the last correction of the accelerations is below `tolerance`, relative.
void run_implicit(Dynamics& dynamics, const Tableau& tableau, double tolerance, const std::vector<double>& grid,
                  const Options& options, Solution& out);

/// Polls Ctrl-C and reports progress; to be called once per step.
void after_step(const Options& options, double t, double h, long steps);

}  // namespace perilune::integrator
