// SPDX-License-Identifier: MIT
// Consistent initial positions and velocities, and their dependence on the data.
//   q = the nearest to the declared q_d with Phi(q) = 0 and q_i = q_d,i for the chosen independent coordinates,
//   v = the nearest to the declared v_d with Phi_q v + Phi_t = 0 and v_i = v_d,i for the same coordinates.
// Nearest in the Euclidean norm of the coordinates, without those that follow from the others (Role::Auxiliary).
// Without independent coordinates this is a plain projection; with as many as there are degrees of freedom nothing is
// left to choose (Zhu 2014, section 3.1: q_rho0 = R z_rho0 - S Phi_rho).
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "analysis/constraint_solver.hpp"
#include "system/second_order.hpp"

namespace perilune::analysis {

struct ConsistentState {
  std::vector<double> q, v;
  std::vector<double> position_multipliers, velocity_multipliers;  // of the two projections
  double moved = 0;                                                // largest change of a declared coordinate (m or rad)
  /// Of a rest with constraints on velocities: V of the way there from what was declared (rolling_way.hpp), and a
  /// sentence for the user where that is not one of rolling.
  std::vector<double> way = {};
  std::string slip = {};
};

/// The data with another start than the declared one. It no longer depends on parameters.
std::shared_ptr<const Data> starting_at(const std::vector<double>& q, const std::vector<double>& v,
                                        const Data& declared);

class Assembly {
 public:
  /// `independent`: coordinate numbers that keep their declared values. Throws Error for a number that is no
  /// coordinate.
  Assembly(std::shared_ptr<const System> system, std::vector<int> independent);

  /// Throws NumericalError, naming the worst constraint, when the mechanism cannot be assembled.
  ConsistentState solve(double t, const Data& data);

  /// The velocities at a position where the constraints hold already, whatever the declared one.
  ConsistentState at_position(double t, const Data& data, const std::vector<double>& q);

  /// The equations of assembly, for further questions about a position.
  ConstraintSolver& constraints() { return solver_; }

  /// dq, dv (n each) for data directions: `count` of each, one behind another.
  void tangents(double t, const Data& data, const ConsistentState& at, int count, const double* dd, double* dq,
                double* dv);
  /// dbar += transpose, for seeds qbar, vbar (n each).
  void adjoint(double t, const Data& data, const ConsistentState& at, const double* qbar, const double* vbar,
               double* dbar);

  /// The parts of these that concern the velocities: dv for dq, and qbar (n) += what vbar amounts to.
  void velocity_tangents(double t, const Data& data, const ConsistentState& at, int count, const double* dd,
                         const double* dq, double* dv);
  void velocity_adjoint(double t, const Data& data, const ConsistentState& at, const double* vbar, double* qbar,
                        double* dbar);

  /// dbar_rate += the derivative of adjoint()'s result along a data direction, at fixed qbar and vbar.
  void curvature(double t, const Data& data, const ConsistentState& at, const double* dd, const double* qbar,
                 const double* vbar, double* dbar_rate);
  /// The same of velocity_adjoint()'s, where the position moves along dq. Adds to qbar, too.
  void velocity_curvature(double t, const Data& data, const ConsistentState& at, const double* dd, const double* dq,
                          const double* vbar, double* qbar, double* qbar_rate, double* dbar_rate);

 private:
  int size() const { return solver_.size(); }
  void project(double t, const Data& data, ConsistentState& state);
  /// Newton's method on the conditions of the nearest position. False when it does not converge.
  bool newton(double t, const Data& data, ConsistentState& state);
  /// Ever nearer positions, without curvature. False when it is stuck before the nearest.
  bool descend(double t, const Data& data, ConsistentState& state);
  double distance_square(const Data& data, const std::vector<double>& q) const;
  /// Throws NumericalError, naming the constraint, where velocities cannot satisfy the rates of all.
  void check_velocity(double t, const Data& data, const std::vector<double>& v);
  /// No velocity is declared, and no constraint asks for one: to solve for them would give exact zeros.
  bool stands_still(double t, const Data& data, const std::vector<double>& q);
  void solve_velocity(double t, const Data& data, ConsistentState& state);
  /// x = W (declared - now) - Phi_q^T lambda - B^T extra, and what the constraints and B ask for below.
  void load_residual(const std::vector<double>& declared, const std::vector<double>& now,
                     const std::vector<double>& lambda, const std::vector<double>& extra, std::vector<double>& x);
  /// x = what data directions make of the declared positions or velocities; and the transpose, added to dbar.
  void load_declared(int (System::*datum)(int) const, const double* dd, std::vector<double>& x) const;
  void unload_declared(int (System::*datum)(int) const, const std::vector<double>& x, double* dbar) const;
  void linearize_positions(double t, const Data& data, const ConsistentState& at);
  void linearize_velocities(double t, const Data& data, const ConsistentState& at);
  /// Derivatives of all unknowns of the projection just linearized, with its multipliers, for a data direction.
  std::vector<double> position_direction(const double* dd);
  std::vector<double> velocity_direction(const double* dd, const double* dq);
  /// Seeds of n numbers as right-hand sides of the transposed projections, and what these make of them.
  std::vector<double> seed(const double* bar) const;
  void unload_velocity(std::vector<double>& x, double* qbar, double* dbar);
  void unload_position(std::vector<double>& x, double* dbar);
  /// What the projection is of: positions with their curvature, positions before there are multipliers, velocities.
  enum class Of { Positions, FirstPositions, Velocities };
  /// Curvature and data derivatives at q with the given velocity and multipliers, then the projection's matrix.
  void linearize(double t, const Data& data, const std::vector<double>& q, const std::vector<double>& v,
                 const std::vector<double>& multipliers, Of level);

  std::shared_ptr<const System> system_;
  int n_, m_;
  ConstraintSolver solver_;
  std::vector<double> zero_;
  std::optional<system::SecondOrder> second_;  // of the constraints, once asked for
};

}  // namespace perilune::analysis
