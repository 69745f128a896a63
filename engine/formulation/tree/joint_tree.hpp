// SPDX-License-Identifier: MIT
// A mechanism as a tree of links: which body hangs on which, by what joint, with the numbers of one parameter set. It
// is read from the elements of a compiled system, and so knows all that these know; a system with anything else in it
// is none of a tree, and the reason is said. Constraints beside those joints close loops.
#pragma once
#include <Eigen/Geometry>
#include <string>
#include <variant>
#include <vector>

#include "formulation/tree/drive.hpp"
#include "formulation/tree/loops/closers.hpp"
#include "linalg/decompositions.hpp"
#include "system/system.hpp"

namespace perilune::formulation {

/// A spatial body and the joint by which it hangs on its parent. Lengths in m, masses in kg, inertia in kg m^2; vectors
/// of a body are in its own frame, those of the ground in space.
struct Link {
  static constexpr int ground = -1;
  /// Free: no joint at all, on the ground. Ball: three relative rotations. Cross: two, about normal axes. Slide: one
  /// translation; Sleeve: and a rotation about it. Table: two translations and a rotation about their normal. Weld:
  /// nothing. A screw is a sleeve whose slide follows its angle.
  enum class Joint { Free, Ball, Cross, Hinge, Slide, Sleeve, Table, Weld };

  int body = 0;         // the first of its coordinates r (3), p (4)
  int parent = ground;  // among the links, before this one
  Joint joint = Joint::Free;
  /// By an angle that is a coordinate of its own.
  bool turns() const { return joint == Joint::Hinge || joint == Joint::Sleeve; }
  /// By a component of r.
  bool slides() const { return joint == Joint::Slide || joint == Joint::Sleeve; }
  // What says where these are, among the tree's drives; of a screw the thread.
  static constexpr int not_driven = -1;
  int turn_drive = not_driven, slide_drive = not_driven;
  bool turns_freely() const { return turns() && turn_drive == not_driven; }
  bool slides_freely() const { return slides() && slide_drive == not_driven; }
  bool keeps_parameters() const { return joint == Joint::Free || joint == Joint::Ball; }  // three independent ones

  double mass = 0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();   // of mass, from the reference point
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about the centre of mass
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  // m/s^2, in space
  int normalization = 0;                              // multiplier

  /// By the axis of a hinge, alone or with others, and no angle as a coordinate: these go by Euler parameters.
  bool turns_by_parameters() const { return joint == Joint::Cross || joint == Joint::Table; }

  // Of joints: r + A on_link = r_parent + A_parent (on_parent + s along), s = 0 unless the joint slides. Of a
  // table instead of s along anything that is normal to it.
  Eigen::Vector3d on_parent = Eigen::Vector3d::Zero(), on_link = Eigen::Vector3d::Zero();
  Eigen::Vector3d along = Eigen::Vector3d::Zero();

  // But for Free and Ball: p = p_parent * before * turn * after, turn = (cos(x/2), 0, 0, sin(x/2)) with x = sense *
  // theta; of a cross turn = (cos s, cos d, sin d, sin s) / sqrt 2 with s and d half the sum and the difference of the
  // angles.
  int angle = 0;     // coordinate theta, of joints that turn; x = 0 in others
  double sense = 1;  // -1 where theta is the parent's angle about the link's axis
  int turn = 0;      // multiplier
  Eigen::Quaterniond before = Eigen::Quaterniond::Identity(), after = Eigen::Quaterniond::Identity();
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();      // on the parent: omega - omega_parent = A_parent axis theta'
  Eigen::Vector3d own_axis = Eigen::Vector3d::Zero();  // on the link, of a cross: the other one

  /// A constraint by whose multiplier a force or torque acts on the link, and along what.
  enum class Frame { Space, Parent, Link, Cross };
  struct Reaction {
    int multiplier = 0;
    Eigen::Vector3d direction = Eigen::Vector3d::Zero();  // of a cross: axis x own_axis
    Frame frame = Frame::Space;
  };
  std::vector<Reaction> forces, torques;  // unit vectors, normal to each other; forces at the place on b
  /// The torques are about the link's place; else about the parent's, which differs where the joint slides. Forces
  /// along the joint's slide are those of directions on the body whose place it is not.
  bool pushes_own_place = true;
};

struct JointTree : Closers {
  std::vector<Link> links;               // parents before children
  std::vector<system::Elements> forces;  // of all that acts without mass and constraint
  std::vector<Drive> drives;
};

/// The tree of a system, or why there is none: `"x" is not of a body or a hinge`. q: a position where all joints are
/// closed, which says which way axes point.
std::variant<JointTree, std::string> joint_tree(const system::System& system, const system::Data& data,
                                                const double* q);

}  // namespace perilune::formulation
