// SPDX-License-Identifier: MIT
// Projection of velocities v* onto the constraints where the positions stay (an impact), in the metric of the mass
// matrix (Bayo and Ledesma 1996):
//   M (v - v*) + Phi_q^T sigma = 0,  Phi_q v + Phi_t = 0
#pragma once
#include <vector>

#include "formulation/absolute/dynamics.hpp"
#include "formulation/node.hpp"

namespace perilune::formulation {

class VelocityProjection {
 public:
  /// The matrix is that of the accelerations of points, which `dynamics` factors and solves with.
  explicit VelocityProjection(Dynamics& dynamics);

  /// x.v becomes v, the second half of x.proposed keeps v*. Leaves the matrix of the point factored.
  void project(const Node& x);
  /// sigma (m numbers) of that, until linearize().
  const double* multipliers() const { return x_.data() + a_.size(); }
  /// Derivatives at a point where `dynamics` was just linearized with data and has its matrix factored.
  void linearize(const Node& x);
  /// In: directions of q, v* and the data in z. Out: v in place of v*.
  void tangent(int count, double* z);
  /// In: adjoints of q, v and the data in z. Out: v* in place of v; those of q and the data are added to.
  void adjoint(double* z);

 private:
  Dynamics& dynamics_;
  system::Workspace w_;  // stiffness and residual_data: derivatives of M (v - v*) + Phi_q^T sigma
  std::vector<double> x_, many_, a_, lambda_;
};

}  // namespace perilune::formulation
