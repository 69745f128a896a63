// SPDX-License-Identifier: MIT
// Independent coordinates z = B q at a point of a motion (Zhu 2014, eqs. 2.23 to 2.27, 3.148 to 3.152): with
// [S R] = [Phi_q; B]^-1, q' = R z' + S b; d x d matrices of Maggi's form are Mbar = R^T M R and
// Cbar = R^T (C R + 2 M R').
#pragma once
#include <utility>
#include <vector>

#include "linalg/decompositions.hpp"
#include "sensitivity/continuous/continuous_motion.hpp"

namespace perilune::sensitivity {

class Partition {
 public:
  using Vector = Eigen::VectorXd;

  explicit Partition(LinearizedMotion& motion) : motion_(motion) {}

  /// Where the motion stands: choose() takes new independent coordinates, update() keeps them. Throws NumericalError
  /// where there is no choice (redundant constraints or a singular position).
  void choose();
  void update();
  /// The independent coordinates have become a bad choice: others would follow them less violently. At the last update.
  bool is_outgrown() const;

  std::size_t coordinates() const { return motion_.n(); }
  Eigen::Index freedoms() const { return static_cast<Eigen::Index>(independent_.size()); }
  Vector pick(const Vector& q) const;    // B q
  Vector spread(const Vector& z) const;  // B^T z

  /// [Phi_q; B]^-1 (top; bottom), for one column or several.
  Eigen::MatrixXd solve(const Eigen::MatrixXd& top, const Eigen::MatrixXd& bottom) const;
  Eigen::MatrixXd r(const Eigen::MatrixXd& s) const { return r_ * s; }
  Vector r_rate(const Vector& s) const;  // R' s
  /// R s with its first and second time derivatives, but for R s''.
  struct Curve {
    Vector value, rate, second;
  };
  Curve curve(const Vector& s, const Vector& rate) const;
  /// (M x)''.
  Vector momentum_second_rate(const Curve& x) const;
  Eigen::MatrixXd r_transposed(const Eigen::MatrixXd& y) const { return r_.transpose() * y; }
  Eigen::MatrixXd s_transposed(const Eigen::MatrixXd& y) const;
  Vector r_rate_transposed(const Vector& y) const;

  Eigen::MatrixXd solve_mass(const Eigen::MatrixXd& b) const {  // Mbar^-1 b
    return freedoms() > 0 ? Eigen::MatrixXd(mass_.solve(b)) : b;
  }
  Vector mass(const Vector& s) const;                // Mbar s
  Vector mass_rate(const Vector& s) const;           // Mbar' s
  Vector damping_transposed(const Vector& s) const;  // Cbar^T s

  /// Adjoints of q, v and a as functions of z, z' and the data become those of z and z'; adds to those of the data.
  struct Pulled {
    Vector z, rate;
  };
  Pulled pull_back(Vector q, Vector v, const Vector& a, double* data) const;
  /// Of q and v alone, z and z' stacked.
  Vector reduce(const double* q, const double* v, double* data) const;

 private:
  Vector times(Block block, const Vector& x) const;
  Vector transposed(Block block, const Vector& x) const;

  LinearizedMotion& motion_;
  std::vector<Eigen::Index> independent_;
  Eigen::MatrixXd r_;
  Eigen::PartialPivLU<Eigen::MatrixXd> bordered_;
  Eigen::LDLT<Eigen::MatrixXd> mass_;
};

}  // namespace perilune::sensitivity
