// SPDX-License-Identifier: MIT
// The matrices of the second-order adjoint at one point of the motion, for implicit steps:
//   M mu'' + A^T mu' + B^T mu + Phi_q^T nu = g_q - g_v' + g_a'',  A = 2 M' - C,  B = E_q + M'' - C'
#pragma once
#include <Eigen/Core>

#include "sensitivity/continuous/continuous_motion.hpp"

namespace perilune::sensitivity {

struct AdjointMatrices {
  Eigen::MatrixXd mass, a_transposed, b_transposed;
  Eigen::MatrixXd jacobian, jacobian_rate;
  /// Where the motion stands. One product of either kind per coordinate.
  explicit AdjointMatrices(LinearizedMotion& motion);
};

}  // namespace perilune::sensitivity
