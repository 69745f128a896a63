// SPDX-License-Identifier: MIT
// How bodies and what joins them grow from the ground into trees.
#pragma once
#include <utility>
#include <vector>

namespace perilune::formulation {

/// The ground among bodies and among links.
inline constexpr int ground_of_trees = -1;

/// A body, what it hangs on, by number among the branches before it, and the joint that holds it.
struct Branch {
  int body = 0, parent = ground_of_trees, joint = no_joint;
  static constexpr int no_joint = -1;  // it floats, and something may hang on it
};
struct Growth {
  std::vector<Branch> branches;  // parents before children
  std::vector<int> cuts;         // the joints that hold none of them: they close loops
};

/// `ends`: the two bodies of each joint, or the ground and a body. Paths to the ground are as short as can be. Of the
/// joints that would leave them as short, the one of highest rank holds the body; none whose rank is negative holds
/// any.
Growth grow_branches(int bodies, const std::vector<std::pair<int, int>>& ends, const std::vector<int>& ranks);

}  // namespace perilune::formulation
