// SPDX-License-Identifier: MIT
#include "formulation/tree/hinged_tree.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/body/spatial_body.hpp"
#include "profile.hpp"

#pragma GCC diagnostic ignored "-Wpsabi"  // as in four.hpp

namespace perilune::formulation {

namespace {

using Eigen::Matrix3d, Eigen::Quaterniond, Eigen::Vector3d;
using model::EulerRates;
using Joint = Link::Joint;

PERILUNE_INLINE Four list_of(const Quaterniond& p) { return four(p.w(), p.x(), p.y(), p.z()); }
PERILUNE_INLINE Columns columns_of(const Matrix3d& m) { return {four(m.col(0)), four(m.col(1)), four(m.col(2))}; }
Matrix3d matrix_of(const Columns& m) {
  Matrix3d out;
  out << vector_of(m.x), vector_of(m.y), vector_of(m.z);
  return out;
}

HingedLink fixed_link(const Link& link, const JointTree& tree) {
  HingedLink out{};
  const Vector3d origin = link.on_link, centre = link.centre - origin;  // from r; on_link is zero of a free body
  out.body = link.body;
  out.parent = link.parent;
  out.angle = link.angle;
  out.turns = link.joint == Joint::Hinge;
  out.mass = link.mass;
  out.half_sense = 0.5 * link.sense;
  const Quaterniond half_turn(0, 0, 0, 1);
  out.by_cosine = list_of(link.before * link.after);
  out.by_sine = list_of(link.before * half_turn * link.after);
  out.axis = four(link.axis);
  Vector3d place = link.on_parent;
  if (link.parent != Link::ground) place -= tree.links[static_cast<std::size_t>(link.parent)].on_link;
  out.place = four(place);
  out.reference = four(-origin);
  out.centre = four(centre);
  out.weight = four(link.mass * link.gravity);
  const Matrix3d inertia =
      link.inertia + link.mass * (centre.squaredNorm() * Matrix3d::Identity() - centre * centre.transpose());
  out.inertia = columns_of(inertia);
  out.is_principal = inertia.isDiagonal(0);
  out.is_balanced = centre.isZero(0);
  return out;
}

}  // namespace

bool HingedTree::is_one(const JointTree& tree) {
  return std::all_of(tree.links.begin(), tree.links.end(), [](const Link& link) {
    return link.joint == Joint::Free || (link.joint == Joint::Hinge && link.turns_freely());
  });
}

HingedTree::HingedTree(std::shared_ptr<const system::System> system, std::shared_ptr<const system::Data> data,
                       JointTree tree)
    : system_(std::move(system)),
      data_(std::move(data)),
      tree_(std::move(tree)),
      choice_(tree_),
      states_(tree_.links.size()),
      forces_(*system_, tree_.forces),
      is_wide_(has_wide_registers()) {
  for (const Link& link : tree_.links) links_.push_back(fixed_link(link, tree_));
  proposed_ = proposed_coordinates(tree_);
}

/// Free bodies, and the angles of the others.
bool HingedTree::turn(const Node& x) {
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const HingedLink& link = links_[k];
    HingedState& s = states_[k];
    if (link.turns) {
      const double half = link.half_sense * x.q[link.angle];
      s.cosine = std::cos(half);
      s.sine = std::sin(half);
      continue;
    }
    double *q = x.q + link.body, *v = x.v + link.body;
    if (!complete_parameters(q + 3, v + 3, choice_.chosen(k).parameters[0])) return false;
    s.p = four_at(q + 3);
    s.A = axes_of(s.p);
    Vector3d own;
    EulerRates::times_G(q + 3, v + 3, own.data());
    s.omega = four(2 * (matrix_of(s.A) * own));
    s.o = three_at(q);
    s.v = three_at(v);
    s.axis = s.from_parent = s.reference = s.turning = s.of_alpha = s.of_a = all(0);
  }
  return true;
}

bool HingedTree::complete(const Node& x) {
  if (!turn(x)) return false;
  place_links({links_, states_}, x, is_wide_);
  return true;
}

/// Takes what acts without mass and constraint from the bias.
void HingedTree::pull(const Node& x) {
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const HingedLink& link = links_[k];
    HingedState& s = states_[k];
    s.push = link.turns ? forces_[link.angle] : 0;
    if (forces_.are_none()) continue;
    const double* pull = forces_.at(link.body);
    // The generalized forces of Euler parameters are those of turning: dp = G^T dpi' / 2.
    Vector3d own;
    EulerRates::times_G(x.q + link.body + 3, pull + 3, own.data());
    const Four force = three_at(pull);
    s.force -= force;
    s.moment -= 0.5 * times(s.A, four(own)) + cross(s.reference, force);
  }
}

bool HingedTree::accelerate_free(HingedState& s) const {
  Eigen::Matrix<double, 6, 6> inertia;
  const Matrix3d B = matrix_of(s.B);
  inertia << matrix_of(s.N), B, B.transpose(), matrix_of(s.M);
  Eigen::Matrix<double, 6, 1> bias;
  bias << vector_of(-s.moment), vector_of(-s.force);
  const Eigen::LLT<Eigen::Matrix<double, 6, 6>> factors(inertia);
  if (factors.info() != Eigen::Success) return false;
  const Eigen::Matrix<double, 6, 1> pivots = factors.matrixLLT().diagonal().cwiseAbs2();
  if (!(pivots.cwiseQuotient(inertia.diagonal()).minCoeff() > least_inertia)) return false;
  const Eigen::Matrix<double, 6, 1> solution = factors.solve(bias);
  s.alpha = four(solution.head<3>());
  s.a = four(solution.tail<3>());
  return true;
}

/// From leaves to roots, as a link's normalization takes what its children's joints pull along p.
void HingedTree::find_multipliers(std::size_t k, const Node& x) const {
  const Link& link = tree_.links[k];
  const HingedState& s = states_[k];
  const double *p = x.q + link.body + 3, *pull = forces_.at(link.body + 3);
  const Matrix3d A = matrix_of(s.A);
  const Vector3d omega = vector_of(s.omega), alpha = vector_of(s.alpha), reference = vector_of(s.reference);
  // Along p the inertia is 0, the gyroscopic terms 2 omega.J omega, and a place's Jacobian twice its arm.
  const Vector3d own_omega = A.transpose() * omega, c = A * link.centre, from_o = c + reference;
  const Vector3d inertial =
      link.mass * (vector_of(s.a) + alpha.cross(from_o) + omega.cross(omega.cross(from_o)) - link.gravity);
  double along = 2 * own_omega.dot(link.inertia * own_omega) - 2 * c.dot(inertial);
  for (int i = 0; i < 4; ++i) along += p[i] * pull[i];
  double& normalization = x.lambda[link.normalization];
  normalization += 0.5 * along;
  if (link.joint == Joint::Free) return;
  const Vector3d moment = vector_of(times(s.N, s.alpha) + times(s.B, s.a) + s.moment),
                 force = vector_of(transposed_times(s.B, s.alpha) + times(s.M, s.a) + s.force);
  x.lambda[link.turn] = -forces_[link.angle];
  normalization -= reference.dot(force);
  const HingedState* parent = link.parent == Link::ground ? nullptr : &states_[static_cast<std::size_t>(link.parent)];
  if (parent) {
    x.lambda[tree_.links[static_cast<std::size_t>(link.parent)].normalization] -=
        vector_of(s.from_parent - parent->reference).dot(force);
  }
  const auto in_space = [&](const Link::Reaction& each) -> Vector3d {
    if (each.frame == Link::Frame::Link) return A * each.direction;
    if (each.frame == Link::Frame::Parent && parent) return matrix_of(parent->A) * each.direction;
    return each.direction;
  };
  for (const Link::Reaction& each : link.forces) x.lambda[each.multiplier] = force.dot(in_space(each));
  for (const Link::Reaction& each : link.torques) x.lambda[each.multiplier] = moment.dot(in_space(each));
}

bool HingedTree::point(const Node& x, bool with_multipliers) {
  const TimedTask timed(Task::Recursion);
  if (!complete(x)) return false;
  forces_.evaluate(x, *data_);
  const HingedLinks all{links_, states_};
  load_links(all, is_wide_);
  pull(x);
  if (!gather_links(all, is_wide_)) return false;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    if (!links_[k].turns && !accelerate_free(states_[k])) return false;
  }
  if (!accelerate_links(all, x, is_wide_)) return false;
  if (!with_multipliers) return true;
  for (const Link& link : tree_.links) x.lambda[link.normalization] = 0;
  for (std::size_t k = links_.size(); k-- > 0;) find_multipliers(k, x);
  return true;
}

}  // namespace perilune::formulation
