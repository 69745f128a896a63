// SPDX-License-Identifier: MIT
// A mechanism without loops as a tree of links: which body hangs on which, by what joint, with the numbers of one
// parameter set. It is read from the elements of a compiled system, and so knows all that these know; a system with
// anything else in it is none of a tree, and the reason is said.
#pragma once
#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <string>
#include <variant>
#include <vector>

#include "system/system.hpp"

namespace perilune::formulation {

/// A spatial body and the joint by which it hangs on its parent. Lengths in m, masses in kg, inertia in kg m^2; vectors
/// of a body are in its own frame, those of the ground in space.
struct Link {
  static constexpr int ground = -1;
  /// Ball: three relative rotations; Free: no joint at all, on the ground.
  enum class Joint { Free, Ball, Hinge };

  int body = 0;         // the first of its coordinates r (3), p (4)
  int parent = ground;  // among the links, before this one
  Joint joint = Joint::Free;

  double mass = 0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  // of mass, from the reference point
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about the centre of mass
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  // m/s^2, in space
  int normalization = 0;  // multiplier

  // Of joints that keep two places together, r + A on_link = r_parent + A_parent on_parent:
  Eigen::Vector3d on_parent = Eigen::Vector3d::Zero(), on_link = Eigen::Vector3d::Zero();
  int coincidence[3] = {};  // multipliers
  bool is_second = true;    // the link's place is the second of the constraint

  // Of a hinge: p = p_parent * before * (cos(x/2), 0, 0, sin(x/2)) * after with x = sense * theta.
  int angle = 0;     // coordinate theta
  double sense = 1;  // -1 where theta is the parent's angle about the link's axis
  int turn = 0;      // multiplier
  Eigen::Quaterniond before = Eigen::Quaterniond::Identity(), after = Eigen::Quaterniond::Identity();
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();  // on the parent: omega - omega_parent = A_parent axis theta'
  /// A constraint between directions f and g: the torque on the link by its multiplier, f x g or its opposite, as a
  /// vector of the link or of the parent.
  struct Direction {
    int multiplier = 0;
    Eigen::Vector3d torque = Eigen::Vector3d::Zero();
    bool is_on_link = false;
  } directions[2];
};

struct JointTree {
  std::vector<Link> links;                  // parents before children
  std::vector<system::Elements> forces;     // of all that acts without mass and constraint
};

/// Or why there is none: "joint \"x\" closes a loop".
std::variant<JointTree, std::string> joint_tree(const system::System& system, const system::Data& data);

}  // namespace perilune::formulation
