// SPDX-License-Identifier: MIT
#include "formulation/tree/tree_recursion.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/body/spatial_body.hpp"
#include "profile.hpp"

namespace perilune::formulation {

namespace {

using Eigen::Matrix3d, Eigen::Vector3d;
using model::EulerRates;
using Joint = Link::Joint;

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
      proposed_(proposed_coordinates(tree_)),
      states_(tree_.links.size()),
      forces_(*system_, tree_.forces) {}

void TreeRecursion::load(const Link& link, State& s, const Node& x) {
  const double* q = x.q + link.body;
  const double* pull = forces_.at(link.body);
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
  s.of_alpha.setZero();
  if (link.joint == Joint::Cross) s.of_alpha = s.omega.cross(s.own_axis) * s.turn_rates[1];
  if (parent && (link.turns() || link.turns_by_parameters())) {
    s.of_alpha += parent->omega.cross(s.axis) * s.turn_rates[0];
  }
  if (link.turn_drive != Link::not_driven) s.of_alpha += s.axis * s.driven_turn;
  s.of_a = -s.omega.cross(s.omega.cross(s.u)) - s.of_alpha.cross(s.u);
  if (parent) s.of_a += parent->omega.cross(parent->omega.cross(s.u_parent)) + 2 * parent->omega.cross(s.slip);
  if (link.slide_drive != Link::not_driven) follow_slide(link, s, x);
}

/// How the distance along a slide follows the angle of a screw.
void TreeRecursion::follow_thread(const Link& link, State& s, const Node& x) const {
  s.slide_by_angle = 0;
  if (!link.turns()) return;
  const Drive& driver = tree_.drives[static_cast<std::size_t>(link.slide_drive)];
  double slopes[7];
  driver.slopes<7>(link.body, slopes);
  driver.slopes<1>(link.angle, &s.thread_slope);
  const double by_turn =
      s.thread_slope + at(slopes).dot(s.u.cross(s.axis)) +
      Eigen::Map<const Eigen::Vector4d>(slopes + 3).dot(parameter_rates(x.q + link.body + 3, s.A, s.axis));
  s.slide_by_angle = -by_turn / s.slide_slope;
}

/// The acceleration along a slide that its driver asks for. The parent's own acceleration asks for nothing.
void TreeRecursion::follow_slide(const Link& link, State& s, const Node& x) const {
  const Drive& driver = tree_.drives[static_cast<std::size_t>(link.slide_drive)];
  double slopes[7];
  const auto by_parameters = [&](const Eigen::Vector4d& motion) {
    return Eigen::Map<const Eigen::Vector4d>(slopes + 3).dot(motion);
  };
  const auto curvature = [&](int body, const Vector3d& omega) {
    return by_parameters(-0.25 * omega.squaredNorm() * Eigen::Map<const Eigen::Vector4d>(x.q + body + 3));
  };
  double apart = driver.bias();
  if (link.parent != Link::ground) {
    const int parent = tree_.links[static_cast<std::size_t>(link.parent)].body;
    driver.slopes<7>(parent, slopes);
    apart += curvature(parent, states_[static_cast<std::size_t>(link.parent)].omega);
  }
  driver.slopes<7>(link.body, slopes);
  const double* p = x.q + link.body + 3;
  apart += at(slopes).dot(s.of_a) + by_parameters(parameter_rates(p, s.A, s.of_alpha)) + curvature(link.body, s.omega);
  follow_thread(link, s, x);
  if (link.turns() && !link.turns_freely()) apart += s.thread_slope * s.driven_turn;
  s.of_a -= apart / s.slide_slope * s.along;
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

/// How the link moves by its joint's own rates, and what pushes these.
void TreeRecursion::set_columns(const Link& link, State& s) const {
  s.push.setZero();
  int column = 0;
  const auto add = [&](const Vector3d& turn, const Vector3d& move) {
    s.turn.col(column) = turn;
    s.move.col(column++) = move;
  };
  switch (link.joint) {
    case Joint::Free:
    case Joint::Weld:
      break;
    case Joint::Hinge:
    case Joint::Slide:
    case Joint::Sleeve:
      if (link.turns_freely()) {
        Vector3d move = s.u.cross(s.axis);
        if (link.slide_drive != Link::not_driven) move += s.slide_by_angle * s.along;
        add(s.axis, move);
      }
      if (link.slides_freely()) add(Vector3d::Zero(), s.along);
      break;
    case Joint::Cross:
      add(s.axis, s.u.cross(s.axis));
      add(s.own_axis, s.u.cross(s.own_axis));
      break;
    case Joint::Table: {
      const Vector3d across = s.along.unitOrthogonal();
      add(s.axis, s.u.cross(s.axis));
      add(Vector3d::Zero(), across);
      add(Vector3d::Zero(), s.along.cross(across));
      break;
    }
    case Joint::Ball:
      s.turn.setIdentity();
      s.move = cross_matrix(s.u);
      column = 3;
  }
  s.freedoms = column;
  if (link.turns_freely()) s.push[0] = forces_[link.angle];
}

/// Adds a link's articulated inertia to that of its parent.
bool TreeRecursion::gather(const Link& link, State& s) {
  if (link.joint == Joint::Free) return true;
  set_columns(link, s);
  // What is left to the parent: the joint's own motion takes its share.
  const bool is_last = link.parent == Link::ground;
  Matrix3d N = s.N, B = s.B, M = s.M;
  Vector3d moment = s.moment, force = s.force;
  switch (s.freedoms) {
    case 1:
      if (!find_share<1>(s)) return false;
      if (!is_last) take_share<1>(s, N, B, M, moment, force);
      break;
    case 2:
      if (!find_share<2>(s)) return false;
      if (!is_last) take_share<2>(s, N, B, M, moment, force);
      break;
    case 3:
      if (!find_share<3>(s)) return false;
      if (!is_last) take_share<3>(s, N, B, M, moment, force);
      break;
    default:
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
void TreeRecursion::move_joint(State& s) {
  const Eigen::Matrix<double, freedoms, 1> rest = s.push.head<freedoms>() -
                                                  s.U_moment.leftCols<freedoms>().transpose() * s.alpha -
                                                  s.U_force.leftCols<freedoms>().transpose() * s.a;
  const Eigen::Matrix<double, freedoms, 1> second = s.inverse.topLeftCorner<freedoms, freedoms>() * rest;
  s.alpha += s.turn.leftCols<freedoms>() * second;
  s.a += s.move.leftCols<freedoms>() * second;
  s.rates.head<freedoms>() = second;
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
    if (s.freedoms == 1) move_joint<1>(s);
    if (s.freedoms == 2) move_joint<2>(s);
    if (s.freedoms == 3) move_joint<3>(s);
    if (link.turns()) x.a[link.angle] = link.turns_freely() ? s.rates[0] : s.driven_turn;
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
  const double *p = x.q + link.body + 3, *pull = forces_.at(link.body + 3);
  // Along p the inertia is 0, the gyroscopic terms 2 omega.J omega, and a place's Jacobian twice its arm.
  const Vector3d inertial = link.mass * (s.a + s.alpha.cross(s.c) + s.omega.cross(s.omega.cross(s.c)) - link.gravity);
  double along = 2 * s.omega.dot(s.J * s.omega) - 2 * s.c.dot(inertial);
  for (int i = 0; i < 4; ++i) along += p[i] * pull[i];
  double& normalization = x.lambda[link.normalization];
  normalization += 0.5 * along;
  if (link.joint == Joint::Free) return;
  Vector3d force = s.joint_force, moment = s.N * s.alpha + s.B * s.a + s.moment;
  const double of_thread = link.slide_drive == Link::not_driven ? 0 : take_driver(link, s, x, moment, force);
  if (link.turns()) {
    double& turn = x.lambda[link.turn];
    const double torque = forces_[link.angle] - of_thread;
    turn = -torque;
    if (!link.turns_freely()) {
      turn = -s.axis.dot(moment + force.cross(s.u));
      x.lambda[tree_.drives[static_cast<std::size_t>(link.turn_drive)].multiplier()] = (torque + turn) / s.turn_slope;
    }
  }
  normalization += s.u.dot(force);
  if (link.parent != Link::ground) {
    x.lambda[tree_.links[static_cast<std::size_t>(link.parent)].normalization] -= (s.u_parent - s.offset).dot(force);
  }
  const State* parent = link.parent == Link::ground ? nullptr : &states_[static_cast<std::size_t>(link.parent)];
  const auto in_space = [&](const Link::Reaction& each) -> Vector3d {
    if (each.frame == Link::Frame::Cross) return s.axis.cross(s.own_axis);
    if (each.frame == Link::Frame::Link) return s.A * each.direction;
    if (each.frame == Link::Frame::Parent && parent) return parent->A * each.direction;
    return each.direction;
  };
  for (const Link::Reaction& each : link.forces) x.lambda[each.multiplier] = force.dot(in_space(each));
  if (link.torques.empty()) return;
  Vector3d arm = s.u;
  if (!link.pushes_own_place) arm -= s.offset;
  moment -= arm.cross(force);
  for (const Link::Reaction& each : link.torques) x.lambda[each.multiplier] = moment.dot(in_space(each));
}

/// The multiplier of a slide's driver or thread, and what is left to the other constraints of the moment and force on
/// the link; returns what it pulls at the joint's angle.
double TreeRecursion::take_driver(const Link& link, const State& s, const Node& x, Vector3d& moment,
                                  Vector3d& force) const {
  const Drive& driver = tree_.drives[static_cast<std::size_t>(link.slide_drive)];
  const double lambda = -force.dot(s.along) / s.slide_slope;
  x.lambda[driver.multiplier()] = lambda;
  double slopes[7];
  const auto take_parameters = [&](const Link& of) {
    driver.slopes<7>(of.body, slopes);
    const double* p = x.q + of.body + 3;
    double along = 0;
    for (int i = 0; i < 4; ++i) along += p[i] * slopes[3 + i];
    x.lambda[of.normalization] -= 0.5 * lambda * along;
  };
  if (link.parent != Link::ground) take_parameters(tree_.links[static_cast<std::size_t>(link.parent)]);
  take_parameters(link);
  Vector3d own;
  EulerRates::times_G(x.q + link.body + 3, slopes + 3, own.data());
  force += lambda * at(slopes);
  moment += 0.5 * lambda * (s.A * own);
  return link.turns() ? lambda * s.thread_slope : 0;
}

bool TreeRecursion::point(const Node& x, bool with_multipliers) {
  const TimedTask timed(Task::Recursion);
  if (!complete(x)) return false;
  forces_.evaluate(x, *data_);
  const std::size_t count = tree_.links.size();
  for (std::size_t k = 0; k < count; ++k) load(tree_.links[k], states_[k], x);
  for (std::size_t k = count; k-- > 0;) {
    if (!gather(tree_.links[k], states_[k])) return false;
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (!accelerate(tree_.links[k], states_[k], x)) return false;
  }
  if (!with_multipliers) return true;
  for (const Link& link : tree_.links) x.lambda[link.normalization] = 0;
  for (std::size_t k = count; k-- > 0;) find_multipliers(tree_.links[k], states_[k], x);
  return true;
}

}  // namespace perilune::formulation
