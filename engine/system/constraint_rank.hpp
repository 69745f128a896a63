// SPDX-License-Identifier: MIT
// Redundant constraints and singular positions, told by the names of the joints.
#pragma once
#include <string>
#include <vector>

#include "linalg/row_rank.hpp"
#include "system/system.hpp"

namespace perilune::system {

/// A joint some of whose constraints follow from those declared before it.
struct Redundancy {
  std::string joint;
  int count = 0;                  // constraints that follow
  std::vector<std::string> with;  // the other joints from which; itself where no other takes part
};

struct ConstraintRank {
  linalg::RowRank rows;
  std::vector<Redundancy> redundant;
  std::string weakest;  // joint of the constraint nearest to being redundant; empty without constraints

  int rank() const { return rows.rank(); }
  bool is_redundant() const { return !redundant.empty(); }
  /// Near a singular position the constraints are almost redundant.
  bool is_weak() const { return rows.margin() < weak_margin; }

  static constexpr double weak_margin = 1e-6;
};

/// Of the constraint Jacobian in `at`, as System::evaluate left it.
ConstraintRank constraint_rank(const System& system, const Workspace& at);

/// Of `count` rows, those that take part in a redundancy, where only a sum of multipliers is determined.
std::vector<char> undetermined_rows(const linalg::RowRank& rank, std::size_t count);

/// What a dependency leaves open, lambda + y with Phi_q^T y = 0, must not be felt by any force: throws NumericalError.
void require_determined_reads(const System& system, const Data& data, const std::vector<double>& q,
                              const linalg::RowRank& rank);

/// `"upper" (5 constraints, which follow from "lower") and "stop" (1 constraint, ...)`
std::string describe(const std::vector<Redundancy>& redundant);
/// `"a", "b" and "c"`
std::string quoted_list(const std::vector<std::string>& names);

}  // namespace perilune::system
