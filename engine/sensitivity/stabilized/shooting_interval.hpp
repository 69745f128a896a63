// SPDX-License-Identifier: MIT
// One interval of the piecewise adjoint: its part of the motion, and what its solutions come to.
#pragma once
#include "sensitivity/stabilized/piecewise_adjoint.hpp"

namespace perilune::sensitivity {

/// What an interval has to say about the gradient, in independent coordinates (2 d numbers: mu^v and mu^v').
struct IntervalResult {
  // At the start of the interval, in the coordinates of the interval before it: 2 d x 2 d and 2 d x objectives.
  Eigen::MatrixXd transition, particular;
  // Gradients by the parameters that the solutions gather on the interval (tau and T_j; Schaffer 2005, eqs. 5.136 and
  // 5.137): parameters x objectives and parameters x 2 d.
  Eigen::MatrixXd of_particular, of_homogeneous;
  // Of the first interval: mu and mu' at the start of the motion, n x (objectives + 2 d).
  Eigen::MatrixXd mu, rate;
};

/// `part`: the data, and the motion from boundary `number` - 1 to boundary `number` without events between them.
/// Throws NumericalError, Interrupted.
IntervalResult solve_interval(const Problem& problem, const Evaluation& part, std::size_t number,
                              const ChooseCoordinates& choose);

}  // namespace perilune::sensitivity
