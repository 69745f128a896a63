// A finished run as the continuous methods see it: the motion at any time of the dense output, linearized, with total
// time derivatives of its coefficients. Notation of Zhu 2014: E = M a + Phi_q^T lambda - Q; a dot is a total derivative
// along the motion, which the dense output gives no further than the velocity: accelerations and multipliers follow
// from the equations of motion, their rates from the differentiated equations.
#pragma once
#include <optional>
#include <vector>

#include "sensitivity/problem.hpp"
#include "system/second_order.hpp"

namespace perilune::sensitivity {

/// The matrices of the linearized equations.
enum class Block {
  Mass,                  // M
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

class LinearizedMotion {
 public:
  LinearizedMotion(const Problem& problem, const Evaluation& run);

  /// Interpolates, solves for accelerations and multipliers, linearizes. Repeated times cost nothing; everything below
  /// refers to the last call.
  const system::MotionPoint& at(double t);
  const system::MotionPoint& point() const { return point_; }
  /// Number of the point, for those who keep what they found there.
  long visit() const { return visit_; }
  /// The point of the mesh itself, with its accelerations and multipliers.
  const system::MotionPoint& at_mesh(std::size_t node);

  Dynamics& dynamics() { return dynamics_; }
  const system::ConstraintLaw& law() const { return dynamics_.law(); }
  const System& system() const { return dynamics_.system(); }
  std::size_t n() const { return n_; }
  std::size_t m() const { return m_; }

  /// y += scale * block * x.
  void add(Block block, const double* x, double* y, double scale = 1);
  /// y += scale * block^T x.
  void add_transposed(Block block, const double* x, double* y, double scale = 1);

  /// a' (n) and lambda' (m), stacked.
  const double* rates();
  /// a'' (n) and lambda'' (m), stacked.
  const double* second_rates();
  /// Adds d/dt (R_z)^T w at constant w (n + m numbers), for the residual R with the law of points.
  void add_rates_transposed(const double* w, system::PointGradient& out);
  /// out += scale * M'' x.
  void add_mass_second_rate(const double* x, double* out, double scale = 1);

 private:
  struct View;
  View view(Block block);
  void set(const system::MotionPoint& point);
  system::SecondOrder& second_order();
  system::Kinematics kinematics(const double* a, const double* lambda) const;
  /// D^2(M x - Q)[z', z'] + D(M x - Q)[z''] for z = (q, t), n + m numbers.
  void curvature(const double* x, std::vector<double>& out);

  const Evaluation& run_;
  Dynamics dynamics_;
  std::size_t n_, m_;
  std::vector<double> q_, v_, a_, lambda_, rates_, second_rates_, no_mass_, with_mass_, scaled_, zero_;
  std::optional<system::SecondOrder> second_order_;
  system::MotionPoint point_;
  bool is_set_ = false, is_mesh_ = false, has_rates_ = false, has_second_rates_ = false, has_no_mass_ = false;
  std::size_t hint_ = 0;
  long visit_ = 0;
};

}  // namespace perilune::sensitivity
