// SPDX-License-Identifier: MIT
// What the elementary constraints between two bodies make of them: a hinge, a slide, a cross, with axes and frames.
#pragma once
#include <string>
#include <vector>

#include "formulation/tree/joint_tree.hpp"

namespace perilune::formulation {

inline Eigen::Vector3d vector_at(const double* data) { return {data[0], data[1], data[2]}; }

/// One of a pair's constraints.
struct Tie {
  const int* multipliers;
  const double* data;                // of its first place or direction, then the second's
  int angle;                         // the last coordinate, of a turn
  int first, second;                 // bodies by number, or Link::ground
  const system::Elements* elements;  // where it stands
  int element;
};

/// What joins two bodies, or a body to the ground. Of dot-1 there are `directions`, of dot-2 `offsets`.
struct Pair {
  std::string name;
  std::vector<Tie> coincidences, directions, turns, offsets;
};

/// Sets what the link says of its joint. `body`: the link's number among the bodies; `p_link`, `p_parent`: Euler
/// parameters of it and its parent where the joint is closed, which say which way axes point. False where the pair is
/// none of the known joints or its axes are none of theirs.
bool set_joint(Link& link, const Pair& pair, int body, const Eigen::Quaterniond& p_link,
               const Eigen::Quaterniond& p_parent);

}  // namespace perilune::formulation
