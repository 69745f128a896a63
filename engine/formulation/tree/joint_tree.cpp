// SPDX-License-Identifier: MIT
#include "formulation/tree/joint_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "model/element/registry.hpp"

namespace perilune::formulation {

namespace {

using Eigen::Matrix3d, Eigen::Quaterniond, Eigen::Vector3d;

constexpr double rounding = 1e-12;  // of unit vectors that parameters may have computed

/// One of a pair's constraints.
struct Tie {
  const int* multipliers;
  const double* data;
  int angle;   // the last coordinate, of a turn
  int second;  // the number of its second body
};

/// What joins two bodies, or a body to the ground: bodies by number, the first may be the ground.
struct Pair {
  std::string name;
  std::vector<Tie> coincidences, directions, turns;
  bool is_used = false;
};

enum class What { Body, BodyWithOffset, Normalization, Coincidence, Direction, Turn, Force, Other };

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
    }
    return map;
  }();
  const auto found = known.find(&kernel);
  if (found != known.end()) return found->second;
  return kernel.has_mass() || kernel.constraint_count() > 0 ? What::Other : What::Force;
}

Vector3d vector_at(const double* data) { return {data[0], data[1], data[2]}; }

/// The frame with these axes as columns.
Matrix3d frame(const Vector3d& x, const Vector3d& y, const Vector3d& z) {
  Matrix3d out;
  out << x, y, z;
  return out;
}

class Finder {
 public:
  Finder(const system::System& system, const system::Data& data) : system_(system), data_(data) {}

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
      if (nc == 0) return fail("\"" + system_.coordinate_name(batch.coordinates.front()) + "\" is not of a spatial body");
      return fail("the constraint of " + system_.describe_constraint(batch.multipliers.front()) +
                  " is none of a hinge or a ball joint");
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
      const int last = nq - (is_turn ? 1 : 0), second = number_.at(q[last - 7]),
                first = last == 14 ? number_.at(q[0]) : Link::ground;
      Pair& pair = pairs_[{std::min(first, second), std::max(first, second)}];
      if (pair.name.empty()) pair.name = system_.describe_constraint(lambda[0]);
      auto& list = is_turn ? pair.turns : what == What::Direction ? pair.directions : pair.coincidences;
      list.push_back({lambda,
                      data_.packed.data() + batch.data_offset + static_cast<std::size_t>(e * kernel.data_count()),
                      is_turn ? q[last] : -1, second});
    }
    return true;
  }

  /// From the ground outwards; what the ground does not reach begins with its first body.
  bool grow() {
    std::vector<int> place(bodies_.size(), -2);  // of each body among the links
    std::vector<int> open;
    auto reach = [&](int body, int parent) {
      bodies_[static_cast<std::size_t>(body)].parent = parent;
      place[static_cast<std::size_t>(body)] = static_cast<int>(tree_.links.size());
      tree_.links.push_back(bodies_[static_cast<std::size_t>(body)]);
      open.push_back(body);
    };
    auto follow = [&](int from) {
      for (auto& [ends, pair] : pairs_) {
        if (pair.is_used || (ends.first != from && ends.second != from)) continue;
        const int to = ends.first == from ? ends.second : ends.first;
        if (place[static_cast<std::size_t>(to)] >= 0) return fail(pair.name + " closes a loop");
        pair.is_used = true;
        reach(to, from == Link::ground ? Link::ground : place[static_cast<std::size_t>(from)]);
        if (!set_joint(tree_.links.back(), pair, to, from)) return false;
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

  bool set_joint(Link& link, const Pair& pair, int body, int parent) {
    const std::size_t directions = pair.directions.size(), turns = pair.turns.size();
    if (pair.coincidences.size() != 1 || !((directions == 2 && turns == 1) || (directions == 0 && turns == 0))) {
      return fail(pair.name + " is neither a hinge nor a ball joint alone");
    }
    const Tie& tie = pair.coincidences.front();
    std::copy_n(tie.multipliers, 3, link.coincidence);
    link.is_second = tie.second == body;
    const Vector3d first = vector_at(tie.data), second = vector_at(tie.data + 3);
    link.on_link = link.is_second ? second : first;
    link.on_parent = link.is_second ? first : second;
    link.joint = turns == 0 ? Link::Joint::Ball : Link::Joint::Hinge;
    return turns == 0 || set_hinge(link, pair, body, parent);
  }

  bool set_hinge(Link& link, const Pair& pair, int body, int parent) {
    const Tie& turn = pair.turns.front();
    link.angle = turn.angle;
    link.turn = turn.multipliers[0];
    const Vector3d f = vector_at(turn.data), g = vector_at(turn.data + 3), h = vector_at(turn.data + 6);
    // Of the two directions of each constraint, one is the same in both: the axis of its body.
    const Tie &one = pair.directions[0], &two = pair.directions[1];
    if (one.second != two.second) return unusual(pair);
    const bool link_is_second = one.second == body;
    const Vector3d f1 = vector_at(one.data), f2 = vector_at(two.data), g1 = vector_at(one.data + 3),
                   g2 = vector_at(two.data + 3);
    const bool first_has_axis = (f1 - f2).norm() < rounding, second_has_axis = (g1 - g2).norm() < rounding;
    if (first_has_axis == second_has_axis) return unusual(pair);
    const Vector3d &x = first_has_axis ? g1 : f1, &y = first_has_axis ? g2 : f2, &axis = first_has_axis ? f1 : g1;
    const bool axis_is_on_link = first_has_axis != link_is_second;  // x and y are on the other body
    // The axis of the turn, f x g, is on the body with f and g; the axis of the body with h is the other's.
    const bool h_is_on_link = turn.second == body;
    const Vector3d own = f.cross(g), others = axis_is_on_link == h_is_on_link ? axis : Vector3d(x.cross(y));
    const Vector3d plain = axis_is_on_link == h_is_on_link ? Vector3d(x.cross(y)) : axis;  // along own, or against it
    auto is_unit = [](const Vector3d& v) { return std::abs(v.norm() - 1) < rounding; };
    const bool is_orthonormal = is_unit(f) && is_unit(g) && is_unit(h) && is_unit(axis) && is_unit(x) && is_unit(y) &&
                                std::abs(f.dot(g)) < rounding && std::abs(x.dot(y)) < rounding &&
                                std::abs(h.dot(others)) < rounding && own.cross(plain).norm() < rounding &&
                                std::abs(one.data[6]) < rounding && std::abs(two.data[6]) < rounding;
    if (!is_orthonormal) return unusual(pair);
    const int other_sign = sign_of_axes(h_is_on_link ? parent : body, own, h_is_on_link ? body : parent, others);
    if (other_sign == 0) return unusual(pair);
    const Vector3d z = other_sign * others;  // of the body with h, along f x g
    const Quaterniond turning(frame(f, g, own)), turned(frame(h, z.cross(h), z));
    if (h_is_on_link) {
      link.before = turning;
      link.after = turned.conjugate();
      link.sense = 1;
    } else {
      link.before = turned;
      link.after = turning.conjugate();
      link.sense = -1;
    }
    link.axis = link.sense * (link.before * Vector3d::UnitZ());
    set_torques(link, {&one, &two}, x, y, axis_is_on_link, first_has_axis, link_is_second);
    return true;
  }

  /// Whether these axes, each of its body, lie along each other as declared (1), or against each other (-1).
  int sign_of_axes(int body_of_one, const Vector3d& one, int body_of_other, const Vector3d& other) const {
    auto in_space = [&](const Vector3d& v, int body) -> Vector3d {
      if (body == Link::ground) return v;
      const double* p = data_.initial_q.data() + bodies_[static_cast<std::size_t>(body)].body + 3;
      return Quaterniond(p[0], p[1], p[2], p[3]).normalized() * v;
    };
    const double product = in_space(one, body_of_one).dot(in_space(other, body_of_other));
    if (std::abs(product) < 0.5) return 0;  // as declared the joint is far from closed
    return product > 0 ? 1 : -1;
  }

  static void set_torques(Link& link, const std::array<const Tie*, 2>& ties, const Vector3d& x, const Vector3d& y,
                          bool axis_is_on_link, bool first_has_axis, bool link_is_second) {
    // -lambda (g x f) acts on the second body, its opposite on the first. The axis is the same vector in both bodies, up
    // to its sign, so that the product stays with the body that has x and y.
    const bool is_on_link = !axis_is_on_link;
    const Matrix3d to_parent = (link.before * link.after).toRotationMatrix();  // at theta = 0
    const Vector3d axis_on_link = to_parent.transpose() * link.axis;
    const double* data = ties[0]->data;
    const Vector3d axis = vector_at(first_has_axis ? data : data + 3);
    // `axis` where x and y are: along link.axis or against it, as it is on its own body.
    const Vector3d there = axis_is_on_link ? link.axis * (axis.dot(axis_on_link) > 0 ? 1.0 : -1.0)
                                           : axis_on_link * (axis.dot(link.axis) > 0 ? 1.0 : -1.0);
    for (std::size_t k = 0; k < 2; ++k) {
      const Vector3d& normal = k == 0 ? x : y;
      const Vector3d product = first_has_axis ? there.cross(normal) : normal.cross(there);  // f x g
      link.directions[k] = {ties[k]->multipliers[0], (link_is_second ? 1 : -1) * product, is_on_link};
    }
  }

  bool unusual(const Pair& pair) { return fail("the axes of " + pair.name + " are not those of a hinge"); }

  /// Whether links have all coordinates and constraints of the system.
  bool covers_all() {
    std::vector<char> has_coordinate(static_cast<std::size_t>(system_.coordinate_count()), 0);
    int constraints = 0;
    for (const Link& link : tree_.links) {
      std::fill_n(has_coordinate.begin() + link.body, 7, 1);
      constraints += link.joint == Link::Joint::Free ? 1 : link.joint == Link::Joint::Ball ? 4 : 7;
      if (link.joint == Link::Joint::Hinge) has_coordinate[static_cast<std::size_t>(link.angle)] = 1;
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
  JointTree tree_;
  std::string why_;
  std::vector<Link> bodies_;
  std::map<int, int> number_;  // of a body, by its first coordinate
  std::map<std::pair<int, int>, Pair> pairs_;
  std::vector<system::Elements> elements_;  // which ties point into
};

}  // namespace

std::variant<JointTree, std::string> joint_tree(const system::System& system, const system::Data& data) {
  return Finder(system, data).find();
}

}  // namespace perilune::formulation
