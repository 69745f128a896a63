// SPDX-License-Identifier: MIT
// The equations of motion of a system in one formulation, as integrators and sensitivities see them:
//   explicit view   a, lambda = f(t, q, v)            with f_y dy + f_d dd and its transpose
//   residual view   R(t, q, v, a, lambda) = 0          with S(gamma) = R_a + gamma R_v + gamma^2 R_q, bordered by
//   lambda
// where R = [M a + Phi_q^T lambda - Q;  c2 Phi'' + c1 Phi' + c0 Phi - kappa lambda] with the coefficients of a
// system::ConstraintLaw. Where forces read a and lambda, the explicit view is Newton's method on the residual, and
// M - Q_a and Phi_q^T - Q_lambda stand in the matrices. One object per thread.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "formulation/absolute/load_span.hpp"
#include "formulation/formulation.hpp"
#include "formulation/point_chain.hpp"
#include "linalg/linear_solver.hpp"
#include "system/system.hpp"

namespace perilune::formulation {

using system::Data;
using system::System;

class Dynamics {
 public:
  /// With the law of points of the formulation.
  Dynamics(std::shared_ptr<const System> system, std::shared_ptr<const Data> data, const Formulation& formulation);

  /// The explicit view needs a law of accelerations (c2 = 1).
  void set_law(const ConstraintLaw& law) { law_ = law; }
  const ConstraintLaw& law() const { return law_; }

  const System& system() const { return *system_; }
  const Data& data() const { return *data_; }
  /// Added to the compliance in the matrices but not in the equations, and made good by iteration; 0 for most forms.
  double regularization() const { return regularization_; }
  /// Of the matrix bordered by the multipliers.
  std::shared_ptr<const linalg::MatrixLayout> shared_layout() const { return solver_.shared_layout(); }
  int n() const { return n_; }
  int m() const { return m_; }

  /// Which constraints the metric of factor_point() has: those on positions alone, where positions are projected. The
  /// multipliers of the others are minus their right-hand sides then.
  enum class Rows { All, OfPositions };
  void set_rows(Rows rows) { rows_ = rows; }
  /// In a matrix at these slots, as if no constraint on velocities were there.
  struct BlockSlots;
  void leave_out_velocity_rows(const BlockSlots& slots, double* values) const;

  /// Solves for a (n) and lambda (m). Throws NumericalError (singular position, non-finite forces).
  void accelerations(double t, const double* q, const double* v, double* a, double* lambda);
  /// accelerations() at all points of a chain, together with those of other fibers; false where nobody else has such a
  /// one now, or one of them is to be found alone: then its numbers are of no use.
  bool accelerations_in_lanes(const PointChain& chain);
  /// The same where the matrix is that of factor_evaluated() at the same t and q, of a system that is not implicit.
  void accelerations_again(double t, const double* q, const double* v, double* a, double* lambda);
  /// From the accelerations and multipliers where forces read zeros, as the system was evaluated last at this t, q and
  /// v, to those that fit the forces, with what solves the equations without these; evaluates the system there. False,
  /// with a and lambda as they were, where that is not enough.
  bool follow_loads(double t, const double* q, const double* v, double* a, double* lambda,
                    const LoadSpan::Solve& solve);
  /// Whether it ever is.
  bool spans_loads() const { return loads_ != nullptr; }
  /// The same for multipliers alone, where accelerations are given: of the equations in these `rows`, as many as there
  /// are multipliers. `guess` (m): of them; r (n): M a + Phi_q^T lambda - Q in the end.
  bool follow_loads_of(const std::vector<int>& rows, double t, const double* q, const double* v, const double* a,
                       const double* guess, double* lambda, double* r, const LoadSpan::Solve& solve);
  /// Evaluates the system and factors [M Phi_q^T; Phi_q -kappa], the metric of projections, which depends on t and q
  /// only. It is S(0) where no force reads a and lambda; else these read zeros.
  void factor_point(double t, const double* q, const double* v);
  /// The same where the system was evaluated just now, with or without forces.
  void factor_evaluated(double t, const double* q, const double* v);

  /// Derivatives at a point of the motion; the products below refer to the last call. `refactor` makes the matrix S(0)
  /// of that point, unless accelerations() was just called there. Without it, the system has to be evaluated there.
  void linearize(double t, const double* q, const double* v, const double* a, const double* lambda, bool with_data,
                 bool refactor);
  /// The same where the system was evaluated just now, for those who make a matrix of their own.
  void linearize_evaluated(double t, const double* q, const double* v, const double* a, const double* lambda,
                           bool with_data) {
    linearize_here({t, q, v, a, lambda}, with_data);
  }
  /// Derivatives of M a + Phi_q^T lambda - Q for any a and lambda, with the forces of factor_point(), which has to come
  /// before: differences for two of them are those of M a + Phi_q^T lambda alone.
  void linearize_metric(double t, const double* q, const double* v, const double* a, const double* lambda) {
    linearize_here({t, q, v, a, lambda, zero_.data(), zero_.data()}, true);
  }
  /// The matrix S(0) of the last accelerations(), as numbers for linearize_again; empty when that is not cheap.
  std::span<const double> factor_numbers() const { return solver_.factor_numbers(); }
  /// linearize() with data and the matrix that factor_numbers() gave at the same point.
  void linearize_again(double t, const double* q, const double* v, const double* a, const double* lambda,
                       std::span<const double> factor);
  /// Derivatives of a and lambda in `count` directions at once. A direction stacks dq (n), dv (n) and dd (data_count);
  /// directions are interleaved: entry i of direction k stands at i * count + k. Overwrites x with da (n), dlambda (m).
  void tangent(const double* z, int count, double* x);
  /// Transpose: for seeds abar (n), lbar (m) adds to z, which stacks qbar (n), vbar (n) and dbar (data_count).
  void adjoint(const double* abar, const double* lbar, double* z);
  /// S(0)^-T of the seeds of the last adjoint(), n + m numbers.
  std::span<const double> last_weights() const { return rhs_; }

  /// Evaluates the system, as linearize_evaluated() expects it.
  void evaluate(double t, const double* q, const double* v, const double* a, const double* lambda) {
    system_->evaluate({t, q, v, a, lambda}, *data_, w_);
  }
  /// The same where all but a and lambda are those of the last evaluation; null for zeros.
  void evaluate_again(double t, const double* q, const double* v, const double* a, const double* lambda) {
    system_->evaluate_again({t, q, v, a, lambda}, *data_, w_);
  }
  /// evaluate() with forces that read zeros for accelerations and multipliers.
  void evaluate_metric(double t, const double* q, const double* v) { system_->evaluate_metric(t, q, v, *data_, w_); }
  /// Masses and constraints alone.
  void evaluate_without_forces(double t, const double* q, const double* v) {
    system_->evaluate({t, q, v, nullptr, nullptr}, *data_, w_, system::Part::Metric);
  }
  void evaluate_constraints(double t, const double* q, const double* v) {
    system_->evaluate({t, q, v, nullptr, nullptr}, *data_, w_, system::Part::Constraints);
  }
  /// What evaluate() and linearize() left.
  const system::Workspace& workspace() const { return w_; }
  /// R at a point of the motion, n + m numbers. Evaluates the system there.
  void residual(double t, const double* q, const double* v, const double* a, const double* lambda, double* r);
  /// Factors R_a + of_v R_v + of_q R_q, bordered by lambda, at the last linearized point. Throws NumericalError when
  /// singular.
  void factor_shifted(double of_v, double of_q, double t);
  /// The same with the weights of a single state, v = ... + gamma a, q = ... + gamma v.
  void factor_shifted(double gamma, double t) { factor_shifted(gamma, gamma * gamma, t); }
  /// The matrix last factored, and another one of the same layout in place of it; false where that is singular.
  std::span<const double> matrix_values() const { return {solver_.values(), solver_.value_count()}; }
  bool factor_values(std::span<const double> values);
  /// Where the entries of one block of a larger matrix stand, each list in the order of the system's patterns.
  struct BlockSlots {
    std::vector<int> nn, lower, upper, reads, compliance;
  };
  BlockSlots block_slots(const linalg::MatrixLayout& layout, int first_row, int first_column, bool is_own) const;
  /// Adds of_v R_v + of_q R_q of the last linearized point at the slots, and for a point's own block R_a and the
  /// border.
  void add_block(const BlockSlots& slots, double of_v, double of_q, bool is_own, double* values) const;
  /// Solves with the matrix last factored; n + m numbers, in place. A regularization is made good by iteration.
  void solve(double* x);
  void solve_transposed(double* x);
  void solve_many(double* x, int count);
  /// out (n + m) = -(R_q dq + R_v dv + R_d dd), stacked and interleaved as in tangent().
  void negative_partials(const double* z, int count, double* out) const;
  /// z -= [R_q R_v R_d]^T w for w of n + m numbers, stacked as in adjoint().
  void subtract_partials_transposed(const double* w, double* z) const;
  /// out (n) += S(0)^T restricted to its first n columns, times w (n + m): M w_1 + Phi_q^T w_2.
  void apply_mass_transposed(const double* w, double* out) const;

  /// Says why the equations could not be solved at the point last evaluated.
  [[noreturn]] void fail(double t, const double* q, const double* v) const;

  /// Of the matrix factored last.
  double pivot_ratio() const { return solver_.pivot_ratio(); }
  linalg::Pivoting pivoting() { return solver_.pivoting(); }
  void set_pivoting(const linalg::Pivoting& kept) { solver_.set_pivoting(kept); }

  long evaluation_count() const { return evaluations_; }
  long factorization_count() const { return solver_.factorization_count(); }

 private:
  friend class PointLanes;
  struct Point {
    double t = 0;
    const double *q = nullptr, *v = nullptr;
    double *a = nullptr, *lambda = nullptr;
  };
  /// Waits for other fibers with this point, or with the chain in place of it.
  bool in_lanes(const Point& point, const PointChain* chain = nullptr);
  /// Of forces that read a and lambda; returns where they need not be the cause.
  void fail_implicitly(const std::string& time) const;
  /// Whether forces that read a and lambda have their part in the matrix, or the metric alone stands there.
  enum class Matrix { Metric, OfResidual };
  void assemble_base(Matrix which);
  void solve_accelerations(double t, const double* q, const double* v, double* a, double* lambda);
  /// From the accelerations and multipliers where forces read zeros.
  void solve_implicitly(double t, const double* q, const double* v, double* a, double* lambda);
  void linearize_here(const system::Kinematics& at, bool with_data);
  /// R where the system was evaluated.
  void residual_here(const double* a, const double* lambda, double* r) const;
  /// a and lambda of follow_loads, in in_span_, and R there.
  bool span_loads(double t, const double* q, const double* v, const double* a, const double* lambda,
                  const double* guess, const LoadSpan::Solve& solve);
  /// The weight of Phi' in row k, or of what a constraint on velocities states.
  double rate_of(int k) const { return system_->is_velocity_row(k) ? law_.velocity_rate : law_.rate; }

  std::shared_ptr<const System> system_;
  std::shared_ptr<const Data> data_;
  ConstraintLaw law_;
  double regularization_;
  int n_, m_;
  system::Workspace w_;
  linalg::LinearSolver solver_;
  /// Where forces feel loads, accelerations() leaves a matrix of its way there, not that of the point: derivatives
  /// begin with their own.
  bool is_on_the_way_ = false;
  unsigned serial_ = 0;  // no other one of these days has it
  BlockSlots slots_;
  std::unique_ptr<LoadSpan> loads_;
  std::vector<double> rhs_, correction_, in_span_;
  std::vector<double> zero_;  // n + m
  // The lower rows of [R_q R_v R_d], by the system's patterns; the upper ones are the system's own arrays.
  std::vector<double> low_q_, low_v_, low_d_;
  Rows rows_ = Rows::All;
  bool has_damping_ = false;  // some entry of r_v is not zero at the linearized point
  long evaluations_ = 0;
};

}  // namespace perilune::formulation
