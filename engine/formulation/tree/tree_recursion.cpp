// SPDX-License-Identifier: MIT
#include "formulation/tree/tree_recursion.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/body/spatial_body.hpp"
#include "profile.hpp"

namespace perilune::formulation {

namespace {

using Eigen::Matrix3d, Eigen::Quaterniond, Eigen::Vector3d;
using model::EulerRates;
using Joint = Link::Joint;

/// Inertia of a joint's own motion below this part of that of its link is rounding: there is none.
constexpr double least_inertia = 1e-13;

Matrix3d cross_matrix(const Vector3d& v) {
  Matrix3d out;
  out << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return out;
}

Vector3d at(const double* x) { return {x[0], x[1], x[2]}; }
void put(const Vector3d& v, double* x) { std::copy_n(v.data(), 3, x); }

}  // namespace

TreeRecursion::TreeRecursion(std::shared_ptr<const system::System> system, std::shared_ptr<const system::Data> data,
                             JointTree tree)
    : system_(std::move(system)),
      data_(std::move(data)),
      tree_(std::move(tree)),
      choice_(tree_),
      states_(tree_.links.size()),
      force_(static_cast<std::size_t>(system_->coordinate_count()), 0.0),
      scratch_(system_->scratch_size()) {
  blocks_.force = force_.data();
  blocks_.scratch = scratch_.data();
}

bool TreeRecursion::complete_parameters(const Link& link, int left_out, const Node& x) const {
  double *p = x.q + link.body + 3, *rate = x.v + link.body + 3;
  double rest = 1, product = 0;
  for (int i = 0; i < 4; ++i) {
    if (i == left_out) continue;
    rest -= p[i] * p[i];
    product += p[i] * rate[i];
  }
  if (!(rest > 0)) return false;
  p[left_out] = std::copysign(std::sqrt(rest), p[left_out]);
  rate[left_out] = -product / p[left_out];
  return true;
}

bool TreeRecursion::place(std::size_t k, const Node& x) {
  const Link& link = tree_.links[k];
  State& s = states_[k];
  double *q = x.q + link.body, *v = x.v + link.body, *p = q + 3;
  const State* parent = link.parent == Link::ground ? nullptr : &states_[static_cast<std::size_t>(link.parent)];
  if (link.keeps_parameters()) {
    if (!complete_parameters(link, choice_.chosen(k), x)) return false;
  } else {
    Quaterniond own = link.before;
    if (link.turns()) {
      const double half = 0.5 * link.sense * x.q[link.angle];
      own = own * Quaterniond(std::cos(half), 0, 0, std::sin(half)) * link.after;
    }
    if (parent) {
      const double* e = x.q + tree_.links[static_cast<std::size_t>(link.parent)].body + 3;
      own = Quaterniond(e[0], e[1], e[2], e[3]) * own;
    }
    own.normalize();  // so that rounding does not add up along a chain
    const double sign = own.w() * p[0] + own.x() * p[1] + own.y() * p[2] + own.z() * p[3] < 0 ? -1 : 1;
    p[0] = sign * own.w();
    p[1] = sign * own.x();
    p[2] = sign * own.y();
    p[3] = sign * own.z();
  }
  double A[9];
  model::rotation_matrix(p, A);
  s.A = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(A);
  s.c = s.A * link.centre;
  if (link.keeps_parameters()) {
    Vector3d own;
    EulerRates::times_G(p, v + 3, own.data());
    s.omega = 2 * (s.A * own);
  } else {
    s.omega.setZero();
    if (link.turns()) {
      s.axis = parent ? Vector3d(parent->A * link.axis) : link.axis;
      s.omega = s.axis * x.v[link.angle];
    }
    if (parent) s.omega += parent->omega;
    const Vector3d own = s.A.transpose() * s.omega;
    EulerRates::times_G_transposed(p, own.data(), v + 3);
    for (int i = 0; i < 4; ++i) v[3 + i] *= 0.5;
  }
  if (link.joint == Joint::Free) {
    s.r = at(q);
    s.v = at(v);
    return true;
  }
  s.u = s.A * link.on_link;
  s.u_parent = parent ? Vector3d(parent->A * link.on_parent) : link.on_parent;
  if (link.slides()) {
    s.along = parent ? Vector3d(parent->A * link.along) : link.along;
    const int i = choice_.chosen(k);
    s.distance = (q[i] - (parent ? parent->r[i] : 0) - s.u_parent[i] + s.u[i]) / s.along[i];
    s.u_parent += s.distance * s.along;
  }
  s.from_parent = s.u_parent - s.u;
  s.r = s.from_parent;
  s.v = -s.omega.cross(s.u);
  if (parent) {
    s.r += parent->r;
    s.v += parent->v + parent->omega.cross(s.u_parent);
  }
  if (link.slides()) {
    const int i = choice_.chosen(k);
    s.rate = (v[i] - s.v[i]) / s.along[i];
    s.v += s.rate * s.along;
    s.r[i] = q[i];
    s.v[i] = v[i];
  }
  put(s.r, q);
  put(s.v, v);
  return true;
}

bool TreeRecursion::complete(const Node& x) {
  for (std::size_t k = 0; k < tree_.links.size(); ++k) {
    if (!place(k, x)) return false;
  }
  return true;
}

void TreeRecursion::load(const Link& link, State& s, const Node& x) {
  const double* q = x.q + link.body;
  const double* pull = force_.data() + link.body;
  s.J = s.A * link.inertia * s.A.transpose();
  const Matrix3d cross = cross_matrix(s.c);
  s.B = link.mass * cross;
  s.N = s.J - link.mass * (cross * cross);
  s.M = link.mass * Matrix3d::Identity();
  // The generalized forces of Euler parameters are those of turning: dp = G^T dpi' / 2.
  Vector3d own;
  EulerRates::times_G(q + 3, pull + 3, own.data());
  const Vector3d inertial = link.mass * (s.omega.cross(s.omega.cross(s.c)) - link.gravity);
  s.force = inertial - at(pull);
  s.moment = s.omega.cross(s.J * s.omega) + s.c.cross(inertial) - 0.5 * (s.A * own);
  if (link.joint == Joint::Free) return;
  const State* parent = link.parent == Link::ground ? nullptr : &states_[static_cast<std::size_t>(link.parent)];
  s.of_a = -s.omega.cross(s.omega.cross(s.u));
  s.of_alpha.setZero();
  if (!parent) return;
  s.of_a += parent->omega.cross(parent->omega.cross(s.u_parent));
  if (link.slides()) s.of_a += 2 * s.rate * parent->omega.cross(s.along);
  if (!link.turns()) return;
  s.of_alpha = parent->omega.cross(s.axis) * x.v[link.angle];
  s.of_a -= s.of_alpha.cross(s.u);
}

namespace {

/// [N B; B^T M] less U inverse U^T, and the bias plus U inverse push, of what `freedoms` columns take.
template <int freedoms, class State>
void take_share(const State& s, Matrix3d& N, Matrix3d& B, Matrix3d& M, Vector3d& moment, Vector3d& force) {
  const auto U_moment = s.U_moment.template leftCols<freedoms>(), U_force = s.U_force.template leftCols<freedoms>();
  const Eigen::Matrix<double, freedoms, freedoms> inverse = s.inverse.template topLeftCorner<freedoms, freedoms>();
  const Eigen::Matrix<double, 3, freedoms> of_moment = U_moment * inverse, of_force = U_force * inverse;
  N.noalias() -= of_moment * U_moment.transpose();
  B.noalias() -= of_moment * U_force.transpose();
  M.noalias() -= of_force * U_force.transpose();
  moment += of_moment * s.push.template head<freedoms>();
  force += of_force * s.push.template head<freedoms>();
}

}  // namespace

template <int freedoms>
bool TreeRecursion::find_share(State& s) {
  const auto turn = s.turn.leftCols<freedoms>(), move = s.move.leftCols<freedoms>();
  s.U_moment.leftCols<freedoms>() = s.N * turn + s.B * move;
  s.U_force.leftCols<freedoms>() = s.B.transpose() * turn + s.M * move;
  const Eigen::Matrix<double, freedoms, freedoms> D =
      turn.transpose() * s.U_moment.leftCols<freedoms>() + move.transpose() * s.U_force.leftCols<freedoms>();
  const double turned = s.N.trace() + s.u.squaredNorm() * s.M.trace(), moved = s.M.trace();
  double largest = 1;  // that the determinant could be
  for (int k = 0; k < freedoms; ++k) {
    const double part = turn.col(k).squaredNorm() > 0 ? turned : moved;
    if (!(D(k, k) > least_inertia * part)) return false;
    largest *= D(k, k);
  }
  Eigen::Matrix<double, freedoms, freedoms> inverse;
  bool is_invertible = false;
  double determinant = 0;
  D.computeInverseAndDetWithCheck(inverse, determinant, is_invertible, 0.0);
  if (!is_invertible || !(determinant > least_inertia * largest)) return false;
  s.inverse.topLeftCorner<freedoms, freedoms>() = inverse;
  s.push.head<freedoms>() -= turn.transpose() * s.moment + move.transpose() * s.force;
  return true;
}

/// Adds a link's articulated inertia to that of its parent.
bool TreeRecursion::gather(const Link& link, State& s) {
  if (link.joint == Joint::Free) return true;
  s.push.setZero();
  int column = 0;
  if (link.turns()) {
    s.turn.col(0) = s.axis;
    s.move.col(0) = s.u.cross(s.axis);
    s.push[0] = force_[static_cast<std::size_t>(link.angle)];
    column = 1;
  }
  if (link.slides()) {
    s.turn.col(column).setZero();
    s.move.col(column) = s.along;
  }
  if (link.joint == Joint::Ball) {
    s.turn.setIdentity();
    s.move = cross_matrix(s.u);
  }
  // What is left to the parent: the joint's own motion takes its share.
  const bool is_last = link.parent == Link::ground;
  Matrix3d N = s.N, B = s.B, M = s.M;
  Vector3d moment = s.moment, force = s.force;
  switch (link.joint) {
    case Joint::Free:
    case Joint::Weld:
      break;
    case Joint::Hinge:
    case Joint::Slide:
      if (!find_share<1>(s)) return false;
      if (!is_last) take_share<1>(s, N, B, M, moment, force);
      break;
    case Joint::Sleeve:
      if (!find_share<2>(s)) return false;
      if (!is_last) take_share<2>(s, N, B, M, moment, force);
      break;
    case Joint::Ball:
      if (!find_share<3>(s)) return false;
      if (!is_last) take_share<3>(s, N, B, M, moment, force);
      break;
  }
  if (is_last) return true;
  moment += N * s.of_alpha + B * s.of_a;
  force += B.transpose() * s.of_alpha + M * s.of_a;
  State& parent = states_[static_cast<std::size_t>(link.parent)];
  const Matrix3d cross = cross_matrix(s.from_parent);
  const Matrix3d shifted = B + cross * M;
  parent.M += M;
  parent.B += shifted;
  parent.N += N - B * cross + cross * shifted.transpose();
  parent.force += force;
  parent.moment += moment + s.from_parent.cross(force);
  return true;
}

template <int freedoms>
Eigen::Matrix<double, freedoms, 1> TreeRecursion::move_joint(State& s) {
  const Eigen::Matrix<double, freedoms, 1> rest = s.push.head<freedoms>() -
                                                  s.U_moment.leftCols<freedoms>().transpose() * s.alpha -
                                                  s.U_force.leftCols<freedoms>().transpose() * s.a;
  Eigen::Matrix<double, freedoms, 1> second = s.inverse.topLeftCorner<freedoms, freedoms>() * rest;
  s.alpha += s.turn.leftCols<freedoms>() * second;
  s.a += s.move.leftCols<freedoms>() * second;
  return second;
}

bool TreeRecursion::accelerate(const Link& link, State& s, const Node& x) {
  if (link.joint == Joint::Free) {
    Eigen::Matrix<double, 6, 6> inertia;
    inertia << s.N, s.B, s.B.transpose(), s.M;
    Eigen::Matrix<double, 6, 1> bias;
    bias << -s.moment, -s.force;
    const Eigen::LLT<Eigen::Matrix<double, 6, 6>> factors(inertia);
    if (factors.info() != Eigen::Success) return false;
    const Eigen::Matrix<double, 6, 1> pivots = factors.matrixLLT().diagonal().cwiseAbs2();
    if (!(pivots.cwiseQuotient(inertia.diagonal()).minCoeff() > least_inertia)) return false;
    const Eigen::Matrix<double, 6, 1> solution = factors.solve(bias);
    s.alpha = solution.head<3>();
    s.a = solution.tail<3>();
    s.joint_force.setZero();
  } else {
    s.alpha = s.of_alpha;
    s.a = s.of_a;
    if (link.parent != Link::ground) {
      const State& parent = states_[static_cast<std::size_t>(link.parent)];
      s.alpha += parent.alpha;
      s.a += parent.a + parent.alpha.cross(s.from_parent);
    }
    if (link.joint == Joint::Hinge) x.a[link.angle] = move_joint<1>(s)[0];
    if (link.joint == Joint::Slide) move_joint<1>(s);
    if (link.joint == Joint::Sleeve) x.a[link.angle] = move_joint<2>(s)[0];
    if (link.joint == Joint::Ball) move_joint<3>(s);
    s.joint_force = s.B.transpose() * s.alpha + s.M * s.a + s.force;
  }
  double* a = x.a + link.body;
  const double* p = x.q + link.body + 3;
  put(s.a, a);
  const Vector3d own = s.A.transpose() * s.alpha;
  EulerRates::times_G_transposed(p, own.data(), a + 3);
  const double curvature = 0.25 * s.omega.squaredNorm();
  for (int i = 0; i < 4; ++i) a[3 + i] = 0.5 * a[3 + i] - curvature * p[i];
  return std::isfinite(s.a.sum() + s.alpha.sum());
}

/// From leaves to roots, as a link's normalization takes what its children's joints pull along p.
void TreeRecursion::find_multipliers(const Link& link, State& s, const Node& x) {
  const double *p = x.q + link.body + 3, *pull = force_.data() + link.body + 3;
  // Along p the inertia is 0, the gyroscopic terms 2 omega.J omega, and a place's Jacobian twice its arm.
  const Vector3d inertial = link.mass * (s.a + s.alpha.cross(s.c) + s.omega.cross(s.omega.cross(s.c)) - link.gravity);
  double along = 2 * s.omega.dot(s.J * s.omega) - 2 * s.c.dot(inertial);
  for (int i = 0; i < 4; ++i) along += p[i] * pull[i];
  double& normalization = x.lambda[link.normalization];
  normalization += 0.5 * along;
  if (link.joint == Joint::Free) return;
  normalization += s.u.dot(s.joint_force);
  if (link.parent != Link::ground) {
    const Link& parent = tree_.links[static_cast<std::size_t>(link.parent)];
    x.lambda[parent.normalization] -= s.u_parent.dot(s.joint_force);
  }
  const State* parent = link.parent == Link::ground ? nullptr : &states_[static_cast<std::size_t>(link.parent)];
  const auto in_space = [&](const Link::Reaction& each) -> Vector3d {
    if (each.frame == Link::Frame::Link) return s.A * each.direction;
    if (each.frame == Link::Frame::Parent && parent) return parent->A * each.direction;
    return each.direction;
  };
  for (const Link::Reaction& each : link.forces) x.lambda[each.multiplier] = s.joint_force.dot(in_space(each));
  if (link.turns()) x.lambda[link.turn] = -force_[static_cast<std::size_t>(link.angle)];
  if (link.torques.empty()) return;
  Vector3d arm = s.u;
  if (!link.pushes_own_place) arm -= s.distance * s.along;
  const Vector3d moment = s.N * s.alpha + s.B * s.a + s.moment - arm.cross(s.joint_force);
  for (const Link::Reaction& each : link.torques) x.lambda[each.multiplier] = moment.dot(in_space(each));
}

bool TreeRecursion::point(const Node& x) {
  const TimedTask timed(Task::Recursion);
  if (!complete(x)) return false;
  if (!tree_.forces.empty()) {
    std::fill(force_.begin(), force_.end(), 0.0);
    const model::Kinematics here{x.t, x.q, x.v, nullptr, nullptr};
    for (const system::Elements& each : tree_.forces) {
      each.kernel->evaluate(each.batch, here, data_->packed.data(), blocks_);
    }
  }
  const std::size_t count = tree_.links.size();
  for (std::size_t k = 0; k < count; ++k) load(tree_.links[k], states_[k], x);
  for (std::size_t k = count; k-- > 0;) {
    if (!gather(tree_.links[k], states_[k])) return false;
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (!accelerate(tree_.links[k], states_[k], x)) return false;
    x.lambda[tree_.links[k].normalization] = 0;
  }
  for (std::size_t k = count; k-- > 0;) find_multipliers(tree_.links[k], states_[k], x);
  return true;
}

}  // namespace perilune::formulation
