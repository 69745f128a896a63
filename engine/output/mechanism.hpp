// SPDX-License-Identifier: MIT
// A model as files of other programs have it: rigid bodies in space at their declared poses, a tree of joints with
// those that close loops, and linear springs, all as numbers. The plane of a planar model is x and y of space.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "linalg/decompositions.hpp"
#include "model/topology.hpp"

namespace perilune::output {

using V3 = Eigen::Vector3d;
using M3 = Eigen::Matrix3d;

/// Declared positions and velocities must fulfil the joints, and parts that a format leaves out must vanish, to this,
/// relative to 1 m, 1 rad and 1 s.
constexpr double declared_exactly = 1e-9;

/// What a format cannot say of a model: reasons by object.
class Unsaid {
 public:
  /// The same reason counts once.
  void add(const std::string& object, const std::string& reason);
  bool contains(const std::string& object) const { return reasons_.contains(object); }
  /// Throws Error with one line for every object and reason, if there is any. format: "MJCF".
  void check(const std::string& format) const;

 private:
  std::map<std::string, std::vector<std::string>> reasons_;
};

/// What is declared of a body: its reference point in space, and the angular velocity along its own axes.
struct RigidBody {
  std::string name;
  bool is_known = false;  // else it is something else that moves, which is unsaid
  V3 at = V3::Zero(), velocity = V3::Zero(), omega = V3::Zero();
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  double angle = 0;  // of a body in the plane, of which turn does not know full turns
  double mass = 0;
  V3 center_of_mass = V3::Zero();  // in its frame
  M3 inertia = M3::Zero();         // about the centre of mass, along its axes

  V3 in_frame(const V3& point) const { return turn.conjugate() * (point - at); }
  V3 turning() const { return turn * omega; }
  V3 velocity_of(const V3& point) const { return velocity + turning().cross(point - at); }
};

/// A place on a body (its number among the bodies), in space as declared; the axes are columns.
struct End {
  std::size_t body = 0;
  V3 at = V3::Zero();
  M3 axes = M3::Identity();
};

/// What is declared of a joint; the coordinates and rates are of b against a, along and about the z axis of a. The kind
/// is that of a joint in space: of a hinge in the plane z is the normal, of a slider the way.
struct JointStart {
  std::string name, kind;
  End a, b;
  double angle = 0, angle_rate = 0, displacement = 0, speed = 0;
  V3 turning = V3::Zero();  // of b against a, in space
};

/// -(stiffness (x - free) + damping x' + constant) along the coordinate x of a joint: its angle, or its displacement.
struct JointSpring {
  std::string name;
  std::size_t tie = 0;
  double stiffness = 0, free = 0, damping = 0, constant = 0;
};

/// stiffness (l - free) + damping l' + constant, with which two places pull each other.
struct LineSpring {
  std::string name;
  End a, b;
  double stiffness = 0, free = 0, damping = 0, constant = 0;
};

/// Bodies stand as the nodes of the topology, and the ground at the origin; joints by the number of their tie.
struct Mechanism {
  model::Topology topology;
  std::vector<RigidBody> bodies;
  std::map<std::size_t, JointStart> joints;
  std::vector<JointSpring> joint_springs;
  std::vector<LineSpring> line_springs;
  V3 gravity = V3::Zero();
  bool is_planar = false;
  Unsaid unsaid;  // what is none of these: fields above may be without it

  const RigidBody& parent_of(std::size_t node) const;
  /// The joint on which a node hangs that is no root.
  const JointStart& joint_of(std::size_t node) const;
  /// Turns all by a right angle about x: what is x and y becomes x and z.
  void stand_up();
};

/// At the present values of the parameters.
Mechanism mechanism_of(const model::Model& model);

}  // namespace perilune::output
