// SPDX-License-Identifier: MIT
// An instantaneous impact: constraints that hold from now on change the velocities at once, by impulses Lambda along
// themselves (one momentum balance):
//   M (v+ - v-) + Phi_q^T Lambda = 0,  Phi_q v+ + Phi_t = 0
// Constraints that held before keep their rates and only take up impulses; velocities that fulfil all of them stay.
// With a coefficient of restitution e the change is 1 + e times as large: what closes parts again with e times the
// speed that it had, as Newton has it, and what held before still does.
#pragma once
#include <vector>

#include "formulation/velocity_projection.hpp"

namespace perilune::formulation {

/// A coefficient of restitution, from 0 to 1, and its derivatives by all parameters (empty: it has none).
struct Restitution {
  double value = 0;
  std::vector<double> slopes = {};
};

class Impact {
 public:
  /// Of the constraints of `system`. They may be redundant.
  Impact(std::shared_ptr<const System> system, std::shared_ptr<const Data> data);

  /// v (n) becomes v+ at q (n). Throws NumericalError, naming the constraint, where one of `closing` (numbers of
  /// multipliers) is open by more than 1e-6 (m or rad), or where no velocities fulfil all constraints.
  void strike(double t, const double* q, double* v, const std::vector<int>& closing, Restitution restitution = {});
  /// Of the last strike, until linearize(): Lambda by number, in N s where the constraint is a length. NaN where only a
  /// sum with those of redundant constraints is determined.
  std::vector<double> impulses() const;
  /// v-^T M v- / 2 - v+^T M v+ / 2 of the last strike, J.
  double kinetic_energy_lost() const;
  /// Derivatives of the last strike, to which the products below refer. Of time, they are those by
  /// its datum.
  void linearize();
  /// For `count` directions as Dynamics::tangent stacks them: in with dv-, out with dv+. `parameters`: those of all
  /// parameters, `count` for each.
  void tangent(int count, double* z, const double* parameters);
  /// Adjoints of q, v and the data, stacked as a single direction is: in with that of v+, out with that of v-; those of
  /// q, the data and all `parameters` are added to.
  void adjoint(double* z, double* parameters);

 private:
  /// Of the velocity of a coordinate, without restitution.
  double change(std::size_t i) const;
  void check_positions(double t, const std::vector<int>& closing) const;
  void check_forces(double t, const double* before, const double* after) const;
  void check_velocities(double t, const double* before, const double* after) const;

  Dynamics dynamics_;
  VelocityProjection projection_;
  std::vector<double> q_, v_, before_, zero_;  // v_: without restitution; the second half of before_ is v-
  Restitution restitution_;
  Node at_;
};

}  // namespace perilune::formulation
