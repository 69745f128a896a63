// SPDX-License-Identifier: MIT
// The adjoints of the penalty form that keep its mass matrix Mbar = M + Phi_q^T alpha Phi_q in front. As in the
// equations of motion, the multipliers mu_Phi = alpha Phi_q mu are kept: w = (mu, mu_Phi) in the residual with
// multipliers amounts to mu in the form without, and no digits are lost to a large alpha.
#include "sensitivity/continuous/continuous_equations.hpp"

namespace perilune::sensitivity {

namespace {

class FirstOrderImplicit final : public AdjointEquations {
 public:
  FirstOrderImplicit(const Problem& problem, LinearizedMotion& motion)
      : motion_(motion),
        costs_(problem, CostTerms::Eliminated),
        n_(motion.n()),
        m_(motion.m()),
        x_(n_ + m_),
        z_(2 * n_ + static_cast<std::size_t>(problem.system->data_count())) {}

  /// mu_q, then mu_v and its mu_Phi.
  std::size_t size() const override { return 2 * n_ + m_; }

  void begin(std::size_t o, AdjointBundle& bundle, double* y) override {
    std::copy(bundle.q[o].begin(), bundle.q[o].end(), y);
    std::copy(bundle.v[o].begin(), bundle.v[o].end(), y + n_);
    std::fill_n(y + 2 * n_, m_, 0.0);
    motion_.dynamics().solve_transposed(y + n_);
  }

  void slope(std::size_t o, const double* y, double* dy, double* data, double* parameters) override {
    const CostGradient& g = costs_.at(o, motion_, false);
    const double *mu_q = y, *w = y + n_;
    std::fill(z_.begin(), z_.end(), 0.0);
    motion_.dynamics().subtract_partials_transposed(w, z_.data());
    // Mbar mu_v' = -mu_q - G_v + (Cbar - Mbar')^T mu_v, with the rate of kappa mu_Phi = Phi_q mu_v.
    find_rates(w);
    double* out = dy + n_;
    for (std::size_t k = 0; k < n_; ++k) {
      dy[k] = -z_[k] - g.of.z[k];
      out[k] = -mu_q[k] - g.of.z[n_ + k] - z_[n_ + k] - x_[k];
    }
    for (std::size_t k = 0; k < m_; ++k) out[n_ + k] = -x_[n_ + k];
    motion_.dynamics().solve_transposed(out);
    for (std::size_t k = 0; k < g.of.data_count(); ++k) data[k] += g.of.data()[k] + z_[2 * n_ + k];
    for (std::size_t k = 0; k < g.of.parameters.size(); ++k) parameters[k] += g.of.parameters[k];
  }

  void end(std::size_t o, const double* y, AdjointBundle& bundle) override {
    bundle.q[o].assign(y, y + n_);
    std::fill(bundle.v[o].begin(), bundle.v[o].end(), 0.0);
    motion_.dynamics().apply_mass_transposed(y + n_, bundle.v[o].data());
  }

 private:
  /// x_ = (R_a'^T w, R_lambda'^T w).
  void find_rates(const double* w) {
    std::fill(x_.begin(), x_.end(), 0.0);
    if (needs_points(motion_.system())) {
      motion_.add_rates_transposed(w, {.a = x_.data(), .lambda = x_.data() + n_});
      return;
    }
    motion_.add_mass_rates(1, w, x_.data(), nullptr);
    motion_.add_transposed(Block::JacobianRate, w + n_, x_.data(), motion_.law().acceleration);
    motion_.add(Block::JacobianRate, w, x_.data() + n_);
  }

  LinearizedMotion& motion_;
  CostIntegrands costs_;
  std::size_t n_, m_;
  std::vector<double> x_, z_;
};

}  // namespace

std::unique_ptr<AdjointEquations> penalty_first_order_implicit(const Problem& problem, LinearizedMotion& motion) {
  return std::make_unique<FirstOrderImplicit>(problem, motion);
}

}  // namespace perilune::sensitivity
