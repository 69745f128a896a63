// SPDX-License-Identifier: MIT
// Degrees of freedom, redundant constraints and singular positions of an assembled mechanism.
#pragma once
#include <string>
#include <vector>

#include "analysis/constraint_solver.hpp"
#include "system/constraint_rank.hpp"

namespace perilune::analysis {

struct Mobility {
  int coordinates = 0;  // without first-order states, which are not positions
  int constraints = 0, rank = 0;
  int degrees_of_freedom = 0;    // at this position, of velocities
  int velocity_constraints = 0;  // of the constraints; they take freedom from velocities alone
  int position_freedoms = 0;     // more than those of velocities where constraints on these are not integrable
  /// Degrees of freedom that exist at this position only: it is singular, and the constraints named as redundant are
  /// so here only.
  int singular_freedoms = 0;
  std::vector<system::Redundancy> redundant;
  double margin = 1;    // smallest over largest pivot of the independent constraints, scaled
  std::string weakest;  // joint of the smallest

  bool is_nearly_singular() const { return margin < system::ConstraintRank::weak_margin; }
};

/// At a position where the constraints hold.
Mobility mobility(ConstraintSolver& constraints, double t, const Data& data, const std::vector<double>& q);

/// Sentences for the user about a position that is singular, or nearly so; empty otherwise.
std::vector<std::string> singularity_warnings(const Mobility& found, double t);

}  // namespace perilune::analysis
