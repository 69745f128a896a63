// SPDX-License-Identifier: MIT
// What finding a tree in space and in the plane have in common. For joint_tree.cpp and planar_tree.cpp alone.
#pragma once
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "formulation/tree/drive.hpp"
#include "formulation/tree/growth.hpp"
#include "formulation/tree/loops/closers.hpp"
#include "system/system.hpp"

namespace perilune::formulation {

/// Own, which derives from it, has
///   void add_bodies(elements), which lists them with their numbers by first coordinates,
///   bool add(elements), all others: ties go to the pairs of bodies,
///   bool set_joint(link, pair, body, from): by what holds this body to that one, or to the ground,
///   int rank(pair, body, from): growth.hpp has what for,
///   void add_cut(pair), of what holds no link and so closes a loop,
///   void list_owners(), bool covers_all(), once the links are there,
///   bool set_drive(number), false where that drive is of no joint of the tree.
/// Those that return false have said why, but for set_joint and set_drive.
template <class Own, class Tree, class Link, class Pair>
class TreeFinder {
 public:
  /// q: as joint_tree() and planar_tree() have it.
  TreeFinder(const system::System& system, const system::Data& data, const double* q)
      : system_(system), data_(data), q_(q) {}

  std::variant<Tree, std::string> find() {
    if (system_.is_implicit()) return system_.implicit_element() + " reads accelerations or reactions";
    if (system_.constrains_velocities()) return std::string("a constraint is on velocities");
    // Bodies first, as what joins them refers to them.
    elements_ = system_.elements();
    for (const system::Elements& each : elements_) own().add_bodies(each);
    for (const system::Elements& each : elements_) {
      if (!own().add(each)) return why_;
    }
    if (!grow()) return why_;
    own().list_owners();
    set_drives();
    if (!own().covers_all()) return why_;
    return std::move(tree_);
  }

 protected:
  bool fail(std::string why) {
    why_ = std::move(why);
    return false;
  }

  /// Drivers, forces and what trees may not have; nothing for what the caller knows. body: "a spatial body".
  std::optional<bool> add_untied(const system::Elements& elements, bool is_force, bool is_other, const char* body) {
    if (Drive::is_one(elements)) {
      tree_.drives.emplace_back(elements);
      relations_.push_back(&elements);
      return true;
    }
    if (is_force) {
      tree_.forces.push_back(elements);
      return true;
    }
    if (!is_other) return std::nullopt;
    if (elements.kernel->constraint_count() == 0) {
      return fail("\"" + system_.coordinate_name(elements.batch.coordinates.front()) + "\" is not of " + body);
    }
    for (int e = 0; e < elements.batch.count; ++e) tree_.cuts.push_back(single(elements, e));
    return true;
  }

  /// What holds these bodies, in either order, by the joint that the multiplier is of.
  Pair& pair_of(int first, int second, int multiplier) {
    std::string name = system_.describe_constraint(multiplier);
    Pair& pair = pairs_[{std::min(first, second), std::max(first, second), name}];
    if (pair.name.empty()) pair.name = std::move(name);
    return pair;
  }
  static constexpr int by_driver = 100;  // of ranks, above what constraints a joint has
  const double* data_of(const system::Elements& elements, int element) const {
    return data_.packed.data() + elements.batch.data_offset +
           static_cast<std::size_t>(element * elements.kernel->data_count());
  }

  const system::System& system_;
  const system::Data& data_;
  const double* q_;
  Tree tree_;
  std::vector<Link> bodies_;
  std::map<int, int> number_;                       // of a body, by its first coordinate
  std::vector<const system::Elements*> relations_;  // of the drives

 private:
  Own& own() { return static_cast<Own&>(*this); }

  /// From the ground outwards.
  bool grow() {
    std::vector<std::pair<int, int>> ends;
    std::vector<int> ranks;
    std::vector<const Pair*> joints;
    for (const auto& [of, pair] : pairs_) {
      const auto& [first, second, name] = of;
      ends.emplace_back(first, second);
      ranks.push_back(own().rank(pair, second, first));
      joints.push_back(&pair);
    }
    const auto [branches, cuts] = grow_branches(static_cast<int>(bodies_.size()), ends, ranks);
    for (const int joint : cuts) own().add_cut(*joints[static_cast<std::size_t>(joint)]);
    for (const Branch& branch : branches) {
      Link link = bodies_[static_cast<std::size_t>(branch.body)];
      link.parent = branch.parent;
      const int from =
          branch.parent == Link::ground ? Link::ground : branches[static_cast<std::size_t>(branch.parent)].body;
      if (branch.joint != Branch::no_joint) {
        const Pair& pair = *joints[static_cast<std::size_t>(branch.joint)];
        if (!own().set_joint(link, pair, branch.body, from)) {
          return fail(pair.name + ", is none of a joint alone that trees may have");
        }
      }
      tree_.links.push_back(std::move(link));
    }
    return true;
  }

  /// Which joints the drivers drive. All others close loops.
  void set_drives() {
    const std::vector<Drive> all = std::exchange(tree_.drives, {});
    for (std::size_t d = 0; d < all.size(); ++d) {
      tree_.drives.push_back(all[d]);
      if (own().set_drive(static_cast<int>(tree_.drives.size()) - 1)) continue;
      tree_.drives.pop_back();
      tree_.cuts.push_back(single(*relations_[d], 0));
    }
  }

  std::string why_;
  std::map<std::tuple<int, int, std::string>, Pair> pairs_;
  std::vector<system::Elements> elements_;  // which ties point into
};

}  // namespace perilune::formulation
