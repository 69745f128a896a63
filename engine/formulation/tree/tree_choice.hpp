// SPDX-License-Identifier: MIT
// Which coordinates of a tree of links are independent: those of the joints, as far as the model has them. A slide has
// no coordinate of its own and goes by a component of r; three relative rotations go by three of four Euler parameters.
#pragma once
#include <vector>

#include "formulation/tree/joint_tree.hpp"

namespace perilune::formulation {

class TreeChoice {
 public:
  /// The tree has to outlive this.
  explicit TreeChoice(const JointTree& tree);

  /// The independent coordinates, ascending: angles of joints that turn, r of free bodies, of joints that slide the
  /// component of r that follows the slide best at q, and of free bodies and ball joints three Euler parameters,
  /// without the one that is largest at q.
  std::vector<int> choose(const double* q) const;
  /// Whether those of the last set() do at q: no dependent coordinate of a joint moves much faster than they.
  bool serves(const double* q) const;
  /// As choose() gave them.
  void set(const std::vector<int>& independent);
  /// Of a link the Euler parameter that depends, 0 to 3, or of one that slides the component of r that does not.
  int chosen(std::size_t link) const { return chosen_[link]; }

 private:
  /// The axis of a slide in space.
  Eigen::Vector3d along(const Link& link, const double* q) const;

  const JointTree* tree_;
  std::vector<int> chosen_;
};

}  // namespace perilune::formulation
