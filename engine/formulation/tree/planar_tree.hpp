// SPDX-License-Identifier: MIT
// A planar mechanism as a tree of links and what closes its loops, as JointTree is one of bodies in space.
#pragma once
#include <Eigen/Core>
#include <string>
#include <variant>
#include <vector>

#include "formulation/tree/drive.hpp"
#include "formulation/tree/loops/closers.hpp"
#include "system/system.hpp"

namespace perilune::formulation {

/// A planar body and the joint by which it hangs on its parent. Lengths in m, masses in kg, inertia in kg m^2; vectors
/// of a body are in its own frame, those of the ground in space.
struct PlanarLink {
  static constexpr int ground = -1;
  /// Free: no joint at all, on the ground. Hinge: a rotation. Slide: a translation. Weld: nothing.
  enum class Joint { Free, Hinge, Slide, Weld };

  int body = 0;         // the first of its coordinates x, y, theta
  int parent = ground;  // among the links, before this one
  Joint joint = Joint::Free;

  double mass = 0, inertia = 0;                      // about the centre of mass
  Eigen::Vector2d centre = Eigen::Vector2d::Zero();  // of mass, from the reference point
  Eigen::Vector2d gravity = Eigen::Vector2d::Zero();

  // r + A on_link = r_parent + A_parent (on_parent + s along), s = 0 unless the joint slides; theta = theta_parent +
  // angle unless it turns.
  Eigen::Vector2d on_parent = Eigen::Vector2d::Zero(), on_link = Eigen::Vector2d::Zero();
  Eigen::Vector2d along = Eigen::Vector2d::Zero();
  double angle = 0;
  static constexpr int not_driven = -1;
  int drive = not_driven;  // among the tree's, of a hinge or slide whose motion is known
  bool is_free_to_move() const { return (joint == Joint::Hinge || joint == Joint::Slide) && drive == not_driven; }

  /// A constraint by whose multiplier a force acts on the link, and along what.
  enum class Frame { Space, Parent, Link };
  struct Reaction {
    int multiplier = 0;
    Eigen::Vector2d direction = Eigen::Vector2d::Zero();
    Frame frame = Frame::Space;
  };
  std::vector<Reaction> forces;  // unit vectors, normal to each other; at the place on b
  int torque = 0;                // the multiplier of equal angles, of joints that do not turn
  double torque_sign = 1;        // the torque on the link is this times it
  bool pushes_own_place = true;  // the torque is about the link's place; else about the parent's
};

struct PlanarTree : Closers {            // without followers: angles of joints are those of bodies
  std::vector<PlanarLink> links;         // parents before children
  std::vector<system::Elements> forces;  // of all that acts without mass and constraint
  std::vector<Drive> drives;
};

/// The tree of a system of planar bodies, or why there is none. q: any position.
std::variant<PlanarTree, std::string> planar_tree(const system::System& system, const system::Data& data,
                                                  const double* q);
/// Whether it has any.
bool has_planar_bodies(const system::System& system);

}  // namespace perilune::formulation
