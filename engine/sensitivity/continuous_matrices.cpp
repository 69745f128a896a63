#include "sensitivity/continuous_matrices.hpp"

namespace perilune::sensitivity {

AdjointMatrices::AdjointMatrices(LinearizedMotion& motion) {
  using Eigen::MatrixXd, Eigen::VectorXd;
  const auto n = static_cast<Eigen::Index>(motion.n()), m = static_cast<Eigen::Index>(motion.m());
  mass = a_transposed = b_transposed = MatrixXd::Zero(n, n);
  jacobian = jacobian_rate = MatrixXd::Zero(m, n);
  VectorXd unit = VectorXd::Zero(n + m), mass_rate(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    unit[k] = 1;
    motion.add(Block::Mass, unit.data(), mass.col(k).data());
    motion.add(Block::Jacobian, unit.data(), jacobian.col(k).data());
    motion.add(Block::JacobianRate, unit.data(), jacobian_rate.col(k).data());
    mass_rate.setZero();
    system::PointGradient rates{.v = b_transposed.col(k).data(), .a = mass_rate.data()};
    motion.add_rates_transposed(unit.data(), rates);
    b_transposed.col(k) *= -1;  // C'^T so far
    motion.add_transposed(Block::Stiffness, unit.data(), b_transposed.col(k).data());
    motion.add_mass_second_rate(unit.data(), b_transposed.col(k).data());
    a_transposed.col(k) = 2 * mass_rate;
    motion.add_transposed(Block::Damping, unit.data(), a_transposed.col(k).data(), -1);
    unit[k] = 0;
  }
}

}  // namespace perilune::sensitivity
