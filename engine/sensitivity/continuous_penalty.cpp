// The adjoints of the penalty form that keep its mass matrix Mbar = M + Phi_q^T alpha Phi_q in front. It is not formed:
// mu_Phi = alpha Phi_q mu stands beside mu, and w = (mu, mu_Phi) in the residual with the multipliers kept amounts to
// mu in the form without.
#include "sensitivity/continuous_second_order.hpp"

namespace perilune::sensitivity {

namespace {

class FirstOrderImplicit final : public AdjointEquations {
 public:
  FirstOrderImplicit(const Problem& problem, LinearizedMotion& motion)
      : motion_(motion),
        costs_(problem, CostTerms::Eliminated),
        n_(motion.n()),
        m_(motion.m()),
        w_(n_ + m_),
        x_(n_ + m_),
        stretch_(m_),
        z_(2 * n_ + static_cast<std::size_t>(problem.system->data_count())) {}

  std::size_t size() const override { return 2 * n_; }

  void begin(std::size_t o, AdjointBundle& bundle, double* y) override {
    std::copy(bundle.q[o].begin(), bundle.q[o].end(), y);
    std::fill(x_.begin(), x_.end(), 0.0);
    std::copy(bundle.v[o].begin(), bundle.v[o].end(), x_.begin());
    motion_.dynamics().solve_transposed(x_.data());
    std::copy_n(x_.data(), n_, y + n_);
  }

  void slope(std::size_t o, const double* y, double* dy, double* data, double* parameters) override {
    const CostGradient& g = costs_.at(o, motion_, false);
    const double *mu_q = y, *mu_v = y + n_;
    load_weights(mu_v);
    std::fill(z_.begin(), z_.end(), 0.0);
    motion_.dynamics().subtract_partials_transposed(w_.data(), z_.data());
    // Mbar mu_v' = -mu_q - G_v + (Cbar - Mbar')^T mu_v
    std::fill(x_.begin(), x_.end(), 0.0);
    system::PointGradient moving{.a = x_.data()};
    motion_.add_rates_transposed(w_.data(), moving);
    std::fill(stretch_.begin(), stretch_.end(), 0.0);
    motion_.add(Block::JacobianRate, mu_v, stretch_.data(), 1 / motion_.law().compliance);
    motion_.add_transposed(Block::Jacobian, stretch_.data(), x_.data());
    for (std::size_t k = 0; k < n_; ++k) {
      dy[k] = -z_[k] - g.of.z[k];
      x_[k] = -mu_q[k] - g.of.z[n_ + k] - z_[n_ + k] - x_[k];
    }
    motion_.dynamics().solve_transposed(x_.data());
    std::copy_n(x_.data(), n_, dy + n_);
    for (std::size_t k = 0; k < g.of.data_count(); ++k) data[k] += g.of.data()[k] + z_[2 * n_ + k];
    for (std::size_t k = 0; k < g.of.parameters.size(); ++k) parameters[k] += g.of.parameters[k];
  }

  void end(std::size_t o, const double* y, AdjointBundle& bundle) override {
    bundle.q[o].assign(y, y + n_);
    load_weights(y + n_);
    std::fill(bundle.v[o].begin(), bundle.v[o].end(), 0.0);
    motion_.dynamics().apply_mass_transposed(w_.data(), bundle.v[o].data());
  }

 private:
  void load_weights(const double* mu) {
    std::copy_n(mu, n_, w_.data());
    std::fill_n(w_.data() + n_, m_, 0.0);
    motion_.add(Block::Jacobian, mu, w_.data() + n_, 1 / motion_.law().compliance);
  }

  LinearizedMotion& motion_;
  CostIntegrands costs_;
  std::size_t n_, m_;
  std::vector<double> w_, x_, stretch_, z_;
};

}  // namespace

std::unique_ptr<AdjointEquations> penalty_first_order_implicit(const Problem& problem, LinearizedMotion& motion) {
  return std::make_unique<FirstOrderImplicit>(problem, motion);
}

std::unique_ptr<AdjointEquations> penalty_second_order(const Problem& problem, LinearizedMotion& motion) {
  return std::make_unique<SecondOrderAdjoint>(problem, motion, CostTerms::Eliminated,
                                              SecondOrderAdjoint::Multipliers::Compliant);
}

}  // namespace perilune::sensitivity
