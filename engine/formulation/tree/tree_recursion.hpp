// SPDX-License-Identifier: MIT
// The equations of motion of a tree of links in joint coordinates, by recursions of order N: positions and velocities
// outwards, articulated-body inertias inwards, accelerations outwards (Featherstone, Rigid Body Dynamics Algorithms,
// 2008, section 7.3), and with the forces of the joints then known, the multipliers of the constraints that they stand
// for. So a point of a motion is known in all coordinates and multipliers, as if these constraints had been solved.
//
// All vectors are in space; moments, velocities and inertias of a link refer to its reference point r, so that nothing
// is lost where a mechanism is far from the origin.
#pragma once
#include <memory>
#include <vector>

#include "formulation/node.hpp"
#include "formulation/tree/joint_tree.hpp"
#include "formulation/tree/tree_choice.hpp"

namespace perilune::formulation {

class TreeRecursion {
 public:
  TreeRecursion(std::shared_ptr<const system::System> system, std::shared_ptr<const system::Data> data, JointTree tree);
  TreeRecursion(const TreeRecursion&) = delete;
  TreeRecursion& operator=(const TreeRecursion&) = delete;

  /// The independent coordinates; those of its last set() are what all below goes by.
  TreeChoice& choice() { return choice_; }
  const TreeChoice& choice() const { return choice_; }

  /// The dependent entries of x.q and x.v from the independent ones; false where there are none: Euler parameters
  /// above one. Signs of Euler parameters are those nearest to what stands there.
  bool complete(const Node& x);
  /// The same, then x.a and x.lambda; false, too, where a mass is missing or a number is not finite.
  bool point(const Node& x);

 private:
  /// Where a link is, and how it moves: what one sweep leaves for the next.
  struct State {
    Eigen::Matrix3d A;                  // its axes in space
    Eigen::Vector3d r, v, omega;        // of the reference point
    Eigen::Vector3d c;                  // the centre of mass from there
    Eigen::Vector3d from_parent;        // r - r_parent
    Eigen::Vector3d u_parent, u;        // the link's place, from both reference points
    Eigen::Vector3d axis, along;        // of a joint that turns or slides, in space
    double distance = 0, rate = 0;      // of its slide
    Eigen::Vector3d of_alpha, of_a;     // what velocities add to its acceleration from the parent's
    Eigen::Matrix3d J, N, B, M;         // about the centre of mass; moment and force are [N B; B^T M] [alpha; a] + bias
    Eigen::Vector3d moment, force;      // the bias
    Eigen::Matrix3d turn, move;         // omega and v by the joint's own rates: columns of S
    Eigen::Matrix3d U_moment, U_force;  // inertia times S
    Eigen::Matrix3d inverse;            // of S^T U
    Eigen::Vector3d push;               // on these rates, less that of the bias
    Eigen::Vector3d alpha, a;           // accelerations, of the reference point
    Eigen::Vector3d joint_force;        // on the link, without moments
  };

  bool place(std::size_t k, const Node& x);
  bool complete_parameters(const Link& link, int left_out, const Node& x) const;
  void load(const Link& link, State& s, const Node& x);
  template <int freedoms>
  static bool find_share(State& s);
  bool gather(const Link& link, State& s);
  template <int freedoms>
  static Eigen::Matrix<double, freedoms, 1> move_joint(State& s);
  bool accelerate(const Link& link, State& s, const Node& x);
  void find_multipliers(const Link& link, State& s, const Node& x);

  std::shared_ptr<const system::System> system_;
  std::shared_ptr<const system::Data> data_;
  JointTree tree_;
  TreeChoice choice_;
  std::vector<State> states_;
  std::vector<double> force_;    // n: of what acts on the links
  std::vector<double> scratch_;  // of kernels
  model::Blocks blocks_;
};

}  // namespace perilune::formulation
