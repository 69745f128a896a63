// SPDX-License-Identifier: MIT
// The step of a bounded least-squares problem: its linear model within the bounds and within a radius of trust.
#pragma once
#include <Eigen/Core>

namespace perilune::optimize {

/// The residuals c + A t to first order in a step t (n), and the box that the step must stay in.
struct LinearModel {
  Eigen::MatrixXd matrix;     ///< A, any number of rows; for many residuals the triangle of its QR decomposition
  Eigen::VectorXd residuals;  ///< c, as many as rows of A; for many residuals the first n entries of Q^T c
  Eigen::VectorXd lower;      ///< of t (n), at most 0
  Eigen::VectorXd upper;      ///< of t (n), at least 0
};

struct BoundedStep {
  Eigen::VectorXd t;   ///< within the box (n)
  double damping = 0;  ///< mu; 0 where the radius does not matter
  double promise = 0;  ///< by how much half the sum of squares of the linear model falls
};

/// The minimizer of |c + A t|^2 + mu |t|^2 within the box, by an active set: variables at a bound whose gradient points
/// outward are left out. Each of its linear problems is solved by a rank-revealing QR decomposition of [A; sqrt(mu) 1];
/// where it has no unique solution the shortest is taken.
BoundedStep damped_step(const LinearModel& model, double damping);

/// The minimizer of |c + A t| within the box and |t| <= radius, up to a tenth of the radius: a damped step whose mu is
/// found by bracketing, since |t| falls with mu.
BoundedStep trusted_step(const LinearModel& model, double radius);

}  // namespace perilune::optimize
