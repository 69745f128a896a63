// SPDX-License-Identifier: MIT
// The equations of motion of a planar tree of links in joint coordinates, by the recursions that TreeRecursion does in
// space. Motions are (alpha, a), forces (moment, force), both of a link's reference point. A hinge's coordinate is the
// angle of its body in space, so that no angles are added up.
#pragma once
#include <memory>
#include <vector>

#include "formulation/tree/applied_forces.hpp"
#include "formulation/tree/planar_tree.hpp"
#include "formulation/tree/recursion.hpp"
#include "linalg/decompositions.hpp"

namespace perilune::formulation {

class PlanarRecursion final : public Recursion {
 public:
  PlanarRecursion(std::shared_ptr<const system::System> system, std::shared_ptr<const system::Data> data,
                  PlanarTree tree);

  std::optional<std::vector<int>> choose(const Node& x) override;
  bool serves(const Node& x) override;
  void set(const std::vector<int>& independent) override;
  bool complete(const Node& x) override;
  bool point(const Node& x, bool with_multipliers) override;
  const std::vector<int>* proposed() const override { return &proposed_; }

 private:
  friend class PlanarLinks;

  struct State {
    Eigen::Matrix2d A = Eigen::Matrix2d::Identity();  // its axes in space
    double angle = 0;                                 // where these were found
    double omega = 0;
    Eigen::Vector2d r, v;         // of the reference point
    Eigen::Vector2d c;            // the centre of mass from there
    Eigen::Vector2d from_parent;  // r - r_parent
    Eigen::Vector2d u;            // the joint's place from r
    Eigen::Vector2d offset;       // by a slide, in space
    Eigen::Vector3d of_motion;    // what velocities add to its acceleration from the parent's
    Eigen::Matrix3d inertia;      // articulated
    Eigen::Vector3d bias;
    Eigen::Vector3d S, U;    // its joint's motion, inertia times that
    Eigen::Vector3d slopes;  // of its driver, by theta, x and y
    double by_joint = 0;     // of its driver, by the joint's motion
    double D = 0, push = 0;  // S^T U, less S^T bias
    Eigen::Vector3d acceleration;
  };

  static bool is_by_component(const PlanarLink& link) {
    return link.joint == PlanarLink::Joint::Slide && link.is_free_to_move();
  }
  Eigen::Vector2d along(const PlanarLink& link, const double* q) const;
  const State* parent_of(const PlanarLink& link) const {
    return link.parent == PlanarLink::ground ? nullptr : &states_[static_cast<std::size_t>(link.parent)];
  }
  void place(std::size_t k, const Node& x);
  bool drive(std::size_t k, const Node& x);
  void load(const Node& x);
  void load(const PlanarLink& link, State& s);
  bool gather();
  bool gather(const PlanarLink& link, State& s);
  bool accelerate(const PlanarLink& link, State& s, const Node& x);
  void find_multipliers(const PlanarLink& link, const State& s, const Node& x) const;

  std::shared_ptr<const system::System> system_;
  std::shared_ptr<const system::Data> data_;
  PlanarTree tree_;
  std::vector<int> chosen_;  // of slides the independent component of r
  std::vector<int> proposed_;
  std::vector<State> states_;
  AppliedForces forces_;
};

}  // namespace perilune::formulation
