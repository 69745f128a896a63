// SPDX-License-Identifier: MIT
#include "sensitivity/continuous/continuous_matrices.hpp"

namespace perilune::sensitivity {

using Eigen::Index;
using Eigen::MatrixXd;

AdjointRows::AdjointRows(LinearizedMotion& motion)
    : jacobian(motion.dense(Block::Jacobian)), jacobian_rate(motion.dense(Block::JacobianRate)) {
  if (!needs_points(motion.system())) return;
  jacobian += motion.dense(Block::Loads).transpose();
  const auto n = static_cast<Index>(motion.n()), m = static_cast<Index>(motion.m());
  for (Index k = 0; k < n; ++k) {
    const Eigen::VectorXd w = Eigen::VectorXd::Unit(n + m, k);
    Eigen::VectorXd unused = Eigen::VectorXd::Zero(2 * n), of_lambda = Eigen::VectorXd::Zero(m);
    motion.add_rates_transposed(w.data(), {.v = unused.data(), .a = unused.data() + n, .lambda = of_lambda.data()});
    jacobian_rate.col(k) = of_lambda;
  }
}

AdjointMatrices::AdjointMatrices(LinearizedMotion& motion)
    : mass(motion.dense(Block::Mass)),
      a_transposed(-motion.dense(Block::Damping).transpose()),
      b_transposed(motion.dense(Block::Stiffness).transpose()),
      jacobian(motion.dense(Block::Jacobian)),
      jacobian_rate(motion.dense(Block::JacobianRate)) {
  if (needs_points(motion.system())) {
    add_rates_of_points(motion);
  } else {
    add_rates(motion);
  }
}

void AdjointMatrices::add_rates(LinearizedMotion& motion) {
  const auto n = static_cast<Index>(motion.n());
  const MatrixXd identity = MatrixXd::Identity(n, n);
  MatrixXd damping_rate = MatrixXd::Zero(n, n), mass_rate = damping_rate;
  motion.add_damping_rates_transposed(static_cast<int>(n), identity.data(), damping_rate.data());
  motion.add_mass_rates(static_cast<int>(n), identity.data(), mass_rate.data(), b_transposed.data());
  a_transposed += 2 * mass_rate;
  b_transposed -= damping_rate;
}

void AdjointMatrices::add_rates_of_points(LinearizedMotion& motion) {
  const auto n = static_cast<Index>(motion.n()), m = static_cast<Index>(motion.m());
  mass = motion.dense(Block::Inertia).transpose();
  border = jacobian.transpose();
  jacobian += motion.dense(Block::Loads).transpose();
  for (Index k = 0; k < n; ++k) {
    const Eigen::VectorXd w = Eigen::VectorXd::Unit(n + m, k);
    Eigen::VectorXd of_v = Eigen::VectorXd::Zero(n), of_a = of_v, of_lambda = Eigen::VectorXd::Zero(m),
                    second = Eigen::VectorXd::Zero(n + m);
    motion.add_rates_transposed(w.data(), {.v = of_v.data(), .a = of_a.data(), .lambda = of_lambda.data()});
    motion.add_second_rates_transposed(w.data(), second.data());
    a_transposed.col(k) += 2 * of_a;
    b_transposed.col(k) += second.head(n) - of_v;
    jacobian_rate.col(k) = of_lambda;
  }
}

}  // namespace perilune::sensitivity
