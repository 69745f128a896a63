// SPDX-License-Identifier: MIT
#include "formulation/tree/joint_tree.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "formulation/tree/joint_axes.hpp"
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

class Finder {
 public:
  Finder(const system::System& system, const system::Data& data, const double* q)
      : system_(system), data_(data), q_(q) {}

  std::variant<JointTree, std::string> find() {
    if (system_.is_implicit()) return system_.implicit_element() + " reads accelerations or reactions";
    if (system_.constrains_velocities()) return std::string("a constraint is on velocities");
    // Bodies first, as what joins them refers to them.
    elements_ = system_.elements();
    for (const system::Elements& each : elements_) add_bodies(each);
    for (const system::Elements& each : elements_) {
      if (!add(each)) return why_;
    }
    if (!grow() || !covers_all()) return why_;
    return std::move(tree_);
  }

 private:
  bool fail(std::string why) {
    why_ = std::move(why);
    return false;
  }

  void add_bodies(const system::Elements& elements) {
    const What what = what_is(*elements.kernel);
    if (what != What::Body && what != What::BodyWithOffset) return;
    const int nd = elements.kernel->data_count();
    for (int e = 0; e < elements.batch.count; ++e) {
      const double* d = data_.packed.data() + elements.batch.data_offset + static_cast<std::size_t>(e * nd);
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

  bool add(const system::Elements& elements) {
    const model::Kernel& kernel = *elements.kernel;
    const model::Batch& batch = elements.batch;
    const What what = what_is(kernel);
    const int nq = kernel.coordinate_count(), nc = kernel.constraint_count();
    if (what == What::Other) {
      if (nc == 0)
        return fail("\"" + system_.coordinate_name(batch.coordinates.front()) + "\" is not of a spatial body");
      return fail("the constraint of " + system_.describe_constraint(batch.multipliers.front()) +
                  ", is none of a hinge, slide, sleeve, ball joint or weld");
    }
    if (what == What::Force) {
      tree_.forces.push_back(elements);
      return true;
    }
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
      Pair& pair = pairs_[{std::min(first, second), std::max(first, second)}];
      if (pair.name.empty()) pair.name = system_.describe_constraint(lambda[0]);
      auto& list = is_turn                   ? pair.turns
                   : what == What::Direction ? pair.directions
                   : what == What::Offset    ? pair.offsets
                                             : pair.coincidences;
      list.push_back({lambda,
                      data_.packed.data() + batch.data_offset + static_cast<std::size_t>(e * kernel.data_count()),
                      is_turn ? q[last] : -1, first, second});
    }
    return true;
  }

  /// From the ground outwards; what the ground does not reach begins with its first body.
  bool grow() {
    std::vector<int> place(bodies_.size(), -2);  // of each body among the links
    std::vector<int> open;
    std::map<int, std::vector<std::pair<const std::pair<int, int>, Pair>*>> pairs_of;  // by either end
    for (auto& each : pairs_) {
      pairs_of[each.first.first].push_back(&each);
      pairs_of[each.first.second].push_back(&each);
    }
    auto reach = [&](int body, int parent) {
      bodies_[static_cast<std::size_t>(body)].parent = parent;
      place[static_cast<std::size_t>(body)] = static_cast<int>(tree_.links.size());
      tree_.links.push_back(bodies_[static_cast<std::size_t>(body)]);
      open.push_back(body);
    };
    auto follow = [&](int from) {
      for (auto* each : pairs_of[from]) {
        auto& [ends, pair] = *each;
        if (pair.is_used) continue;
        const int to = ends.first == from ? ends.second : ends.first;
        if (place[static_cast<std::size_t>(to)] >= 0) return fail(pair.name + ", closes a loop");
        pair.is_used = true;
        reach(to, from == Link::ground ? Link::ground : place[static_cast<std::size_t>(from)]);
        if (!set_joint(tree_.links.back(), pair, to, parameters(to), parameters(from))) {
          return fail(pair.name + ", is none of a hinge, slide, sleeve, ball joint or weld alone");
        }
      }
      return true;
    };
    if (!follow(Link::ground)) return false;
    std::size_t next = 0;
    for (std::size_t body = 0;; ++body) {
      for (; next < open.size(); ++next) {
        if (!follow(open[next])) return false;
      }
      while (body < bodies_.size() && place[body] >= 0) ++body;
      if (body >= bodies_.size()) return true;
      reach(static_cast<int>(body), Link::ground);
    }
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
    int constraints = 0;
    for (const Link& link : tree_.links) {
      std::fill_n(has_coordinate.begin() + link.body, 7, 1);
      constraints += 1 + static_cast<int>(link.forces.size() + link.torques.size()) + (link.turns() ? 1 : 0);
      if (link.turns()) has_coordinate[static_cast<std::size_t>(link.angle)] = 1;
    }
    for (std::size_t i = 0; i < has_coordinate.size(); ++i) {
      if (!has_coordinate[i]) {
        return fail("\"" + system_.coordinate_name(static_cast<int>(i)) + "\" is not of a body or a hinge");
      }
    }
    return constraints == system_.constraint_count() || fail("a body has more constraints than its joint");
  }

  const system::System& system_;
  const system::Data& data_;
  const double* q_;
  JointTree tree_;
  std::string why_;
  std::vector<Link> bodies_;
  std::map<int, int> number_;  // of a body, by its first coordinate
  std::map<std::pair<int, int>, Pair> pairs_;
  std::vector<system::Elements> elements_;  // which ties point into
};

}  // namespace

std::variant<JointTree, std::string> joint_tree(const system::System& system, const system::Data& data,
                                                const double* q) {
  return Finder(system, data, q).find();
}

}  // namespace perilune::formulation
