// SPDX-License-Identifier: MIT
// The second-order adjoint that the index-3, index-1 and penalty forms share. With A = 2 M' - C and
// B = E_q + M'' - C',
//   M mu'' + A^T mu' + B^T mu + Phi_q^T nu = g_q - g_v' + g_a''
// and the constraint (D^2 - c1 D + c0)(Phi_q mu - g_lambda) = kappa nu with the coefficients of the law of points,
// where D is d/dt: Phi_q mu = g_lambda, differentiated twice and stabilized backward in time as Phi is forward, or the
// oscillator that the penalty form's adjoint obeys. The multipliers mu_Phi of the constraint on the accelerations, of
// which nu = (D^2 - c1 D + c0) mu_Phi, are unknowns of their own where they are needed: also those of the penalty form,
// where alpha Phi_q mu would multiply errors by alpha.
#pragma once
#include "sensitivity/continuous/continuous_equations.hpp"

namespace perilune::sensitivity {

class SecondOrderAdjoint final : public AdjointEquations {
 public:
  enum class Multipliers {
    OfPositions,     // index-3: nu itself
    OfAccelerations  // index-1, penalty: mu_Phi and its rate follow mu and mu' among the unknowns
  };
  SecondOrderAdjoint(const Problem& problem, LinearizedMotion& motion, CostTerms terms, Multipliers multipliers);

  std::size_t size() const override { return 2 * (n_ + (has_own() ? m_ : 0)); }
  void begin(std::size_t o, AdjointBundle& bundle, double* y) override;
  void slope(std::size_t o, const double* y, double* dy, double* data, double* parameters) override;
  void end(std::size_t o, const double* y, AdjointBundle& bundle) override;

 private:
  bool has_own() const { return multipliers_ == Multipliers::OfAccelerations; }
  /// mu_Phi and its rate, from the unknowns; zero where they are none.
  void find_multipliers(const double* y);
  void load_acceleration(const double* y, const CostGradient& g);
  void load_constraint(const double* y, const CostGradient& g);
  /// out += scale (M' - C^T) mu.
  void add_rate_terms(const double* mu, double* out, double scale);

  LinearizedMotion& motion_;
  CostIntegrands costs_;
  Multipliers multipliers_;
  std::size_t n_, m_;
  std::vector<double> x_, rate_, second_, multiplier_, multiplier_rate_;
};

/// The same of systems that need_points(), where M - Q_a and Phi_q^T - Q_lambda stand in the place of M and Phi_q^T, or
/// rows of the constraints are on velocities. With the residual R(q, v, a, lambda) of points and w = (mu, mu_Phi),
///   (R_a^T w)'' - (R_v^T w)' + R_q^T w = g_q - g_v' + g_a''
/// and (D^2 - c1 D + c0)(R_lambda^T w - g_lambda) = 0. The unknowns are w and w', of index 3, too.
class PointSecondOrderAdjoint final : public AdjointEquations {
 public:
  PointSecondOrderAdjoint(const Problem& problem, LinearizedMotion& motion, CostTerms terms);

  std::size_t size() const override { return 2 * (n_ + m_); }
  void begin(std::size_t o, AdjointBundle& bundle, double* y) override;
  void slope(std::size_t o, const double* y, double* dy, double* data, double* parameters) override;
  void end(std::size_t o, const double* y, AdjointBundle& bundle) override;

 private:
  /// z_ = -(R_q, R_v, R_d)^T w.
  void subtract_partials(const double* w);
  /// rates_ = (R_v'^T w, R_a'^T w, R_lambda'^T w).
  void find_rates(const double* w);

  LinearizedMotion& motion_;
  CostIntegrands costs_;
  std::size_t n_, m_;
  std::vector<double> x_, z_, rates_, second_, border_;
};

}  // namespace perilune::sensitivity
