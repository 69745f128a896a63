// SPDX-License-Identifier: MIT
// Where a motion starts, and how that depends on the data: as declared and made consistent, or at rest near there.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "analysis/assembly.hpp"
#include "analysis/rolling_way.hpp"

namespace perilune::analysis {

enum class StartFrom {
  Declared,  // Assembly
  /// Positions: the static equilibrium that find_equilibrium finds, with first-order states that do not change there,
  /// velocities: the declared ones. Very weak springs to the declared coordinates hold what no force holds (a vehicle
  /// along its road), so that the position is unique; then they are let go of, again and again, until what bends a
  /// little under forces feels none of them. What rolls rests where the way of rolling_way.hpp leads from the declared
  /// positions, made consistent.
  Rest,
};

class StartState {
 public:
  /// `independent` as in Assembly: at rest it counts for the search and for the velocities. Throws NumericalError for
  /// a start at rest of a system with first-order states and constraints on velocities.
  StartState(std::shared_ptr<const System> system, std::vector<int> independent, StartFrom from);

  /// Throws NumericalError when the mechanism cannot be assembled, or finds no rest.
  ConsistentState solve(double t, const std::shared_ptr<const Data>& data);
  ConstraintSolver& constraints() { return assembly_.constraints(); }

  /// dq, dv (n each) for data directions: `count` of each, one behind another.
  void tangents(double t, const Data& data, const ConsistentState& at, int count, const double* dd, double* dq,
                double* dv);
  /// dbar += transpose, for seeds qbar, vbar (n each).
  void adjoint(double t, const Data& data, const ConsistentState& at, const double* qbar, const double* vbar,
               double* dbar);
  /// dbar_rate += the derivative of adjoint()'s result along a data direction, at fixed qbar and vbar. Throws
  /// NumericalError at rest with constraints on velocities.
  void curvature(double t, const Data& data, const ConsistentState& at, const double* dd, const double* qbar,
                 const double* vbar, double* dbar_rate);

 private:
  // At rest the unknowns are the positions, but of a first-order state its value, which is a velocity; its integral is
  // as declared.
  bool is_state(int i) const { return is_state_[static_cast<std::size_t>(i)] != 0; }
  double& unknown(ConsistentState& at, int i) const { return (is_state(i) ? at.v : at.q)[static_cast<std::size_t>(i)]; }
  double declared(const Data& data, int i) const {
    return (is_state(i) ? data.initial_v : data.initial_q)[static_cast<std::size_t>(i)];
  }
  int declared_datum(int i) const {
    return is_state(i) ? system_->initial_velocity_datum(i) : system_->initial_position_datum(i);
  }
  /// The state without other velocities, evaluated.
  system::Kinematics evaluate_rest(double t, const Data& data, const ConsistentState& at);
  /// The same linearized; stiffness holds the slopes by the unknowns.
  void linearize_rest(double t, const Data& data, const ConsistentState& at, bool with_data);
  /// Newton's method from there, with the weak springs at the declared coordinates.
  void settle(double t, const Data& data, ConsistentState& at);
  /// Lets go of the springs, as often as needed. Throws NumericalError where forces are left that are far above the
  /// residual of the equilibrium nearby.
  void release(double t, const Data& data, ConsistentState& at, double residual);
  /// One step of either: what a spring pulls by is `pull` times the way to the declared coordinate. Leaves it in step_.
  void step_to_rest(double t, const Data& data, ConsistentState& at, double pull);
  /// H x: the forces by which springs pull that are stretched by the coordinates of x, without any on constraints.
  void pull_back(std::vector<double>& x) const;
  void add_step(ConsistentState& at) const;
  /// How often the springs, as just linearized, have to be let go of until what forces hold feels none of them, and
  /// `is_loose_`: something does not come back, as nothing holds it or hardly anything. False where they are so weak
  /// that rounding moves what nothing holds.
  bool count_releases();
  /// Where the springs still hold, near a state of rest: of what nothing else holds, where it comes to depends on how
  /// their forces and those of the constraints turn with it.
  ConsistentState held_near(double t, const Data& data, const ConsistentState& at);
  /// The way of rolling to a state of rest, from the declared place made consistent, which is set.
  void begin_way(double t, const Data& data, const ConsistentState& at);
  /// Numbers of coordinates and multipliers, where the springs hold and at rest.
  struct OfRest {
    std::vector<double> held, at_rest;
  };
  /// The derivatives of both states, by direction.
  std::vector<OfRest> rest_directions(double t, const Data& data, const ConsistentState& held,
                                      const ConsistentState& at, int count, const double* dd);
  /// What a right-hand side x of the transposed static equations at rest amounts to, and one where the springs hold
  /// (may be null). Returns the multipliers of these equations. from_bar (n) += what they amount to for the place where
  /// the way of rolling begins.
  OfRest unload_rest(double t, const Data& data, const ConsistentState& held, const ConsistentState& at,
                     std::vector<double> x, const std::vector<double>* x_held, double* dbar, double* from_bar);
  /// Sets how weak the springs are, and counts releases: each a share of what its coordinate is held by, and as much
  /// more of the stiffest one as rounding asks for; the same for the same state.
  void weigh(double t, const Data& data, const ConsistentState& at);
  /// Factors the matrix of the static equations at rest; with_data: their data derivatives too.
  void linearize(double t, const Data& data, const ConsistentState& at, bool with_data);
  /// Stiffness of the weak spring of coordinate i.
  double hold(int i) const { return weak_[static_cast<std::size_t>(i)]; }
  [[noreturn]] static void fail_loose(double t);

  std::shared_ptr<const System> system_;
  std::vector<int> independent_;
  StartFrom from_;
  int n_, m_;
  Assembly assembly_;
  std::optional<ConstraintSolver> statics_;  // at rest, as the next
  std::optional<RollingWay> way_;
  ConsistentState declared_;  // where it begins
  std::vector<double> weak_;  // N/m or N m; powers of 2, so that parameters hardly ever change them
  double t_ = 0;              // of what was linearized last
  bool is_loose_ = false;
  int releases_ = 0;
  std::vector<char> is_state_;
  std::vector<double> zero_, rest_v_, matrix_, step_;
};

}  // namespace perilune::analysis
