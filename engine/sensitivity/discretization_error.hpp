// SPDX-License-Identifier: MIT
// How far the steps of a run leave its objectives from those of the motion itself.
#pragma once
#include <string>
#include <vector>

#include "sensitivity/problem.hpp"

namespace perilune::sensitivity {

/// Objectives of a run, and how much they change with far finer steps: 0.23 of a constant step, or a hundredth of the
/// tolerances and at most 0.37 of the longest step. For methods of order two or more the finer run is off by a
/// sixteenth or less of what the run itself is, so that the difference is the error of the run; it needs no adjoint,
/// and holds through events and phases.
struct DiscretizationError {
  std::vector<double> values;  ///< of the run as asked for
  std::vector<double> errors;  ///< magnitudes of the differences, or of rounding where that is larger
  bool is_rounding = false;    ///< tolerances cannot become finer: the error is that of rounding, and not known better
  integrator::Statistics statistics, finer_statistics;
  std::vector<std::string> warnings;  ///< of the run as asked for
};

/// Throws NumericalError when a simulation does not complete, Interrupted on Ctrl-C.
DiscretizationError discretization_error(const Problem& problem, const std::vector<double>& parameters);

/// The integrator with this share of its step, or of its tolerances, which end at those that rounding allows. As it
/// stands, what a run is compared with: the share is no whole part, so that the finer run looks at other times.
integrator::Integrator finer(const integrator::Integrator& integrator, double of_step = 0.23,
                             double of_tolerances = 0.01);

}  // namespace perilune::sensitivity
