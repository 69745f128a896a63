// SPDX-License-Identifier: MIT
// A finished run as the continuous methods see it: the motion at any time of the dense output, linearized, with total
// time derivatives of its coefficients. Notation of Zhu 2014: E = M a + Phi_q^T lambda - Q; a dot is a total derivative
// along the motion, which the dense output gives no further than the velocity: accelerations and multipliers follow
// from the equations of motion, their rates from the differentiated equations.
#pragma once
#include <Eigen/Core>
#include <optional>
#include <vector>

#include "sensitivity/problem.hpp"
#include "system/motion_rates.hpp"

namespace perilune::sensitivity {

/// The matrices of the linearized equations.
enum class Block {
  Mass,                  // M
  Inertia,               // M - Q_a
  Loads,                 // -Q_lambda
  Stiffness,             // E_q
  Damping,               // C = E_v
  ResidualData,          // E_d
  Jacobian,              // Phi_q
  JacobianRate,          // its first and second time derivatives
  JacobianAcceleration,  //
  PhiData,               // Phi_d and its time derivatives
  PhiRateData,           //
  PhiAccelerationData,   //
};

/// Forces read accelerations or multipliers, or there are constraints on velocities: the equations that are written in
/// M, C, Phi_q and its time derivatives do not hold, those do that go by the residual of points and its derivatives.
inline bool needs_points(const System& system) { return system.is_implicit() || system.constrains_velocities(); }

/// Of the step before or after t.
const formulation::Sides& sides_at(const integrator::Steps& run, double t, bool before);

class LinearizedMotion {
 public:
  LinearizedMotion(const Problem& problem, const Evaluation& run);

  /// Interpolates, solves for accelerations and multipliers, linearizes. Repeated times cost nothing; everything below
  /// refers to the last call.
  const system::MotionPoint& at(double t);
  const system::MotionPoint& point() const { return point_; }
  /// From now on the switches of the model are held as in the step before or after t.
  void enter(double t, bool before);
  /// At these, if any are given.
  void hold(const formulation::Sides& sides);
  /// Number of the point, for those who keep what they found there.
  long visit() const { return visit_; }
  /// The point of the mesh itself, with its accelerations and multipliers.
  const system::MotionPoint& at_mesh(std::size_t node);

  Dynamics& dynamics() { return dynamics_; }
  const system::ConstraintLaw& law() const { return dynamics_.law(); }
  const System& system() const { return dynamics_.system(); }
  std::size_t n() const { return n_; }
  std::size_t m() const { return m_; }

  Eigen::MatrixXd dense(Block block);
  /// y += scale * block * x.
  void add(Block block, const double* x, double* y, double scale = 1);
  /// y += scale * block^T x.
  void add_transposed(Block block, const double* x, double* y, double scale = 1);

  /// a' (n) and lambda' (m), stacked.
  const double* rates();
  /// a'' (n) and lambda'' (m), stacked.
  const double* second_rates();
  /// out += d/dt (R_x)^T w for x = v, a and lambda at constant w (n + m numbers), for the residual R with the law of
  /// points.
  void add_rates_transposed(const double* w, const system::PointGradient& out);
  /// out += d^2/dt^2 (R_x)^T w for x = a and lambda, stacked, n + m numbers; of systems that need_points() alone.
  void add_second_rates_transposed(const double* w, double* out);
  /// out (m) += R_lambda^T w.
  void add_border_transposed(const double* w, double* out) const;
  /// Of `count` vectors x of n numbers behind each other: out += C'^T x.
  void add_damping_rates_transposed(int count, const double* x, double* out);
  /// rate += M' x, second += M'' x, nullptr where they are not wanted.
  void add_mass_rates(int count, const double* x, double* rate, double* second);

 private:
  struct View;
  View view(Block block);
  void set(const system::MotionPoint& point);
  system::MotionRates& products();
  system::Kinematics kinematics() const;
  system::MotionRates::Point moving_point();
  /// x = -(R_a, R_lambda)^-1 (x + R_q q + R_v v).
  void solve_rates(const double* q, const double* v, std::vector<double>& x);

  const Evaluation& run_;
  std::shared_ptr<Data> held_;  // of a system with switches: a copy, whose sides change
  Dynamics dynamics_;
  std::size_t n_, m_;
  std::vector<double> q_, v_, a_, lambda_, rates_, second_rates_, z_, partials_;
  std::optional<system::MotionRates> products_;
  system::MotionPoint point_;
  bool is_set_ = false, is_mesh_ = false, has_rates_ = false, has_second_rates_ = false;
  std::size_t hint_ = 0;
  long visit_ = 0;
};

}  // namespace perilune::sensitivity
