// SPDX-License-Identifier: MIT
#include "formulation/tree/loops/planar_loops.hpp"

#include <cmath>

#include "formulation/tree/loops/loop_sweeps.hpp"
#include "formulation/tree/planar_recursion.hpp"

namespace perilune::formulation {

/// LoopSweeps has what for. The motion S of a joint is (turn, move), as the recursion has it.
class PlanarLinks {
 public:
  using Tree = PlanarTree;
  static constexpr int turns = 1, moves = 2, coordinates = 3, most_free = 1;
  using OwnMotion = Motion<1, 2>;
  using OwnWrench = Wrench<1, 2>;

  PlanarLinks(std::shared_ptr<const system::System> system, std::shared_ptr<const system::Data> data,
              const PlanarTree& tree)
      : tree_(std::move(system), std::move(data), tree) {}

  static std::map<int, Cuts::Place> owners(const PlanarTree& tree) {
    std::map<int, Cuts::Place> out;
    for (std::size_t k = 0; k < tree.links.size(); ++k) {
      const int body = tree.links[k].body;
      for (int i = 0; i < coordinates; ++i) out[body + i] = {static_cast<int>(k), i, body + i};
    }
    return out;
  }
  static std::vector<int> parents(const PlanarTree& tree) {
    std::vector<int> out;
    for (const PlanarLink& link : tree.links) out.push_back(link.parent);
    return out;
  }

  Recursion& recursion() { return tree_; }
  int body(std::size_t k) const { return link(k).body; }
  int parent(std::size_t k) const { return link(k).parent; }
  bool is_free(std::size_t k) const { return link(k).joint == PlanarLink::Joint::Free; }
  static int angle(std::size_t /*k*/) { return -1; }
  const Eigen::Vector2d& from_parent(std::size_t k) const { return state(k).from_parent; }

  void find_motions(std::size_t k, const Node& /*x*/, const int* of, OwnMotion* out) const {
    if (is_free(k)) {
      for (int i = 0; i < moves; ++i) out[i] = {OwnMotion().turn, Eigen::Vector2d::Unit(i)};
      out[moves] = {turn_of(1), Eigen::Vector2d::Zero()};
      return;
    }
    *out = motion(k, 0);
    if (const int component = of[0] - body(k); component < moves) out->move /= out->move[component];
  }
  static OwnWrench wrench(std::size_t /*k*/, const Node& /*x*/, const double* pull) {
    return {turn_of(pull[2]), {pull[0], pull[1]}};
  }

  const Eigen::Matrix3d& inertia(std::size_t k) const { return state(k).inertia; }
  int freedoms(std::size_t k) const { return link(k).is_free_to_move() ? 1 : 0; }
  OwnMotion motion(std::size_t k, int /*j*/) const { return {turn_of(state(k).S[0]), state(k).S.tail<2>()}; }
  double inverse(std::size_t k, int /*i*/, int /*j*/) const { return 1 / state(k).D; }
  OwnWrench share(std::size_t k, int /*j*/) const { return {turn_of(state(k).U[0]), state(k).U.tail<2>()}; }
  void add(std::size_t k, double lambda, const OwnWrench& wrench) {
    Eigen::Vector3d& bias = tree_.states_[k].bias;
    bias[0] += lambda * wrench.moment[0];
    bias.tail<2>() += lambda * wrench.force;
  }
  void add_push(std::size_t k, int /*j*/, double push) { tree_.states_[k].push += push; }

  void load(const Node& x, const Cuts& /*cuts*/) { tree_.load(x); }
  bool gather() { return tree_.gather(); }
  bool accelerate(std::size_t k, const Node& x) { return tree_.accelerate(link(k), tree_.states_[k], x); }
  void finish(const Node& x, const Cuts& /*cuts*/, const double* /*lambda*/, bool with_multipliers) const {
    for (std::size_t k = 0; with_multipliers && k < tree_.states_.size(); ++k) {
      tree_.find_multipliers(link(k), state(k), x);
    }
  }

 private:
  static Eigen::Matrix<double, 1, 1> turn_of(double omega) { return Eigen::Matrix<double, 1, 1>(omega); }
  const PlanarLink& link(std::size_t k) const { return tree_.tree_.links[k]; }
  const PlanarRecursion::State& state(std::size_t k) const { return tree_.states_[k]; }

  PlanarRecursion tree_;
};

std::unique_ptr<Recursion> planar_loops(const std::shared_ptr<const system::System>& system,
                                        const std::shared_ptr<const system::Data>& data, const PlanarTree& tree) {
  return std::make_unique<LoopSweeps<PlanarLinks>>(system, data, tree);
}

}  // namespace perilune::formulation
