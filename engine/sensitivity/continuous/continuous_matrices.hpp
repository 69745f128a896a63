// SPDX-License-Identifier: MIT
// The matrices of the second-order adjoint at one point of the motion, for implicit steps:
//   M mu'' + A^T mu' + B^T mu + Phi_q^T nu = g_q - g_v' + g_a'',  A = 2 M' - C,  B = E_q + M'' - C'
// with Phi_q mu = g_lambda; where forces feel accelerations and loads, with (M - Q_a)^T in the place of M, and with
// (Phi_q - Q_lambda^T) mu = g_lambda.
#pragma once
#include <Eigen/Core>

#include "sensitivity/continuous/continuous_motion.hpp"

namespace perilune::sensitivity {

/// What mu keeps to, and its time derivative.
struct AdjointRows {
  Eigen::MatrixXd jacobian, jacobian_rate;
  /// Where the motion stands. Where forces feel loads, one product per coordinate.
  explicit AdjointRows(LinearizedMotion& motion);
};

struct AdjointMatrices {
  Eigen::MatrixXd mass, a_transposed, b_transposed;
  Eigen::MatrixXd jacobian, jacobian_rate;  // as in AdjointRows
  Eigen::MatrixXd border = {};              // Phi_q^T, at nu, where that is not the transpose of `jacobian`
  /// Where the motion stands. One product of either kind per coordinate.
  explicit AdjointMatrices(LinearizedMotion& motion);

 private:
  void add_rates(LinearizedMotion& motion);
  void add_rates_of_points(LinearizedMotion& motion);
};

}  // namespace perilune::sensitivity
