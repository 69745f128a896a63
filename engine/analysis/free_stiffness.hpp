// SPDX-License-Identifier: MIT
// The stiffness on what the constraints leave free, N^T K N with Phi_q N = 0, which decides about the stability of
// equilibria and where other ones branch off.
#pragma once
#include <vector>

#include "analysis/small_motion/linearized_state.hpp"

namespace perilune::analysis {

/// The eigenvalues of the stiffness on what the constraints leave free, without its neutral directions. They are scaled
/// (a coordinate counts by its own stiffness at the start of the path), so that only signs and zeros mean something.
struct FreeStiffness {
  bool is_known = false;       // false: more coordinates than eigenvalues are sought of
  bool is_symmetric = true;    // else `values` is one number alone, of the sign of the determinant, zero where it is
  std::vector<double> values;  // ascending
  int neutral = 0;             // directions in which no force acts at all, as a bar between balls about its axis
  double signed_least = 0;     // what `values` has where it is not symmetric

  int negative() const;
};

/// `K` (n x n): derivatives of the static residual by the coordinates, scaled so that its diagonal has one size; `rows`
/// (m x n): Phi_q, scaled alike, redundant rows among them. The `neutral` eigenvalues next to zero are left out.
FreeStiffness free_stiffness(MatrixXd K, MatrixXd rows, int neutral);

}  // namespace perilune::analysis
