// SPDX-License-Identifier: MIT
#include "sensitivity/continuous/continuous_second_order.hpp"

#include <algorithm>

namespace perilune::sensitivity {

SecondOrderAdjoint::SecondOrderAdjoint(const Problem& problem, LinearizedMotion& motion, CostTerms terms,
                                       Multipliers multipliers)
    : motion_(motion),
      costs_(problem, terms),
      multipliers_(multipliers),
      n_(motion.n()),
      m_(motion.m()),
      x_(n_ + m_),
      rate_(2 * n_),
      second_(2 * n_),
      multiplier_(m_),
      multiplier_rate_(m_) {}

void SecondOrderAdjoint::find_multipliers(const double* y) {
  std::fill(multiplier_.begin(), multiplier_.end(), 0.0);
  std::fill(multiplier_rate_.begin(), multiplier_rate_.end(), 0.0);
  if (!has_own()) return;
  std::copy_n(y + 2 * n_, m_, multiplier_.data());
  std::copy_n(y + 2 * n_ + m_, m_, multiplier_rate_.data());
}

void SecondOrderAdjoint::add_rate_terms(const double* mu, double* out, double scale) {
  std::fill(rate_.begin(), rate_.end(), 0.0);
  motion_.add_mass_rates(1, mu, rate_.data(), nullptr);
  for (std::size_t k = 0; k < n_; ++k) out[k] += scale * rate_[k];
  motion_.add_transposed(Block::Damping, mu, out, -scale);
}

void SecondOrderAdjoint::begin(std::size_t o, AdjointBundle& bundle, double* y) {
  // M mu + Phi_q^T mu_Phi = p_v + g_a and Phi_q mu = g_lambda (+ kappa mu_Phi), then their rates: Zhu 2014, eqs. 3.50,
  // 3.60, 3.70 and 3.112, where eta = -mu_Phi and gamma = mu_Phi' of index 3 (without c1, which it does not have).
  const CostGradient& g = costs_.at(o, motion_, true);
  const system::ConstraintLaw& law = motion_.law();
  double *mu = y, *mu_rate = y + n_;
  for (std::size_t k = 0; k < n_; ++k) x_[k] = bundle.v[o][k] + g.of.a[k];
  std::copy(g.of.lambda.begin(), g.of.lambda.end(), x_.begin() + static_cast<std::ptrdiff_t>(n_));
  motion_.dynamics().solve_transposed(x_.data());
  std::copy_n(x_.data(), n_, mu);
  std::copy_n(x_.data() + n_, m_, multiplier_.data());

  for (std::size_t k = 0; k < n_; ++k) x_[k] = -bundle.q[o][k] - g.of.z[n_ + k] + g.a_rate[k];
  add_rate_terms(mu, x_.data(), -1);
  motion_.add_transposed(Block::JacobianRate, multiplier_.data(), x_.data());
  double* low = x_.data() + n_;
  for (std::size_t k = 0; k < m_; ++k) {
    low[k] = g.lambda_rate[k] + law.compliance * law.rate * multiplier_[k];
  }
  motion_.add(Block::JacobianRate, mu, low, -1);
  motion_.dynamics().solve_transposed(x_.data());
  std::copy_n(x_.data(), n_, mu_rate);
  if (has_own()) {
    for (std::size_t k = 0; k < m_; ++k) {
      y[2 * n_ + k] = multiplier_[k];
      y[2 * n_ + m_ + k] = low[k] + law.rate * multiplier_[k];
    }
  }
  if (multipliers_ == Multipliers::OfPositions) {
    motion_.add_transposed(Block::PhiData, low, bundle.data[o].data());
    motion_.add_transposed(Block::PhiRateData, multiplier_.data(), bundle.data[o].data(), -1);
  }
}

void SecondOrderAdjoint::load_acceleration(const double* y, const CostGradient& g) {
  const double *mu = y, *mu_rate = y + n_;
  for (std::size_t k = 0; k < n_; ++k) x_[k] = g.of.z[k] - g.v_rate[k] + g.a_second[k];
  motion_.add_transposed(Block::Damping, mu_rate, x_.data());
  motion_.add_transposed(Block::Stiffness, mu, x_.data(), -1);
  motion_.add_damping_rates_transposed(1, mu, x_.data());
  std::fill(rate_.begin(), rate_.end(), 0.0);
  std::fill(second_.begin(), second_.end(), 0.0);
  motion_.add_mass_rates(2, y, rate_.data(), second_.data());  // of mu and mu', which stand behind each other
  for (std::size_t k = 0; k < n_; ++k) x_[k] -= second_[k] + 2 * rate_[n_ + k];
}

void SecondOrderAdjoint::load_constraint(const double* y, const CostGradient& g) {
  const double *mu = y, *mu_rate = y + n_;
  const system::ConstraintLaw& law = motion_.law();
  double* low = x_.data() + n_;
  for (std::size_t k = 0; k < m_; ++k) {
    low[k] = g.lambda_second[k] - law.rate * g.lambda_rate[k] + law.position * g.of.lambda[k];
  }
  motion_.add(Block::JacobianRate, mu_rate, low, -2);
  motion_.add(Block::JacobianAcceleration, mu, low, -1);
  motion_.add(Block::Jacobian, mu_rate, low, law.rate);
  motion_.add(Block::JacobianRate, mu, low, law.rate);
  motion_.add(Block::Jacobian, mu, low, -law.position);
}

void SecondOrderAdjoint::slope(std::size_t o, const double* y, double* dy, double* data, double* parameters) {
  const CostGradient& g = costs_.at(o, motion_, true);
  const system::ConstraintLaw& law = motion_.law();
  const double *mu = y, *mu_rate = y + n_;
  load_acceleration(y, g);
  load_constraint(y, g);
  motion_.dynamics().solve_transposed(x_.data());
  const double* nu = x_.data() + n_;
  std::copy_n(mu_rate, n_, dy);
  std::copy_n(x_.data(), n_, dy + n_);
  find_multipliers(y);
  if (has_own()) {
    for (std::size_t k = 0; k < m_; ++k) {
      dy[2 * n_ + k] = multiplier_rate_[k];
      dy[2 * n_ + m_ + k] = nu[k] + law.rate * multiplier_rate_[k] - law.position * multiplier_[k];
    }
  }
  for (std::size_t k = 0; k < g.of.data_count(); ++k) data[k] += g.of.data()[k];
  for (std::size_t k = 0; k < g.of.parameters.size(); ++k) parameters[k] += g.of.parameters[k];
  motion_.add_transposed(Block::ResidualData, mu, data, -1);
  if (multipliers_ == Multipliers::OfPositions) {
    motion_.add_transposed(Block::PhiData, nu, data, -1);
  } else {
    motion_.add_transposed(Block::PhiAccelerationData, multiplier_.data(), data, -1);
    motion_.add_transposed(Block::PhiRateData, multiplier_.data(), data, -law.rate);
    motion_.add_transposed(Block::PhiData, multiplier_.data(), data, -law.position);
  }
}

void SecondOrderAdjoint::end(std::size_t o, const double* y, AdjointBundle& bundle) {
  const CostGradient& g = costs_.at(o, motion_, true);
  const double *mu = y, *mu_rate = y + n_, rate = motion_.law().rate;
  find_multipliers(y);
  std::vector<double>&p_q = bundle.q[o], &p_v = bundle.v[o];
  for (std::size_t k = 0; k < n_; ++k) {
    p_q[k] = g.a_rate[k] - g.of.z[n_ + k];
    p_v[k] = -g.of.a[k];
  }
  motion_.add(Block::Mass, mu, p_v.data());
  motion_.add_transposed(Block::Jacobian, multiplier_.data(), p_v.data());
  motion_.add(Block::Mass, mu_rate, p_q.data(), -1);
  add_rate_terms(mu, p_q.data(), -1);
  motion_.add_transposed(Block::Jacobian, multiplier_rate_.data(), p_q.data(), -1);
  motion_.add_transposed(Block::JacobianRate, multiplier_.data(), p_q.data());
  motion_.add_transposed(Block::Jacobian, multiplier_.data(), p_q.data(), rate);
}

PointSecondOrderAdjoint::PointSecondOrderAdjoint(const Problem& problem, LinearizedMotion& motion, CostTerms terms)
    : motion_(motion),
      costs_(problem, terms),
      n_(motion.n()),
      m_(motion.m()),
      x_(n_ + m_),
      z_(2 * n_ + static_cast<std::size_t>(problem.system->data_count())),
      rates_(2 * n_ + m_),
      second_(n_ + m_),
      border_(m_) {}

void PointSecondOrderAdjoint::subtract_partials(const double* w) {
  std::fill(z_.begin(), z_.end(), 0.0);
  motion_.dynamics().subtract_partials_transposed(w, z_.data());
}

void PointSecondOrderAdjoint::find_rates(const double* w) {
  std::fill(rates_.begin(), rates_.end(), 0.0);
  motion_.add_rates_transposed(w, {.v = rates_.data(), .a = rates_.data() + n_, .lambda = rates_.data() + 2 * n_});
}

void PointSecondOrderAdjoint::begin(std::size_t o, AdjointBundle& bundle, double* y) {
  // R_a^T w = p_v + g_a and R_lambda^T w = g_lambda, whose rates follow from p_v' = R_v^T w - g_v - p_q.
  const CostGradient& g = costs_.at(o, motion_, true);
  double *w = y, *w_rate = y + n_ + m_;
  for (std::size_t k = 0; k < n_; ++k) w[k] = bundle.v[o][k] + g.of.a[k];
  std::copy_n(g.of.lambda.data(), m_, w + n_);
  motion_.dynamics().solve_transposed(w);
  subtract_partials(w);
  find_rates(w);
  for (std::size_t k = 0; k < n_; ++k) {
    w_rate[k] = g.a_rate[k] - g.of.z[n_ + k] - bundle.q[o][k] - z_[n_ + k] - rates_[n_ + k];
  }
  for (std::size_t k = 0; k < m_; ++k) w_rate[n_ + k] = g.lambda_rate[k] - rates_[2 * n_ + k];
  motion_.dynamics().solve_transposed(w_rate);
}

void PointSecondOrderAdjoint::slope(std::size_t o, const double* y, double* dy, double* data, double* parameters) {
  const CostGradient& g = costs_.at(o, motion_, true);
  const system::ConstraintLaw& law = motion_.law();
  const double *w = y, *w_rate = y + n_ + m_;
  subtract_partials(w);
  for (std::size_t k = 0; k < n_; ++k) x_[k] = g.of.z[k] - g.v_rate[k] + g.a_second[k] + z_[k];
  for (std::size_t k = 0; k < g.of.data_count(); ++k) data[k] += g.of.data()[k] + z_[2 * n_ + k];
  for (std::size_t k = 0; k < g.of.parameters.size(); ++k) parameters[k] += g.of.parameters[k];
  subtract_partials(w_rate);
  std::fill(second_.begin(), second_.end(), 0.0);
  motion_.add_second_rates_transposed(w, second_.data());
  find_rates(w);
  double* low = x_.data() + n_;
  // How far the constraint on w is off, and its rate, are drawn to zero.
  std::fill(border_.begin(), border_.end(), 0.0);
  motion_.add_border_transposed(w, border_.data());
  for (std::size_t k = 0; k < m_; ++k) {
    low[k] = g.lambda_second[k] - second_[n_ + k] - law.position * (border_[k] - g.of.lambda[k]) +
             law.rate * (rates_[2 * n_ + k] - g.lambda_rate[k]);
  }
  std::fill(border_.begin(), border_.end(), 0.0);
  motion_.add_border_transposed(w_rate, border_.data());
  for (std::size_t k = 0; k < m_; ++k) low[k] += law.rate * border_[k];
  for (std::size_t k = 0; k < n_; ++k) x_[k] += rates_[k] - z_[n_ + k] - second_[k];
  find_rates(w_rate);
  for (std::size_t k = 0; k < n_ + m_; ++k) x_[k] -= 2 * rates_[n_ + k];
  motion_.dynamics().solve_transposed(x_.data());
  std::copy_n(w_rate, n_ + m_, dy);
  std::copy_n(x_.data(), n_ + m_, dy + n_ + m_);
}

void PointSecondOrderAdjoint::end(std::size_t o, const double* y, AdjointBundle& bundle) {
  const CostGradient& g = costs_.at(o, motion_, true);
  const double *w = y, *w_rate = y + n_ + m_;
  subtract_partials(w);
  find_rates(w);
  std::vector<double>&p_q = bundle.q[o], &p_v = bundle.v[o];
  std::fill(x_.begin(), x_.end(), 0.0);
  motion_.dynamics().apply_mass_transposed(w_rate, x_.data());
  for (std::size_t k = 0; k < n_; ++k) {
    p_q[k] = g.a_rate[k] - g.of.z[n_ + k] - z_[n_ + k] - rates_[n_ + k] - x_[k];
    p_v[k] = -g.of.a[k];
  }
  motion_.dynamics().apply_mass_transposed(w, p_v.data());
}

namespace {

std::unique_ptr<AdjointEquations> second_order(const Problem& problem, LinearizedMotion& motion, CostTerms terms,
                                               SecondOrderAdjoint::Multipliers multipliers) {
  if (needs_points(*problem.system)) return std::make_unique<PointSecondOrderAdjoint>(problem, motion, terms);
  return std::make_unique<SecondOrderAdjoint>(problem, motion, terms, multipliers);
}

}  // namespace

std::unique_ptr<AdjointEquations> index1_approach1(const Problem& problem, LinearizedMotion& motion) {
  return second_order(problem, motion, CostTerms::Plain, SecondOrderAdjoint::Multipliers::OfAccelerations);
}

std::unique_ptr<AdjointEquations> index1_approach2(const Problem& problem, LinearizedMotion& motion) {
  return second_order(problem, motion, CostTerms::Eliminated, SecondOrderAdjoint::Multipliers::OfAccelerations);
}

std::unique_ptr<AdjointEquations> penalty_second_order(const Problem& problem, LinearizedMotion& motion) {
  return second_order(problem, motion, CostTerms::Eliminated, SecondOrderAdjoint::Multipliers::OfAccelerations);
}

std::unique_ptr<AdjointEquations> index3_second_order(const Problem& problem, LinearizedMotion& motion) {
  return second_order(problem, motion, CostTerms::Plain, SecondOrderAdjoint::Multipliers::OfPositions);
}

}  // namespace perilune::sensitivity
