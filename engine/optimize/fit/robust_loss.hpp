// SPDX-License-Identifier: MIT
// Losses that grow slower than the square, so that a few wild residuals do not carry a fit away.
#pragma once
#include <Eigen/Core>

namespace perilune::optimize {

/// A loss is scale^2 rho(z) of z = (r / scale)^2 for a residual r, and close to r^2 where |r| is well below the scale.
struct RobustLoss {
  enum class Kind {
    None,    ///< rho = z: least squares
    Huber,   ///< z up to 1, then 2 sqrt(z) - 1
    SoftL1,  ///< 2 (sqrt(1 + z) - 1)
    Cauchy   ///< log(1 + z)
  };
  Kind kind = Kind::None;
  double scale = 1;  ///< positive; the size of residual from which on the loss is gentler than the square
};

/// rho and its first two derivatives at z >= 0.
struct LossValue {
  double value, first, second;
};
LossValue loss_value(const RobustLoss& loss, double z);

/// Throws Error unless the scale is a positive finite number.
void check_loss(const RobustLoss& loss);

/// Half the sum of the losses of all residuals.
double robust_cost(const RobustLoss& loss, const Eigen::VectorXd& residuals);

/// Turns residuals (m) and their Jacobian (m x n) into those of a problem without a loss that has the same gradient and
/// the Gauss-Newton matrix with the curvature of the loss: B. Triggs et al., Bundle Adjustment - A Modern Synthesis
/// (2000), section 4.3. Where that curvature is small or negative a tenth of the weight rho' takes its place, so that
/// the matrix stays positive semidefinite and every residual keeps a say in it.
void correct_for_loss(const RobustLoss& loss, Eigen::VectorXd& residuals, Eigen::MatrixXd& jacobian);

}  // namespace perilune::optimize
