// SPDX-License-Identifier: MIT
// What the links of a tree do where constraints close its loops: how these depend on the coordinates of the tree, and
// accelerations, with the multipliers of what closes them, from
//   (J M^-1 J^T) lambda = J a_0 + Phi'' at a = 0
// with the accelerations a_0 of the tree alone. What a row of J^T does to the tree is one sweep inwards over the links
// that it holds and those that they hang on: with its push pi on the joints, J M^-1 J^T = sum of pi^T D^-1 pi over
// joints (Featherstone, Rigid Body Dynamics Algorithms, 2008, sections 7.3 and 8.5, by the factors of the articulated
// bodies). For spatial_loops.cpp and planar_loops.cpp alone.
#pragma once
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "formulation/tree/loops/loop_recursion.hpp"
#include "formulation/tree/loops/motions.hpp"
#include "linalg/decompositions.hpp"
#include "profile.hpp"

namespace perilune::formulation {

/// Links, the tree in space or in the plane, has
///   turns and moves, of its Motion; coordinates, of a body, and most_free, of a joint,
///   Tree, of which it is made; static owners(tree) and parents(tree), as Cuts has them,
///   recursion(), without loops; body(k), parent(k), is_free(k), which has no joint, and angle(k), of a joint that
///   turns freely, or -1: Motion, Wrench, from_parent(k), and at a point that has been placed find_motions(k, x,
///   coordinates, out): how the link moves by its independent coordinates, ascending and the angle last, where what it
///   hangs on rests, wrench(k, x, pull): of forces on its coordinates; then, for accelerations, after load(x, cuts) and
///   gather(), inertia(k); freedoms(k), of its joint, with motion(k, j), inverse(k, i, j) of S^T U, and share(k, j), a
///   column of U, add(k, lambda, wrench) and add_push(k, j, push), to the bias and to what pushes the joint,
///   accelerate(k, x), and finish(x, cuts, lambda, with_multipliers), of what is not of cuts, by their lambda.
template <class Links>
class LoopSweeps final : public LoopRecursion {
 public:
  LoopSweeps(std::shared_ptr<const system::System> system, std::shared_ptr<const system::Data> data,
             const typename Links::Tree& tree)
      : LoopRecursion(system, data, tree, Links::owners(tree), Links::parents(tree)),
        links_(std::move(system), std::move(data), tree),
        is_on_path_(tree.links.size(), 0),
        floating_(tree.links.size()) {
    for (const Cuts::Row& row : cuts_.rows()) {
      for (const int k : row.path) is_on_path_[static_cast<std::size_t>(k)] = 1;
      wrenches_.resize(std::max(wrenches_.size(), row.path.size()));
    }
    all_reactions_.resize(static_cast<Eigen::Index>(cuts_.rows().size()));
  }

  bool point(const Node& x, bool with_multipliers) override;

 private:
  static constexpr int size = Links::turns + Links::moves;
  using OwnMotion = Motion<Links::turns, Links::moves>;
  using OwnWrench = Wrench<Links::turns, Links::moves>;
  using Inertia = Eigen::Matrix<double, size, size>;
  /// With sums of sizes, where the vectors may cancel.
  struct Sized {
    OwnWrench own;
    double moments = 0, forces = 0;
  };
  /// What a row that is kept does to a link of its path, with all that hangs on it: the wrench, that on the joint's own
  /// freedoms, and D^-1 times it.
  struct Push {
    OwnWrench wrench;
    Eigen::Matrix<double, size, 1> own, moved;
    int freedoms = 0;
  };

  Recursion& tree() override { return links_.recursion(); }
  void list_columns(const std::vector<int>& of_tree) override;
  void find_slopes(const Node& x) override;
  void find_slopes(std::size_t r, const Node& x);
  void rest_coordinates(const Node& x);

  /// Calls use(place on the path, wrench) for each link that a row pulls at: moment and force, and nothing of what
  /// hangs on it.
  template <class Use>
  void pull_of(const Cuts::Row& row, const Node& x, const Use& use) const;
  /// What this wrench on a link is for the one that it hangs on.
  void carry(std::size_t k, const OwnWrench& of, OwnWrench& to) const {
    to.force += of.force;
    to.moment += of.moment + moment_at(links_.from_parent(k), of.force);
  }

  void push(std::size_t number, const Cuts::Row& row, const Node& x);
  double response(std::size_t one, std::size_t other) const;
  bool find_reactions(const Node& x);
  void apply();

  Links links_;
  std::vector<char> is_on_path_;           // links
  std::vector<std::size_t> first_column_;  // of each link, and behind the last
  std::vector<int> coordinates_;           // by columns
  std::vector<OwnMotion> motions_;         // where what the link hangs on rests
  std::vector<Sized> wrenches_;            // of one row, by its path
  std::vector<std::vector<Push>> pushes_;  // by kept rows and their paths
  Eigen::MatrixXd response_;               // J M^-1 J^T
  Eigen::LLT<Eigen::MatrixXd> of_response_;
  std::vector<Eigen::LLT<Inertia>> floating_;  // of links without a joint
  Eigen::VectorXd reaction_, all_reactions_;
};

template <class Links>
void LoopSweeps<Links>::list_columns(const std::vector<int>& of_tree) {
  columns_.clear();
  coordinates_.clear();
  first_column_.clear();
  for (std::size_t k = 0; k < is_on_path_.size(); ++k) {
    first_column_.push_back(columns_.size());
    if (!is_on_path_[k]) continue;
    const int body = links_.body(k), end = body + Links::coordinates;
    for (auto i = std::lower_bound(of_tree.begin(), of_tree.end(), body); i != of_tree.end() && *i < end; ++i) {
      columns_.push_back({*i, k, false});
    }
    if (const int angle = links_.angle(k); angle >= 0) columns_.push_back({angle, k, true});
  }
  first_column_.push_back(columns_.size());
  for (const Column& column : columns_) coordinates_.push_back(column.coordinate);
  motions_.resize(columns_.size());
}

template <class Links>
template <class Use>
void LoopSweeps<Links>::pull_of(const Cuts::Row& row, const Node& x, const Use& use) const {
  auto on = row.path.begin();
  for (auto place = row.places.begin(); place != row.places.end();) {
    const int link = place->link;
    double pull[Cuts::Place::angle + 1]{};
    for (; place != row.places.end() && place->link == link; ++place) {
      pull[place->component] = row.slopes[static_cast<std::size_t>(place - row.places.begin())];
    }
    on = std::lower_bound(on, row.path.end(), link);
    use(static_cast<std::size_t>(on - row.path.begin()), links_.wrench(static_cast<std::size_t>(link), x, pull));
  }
}

template <class Links>
void LoopSweeps<Links>::find_slopes(std::size_t r, const Node& x) {
  const Cuts::Row& row = cuts_.rows()[r];
  const auto at = static_cast<Eigen::Index>(r);
  double& largest = sizes_[r];
  std::fill_n(wrenches_.begin(), row.path.size(), Sized());
  pull_of(row, x, [&](std::size_t i, const OwnWrench& own) {
    wrenches_[i] = {own, own.moment.norm(), own.force.norm()};
  });
  for (std::size_t i = row.path.size(); i-- > 0;) {
    const auto k = static_cast<std::size_t>(row.path[i]);
    const Sized& all = wrenches_[i];
    for (std::size_t c = first_column_[k]; c < first_column_[k + 1]; ++c) {
      const OwnMotion& motion = motions_[c];
      slopes_(at, static_cast<Eigen::Index>(c)) = power(motion, all.own);
      largest = std::max(largest, motion.turn.norm() * all.moments + motion.move.norm() * all.forces);
    }
    if (row.parent[i] < 0) continue;
    Sized& to = wrenches_[static_cast<std::size_t>(row.parent[i])];
    carry(k, all.own, to.own);
    to.forces += all.forces;
    to.moments += all.moments + links_.from_parent(k).norm() * all.forces;
  }
  for (std::size_t i = 0; i < row.places.size(); ++i) {
    const auto k = static_cast<std::size_t>(row.places[i].link);
    if (row.places[i].component != Cuts::Place::angle || links_.angle(k) < 0) continue;
    slopes_(at, static_cast<Eigen::Index>(first_column_[k + 1]) - 1) += row.slopes[i];
    largest = std::max(largest, std::abs(row.slopes[i]));
  }
}

/// Coordinates but angles are in space: they stay where what the link hangs on moves, and its joint gives way.
template <class Links>
void LoopSweeps<Links>::rest_coordinates(const Node& x) {
  for (std::size_t c = columns_.size(); c-- > 0;) {
    const Column& column = columns_[c];
    if (column.is_angle || links_.parent(column.link) < 0) continue;
    double pull[Cuts::Place::angle + 1]{};
    pull[column.coordinate - links_.body(column.link)] = 1;
    OwnWrench wrench = links_.wrench(column.link, x, pull);
    for (std::size_t k = column.link; links_.parent(k) >= 0;) {
      OwnWrench next;
      carry(k, wrench, next);
      wrench = next;
      k = static_cast<std::size_t>(links_.parent(k));
      for (std::size_t other = first_column_[k]; other < first_column_[k + 1]; ++other) {
        slopes_.col(static_cast<Eigen::Index>(other)) -=
            power(motions_[other], wrench) * slopes_.col(static_cast<Eigen::Index>(c));
      }
    }
  }
}

template <class Links>
void LoopSweeps<Links>::find_slopes(const Node& x) {
  const std::size_t rows = cuts_.rows().size();
  for (std::size_t k = 0; k < is_on_path_.size(); ++k) {
    const std::size_t first = first_column_[k];
    if (first < first_column_[k + 1]) links_.find_motions(k, x, coordinates_.data() + first, motions_.data() + first);
  }
  slopes_.setZero(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns_.size()));
  sizes_.assign(rows, 0.0);
  for (std::size_t r = 0; r < rows; ++r) find_slopes(r, x);
  rest_coordinates(x);
}

/// Inwards over the links of the row's path.
template <class Links>
void LoopSweeps<Links>::push(std::size_t number, const Cuts::Row& row, const Node& x) {
  std::vector<Push>& out = pushes_[number];
  out.resize(row.path.size());
  for (Push& each : out) {
    each.wrench = {};
    each.own.setZero();
  }
  pull_of(row, x, [&](std::size_t i, const OwnWrench& own) { out[i].wrench = own; });
  for (std::size_t i = 0; i < row.places.size(); ++i) {
    const Cuts::Place& place = row.places[i];
    if (place.component != Cuts::Place::angle || links_.angle(static_cast<std::size_t>(place.link)) < 0) continue;
    const auto at = std::lower_bound(row.path.begin(), row.path.end(), place.link) - row.path.begin();
    out[static_cast<std::size_t>(at)].own[0] = row.slopes[i];
  }
  for (std::size_t i = row.path.size(); i-- > 0;) {
    const auto k = static_cast<std::size_t>(row.path[i]);
    Push& p = out[i];
    if (links_.is_free(k)) {
      p.freedoms = size;
      p.own << p.wrench.moment, p.wrench.force;
      p.moved = floating_[k].solve(p.own);
      continue;
    }
    p.freedoms = links_.freedoms(k);
    for (int j = 0; j < p.freedoms; ++j) p.own[j] += power(links_.motion(k, j), p.wrench);
    OwnWrench rest = p.wrench;
    for (int j = 0; j < p.freedoms; ++j) {
      p.moved[j] = 0;
      for (int l = 0; l < p.freedoms; ++l) p.moved[j] += links_.inverse(k, j, l) * p.own[l];
      const OwnWrench share = links_.share(k, j);
      rest.moment -= p.moved[j] * share.moment;
      rest.force -= p.moved[j] * share.force;
    }
    if (row.parent[i] >= 0) carry(k, rest, out[static_cast<std::size_t>(row.parent[i])].wrench);
  }
}

template <class Links>
double LoopSweeps<Links>::response(std::size_t one, std::size_t other) const {
  const std::vector<int>&path = cuts_.rows()[static_cast<std::size_t>(kept_[one])].path,
        &of_other = cuts_.rows()[static_cast<std::size_t>(kept_[other])].path;
  double sum = 0;
  for (std::size_t i = 0, j = 0; i < path.size() && j < of_other.size();) {
    if (path[i] == of_other[j]) {
      const Push &a = pushes_[one][i], &b = pushes_[other][j];
      for (int f = 0; f < a.freedoms; ++f) sum += a.own[f] * b.moved[f];
      ++i;
      ++j;
    } else {
      ++(path[i] < of_other[j] ? i : j);
    }
  }
  return sum;
}

template <class Links>
bool LoopSweeps<Links>::find_reactions(const Node& x) {
  for (std::size_t k = 0; k < floating_.size(); ++k) {
    if (!is_on_path_[k] || !links_.is_free(k)) continue;
    floating_[k].compute(links_.inertia(k));
    if (floating_[k].info() != Eigen::Success) return false;
  }
  const std::size_t count = kept_.size();
  pushes_.resize(count);
  response_.resize(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(count));
  reaction_.resize(static_cast<Eigen::Index>(count));
  for (std::size_t r = 0; r < count; ++r) {
    const Cuts::Row& row = cuts_.rows()[static_cast<std::size_t>(kept_[r])];
    push(r, row, x);
    reaction_[static_cast<Eigen::Index>(r)] = row.acceleration(x.a);
    for (std::size_t other = 0; other <= r; ++other) {
      response_(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(other)) = response(r, other);
    }
  }
  if (count == 0) return true;
  of_response_.compute(response_);  // from its lower half
  if (of_response_.info() != Eigen::Success) return false;
  of_response_.solveInPlace(reaction_);
  return reaction_.allFinite();
}

/// The reactions, to what the sweep inwards left at the links.
template <class Links>
void LoopSweeps<Links>::apply() {
  all_reactions_.setZero();
  for (std::size_t r = 0; r < kept_.size(); ++r) {
    const double lambda = reaction_[static_cast<Eigen::Index>(r)];
    const std::vector<int>& path = cuts_.rows()[static_cast<std::size_t>(kept_[r])].path;
    all_reactions_[kept_[r]] = lambda;
    for (std::size_t i = 0; i < path.size(); ++i) {
      const auto k = static_cast<std::size_t>(path[i]);
      const Push& p = pushes_[r][i];
      links_.add(k, lambda, p.wrench);
      for (int f = 0; f < std::min(p.freedoms, Links::most_free); ++f) links_.add_push(k, f, -lambda * p.own[f]);
    }
  }
}

template <class Links>
bool LoopSweeps<Links>::point(const Node& x, bool with_multipliers) {
  const TimedTask timed(Task::Recursion);
  if (!complete(x)) return false;
  links_.load(x, cuts_);
  if (!links_.gather()) return false;
  const std::size_t count = is_on_path_.size();
  for (std::size_t k = 0; k < count; ++k) {
    if (is_on_path_[k] && !links_.accelerate(k, x)) return false;
  }
  if (!find_reactions(x)) return false;
  apply();
  for (std::size_t k = 0; k < count; ++k) {
    if (!links_.accelerate(k, x)) return false;
  }
  links_.finish(x, cuts_, all_reactions_.data(), with_multipliers);
  if (!with_multipliers) return true;
  for (std::size_t r = 0; r < cuts_.rows().size(); ++r) {
    x.lambda[cuts_.rows()[r].multiplier] = all_reactions_[static_cast<Eigen::Index>(r)];
  }
  return true;
}

}  // namespace perilune::formulation
