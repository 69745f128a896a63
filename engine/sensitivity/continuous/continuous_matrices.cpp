// SPDX-License-Identifier: MIT
#include "sensitivity/continuous/continuous_matrices.hpp"

namespace perilune::sensitivity {

AdjointMatrices::AdjointMatrices(LinearizedMotion& motion)
    : mass(motion.dense(Block::Mass)),
      a_transposed(-motion.dense(Block::Damping).transpose()),
      b_transposed(motion.dense(Block::Stiffness).transpose()),
      jacobian(motion.dense(Block::Jacobian)),
      jacobian_rate(motion.dense(Block::JacobianRate)) {
  const auto n = static_cast<Eigen::Index>(motion.n());
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(n, n);
  Eigen::MatrixXd damping_rate = Eigen::MatrixXd::Zero(n, n), mass_rate = damping_rate;
  motion.add_damping_rates_transposed(static_cast<int>(n), identity.data(), damping_rate.data());
  motion.add_mass_rates(static_cast<int>(n), identity.data(), mass_rate.data(), b_transposed.data());
  a_transposed += 2 * mass_rate;
  b_transposed -= damping_rate;
}

}  // namespace perilune::sensitivity
