// SPDX-License-Identifier: MIT
// How bodies and what joins them grow from the ground into trees.
#pragma once
#include <map>
#include <utility>
#include <variant>
#include <vector>

namespace perilune::formulation {

/// The ground among bodies and among links.
inline constexpr int ground_of_trees = -1;

/// A body, what it hangs on, by number among the branches before it, and the joint that holds it.
struct Branch {
  int body = 0, parent = ground_of_trees, joint = no_joint;
  static constexpr int no_joint = -1;  // it floats, and something may hang on it
};
/// The joint that closes a loop.
struct Loop {
  int joint;
};

/// `ends`: the two bodies of each joint, or the ground and a body. Parents come before children.
std::variant<std::vector<Branch>, Loop> grow_branches(int bodies, const std::vector<std::pair<int, int>>& ends);

}  // namespace perilune::formulation
