// Consistent initial positions and velocities, and their dependence on the data.
//   q = the nearest to the declared q_d with Phi(q) = 0 and q_i = q_d,i for the chosen independent coordinates,
//   v = the nearest to the declared v_d with Phi_q v + Phi_t = 0 and v_i = v_d,i for the same coordinates.
// Nearest in the Euclidean norm of the coordinates. Without independent coordinates this is a plain projection; with as
// many as there are degrees of freedom nothing is left to choose (Zhu 2014, section 3.1: q_rho0 = R z_rho0 - S
// Phi_rho).
#pragma once
#include <memory>
#include <vector>

#include "linalg/linear_solver.hpp"
#include "system/system.hpp"

namespace perilune::analysis {

using system::Data;
using system::System;

struct ConsistentState {
  std::vector<double> q, v;
  std::vector<double> position_multipliers, velocity_multipliers;  // of the two projections
  double moved = 0;                                                // largest change of a declared coordinate (m or rad)
};

class Assembly {
 public:
  /// `independent`: coordinate numbers that keep their declared values. Throws Error for a number that is no
  /// coordinate.
  Assembly(std::shared_ptr<const System> system, std::vector<int> independent);

  /// Throws NumericalError, naming the worst constraint, when the mechanism cannot be assembled.
  ConsistentState solve(double t, const Data& data);

  /// dq, dv (n each) for a data direction.
  void tangent(double t, const Data& data, const ConsistentState& at, const double* dd, double* dq, double* dv);
  /// dbar += transpose, for seeds qbar, vbar (n each).
  void adjoint(double t, const Data& data, const ConsistentState& at, const double* qbar, const double* vbar,
               double* dbar);

 private:
  int size() const { return n_ + m_ + static_cast<int>(independent_.size()); }
  void factor(bool with_curvature, double t);
  /// Square of the gradient of a constraint, at the point last evaluated.
  double gradient_square(int row) const;
  /// Largest constraint at the point last evaluated, relative to the size of the mechanism around it.
  double relative_gap(const double* q) const;
  double constraint_norm(double t, const double* q, const Data& data);
  void find_feasible(double t, const Data& data, std::vector<double>& q);
  void project(double t, const Data& data, ConsistentState& state);
  /// Curvature and data derivatives at q with the given velocity and multipliers, then the projection's matrix.
  void linearize(double t, const Data& data, const std::vector<double>& q, const std::vector<double>& v,
                 const std::vector<double>& multipliers, bool with_curvature);

  std::shared_ptr<const System> system_;
  std::vector<int> independent_;
  int n_, m_;
  system::Workspace w_;
  linalg::LinearSolver solver_;
  std::vector<double> zero_;
};

}  // namespace perilune::analysis
