// SPDX-License-Identifier: MIT
// The continuous adjoint equations as a table of formulation and form: each entry is one linear differential equation,
// integrated backward along the motion for every objective on its own. Whatever its unknowns, at any time they amount
// to adjoints p_q, p_v of the state: the gradient of what is still to come with respect to q and v at that time (the
// brackets at the start in Zhu 2014, eqs. 3.51, 3.61, 3.71, 3.89, 3.113).
#pragma once
#include <memory>

#include "sensitivity/continuous/continuous_cost.hpp"
#include "sensitivity/discrete/adjoint.hpp"

namespace perilune::sensitivity {

class AdjointEquations {
 public:
  virtual ~AdjointEquations() = default;
  /// Unknowns of one objective.
  virtual std::size_t size() const = 0;
  /// Terminal conditions, where the motion stands at the end: the unknowns y from p_q and p_v in the bundle, which hold
  /// the terminal part of the objective. May add to the bundle's gradient by the data.
  virtual void begin(std::size_t objective, AdjointBundle& bundle, double* y) = 0;
  /// dy = y'; adds the integrands of the gradient to data and parameters.
  virtual void slope(std::size_t objective, const double* y, double* dy, double* data, double* parameters) = 0;
  /// The unknowns back to p_q and p_v.
  virtual void end(std::size_t objective, const double* y, AdjointBundle& bundle) = 0;
  /// Asked between steps, where the motion stands at the time reached: whether the unknowns should change their
  /// meaning. Then end() is called, prepare() and begin().
  virtual bool wants_change() { return false; }
  virtual void prepare() {}
};

// All are made where the motion stands at the end.

/// Zhu 2014, eqs. 3.88 and 3.89 (5.1 of the penalty form) and the same for index-1 forms: y = (p_q, p_v).
std::unique_ptr<AdjointEquations> first_order_explicit(const Problem& problem, LinearizedMotion& motion);
/// The penalty form with the mass matrix left in front: y = (mu_q, mu_v), p_q = mu_q, p_v = Mbar mu_v.
std::unique_ptr<AdjointEquations> penalty_first_order_implicit(const Problem& problem, LinearizedMotion& motion);
/// Zhu 2014, eqs. 3.112 and 3.113.
std::unique_ptr<AdjointEquations> penalty_second_order(const Problem& problem, LinearizedMotion& motion);
/// Zhu 2014, eqs. 3.59 to 3.61, without accelerations and multipliers in the terminal part.
std::unique_ptr<AdjointEquations> index1_approach1(const Problem& problem, LinearizedMotion& motion);
/// Zhu 2014, eqs. 3.69 to 3.71.
std::unique_ptr<AdjointEquations> index1_approach2(const Problem& problem, LinearizedMotion& motion);
/// Zhu 2014, eqs. 3.45, 3.50 and 3.51 with reduced index, without accelerations and multipliers in the terminal part.
std::unique_ptr<AdjointEquations> index3_second_order(const Problem& problem, LinearizedMotion& motion);
/// Zhu 2014, eqs. 3.124 to 3.126, 3.131 to 3.135, 3.146 to 3.152, for parameters and objectives of all kinds.
std::unique_ptr<AdjointEquations> maggi_first_order_explicit(const Problem& problem, LinearizedMotion& motion);
std::unique_ptr<AdjointEquations> maggi_first_order_implicit(const Problem& problem, LinearizedMotion& motion);
std::unique_ptr<AdjointEquations> maggi_second_order(const Problem& problem, LinearizedMotion& motion);
/// These where the system needs_points(); the third without constraints on velocities.
std::unique_ptr<AdjointEquations> independent_first_order(const Problem& problem, LinearizedMotion& motion);
std::unique_ptr<AdjointEquations> independent_first_order_implicit(const Problem& problem, LinearizedMotion& motion);
std::unique_ptr<AdjointEquations> independent_second_order(const Problem& problem, LinearizedMotion& motion);

}  // namespace perilune::sensitivity
