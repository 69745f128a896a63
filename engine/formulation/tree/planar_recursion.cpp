// SPDX-License-Identifier: MIT
#include "formulation/tree/planar_recursion.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "profile.hpp"

namespace perilune::formulation {

namespace {

using Eigen::Matrix2d, Eigen::Matrix3d, Eigen::Vector2d, Eigen::Vector3d;
using PlanarJoint = PlanarLink::Joint;

/// As in ReducedMotion: a dependent coordinate that moves this many times as fast as an independent one is reason to
/// choose anew.
constexpr double largest_good_planar_slope = 1.5;
/// Inertia of a joint's own motion below this part of that of its link is rounding: there is none.
constexpr double least_planar_inertia = 1e-13;

/// A quarter turn on.
Vector2d turned(const Vector2d& x) { return {-x.y(), x.x()}; }
Vector2d pair_at(const double* x) { return {x[0], x[1]}; }

Matrix2d axes_at(double theta) {
  const double c = std::cos(theta), s = std::sin(theta);
  Matrix2d A;
  A << c, -s, s, c;
  return A;
}

/// Moves motions from the reference point of a link to another one of it.
Matrix3d shift(const Vector2d& by) {
  Matrix3d X = Matrix3d::Identity();
  X.block<2, 1>(1, 0) = turned(by);
  return X;
}

}  // namespace

PlanarRecursion::PlanarRecursion(std::shared_ptr<const system::System> system, std::shared_ptr<const system::Data> data,
                                 PlanarTree tree)
    : system_(std::move(system)),
      data_(std::move(data)),
      tree_(std::move(tree)),
      chosen_(tree_.links.size(), 0),
      states_(tree_.links.size()),
      forces_(*system_, tree_.forces) {
  for (const PlanarLink& link : tree_.links) {
    const int first = link.joint == PlanarJoint::Hinge ? 2 : 0;  // else searches begin at positions
    for (int i = first; i < 3; ++i) proposed_.push_back(link.body + i);
  }
  std::sort(proposed_.begin(), proposed_.end());
}

Vector2d PlanarRecursion::along(const PlanarLink& link, const double* q) const {
  if (link.parent == PlanarLink::ground) return link.along;
  return axes_at(q[tree_.links[static_cast<std::size_t>(link.parent)].body + 2]) * link.along;
}

std::optional<std::vector<int>> PlanarRecursion::choose(const Node& x) {
  const double* q = x.q;
  std::vector<int> out;
  for (const PlanarLink& link : tree_.links) {
    if (link.joint == PlanarJoint::Free) out.insert(out.end(), {link.body, link.body + 1});
    if (link.joint == PlanarJoint::Free || (link.joint == PlanarJoint::Hinge && link.is_free_to_move())) {
      out.push_back(link.body + 2);
    }
    if (!is_by_component(link)) continue;
    const Vector2d line = along(link, q);
    out.push_back(link.body + (std::abs(line.y()) > std::abs(line.x()) ? 1 : 0));
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool PlanarRecursion::serves(const Node& x) {
  const double* q = x.q;
  for (std::size_t k = 0; k < tree_.links.size(); ++k) {
    if (!is_by_component(tree_.links[k])) continue;
    const Vector2d line = along(tree_.links[k], q);
    const int i = chosen_[k];
    if (!(std::abs(line[1 - i]) <= largest_good_planar_slope * std::abs(line[i]))) return false;
  }
  return true;
}

void PlanarRecursion::set(const std::vector<int>& independent) {
  for (std::size_t k = 0; k < tree_.links.size(); ++k) {
    if (!is_by_component(tree_.links[k])) continue;
    chosen_[k] = std::binary_search(independent.begin(), independent.end(), tree_.links[k].body) ? 0 : 1;
  }
}

void PlanarRecursion::place(std::size_t k, const Node& x) {
  const PlanarLink& link = tree_.links[k];
  State& s = states_[k];
  double *q = x.q + link.body, *v = x.v + link.body;
  const State* parent = parent_of(link);
  if (link.joint == PlanarJoint::Slide || link.joint == PlanarJoint::Weld) {
    const int theta = parent ? tree_.links[static_cast<std::size_t>(link.parent)].body + 2 : -1;
    q[2] = link.angle + (parent ? x.q[theta] : 0);
    v[2] = parent ? x.v[theta] : 0;
  }
  if (q[2] != s.angle) {
    s.A = axes_at(q[2]);
    s.angle = q[2];
  }
  s.omega = v[2];
  s.c = s.A * link.centre;
  if (link.joint == PlanarJoint::Free) {
    s.r = pair_at(q);
    s.v = pair_at(v);
    return;
  }
  s.u = s.A * link.on_link;
  Vector2d u_parent = parent ? Vector2d(parent->A * link.on_parent) : link.on_parent, slip = Vector2d::Zero(), line;
  const double omega = parent ? parent->omega : 0;
  int i = chosen_[k];
  s.offset.setZero();
  if (link.joint == PlanarJoint::Slide) {
    line = parent ? Vector2d(parent->A * link.along) : link.along;
    if (!is_by_component(link)) i = std::abs(line.y()) > std::abs(line.x()) ? 1 : 0;
    s.offset = (q[i] - (parent ? parent->r[i] : 0) - u_parent[i] + s.u[i]) / line[i] * line;
    u_parent += s.offset;
  }
  s.from_parent = u_parent - s.u;
  s.r = s.from_parent;
  s.v = omega * turned(u_parent) - s.omega * turned(s.u);
  if (parent) {
    s.r += parent->r;
    s.v += parent->v;
  }
  if (link.joint == PlanarJoint::Slide) {
    slip = (v[i] - s.v[i]) / line[i] * line;
    s.v += slip;
    s.r[i] = q[i];
    s.v[i] = v[i];
  }
  std::copy_n(s.r.data(), 2, q);
  std::copy_n(s.v.data(), 2, v);
  s.S.setZero();
  if (link.joint == PlanarJoint::Hinge) s.S << 1, -turned(s.u);
  if (link.joint == PlanarJoint::Slide) s.S << 0, line;
  s.of_motion << 0, s.omega * s.omega * s.u - omega * omega * u_parent + 2 * omega * turned(slip);
}

/// A link whose driver says where its joint is, by Newton's method, and the acceleration that this asks for.
bool PlanarRecursion::drive(std::size_t k, const Node& x) {
  const PlanarLink& link = tree_.links[k];
  State& s = states_[k];
  Drive& driver = tree_.drives[static_cast<std::size_t>(link.drive)];
  for (int step = 0;; ++step) {
    place(k, x);
    driver.evaluate(x.t, x.q, x.v, *data_);
    double by_place[3];
    driver.slopes<3>(link.body, by_place);
    s.slopes << by_place[2], by_place[0], by_place[1];
    s.by_joint = s.slopes.dot(s.S);
    const DriveStep left{driver.value() / s.by_joint, driver.rate() / s.by_joint};
    if (!std::isfinite(left.position + left.velocity) || step == most_drive_steps) return false;
    int i = link.body + 2;
    double weight = 1;
    if (link.joint == PlanarJoint::Slide) {
      const int component = std::abs(s.S[2]) > std::abs(s.S[1]) ? 1 : 0;
      i = link.body + component;
      weight = s.S[1 + component];
    }
    if (left.is_small(x.q[i], x.v[i], step)) break;
    x.q[i] -= weight * left.position;
    x.v[i] -= weight * left.velocity;
  }
  s.of_motion -= (driver.bias() + s.slopes.dot(s.of_motion)) / s.by_joint * s.S;
  return true;
}

bool PlanarRecursion::complete(const Node& x) {
  for (std::size_t k = 0; k < tree_.links.size(); ++k) {
    if (tree_.links[k].drive == PlanarLink::not_driven) {
      place(k, x);
    } else if (!drive(k, x)) {
      return false;
    }
  }
  return true;
}

void PlanarRecursion::load(const PlanarLink& link, State& s) {
  const double* pull = forces_.at(link.body);
  const Vector2d arm = link.mass * turned(s.c);
  s.inertia << link.inertia + link.mass * s.c.squaredNorm(), arm.x(), arm.y(),  //
      arm.x(), link.mass, 0,                                                    //
      arm.y(), 0, link.mass;
  const Vector2d inertial = -link.mass * (s.omega * s.omega * s.c + link.gravity);
  s.bias << turned(s.c).dot(inertial) - pull[2], inertial - pair_at(pull);
}

void PlanarRecursion::load(const Node& x) {
  forces_.evaluate(x, *data_);
  for (std::size_t k = 0; k < states_.size(); ++k) load(tree_.links[k], states_[k]);
}

bool PlanarRecursion::gather() {
  for (std::size_t k = states_.size(); k-- > 0;) {
    if (!gather(tree_.links[k], states_[k])) return false;
  }
  return true;
}

/// Adds a link's articulated inertia to that of its parent.
bool PlanarRecursion::gather(const PlanarLink& link, State& s) {
  if (link.joint == PlanarJoint::Free) return true;
  const bool moves = link.is_free_to_move();
  if (moves) {
    s.U = s.inertia * s.S;
    s.D = s.S.dot(s.U);
    const double mass = s.inertia(1, 1) + s.inertia(2, 2),
                 part = link.joint == PlanarJoint::Hinge ? s.inertia(0, 0) + s.u.squaredNorm() * mass : mass;
    if (!(s.D > least_planar_inertia * part)) return false;
    s.push = -s.S.dot(s.bias);
  }
  if (link.parent == PlanarLink::ground) return true;
  Matrix3d inertia = s.inertia;
  Vector3d bias = s.bias;
  if (moves) {
    inertia.noalias() -= s.U * (s.U.transpose() / s.D);
    bias += s.U * (s.push / s.D);
  }
  bias += inertia * s.of_motion;
  State& parent = states_[static_cast<std::size_t>(link.parent)];
  const Matrix3d X = shift(s.from_parent);
  parent.inertia.noalias() += X.transpose() * inertia * X;
  parent.bias.noalias() += X.transpose() * bias;
  return true;
}

bool PlanarRecursion::accelerate(const PlanarLink& link, State& s, const Node& x) {
  if (link.joint == PlanarJoint::Free) {
    const Eigen::LLT<Matrix3d> factors(s.inertia);
    if (factors.info() != Eigen::Success) return false;
    const Vector3d pivots = factors.matrixLLT().diagonal().cwiseAbs2();
    if (!(pivots.cwiseQuotient(s.inertia.diagonal()).minCoeff() > least_planar_inertia)) return false;
    s.acceleration = factors.solve(-s.bias);
  } else {
    s.acceleration = s.of_motion;
    if (const State* parent = parent_of(link)) {
      s.acceleration += parent->acceleration;
      s.acceleration.tail<2>() += parent->acceleration[0] * turned(s.from_parent);
    }
    if (link.is_free_to_move()) s.acceleration += (s.push - s.U.dot(s.acceleration)) / s.D * s.S;
  }
  double* a = x.a + link.body;
  a[0] = s.acceleration[1];
  a[1] = s.acceleration[2];
  a[2] = s.acceleration[0];
  return std::isfinite(s.acceleration.sum());
}

void PlanarRecursion::find_multipliers(const PlanarLink& link, const State& s, const Node& x) const {
  if (link.joint == PlanarJoint::Free) return;
  Vector3d load = s.inertia * s.acceleration + s.bias;
  if (link.drive != PlanarLink::not_driven) {
    const double lambda = -s.S.dot(load) / s.by_joint;
    x.lambda[tree_.drives[static_cast<std::size_t>(link.drive)].multiplier()] = lambda;
    load += lambda * s.slopes;  // what is left to the other constraints
  }
  const Vector2d force = load.tail<2>();
  const State* parent = parent_of(link);
  for (const PlanarLink::Reaction& each : link.forces) {
    Vector2d direction = each.direction;
    if (each.frame == PlanarLink::Frame::Link) direction = s.A * direction;
    if (each.frame == PlanarLink::Frame::Parent && parent) direction = parent->A * direction;
    x.lambda[each.multiplier] = force.dot(direction);
  }
  if (link.joint == PlanarJoint::Hinge) return;
  const Vector2d arm = link.pushes_own_place ? s.u : Vector2d(s.u - s.offset);
  x.lambda[link.torque] = link.torque_sign * (load[0] - turned(arm).dot(force));
}

bool PlanarRecursion::point(const Node& x, bool with_multipliers) {
  const TimedTask timed(Task::Recursion);
  if (!complete(x)) return false;
  load(x);
  if (!gather()) return false;
  const std::size_t count = tree_.links.size();
  for (std::size_t k = 0; k < count; ++k) {
    if (!accelerate(tree_.links[k], states_[k], x)) return false;
  }
  for (std::size_t k = 0; with_multipliers && k < count; ++k) find_multipliers(tree_.links[k], states_[k], x);
  return true;
}

}  // namespace perilune::formulation
