// SPDX-License-Identifier: MIT
// Steps of a discrete Lagrangian (Ebrahimi 2019, (10)-(17)), with momenta of their own at the mesh points. From q and
// p = M v at t to those at t + h, with v_ = (q+ - q) / h and with the force Q_ and the mass M_ at q_ = q + alpha (q+ -
// q), v_:
//   E1:  M_ v_ - (1 - alpha) (h Q_ + (M+ - M) v_) + Phi_q(q)^T Lambda - M v   = 0,   Phi(q+) = 0
//   E3:  M+ v+ + Phi_q(q+)^T kappa - M_ v_ - alpha (h Q_ + (M+ - M) v_)       = 0,   Phi_q(q+) v+ + Phi_t(q+) = 0
// Lambda and kappa (N s) are the impulses of the constraints in the two halves of the step. The source splits what a
// mesh point gets from both sides evenly, and has momenta off the constraints; positions are the same. The force of the
// Lagrangian is Q + M' v, and M' v is (M+ - M) v_ / h exactly where alpha = 1/2 and M is a polynomial of the second
// degree in q, as with Euler parameters; another alpha needs a constant M.
//
// The nodes of a step: one between, with q_, v_, (v+ - v) / h and (Lambda + kappa) / h; the end, a point of the motion.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "formulation/absolute/dynamics.hpp"
#include "formulation/motion.hpp"
#include "formulation/step_solver.hpp"
#include "system/metric_products.hpp"

namespace perilune::formulation {

class VariationalStep final : public StepSolver {
 public:
  /// `effort`: where the work is counted. The system has neither constraints on velocities nor forces that read
  /// accelerations or multipliers.
  VariationalStep(std::shared_ptr<const System> system, std::shared_ptr<const Data> data,
                  const Formulation& formulation, double alpha, Effort& effort);

  void solve(double h, const Node& start, std::span<const Node> x, double tolerance) override;
  const system::Workspace& workspace(std::size_t i) const override { return (i == 0 ? between_ : end_).workspace(); }
  void tangent(int count, const TangentNode& start, std::span<const TangentNode> x, const double* by_length) override;
  void linearize(double h, const Node& start, std::span<const Node> x) override;
  void adjoint(const AdjointNode& start, std::span<const AdjointNode> x) override;
  bool expects_smooth() const override { return expects_smooth_; }
  void expect_smooth(bool is_smooth) override { expects_smooth_ = is_smooth; }
  std::vector<linalg::Pivoting> pivoting() override { return {step_.pivoting(), end_.pivoting()}; }
  void set_pivoting(std::span<const linalg::Pivoting> kept) override {
    step_.set_pivoting(kept[0]);
    end_.set_pivoting(kept[1]);
  }

 private:
  using Numbers = std::vector<double>;
  void set(double h, const Node& start, std::span<const Node> x);
  /// What positions at the end say: q_ and v_, and the system there and at the end.
  void evaluate();
  /// q+ and Lambda to begin with, from the acceleration where the last step found it of use.
  void guess(bool by_acceleration);
  /// The mean velocity is off that guess by less than a part of what the acceleration does to it.
  bool is_smooth() const;
  /// r_ = (E1, Phi(q+) / h).
  void find_residual();
  /// Of (q+ / h, Lambda), in r_, by the matrix that there is; returns the largest of q+ / h (m/s).
  double find_correction();
  /// Derivatives between the ends, and of M+ v_.
  void differentiate(bool with_data);
  /// The matrix of r_ by (q+ / h, Lambda).
  void factor_step();
  /// v+ and kappa, with the matrix of end_.
  void find_end_velocities();
  bool is_rounding(double correction) const;
  [[noreturn]] void fail(int iterations, double correction);
  /// out += weight * M x.
  void add_mass(const system::Workspace& w, const double* x, double weight, double* out) const;
  /// out += weight * ((M - M+) x), of the part that a half has of it.
  void add_mass_change(const double* x, double weight, double* out) const;

  /// Derivatives of M a + Phi_q^T lambda.
  system::MetricProducts& metric();
  /// a x + b y, of velocities.
  const double* sum(double a, const double* x, double b, const double* y);
  /// out -= weight * the derivatives along (q, d), all interleaved; q may be null, for zero.
  void subtract_metric(const Node& at, const double* q, const double* d, const double* a, const double* lambda,
                       double weight, double* out);
  /// The gradient of -weight w^T (M a + Phi_q^T lambda) is added to q, which may be null, and d.
  void subtract_metric_transposed(const Node& at, const double* w, const double* a, const double* lambda, double weight,
                                  double* q, double* d);
  void tangent_of_positions(const TangentNode& start, std::span<const TangentNode> x, const double* by_length);
  void tangent_of_velocities(const TangentNode& start, std::span<const TangentNode> x, const double* by_length);
  void subtract_mass(const system::Workspace& w, const double* x, double weight, double* out);
  void adjoint_of_velocities(const AdjointNode& start, std::span<const AdjointNode> x);
  void adjoint_of_positions(const AdjointNode& start, std::span<const AdjointNode> x);

  std::shared_ptr<const System> system_;
  std::shared_ptr<const Data> data_;
  Effort& effort_;
  double alpha_;
  double share_;  // that a half has of (M+ - M) v_; 0 where M is constant
  std::size_t n_, m_, data_count_;
  Dynamics between_, end_;
  system::Workspace start_, moving_, still_;  // the last two: with the derivatives of M+ v_, and without
  linalg::LinearSolver step_;
  Dynamics::BlockSlots slots_;
  std::optional<system::MetricProducts> metric_;  // once derivatives are asked for
  double h_ = 0, first_ = 0, second_ = 0;         // the halves, (1 - alpha) h and alpha h
  Node from_, middle_, to_;
  /// Stiff parts swing faster than steps follow: their acceleration says nothing of where a step ends.
  bool expects_smooth_ = true;
  bool is_linearized_ = false;
  Numbers momentum_, a_, impulse_, kappa_, r_, between_r_, w_, scaled_, z_, sum_, zero_;
  // Tangents in all directions.
  std::size_t width_ = 0;
  Numbers z_between_, rows_, dx_, many_, separate_, products_of_;
  std::vector<system::Direction> directions_;
};

}  // namespace perilune::formulation
