// SPDX-License-Identifier: MIT
// Which coordinates of a tree of links are independent: those of the joints, as far as the model has them. A slide has
// no coordinate of its own and goes by a component of r, a table by two; relative rotations without angles go by as
// many of the four Euler parameters as there are of them.
#pragma once
#include <array>
#include <vector>

#include "formulation/tree/joint_tree.hpp"

namespace perilune::formulation {

class TreeChoice {
 public:
  /// What goes with the coordinates of a link.
  struct Chosen {
    /// Of a cross the two independent Euler parameters, 0 to 3, of a table the first alone; of what keeps three of them
    /// the dependent one.
    std::array<int, 2> parameters{0, 1};
    int component = 0;  // of r: the independent one of a slide, the dependent one of a table
  };

  /// The tree has to outlive this.
  explicit TreeChoice(const JointTree& tree);

  /// The independent coordinates, ascending: angles of joints that turn, r of free bodies, of joints that slide the
  /// component of r that follows the slide best at q, of tables the two that follow it best, of crosses and tables the
  /// Euler parameters that follow their rotations best, and of free bodies and ball joints three of them, without the
  /// one that is largest at q.
  std::vector<int> choose(const double* q) const;
  /// Whether those of the last set() do at q: no dependent coordinate of a joint moves much faster than they.
  bool serves(const double* q) const;
  /// As choose() gave them.
  void set(const std::vector<int>& independent);
  const Chosen& chosen(std::size_t link) const { return chosen_[link]; }

 private:
  /// A vector of the link's parent in space.
  Eigen::Vector3d in_space(const Link& link, const Eigen::Vector3d& on_parent, const double* q) const;
  /// How Euler parameters follow the rotations of a joint: columns by its axes.
  Eigen::Vector4d by_axis(const Link& link, const double* q) const;
  Eigen::Matrix<double, 4, 2> by_axes(const Link& link, const double* q) const;

  const JointTree* tree_;
  std::vector<Chosen> chosen_;
};

/// What point() of a tree goes by in positions and velocities that are proposed, ascending: beside the independent
/// coordinates where searches begin. Signs of Euler parameters alone are those of anything near.
std::vector<int> proposed_coordinates(const JointTree& tree);

/// One of the Euler parameters and its rate from the other three; false where these are above one. Its sign stays.
bool complete_parameters(double* p, double* rate, int left_out);

/// How Euler parameters p of a body with axes A change where it turns about this axis in space by a small angle.
Eigen::Vector4d parameter_rates(const double* p, const Eigen::Matrix3d& A, const Eigen::Vector3d& axis);

}  // namespace perilune::formulation
