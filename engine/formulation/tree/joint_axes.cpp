// SPDX-License-Identifier: MIT
#include "formulation/tree/joint_axes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace perilune::formulation {

namespace {

using Eigen::Matrix3d, Eigen::Quaterniond, Eigen::Vector3d;
using Joint = Link::Joint;

constexpr double rounding = 1e-12;  // of unit vectors that parameters may have computed

bool is_same(const Vector3d& a, const Vector3d& b) { return (a - b).norm() < rounding; }
bool is_unit(const Vector3d& v) { return std::abs(v.norm() - 1) < rounding; }
bool are_normal(const Vector3d& a, const Vector3d& b) { return std::abs(a.dot(b)) < rounding; }
bool is_frame(const Vector3d& x, const Vector3d& y) { return is_unit(x) && is_unit(y) && are_normal(x, y); }
Vector3d normal_to(const Vector3d& z) { return z.unitOrthogonal(); }
Matrix3d frame(const Vector3d& x, const Vector3d& z) {
  Matrix3d out;
  out << x, z.cross(x), z;
  return out;
}

/// The two directions of a dot-1 constraint, by body. By its multiplier f x g acts on the second body and its opposite
/// on the first: on the link always on_parent x on_link.
struct Direction {
  Vector3d on_link, on_parent;
  int multiplier;
};

class Axes {
 public:
  Axes(Link& link, const Pair& pair, int body, const Quaterniond& p_link, const Quaterniond& p_parent)
      : link_(link), pair_(pair), body_(body), p_link_(p_link), p_parent_(p_parent) {}

  bool set() {
    using Counts = std::array<std::size_t, 4>;
    const Counts counts{pair_.coincidences.size(), pair_.directions.size(), pair_.turns.size(), pair_.offsets.size()};
    struct Known {
      Joint joint;
      Counts counts;
    };
    static constexpr std::array<Known, 7> all{{{Joint::Ball, {1, 0, 0, 0}},
                                               {Joint::Cross, {1, 1, 0, 0}},
                                               {Joint::Hinge, {1, 2, 1, 0}},
                                               {Joint::Weld, {1, 3, 0, 0}},
                                               {Joint::Slide, {0, 3, 0, 2}},
                                               {Joint::Sleeve, {0, 2, 1, 2}},
                                               {Joint::Table, {0, 2, 0, 1}}}};
    const auto* known = std::find_if(all.begin(), all.end(), [&](const Known& k) { return k.counts == counts; });
    if (known == all.end()) return false;
    link_.joint = known->joint;
    read_directions();
    set_place();
    switch (link_.joint) {
      case Joint::Cross:
        return set_cross();
      case Joint::Hinge:
        return set_turn();
      case Joint::Weld:
        return set_orientation();
      case Joint::Slide:
        return set_orientation() && set_slide();
      case Joint::Sleeve:
        return set_turn() && set_slide();
      case Joint::Table:
        return set_table();
      default:
        return true;
    }
  }

 private:
  bool is_second(const Tie& tie) const { return tie.second == body_; }
  Vector3d on_link(const Tie& tie) const { return vector_at(tie.data + (is_second(tie) ? 3 : 0)); }
  Vector3d on_parent(const Tie& tie) const { return vector_at(tie.data + (is_second(tie) ? 0 : 3)); }

  void read_directions() {
    for (const Tie& tie : pair_.directions) {
      directions_.push_back({on_link(tie), on_parent(tie), tie.multipliers[0]});
      is_plain_ = is_plain_ && std::abs(tie.data[6]) < rounding;
    }
  }

  void set_place() {
    if (pair_.coincidences.empty()) return;
    const Tie& tie = pair_.coincidences.front();
    link_.on_link = on_link(tie);
    link_.on_parent = on_parent(tie);
    for (int k = 0; k < 3; ++k) {
      link_.forces.push_back({tie.multipliers[k], (is_second(tie) ? -1 : 1) * Vector3d::Unit(k), Link::Frame::Space});
    }
  }

  /// Two vectors of these bodies point the same way (1), the opposite (-1), or neither.
  int sign_of(const Vector3d& on_link, const Vector3d& on_parent) const {
    const double product = (p_link_ * on_link).dot(p_parent_ * on_parent);
    return std::abs(product) < 0.5 ? 0 : product > 0 ? 1 : -1;
  }

  /// Of two dot-1 constraints: the axis of the body whose direction is in both, and x, y of the other body.
  bool find_axis(const Direction& one, const Direction& two) {
    const bool link_has = is_same(one.on_link, two.on_link), parent_has = is_same(one.on_parent, two.on_parent);
    if (link_has == parent_has) return false;
    axis_is_on_link_ = link_has;
    const Vector3d &x = link_has ? one.on_parent : one.on_link, &y = link_has ? two.on_parent : two.on_link;
    const Vector3d &own = link_has ? one.on_link : one.on_parent, others = x.cross(y);
    if (!is_frame(x, y) || !is_unit(own)) return false;
    axis_on_link_ = link_has ? own : others;
    axis_on_parent_ = link_has ? others : own;
    axis_sign_ = sign_of(axis_on_link_, axis_on_parent_);
    return axis_sign_ != 0;
  }

  bool set_turn() {
    if (!is_plain_ || !find_axis(directions_[0], directions_[1])) return false;
    const Tie& tie = pair_.turns.front();
    link_.angle = tie.angle;
    link_.turn = tie.multipliers[0];
    const Vector3d f = vector_at(tie.data), g = vector_at(tie.data + 3), h = vector_at(tie.data + 6), z = f.cross(g);
    const bool h_is_on_link = is_second(tie);
    Vector3d own = h_is_on_link ? axis_on_parent_ : axis_on_link_;  // along z, or against it
    Vector3d others = h_is_on_link ? axis_on_link_ : axis_on_parent_;
    if (!is_frame(f, g) || !is_unit(h) || !are_normal(h, others) || z.cross(own).norm() > rounding) return false;
    others *= axis_sign_ * (z.dot(own) > 0 ? 1 : -1);
    const Quaterniond turning(frame(f, z)), turned(frame(h, others));
    link_.sense = h_is_on_link ? 1 : -1;
    link_.before = h_is_on_link ? turning : turned;
    link_.after = (h_is_on_link ? turned : turning).conjugate();
    link_.axis = link_.sense * (link_.before * Vector3d::UnitZ());
    set_torques();
    return true;
  }

  /// Of the directions that find_axis() was given.
  void set_torques() {
    // Of each product the axis is the same vector in both bodies, up to its sign: it stays with the body of the other.
    for (const Direction& d : directions_) {
      if (axis_is_on_link_) {
        link_.torques.push_back({d.multiplier, d.on_parent.cross(axis_sign_ * axis_on_parent_), Link::Frame::Parent});
      } else {
        link_.torques.push_back({d.multiplier, (axis_sign_ * axis_on_link_).cross(d.on_link), Link::Frame::Link});
      }
    }
  }

  /// One dot-1 constraint, of the two axes.
  bool set_cross() {
    const Direction& d = directions_[0];
    if (!is_plain_ || !is_unit(d.on_parent) || !is_unit(d.on_link)) return false;
    link_.axis = d.on_parent;
    link_.own_axis = d.on_link;
    link_.before = Quaterniond(frame(normal_to(d.on_parent), d.on_parent));
    link_.after = Quaterniond(frame(normal_to(d.on_link), d.on_link)).conjugate();
    link_.torques.push_back({d.multiplier, Vector3d::Zero(), Link::Frame::Cross});
    return true;
  }

  /// Two dot-1 constraints, and a dot-2 constraint along their axis.
  bool set_table() {
    if (!is_plain_ || !find_axis(directions_[0], directions_[1])) return false;
    const Tie& tie = pair_.offsets.front();
    const bool link_is_b = is_second(tie);
    const Vector3d f = vector_at(tie.data + 6);
    if (!is_unit(f) || tie.data[9] != 0 || f.cross(link_is_b ? axis_on_parent_ : axis_on_link_).norm() > rounding) {
      return false;
    }
    link_.axis = link_.along = axis_on_parent_;
    const Vector3d own = axis_sign_ * axis_on_link_;
    link_.before = Quaterniond(frame(normal_to(link_.axis), link_.axis));
    link_.after = Quaterniond(frame(normal_to(own), own)).conjugate();
    set_torques();
    set_places(tie);
    push_force(tie);
    return true;
  }

  /// Of three dot-1 constraints: two share an axis of one body, two a direction of the other.
  bool set_orientation() {
    if (!is_plain_) return false;
    std::sort(directions_.begin(), directions_.end(),
              [](const Direction& a, const Direction& b) { return a.multiplier < b.multiplier; });
    const Direction &one = directions_[0], &two = directions_[1], &three = directions_[2];
    if (!find_axis(one, two)) return false;
    // The third has y of the body with x and y, and x of the body with the axis.
    const Vector3d &y = axis_is_on_link_ ? two.on_parent : two.on_link,
                   &same = axis_is_on_link_ ? three.on_parent : three.on_link,
                   &x = axis_is_on_link_ ? three.on_link : three.on_parent,
                   &axis = axis_is_on_link_ ? axis_on_link_ : axis_on_parent_;
    if (!is_same(y, same) || !is_frame(x, axis)) return false;
    const Vector3d &x_link = axis_is_on_link_ ? x : one.on_link, &x_parent = axis_is_on_link_ ? one.on_parent : x;
    const int sign = sign_of(x_link, x_parent);
    if (sign == 0) return false;
    const Matrix3d relative =
        frame(x_parent, axis_on_parent_) * frame(sign * x_link, axis_sign_ * axis_on_link_).transpose();
    link_.before = Quaterniond(relative);
    for (const Direction& d : directions_) {
      link_.torques.push_back({d.multiplier, d.on_parent.cross(relative * d.on_link), Link::Frame::Parent});
    }
    return true;
  }

  /// Of two dot-2 constraints, both with the same places and directions of the same body, normal to the axis.
  bool set_slide() {
    const Tie &one = pair_.offsets[0], &two = pair_.offsets[1];
    const Vector3d f = vector_at(one.data + 6), g = vector_at(two.data + 6);
    if (one.first != two.first || !is_same(vector_at(one.data), vector_at(two.data)) ||
        !is_same(vector_at(one.data + 3), vector_at(two.data + 3)) || !is_frame(f, g) || one.data[9] != 0 ||
        two.data[9] != 0) {
      return false;
    }
    const bool link_is_b = is_second(one);
    const Vector3d line = f.cross(g);
    if (line.cross(link_is_b ? axis_on_parent_ : axis_on_link_).norm() > rounding) return false;
    link_.along = axis_on_parent_;
    set_places(one);
    push_force(one);
    push_force(two);
    return true;
  }

  /// Of a constraint like dot-2.
  void set_places(const Tie& tie) {
    link_.on_link = on_link(tie);
    link_.on_parent = on_parent(tie);
    link_.pushes_own_place = is_second(tie);
  }
  void push_force(const Tie& tie) {
    const bool link_is_b = is_second(tie);
    const double sign = link_is_b ? -1 : 1;  // the multiplier is the force along f on a
    link_.forces.push_back(
        {tie.multipliers[0], sign * vector_at(tie.data + 6), link_is_b ? Link::Frame::Parent : Link::Frame::Link});
  }

  Link& link_;
  const Pair& pair_;
  int body_;
  const Quaterniond &p_link_, &p_parent_;
  std::vector<Direction> directions_;
  bool is_plain_ = true;  // all directions are normal to each other
  bool axis_is_on_link_ = false;
  Vector3d axis_on_link_, axis_on_parent_;
  int axis_sign_ = 0;
};

}  // namespace

bool set_joint(Link& link, const Pair& pair, int body, const Quaterniond& p_link, const Quaterniond& p_parent) {
  return Axes(link, pair, body, p_link, p_parent).set();
}

}  // namespace perilune::formulation
