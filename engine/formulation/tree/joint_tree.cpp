// SPDX-License-Identifier: MIT
#include "formulation/tree/joint_tree.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "formulation/tree/joint_axes.hpp"
#include "formulation/tree/tree_finder.hpp"
#include "model/element/registry.hpp"

namespace perilune::formulation {

namespace {

using Eigen::Quaterniond, Eigen::Vector3d;

enum class What { Body, BodyWithOffset, Normalization, Coincidence, Direction, Offset, Turn, Force, Other };

What what_is(const model::Kernel& kernel) {
  static const std::map<const model::Kernel*, What> known = [] {
    std::map<const model::Kernel*, What> map;
    auto add = [&](const char* type, What what) { map[&model::kernel_of(type)] = what; };
    add("spatial_body", What::Body);
    add("spatial_body/offset", What::BodyWithOffset);
    add("euler_normalization", What::Normalization);
    for (const std::string pair : {"/ground-body/3", "/body-body/3"}) {
      add(("coincidence" + pair).c_str(), What::Coincidence);
      add(("dot1" + pair).c_str(), What::Direction);
      add(("turn" + pair).c_str(), What::Turn);
      add(("dot2" + pair).c_str(), What::Offset);
    }
    add("dot2/body-ground/3", What::Offset);
    return map;
  }();
  const auto found = known.find(&kernel);
  if (found != known.end()) return found->second;
  return kernel.has_mass() || kernel.constraint_count() > 0 ? What::Other : What::Force;
}

class Finder : public TreeFinder<Finder, JointTree, Link, Pair> {
 public:
  using TreeFinder::TreeFinder;

  void add_bodies(const system::Elements& elements) {
    const What what = what_is(*elements.kernel);
    if (what != What::Body && what != What::BodyWithOffset) return;
    for (int e = 0; e < elements.batch.count; ++e) {
      const double* d = data_of(elements, e);
      Link link;
      link.body = elements.batch.coordinates[static_cast<std::size_t>(e * 7)];
      link.mass = *d++;
      if (what == What::BodyWithOffset) {
        link.centre = vector_at(d);
        d += 3;
      }
      link.inertia << d[0], d[3], d[4], d[3], d[1], d[5], d[4], d[5], d[2];
      link.gravity = vector_at(d + 6);
      number_[link.body] = static_cast<int>(bodies_.size());
      bodies_.push_back(link);
    }
  }

  /// A driven joint and one of many constraints are better in the tree than among what closes loops.
  int rank(const Pair& pair, int body, int from) const {
    Link trial = bodies_[static_cast<std::size_t>(body)];
    if (!set_joint(trial, pair, body, from)) return -1;
    const bool is_driven = trial.turns() && std::any_of(tree_.drives.begin(), tree_.drives.end(), [&](const Drive& d) {
                             const std::vector<int>& read = d.coordinates();
                             return std::find(read.begin(), read.end(), trial.angle) != read.end();
                           });
    return static_cast<int>(trial.forces.size() + trial.torques.size()) + (is_driven ? by_driver : 0);
  }

  void add_cut(const Pair& pair) {
    for (const auto* list : {&pair.coincidences, &pair.directions, &pair.offsets}) {
      for (const Tie& tie : *list) tree_.cuts.push_back(single(*tie.elements, tie.element));
    }
    for (const Tie& tie : pair.turns) tree_.followers.push_back({tie.angle, single(*tie.elements, tie.element)});
  }

  bool add(const system::Elements& elements) {
    const model::Kernel& kernel = *elements.kernel;
    const model::Batch& batch = elements.batch;
    const What what = what_is(kernel);
    const int nq = kernel.coordinate_count(), nc = kernel.constraint_count();
    if (const auto done = add_untied(elements, what == What::Force, what == What::Other, "a spatial body"))
      return *done;
    if (what == What::Body || what == What::BodyWithOffset) return true;
    for (int e = 0; e < batch.count; ++e) {
      const int* q = batch.coordinates.data() + e * nq;
      const int* lambda = batch.multipliers.data() + e * nc;
      if (what == What::Normalization) {
        bodies_[static_cast<std::size_t>(number_.at(q[0] - 3))].normalization = lambda[0];
        continue;
      }
      const bool is_turn = what == What::Turn;
      const int last = nq - (is_turn ? 1 : 0);  // behind the bodies' own coordinates
      int second = number_.at(q[last - 7]), first = last == 14 ? number_.at(q[0]) : Link::ground;
      if (&kernel == &model::kernel_of("dot2/body-ground/3")) std::swap(first, second);
      Pair& pair = pair_of(first, second, lambda[0]);
      auto& list = what == What::Turn        ? pair.turns
                   : what == What::Direction ? pair.directions
                   : what == What::Offset    ? pair.offsets
                                             : pair.coincidences;
      list.push_back({lambda, data_of(elements, e), is_turn ? q[last] : -1, first, second, &elements, e});
    }
    return true;
  }

  bool set_joint(Link& link, const Pair& pair, int body, int from) const {
    return formulation::set_joint(link, pair, body, parameters(body), parameters(from));
  }

  void list_owners() {
    for (Link& link : tree_.links) {
      if (link.turns()) by_angle_[link.angle] = &link;
      by_body_[link.body] = &link;
    }
  }

  bool set_drive(int number) {
    Drive& drive = tree_.drives[static_cast<std::size_t>(number)];
    const Link* turns = nullptr;
    std::set<Link*> read;
    for (const int i : drive.coordinates()) {
      if (const auto found = by_angle_.find(i); found != by_angle_.end()) {
        if (turns) return false;
        turns = found->second;
        continue;
      }
      const auto after = by_body_.upper_bound(i);
      if (after == by_body_.begin() || i >= std::prev(after)->first + 7) return false;
      read.insert(std::prev(after)->second);
    }
    if (read.empty()) {
      Link& link = *by_angle_.at(turns->angle);
      if (!link.turns_freely()) return false;
      link.turn_drive = number;
      return true;
    }
    Link* last = *std::max_element(read.begin(), read.end());  // links stand in one list, parents first
    read.erase(last);
    if (!last->slides_freely() || (turns && turns != last)) return false;
    if (last->parent != Link::ground) {
      Link* parent = &tree_.links[static_cast<std::size_t>(last->parent)];
      read.erase(parent);
      const int bodies[]{parent->body, last->body};
      if (!drive.is_relative(bodies, false, q_, static_cast<std::size_t>(system_.coordinate_count()), data_))
        return false;
    }
    if (!read.empty()) return false;
    last->slide_drive = number;
    return true;
  }

  /// Of a body.
  Quaterniond parameters(int body) const {
    if (body == Link::ground) return Quaterniond::Identity();
    const double* p = q_ + bodies_[static_cast<std::size_t>(body)].body + 3;
    return Quaterniond(p[0], p[1], p[2], p[3]).normalized();
  }

  /// Whether links have all coordinates and constraints of the system.
  bool covers_all() {
    std::vector<char> has_coordinate(static_cast<std::size_t>(system_.coordinate_count()), 0);
    int constraints = static_cast<int>(tree_.drives.size());
    for (const Link& link : tree_.links) {
      std::fill_n(has_coordinate.begin() + link.body, 7, 1);
      constraints += 1 + static_cast<int>(link.forces.size() + link.torques.size()) + (link.turns() ? 1 : 0);
      if (link.turns()) has_coordinate[static_cast<std::size_t>(link.angle)] = 1;
    }
    constraints += tree_.constraint_count();
    for (const JointTree::Follower& each : tree_.followers) {
      has_coordinate[static_cast<std::size_t>(each.angle)] = 1;
      ++constraints;
    }
    for (std::size_t i = 0; i < has_coordinate.size(); ++i) {
      if (!has_coordinate[i]) {
        return fail("\"" + system_.coordinate_name(static_cast<int>(i)) + "\" is not of a body or a hinge");
      }
    }
    return constraints == system_.constraint_count() || fail("a body has more constraints than its joint");
  }

  std::map<int, Link*> by_angle_, by_body_;  // first coordinates
};

}  // namespace

std::variant<JointTree, std::string> joint_tree(const system::System& system, const system::Data& data,
                                                const double* q) {
  return Finder(system, data, q).find();
}

}  // namespace perilune::formulation
