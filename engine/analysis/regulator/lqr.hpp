// SPDX-License-Identifier: MIT
// The linear quadratic regulator: the state feedback u = -K x of x' = A x + B u that makes the integral of
// x^T Q x + u^T R u least (Laub, IEEE Trans. Automatic Control 24 (1979) 913: from the stable invariant subspace of the
// Hamiltonian matrix).
#pragma once
#include <complex>
#include <vector>

#include "linalg/decompositions.hpp"

namespace perilune::analysis {

struct Regulator {
  Eigen::MatrixXd gain;                           // K = R^-1 B^T P
  Eigen::MatrixXd riccati;                        // P: A^T P + P A - P B R^-1 B^T P + Q = 0; the least cost is x^T P x
  std::vector<std::complex<double>> eigenvalues;  // of A - B K, by their real parts
  double residual = 0;                            // of the Riccati equation, relative to its terms
};

/// A is n x n, B is n x m, Q (n x n) symmetric and not negative, R (m x m) symmetric and positive. Throws Error where
/// they are not, where an input is missing that reaches a motion which does not decay, or where Q does not see a motion
/// that swings forever; NumericalError where the equation is not solved to 1e-8.
Regulator lqr(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, const Eigen::MatrixXd& Q, const Eigen::MatrixXd& R);

}  // namespace perilune::analysis
