// SPDX-License-Identifier: MIT
// The factorization and the solution of SmallLdl for several matrices at once, one in each lane: with the bits that it
// has for each alone, and its check of the pivots.
#pragma once
#include <array>

#include "expr/lane_array.hpp"
#include "linalg/small_ldl.hpp"

namespace perilune::linalg {

class LdlLanes {
 public:
  /// By the operations of `method`, which has listed some. `row_of`: where the number of each slot of the matrix stands
  /// among the rows of what factor() is given.
  LdlLanes(const SmallLdl& method, const std::vector<int>& row_of);

  /// True for those whose operations are the same.
  bool serves(const SmallLdl& other) const { return method_.does_as(other); }
  /// The lanes whose entries are those that the operations are for, and whose pivots allow it; in the others are no
  /// numbers of use.
  using Lanes = std::array<bool, expr::lane_count>;
  Lanes factor(expr::Registers registers, const expr::LaneArray& matrix);
  /// In place, n rows from `b` on.
  void solve(expr::Registers registers, double* b) const;
  /// The last factorization, by rows, and where one lane of it goes in a solver that this serves.
  const expr::LaneArray& numbers() const { return factor_; }
  std::size_t number_count() const { return method_.factor_.size() - 1; }
  static double* numbers_of(SmallLdl& solver) { return solver.factor_.data(); }

 private:
  struct Factor;
  struct Solve;

  SmallLdl method_;
  std::vector<SmallLdl::Load> load_;  // from rows
  std::vector<int> dormant_;          // rows
  expr::LaneArray work_, factor_;
};

}  // namespace perilune::linalg
