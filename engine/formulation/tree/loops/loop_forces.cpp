// SPDX-License-Identifier: MIT
// Accelerations of a tree whose loops are closed, and the multipliers of what closes them.
#include <algorithm>
#include <cmath>

#include "formulation/tree/loops/loop_recursion.hpp"
#include "profile.hpp"

namespace perilune::formulation {

using Joint = Link::Joint;

/// Inwards over the links of the row's path.
void LoopRecursion::push(std::size_t number, const Cuts::Row& row, const Node& x) {
  set_wrenches(row, x);
  std::vector<Push>& out = pushes_[number];
  out.resize(row.path.size());
  for (std::size_t i = 0; i < row.path.size(); ++i) {
    out[i].wrench = wrenches_[i];
    out[i].own.setZero();
  }
  for (std::size_t i = 0; i < row.places.size(); ++i) {
    const Cuts::Place& place = row.places[i];
    if (place.component != Cuts::Place::angle) continue;
    if (!tree_.tree_.links[static_cast<std::size_t>(place.link)].turns_freely()) continue;
    const auto at = std::lower_bound(row.path.begin(), row.path.end(), place.link) - row.path.begin();
    out[static_cast<std::size_t>(at)].own[0] = row.slopes[i];
  }
  for (std::size_t i = row.path.size(); i-- > 0;) {
    const auto k = static_cast<std::size_t>(row.path[i]);
    const State& s = tree_.states_[k];
    Push& p = out[i];
    if (tree_.tree_.links[k].joint == Joint::Free) {
      p.freedoms = 6;
      p.own << p.wrench.moment, p.wrench.force;
      p.moved = floating_[k].solve(p.own);
      continue;
    }
    p.freedoms = s.freedoms;
    for (int j = 0; j < s.freedoms; ++j) {
      p.own[j] += s.turn.col(j).dot(p.wrench.moment) + s.move.col(j).dot(p.wrench.force);
    }
    Vector3d moment = p.wrench.moment, force = p.wrench.force;
    for (int j = 0; j < s.freedoms; ++j) {
      p.moved[j] = 0;
      for (int l = 0; l < s.freedoms; ++l) p.moved[j] += s.inverse(j, l) * p.own[l];
      moment -= p.moved[j] * s.U_moment.col(j);
      force -= p.moved[j] * s.U_force.col(j);
    }
    if (row.parent[i] < 0) continue;
    Wrench& parent = out[static_cast<std::size_t>(row.parent[i])].wrench;
    parent.force += force;
    parent.moment += moment + s.from_parent.cross(force);
  }
}

bool LoopRecursion::find_multipliers(const Node& x) {
  const std::vector<Cuts::Row>& rows = cuts_.rows();
  for (std::size_t k = 0; k < floating_.size(); ++k) {
    if (!is_on_path_[k] || tree_.tree_.links[k].joint != Joint::Free) continue;
    const State& s = tree_.states_[k];
    Eigen::Matrix<double, 6, 6> inertia;
    inertia << s.N, s.B, s.B.transpose(), s.M;
    floating_[k].compute(inertia);
    if (floating_[k].info() != Eigen::Success) return false;
  }
  const std::size_t count = kept_.size();
  pushes_.resize(count);
  response_.resize(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(count));
  reaction_.resize(static_cast<Eigen::Index>(count));
  for (std::size_t r = 0; r < count; ++r) {
    const Cuts::Row& row = rows[static_cast<std::size_t>(kept_[r])];
    push(r, row, x);
    reaction_[static_cast<Eigen::Index>(r)] = row.acceleration(x.a);
    for (std::size_t other = 0; other <= r; ++other) {
      const std::vector<int>& path = rows[static_cast<std::size_t>(kept_[other])].path;
      double sum = 0;
      for (std::size_t i = 0, j = 0; i < row.path.size() && j < path.size();) {
        if (row.path[i] == path[j]) {
          const Push &own = pushes_[r][i], &of_other = pushes_[other][j];
          for (int f = 0; f < own.freedoms; ++f) sum += own.own[f] * of_other.moved[f];
          ++i;
          ++j;
        } else {
          ++(row.path[i] < path[j] ? i : j);
        }
      }
      response_(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(other)) = sum;
    }
  }
  if (count == 0) return true;
  of_response_.compute(response_);  // from its lower half
  if (of_response_.info() != Eigen::Success) return false;
  of_response_.solveInPlace(reaction_);
  return reaction_.allFinite();
}

/// The reactions, to what the sweep inwards left at the links.
void LoopRecursion::apply() {
  all_reactions_.setZero(static_cast<Eigen::Index>(cuts_.rows().size()));
  for (std::size_t r = 0; r < kept_.size(); ++r) {
    const double lambda = reaction_[static_cast<Eigen::Index>(r)];
    const std::vector<int>& path = cuts_.rows()[static_cast<std::size_t>(kept_[r])].path;
    all_reactions_[kept_[r]] = lambda;
    for (std::size_t i = 0; i < path.size(); ++i) {
      State& s = tree_.states_[static_cast<std::size_t>(path[i])];
      const Push& p = pushes_[r][i];
      s.moment += lambda * p.wrench.moment;
      s.force += lambda * p.wrench.force;
      for (int f = 0; f < std::min(p.freedoms, 3); ++f) s.push[f] -= lambda * p.own[f];
    }
  }
  cuts_.add_reactions(all_reactions_.data(), tree_.forces_);
}

bool LoopRecursion::point(const Node& x, bool /*with_multipliers*/) {
  const TimedTask timed(Task::Recursion);
  if (!complete(x)) return false;
  const std::vector<Link>& links = tree_.tree_.links;
  std::vector<State>& states = tree_.states_;
  const std::size_t count = links.size();
  tree_.forces_.evaluate(x, *data_);
  cuts_.pass_torques(tree_.forces_);
  for (std::size_t k = 0; k < count; ++k) tree_.load(links[k], states[k], x);
  for (std::size_t k = count; k-- > 0;) {
    if (!tree_.gather(links[k], states[k])) return false;
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (is_on_path_[k] && !tree_.accelerate(links[k], states[k], x)) return false;
  }
  if (!find_multipliers(x)) return false;
  apply();
  for (std::size_t k = 0; k < count; ++k) {
    if (!tree_.accelerate(links[k], states[k], x)) return false;
    x.lambda[links[k].normalization] = 0;
  }
  for (std::size_t k = count; k-- > 0;) tree_.find_multipliers(links[k], states[k], x);
  for (std::size_t r = 0; r < cuts_.rows().size(); ++r) {
    x.lambda[cuts_.rows()[r].multiplier] = all_reactions_[static_cast<Eigen::Index>(r)];
  }
  cuts_.finish_angles(all_reactions_.data(), tree_.forces_, x);
  return true;
}

}  // namespace perilune::formulation
