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

#include "formulation/tree/applied_forces.hpp"
#include "formulation/tree/joint_tree.hpp"
#include "formulation/tree/recursion.hpp"
#include "formulation/tree/tree_choice.hpp"

namespace perilune::formulation {

class TreeRecursion final : public Recursion {
 public:
  TreeRecursion(std::shared_ptr<const system::System> system, std::shared_ptr<const system::Data> data, JointTree tree);

  std::optional<std::vector<int>> choose(const Node& x) override { return choice_.choose(x.q); }
  bool serves(const Node& x) override { return choice_.serves(x.q); }
  void set(const std::vector<int>& independent) override { choice_.set(independent); }
  bool complete(const Node& x) override;
  bool point(const Node& x, bool with_multipliers) override;
  const std::vector<int>* proposed() const override { return &proposed_; }

 private:
  friend class SpatialLinks;

  /// Where a link is, and how it moves: what one sweep leaves for the next.
  struct State {
    Eigen::Matrix3d A;               // its axes in space
    Eigen::Vector3d r, v, omega;     // of the reference point
    Eigen::Vector3d c;               // the centre of mass from there
    Eigen::Vector3d from_parent;     // r - r_parent
    Eigen::Vector3d u_parent, u;     // the link's place, from both reference points
    Eigen::Vector3d axis, along;     // of a joint that turns or slides, in space
    Eigen::Vector3d own_axis;        // of a cross
    Eigen::Vector2d turn_rates;      // about these axes
    Eigen::Vector3d offset, slip;    // by its slide: the place from that of the joint on the parent, and its rate there
    Eigen::Vector3d of_alpha, of_a;  // what velocities add to its acceleration from the parent's
    Eigen::Matrix3d J, N, B, M;      // about the centre of mass; moment and force are [N B; B^T M] [alpha; a] + bias
    Eigen::Vector3d moment, force;   // the bias
    Eigen::Matrix3d turn, move;      // omega and v by the joint's own rates: columns of S
    Eigen::Matrix3d U_moment, U_force;            // inertia times S
    Eigen::Matrix3d inverse;                      // of S^T U
    Eigen::Vector3d push;                         // on these rates, less that of the bias
    int freedoms = 0;                             // columns of S
    double driven_turn = 0;                       // acceleration of an angle that is driven
    double turn_slope = 0;                        // of its driver, by the angle
    double slide_slope = 0;                       // of the driver of a slide or the thread of a screw, by the distance
    double thread_slope = 0, slide_by_angle = 0;  // of a thread by the angle, and how the distance follows that
    Eigen::Vector3d rates;                        // second, of the joint's own motion: by columns of S
    Eigen::Vector3d alpha, a;                     // accelerations, of the reference point
    Eigen::Vector3d joint_force;                  // on the link, without moments
  };

  bool place(std::size_t k, const Node& x);
  bool put_link(std::size_t k, const Node& x);
  bool drive_turn(const Link& link, State& s, const Node& x);
  bool drive_slide(std::size_t k, const Node& x);
  void follow_thread(const Link& link, State& s, const Node& x) const;
  void follow_slide(const Link& link, State& s, const Node& x) const;
  bool orient(std::size_t k, const Node& x);
  Eigen::Quaterniond from_parent(const Link& link, const Node& x) const;
  void turn_by_angle(const Link& link, const Node& x) const;
  bool turn_by_parameters(const Link& link, const TreeChoice::Chosen& chosen, const Node& x) const;
  void find_turn_rates(const Link& link, const TreeChoice::Chosen& chosen, const Eigen::Vector3d& of_parent, State& s,
                       const Node& x) const;
  void load(const Link& link, State& s, const Node& x);
  void set_columns(const Link& link, State& s) const;
  template <int freedoms>
  static bool find_share(State& s);
  bool gather(const Link& link, State& s);
  template <int freedoms>
  static void move_joint(State& s);
  bool accelerate(const Link& link, State& s, const Node& x);
  void find_multipliers(const Link& link, State& s, const Node& x);
  double take_driver(const Link& link, const State& s, const Node& x, Eigen::Vector3d& moment,
                     Eigen::Vector3d& force) const;

  std::shared_ptr<const system::System> system_;
  std::shared_ptr<const system::Data> data_;
  JointTree tree_;
  TreeChoice choice_;
  std::vector<int> proposed_;
  std::vector<State> states_;
  AppliedForces forces_;
};

}  // namespace perilune::formulation
