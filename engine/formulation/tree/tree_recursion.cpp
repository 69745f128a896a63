// SPDX-License-Identifier: MIT
#include "formulation/tree/tree_recursion.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/body/spatial_body.hpp"

namespace perilune::formulation {

namespace {

using Eigen::Matrix3d, Eigen::Quaterniond, Eigen::Vector3d;
using model::EulerRates;

/// As in ReducedMotion: a dependent coordinate that moves this many times as fast as an independent one is reason to
/// choose anew.
constexpr double largest_good_slope = 1.5;

Matrix3d cross_matrix(const Vector3d& v) {
  Matrix3d out;
  out << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return out;
}

Vector3d at(const double* x) { return {x[0], x[1], x[2]}; }
int largest_parameter(const double* p) {
  const auto by_size = [](double a, double b) { return std::abs(a) < std::abs(b); };
  return static_cast<int>(std::max_element(p, p + 4, by_size) - p);
}
void put(const Vector3d& v, double* x) { std::copy_n(v.data(), 3, x); }

}  // namespace

TreeRecursion::TreeRecursion(std::shared_ptr<const system::System> system, std::shared_ptr<const system::Data> data,
                             JointTree tree)
    : system_(std::move(system)),
      data_(std::move(data)),
      tree_(std::move(tree)),
      left_out_(tree_.links.size(), 0),
      states_(tree_.links.size()),
      force_(static_cast<std::size_t>(system_->coordinate_count()), 0.0),
      scratch_(system_->scratch_size()) {
  blocks_.force = force_.data();
  blocks_.scratch = scratch_.data();
}

std::vector<int> TreeRecursion::choose(const double* q) const {
  std::vector<int> out;
  for (const Link& link : tree_.links) {
    if (link.joint == Link::Joint::Hinge) {
      out.push_back(link.angle);
      continue;
    }
    if (link.joint == Link::Joint::Free) out.insert(out.end(), {link.body, link.body + 1, link.body + 2});
    const int without = largest_parameter(q + link.body + 3);
    for (int i = 0; i < 4; ++i) {
      if (i != without) out.push_back(link.body + 3 + i);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool TreeRecursion::serves(const double* q) const {
  for (std::size_t k = 0; k < tree_.links.size(); ++k) {
    if (tree_.links[k].joint == Link::Joint::Hinge) continue;
    const double* p = q + tree_.links[k].body + 3;
    if (std::abs(p[largest_parameter(p)]) > largest_good_slope * std::abs(p[left_out_[k]])) return false;
  }
  return true;
}

void TreeRecursion::set_choice(const std::vector<int>& independent) {
  for (std::size_t k = 0; k < tree_.links.size(); ++k) {
    if (tree_.links[k].joint == Link::Joint::Hinge) continue;
    for (int i = 0; i < 4; ++i) {
      if (!std::binary_search(independent.begin(), independent.end(), tree_.links[k].body + 3 + i)) left_out_[k] = i;
    }
  }
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

bool TreeRecursion::place(const Link& link, State& s, const Node& x) {
  double *q = x.q + link.body, *v = x.v + link.body;
  const State* parent = link.parent == Link::ground ? nullptr : &states_[static_cast<std::size_t>(link.parent)];
  double* p = q + 3;
  if (link.joint == Link::Joint::Hinge) {
    const double half = 0.5 * link.sense * x.q[link.angle];
    Quaterniond own = link.before * Quaterniond(std::cos(half), 0, 0, std::sin(half)) * link.after;
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
    s.axis = parent ? Vector3d(parent->A * link.axis) : link.axis;
    s.omega = s.axis * x.v[link.angle];
    if (parent) s.omega += parent->omega;
  } else if (!complete_parameters(link, left_out_[static_cast<std::size_t>(&link - tree_.links.data())], x)) {
    return false;
  }
  double A[9];
  model::rotation_matrix(p, A);
  s.A = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(A);
  if (link.joint == Link::Joint::Hinge) {
    const Vector3d own = s.A.transpose() * s.omega;
    EulerRates::times_G_transposed(p, own.data(), v + 3);
    for (int i = 0; i < 4; ++i) v[3 + i] *= 0.5;
  } else {
    Vector3d own;
    EulerRates::times_G(p, v + 3, own.data());
    s.omega = 2 * (s.A * own);
  }
  s.c = s.A * link.centre;
  if (link.joint == Link::Joint::Free) {
    s.r = at(q);
    s.v = at(v);
    return true;
  }
  s.u = s.A * link.on_link;
  s.u_parent = parent ? Vector3d(parent->A * link.on_parent) : link.on_parent;
  s.from_parent = s.u_parent - s.u;
  s.r = s.from_parent;
  s.v = -s.omega.cross(s.u);
  if (parent) {
    s.r += parent->r;
    s.v += parent->v + parent->omega.cross(s.u_parent);
  }
  put(s.r, q);
  put(s.v, v);
  return true;
}

bool TreeRecursion::complete(const Node& x) {
  for (std::size_t k = 0; k < tree_.links.size(); ++k) {
    if (!place(tree_.links[k], states_[k], x)) return false;
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
  if (link.joint == Link::Joint::Free) return;
  const State* parent = link.parent == Link::ground ? nullptr : &states_[static_cast<std::size_t>(link.parent)];
  s.of_a = -s.omega.cross(s.omega.cross(s.u));
  s.of_alpha.setZero();
  if (parent) {
    s.of_a += parent->omega.cross(parent->omega.cross(s.u_parent));
    if (link.joint == Link::Joint::Hinge) s.of_alpha = parent->omega.cross(s.axis) * x.v[link.angle];
    s.of_a -= s.of_alpha.cross(s.u);
  }
  if (link.joint == Link::Joint::Hinge) s.push = force_[static_cast<std::size_t>(link.angle)];
}

/// Adds a link's articulated inertia to that of its parent.
bool TreeRecursion::gather(const Link& link, State& s) {
  if (link.joint == Link::Joint::Free) return true;
  // What is left to the parent: the joint's own motion takes its share.
  Matrix3d N = s.N, B = s.B, M = s.M;
  Vector3d moment = s.moment, force = s.force;
  if (link.joint == Link::Joint::Hinge) {
    s.arm = s.u.cross(s.axis);
    s.U_moment = s.N * s.axis + s.B * s.arm;
    s.U_force = s.B.transpose() * s.axis + s.M * s.arm;
    s.D = s.axis.dot(s.U_moment) + s.arm.dot(s.U_force);
    if (!(s.D > 0)) return false;
    s.push -= s.axis.dot(s.moment) + s.arm.dot(s.force);
    if (link.parent == Link::ground) return true;
    const Vector3d moment_share = s.U_moment / s.D, force_share = s.U_force / s.D;
    N -= moment_share * s.U_moment.transpose();
    B -= moment_share * s.U_force.transpose();
    M -= force_share * s.U_force.transpose();
    moment += s.push * moment_share;
    force += s.push * force_share;
  } else {
    // Turning about the joint, alpha with a = -alpha x u: the columns of S are those of [1; [u]x].
    const Matrix3d cross = cross_matrix(s.u), U_moment = s.N + s.B * cross, U_force = s.B.transpose() + s.M * cross;
    const Matrix3d D = U_moment - cross * U_force;
    bool is_invertible = false;
    double determinant = 0;
    D.computeInverseAndDetWithCheck(s.inverse, determinant, is_invertible, 0);
    if (!is_invertible || !(determinant > 0)) return false;
    if (link.parent == Link::ground) return true;
    const Vector3d push = s.inverse * -(s.moment - s.u.cross(s.force));
    N -= U_moment * s.inverse * U_moment.transpose();
    B -= U_moment * s.inverse * U_force.transpose();
    M -= U_force * s.inverse * U_force.transpose();
    moment += U_moment * push;
    force += U_force * push;
  }
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

bool TreeRecursion::accelerate(const Link& link, State& s, const Node& x) {
  if (link.joint == Link::Joint::Free) {
    Eigen::Matrix<double, 6, 6> inertia;
    inertia << s.N, s.B, s.B.transpose(), s.M;
    Eigen::Matrix<double, 6, 1> bias;
    bias << -s.moment, -s.force;
    const Eigen::LLT<Eigen::Matrix<double, 6, 6>> factors(inertia);
    if (factors.info() != Eigen::Success) return false;
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
    if (link.joint == Link::Joint::Hinge) {
      const double second = (s.push - s.U_moment.dot(s.alpha) - s.U_force.dot(s.a)) / s.D;
      x.a[link.angle] = second;
      s.alpha += s.axis * second;
      s.a += s.arm * second;
    } else {
      // The moment about the joint vanishes.
      const Vector3d moment = s.N * s.alpha + s.B * s.a + s.moment,
                     force = s.B.transpose() * s.alpha + s.M * s.a + s.force;
      const Vector3d turn = s.inverse * -(moment - s.u.cross(force));
      s.alpha += turn;
      s.a -= turn.cross(s.u);
    }
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
  if (link.joint == Link::Joint::Free) return;
  normalization += s.u.dot(s.joint_force);
  if (link.parent != Link::ground) {
    const Link& parent = tree_.links[static_cast<std::size_t>(link.parent)];
    x.lambda[parent.normalization] -= s.u_parent.dot(s.joint_force);
  }
  for (int i = 0; i < 3; ++i) x.lambda[link.coincidence[i]] = link.is_second ? -s.joint_force[i] : s.joint_force[i];
  if (link.joint == Link::Joint::Ball) return;
  const Vector3d moment =
      s.N * s.alpha + s.B * s.a + s.moment - s.u.cross(s.joint_force);  // on the link, about the joint
  x.lambda[link.turn] = -force_[static_cast<std::size_t>(link.angle)];
  const State* parent = link.parent == Link::ground ? nullptr : &states_[static_cast<std::size_t>(link.parent)];
  for (const Link::Direction& each : link.directions) {
    const Vector3d torque = each.is_on_link ? Vector3d(s.A * each.torque)
                            : parent        ? Vector3d(parent->A * each.torque)
                                            : each.torque;
    x.lambda[each.multiplier] = moment.dot(torque);
  }
}

bool TreeRecursion::point(const Node& x) {
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
