// SPDX-License-Identifier: MIT
#include "formulation/tree/loops/spatial_loops.hpp"

#include <cmath>

#include "formulation/tree/loops/loop_sweeps.hpp"
#include "formulation/tree/tree_recursion.hpp"
#include "model/body/spatial_body.hpp"

namespace perilune::formulation {

/// LoopSweeps has what for.
class SpatialLinks {
 public:
  using Tree = JointTree;
  static constexpr int turns = 3, moves = 3, coordinates = 7, most_free = 3;
  using OwnMotion = Motion<3, 3>;
  using OwnWrench = Wrench<3, 3>;

  SpatialLinks(std::shared_ptr<const system::System> system, std::shared_ptr<const system::Data> data,
               const JointTree& tree)
      : tree_(std::move(system), std::move(data), tree) {}

  static std::map<int, Cuts::Place> owners(const JointTree& tree) {
    std::map<int, Cuts::Place> out;
    for (std::size_t k = 0; k < tree.links.size(); ++k) {
      const Link& link = tree.links[k];
      for (int i = 0; i < coordinates; ++i) out[link.body + i] = {static_cast<int>(k), i, link.body + i};
      if (link.turns()) out[link.angle] = {static_cast<int>(k), Cuts::Place::angle, link.angle};
    }
    return out;
  }
  static std::vector<int> parents(const JointTree& tree) {
    std::vector<int> out;
    for (const Link& link : tree.links) out.push_back(link.parent);
    return out;
  }

  Recursion& recursion() { return tree_; }
  int body(std::size_t k) const { return link(k).body; }
  int parent(std::size_t k) const { return link(k).parent; }
  bool is_free(std::size_t k) const { return link(k).joint == Joint::Free; }
  int angle(std::size_t k) const { return link(k).turns_freely() ? link(k).angle : -1; }
  const Eigen::Vector3d& from_parent(std::size_t k) const { return state(k).from_parent; }

  void find_motions(std::size_t k, const Node& x, const int* of, OwnMotion* out);
  OwnWrench wrench(std::size_t k, const Node& x, const double* pull) const {
    Eigen::Vector3d own;  // the moment of forces on Euler parameters
    model::EulerRates::times_G(x.q + body(k) + 3, pull + 3, own.data());
    return {0.5 * (state(k).A * own), {pull[0], pull[1], pull[2]}};
  }

  Eigen::Matrix<double, 6, 6> inertia(std::size_t k) const {
    const State& s = state(k);
    Eigen::Matrix<double, 6, 6> out;
    out << s.N, s.B, s.B.transpose(), s.M;
    return out;
  }
  int freedoms(std::size_t k) const { return state(k).freedoms; }
  OwnMotion motion(std::size_t k, int j) const { return {state(k).turn.col(j), state(k).move.col(j)}; }
  double inverse(std::size_t k, int i, int j) const { return state(k).inverse(i, j); }
  OwnWrench share(std::size_t k, int j) const { return {state(k).U_moment.col(j), state(k).U_force.col(j)}; }
  void add(std::size_t k, double lambda, const OwnWrench& wrench) {
    tree_.states_[k].moment += lambda * wrench.moment;
    tree_.states_[k].force += lambda * wrench.force;
  }
  void add_push(std::size_t k, int j, double push) { tree_.states_[k].push[j] += push; }

  void load(const Node& x, const Cuts& cuts) {
    tree_.forces_.evaluate(x, *tree_.data_);
    cuts.pass_torques(tree_.forces_);
    for (std::size_t k = 0; k < tree_.states_.size(); ++k) tree_.load(link(k), tree_.states_[k], x);
  }
  bool gather() {
    for (std::size_t k = tree_.states_.size(); k-- > 0;) {
      if (!tree_.gather(link(k), tree_.states_[k])) return false;
    }
    return true;
  }
  bool accelerate(std::size_t k, const Node& x) { return tree_.accelerate(link(k), tree_.states_[k], x); }
  void finish(const Node& x, const Cuts& cuts, const double* lambda, bool with_multipliers) {
    if (with_multipliers) {
      cuts.add_reactions(lambda, tree_.forces_);
      for (const Link& each : tree_.tree_.links) x.lambda[each.normalization] = 0;
      for (std::size_t k = tree_.states_.size(); k-- > 0;) tree_.find_multipliers(link(k), tree_.states_[k], x);
    }
    cuts.finish_angles(lambda, tree_.forces_, x);
  }

 private:
  using Joint = Link::Joint;
  using State = TreeRecursion::State;

  const Link& link(std::size_t k) const { return tree_.tree_.links[k]; }
  const State& state(std::size_t k) const { return tree_.states_[k]; }

  TreeRecursion tree_;
};

/// Motions by the rates of the link's coordinates, from those by the joint's own rates.
void SpatialLinks::find_motions(std::size_t k, const Node& x, const int* of, OwnMotion* out) {
  using Eigen::Matrix3d, Eigen::Vector3d, Eigen::Vector4d;
  const Link& link = tree_.tree_.links[k];
  State& s = tree_.states_[k];
  if (link.slide_drive != Link::not_driven) tree_.follow_thread(link, s, x);
  Matrix3d turn, move;        // by the joint's own rates
  int own = 0, freedoms = 3;  // coordinates before those of turning, and these
  if (link.joint == Joint::Free) {
    for (; own < 3; ++own) out[own] = {Vector3d::Zero(), Vector3d::Unit(own)};
    turn.setIdentity();
    move.setZero();
  } else {
    tree_.set_columns(link, s);
    turn = s.turn;
    move = s.move;
    freedoms = s.freedoms;
  }
  const auto is_angle = [&](int i) { return link.turns_freely() && of[own + i] == link.angle; };
  if (freedoms == 1 && is_angle(0)) {
    out[0] = {turn.col(0), move.col(0)};
    return;
  }
  // Rates of the coordinates by those of the joint.
  Matrix3d rates = Matrix3d::Identity();
  for (int j = 0; j < freedoms; ++j) {
    const Vector4d of_parameters = parameter_rates(x.q + link.body + 3, s.A, turn.col(j));
    for (int i = 0; i < freedoms; ++i) {
      const int component = of[own + i] - link.body;
      rates(i, j) = is_angle(i) ? (j == 0 ? 1 : 0) : component < 3 ? move(component, j) : of_parameters[component - 3];
    }
  }
  const Matrix3d inverse = rates.inverse();
  for (int i = 0; i < freedoms; ++i) {
    out[own + i].turn = turn.leftCols(freedoms) * inverse.col(i).head(freedoms);
    out[own + i].move = move.leftCols(freedoms) * inverse.col(i).head(freedoms);
  }
}

std::unique_ptr<Recursion> spatial_loops(const std::shared_ptr<const system::System>& system,
                                         const std::shared_ptr<const system::Data>& data, const JointTree& tree) {
  return std::make_unique<LoopSweeps<SpatialLinks>>(system, data, tree);
}

}  // namespace perilune::formulation
