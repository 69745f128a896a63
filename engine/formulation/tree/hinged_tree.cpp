// SPDX-License-Identifier: MIT
#include "formulation/tree/hinged_tree.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "formulation/tree/derivatives/hinged_adjoint.hpp"
#include "formulation/tree/derivatives/hinged_tangent.hpp"
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

HingedTree::~HingedTree() = default;

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

bool solve_free(const HingedState& s, const Four& moment, const Four& force, Four& alpha, Four& a) {
  Eigen::Matrix<double, 6, 6> inertia;
  const Matrix3d B = matrix_of(s.B);
  inertia << matrix_of(s.N), B, B.transpose(), matrix_of(s.M);
  Eigen::Matrix<double, 6, 1> drive;
  drive << vector_of(moment), vector_of(force);
  const Eigen::LLT<Eigen::Matrix<double, 6, 6>> factors(inertia);
  if (factors.info() != Eigen::Success) return false;
  const Eigen::Matrix<double, 6, 1> pivots = factors.matrixLLT().diagonal().cwiseAbs2();
  if (!(pivots.cwiseQuotient(inertia.diagonal()).minCoeff() > least_inertia)) return false;
  const Eigen::Matrix<double, 6, 1> solution = factors.solve(drive);
  alpha = four(solution.head<3>());
  a = four(solution.tail<3>());
  return true;
}

bool HingedTree::move(const Node& x, HingedAdjoint* kept) {
  if (!complete(x)) return false;
  forces_.evaluate(x, *data_);
  const HingedLinks all{links_, states_};
  load_links(all, is_wide_);
  if (kept) kept->keep_inertias(all, is_wide_);
  keeps_inertias_ = kept != nullptr;
  pull(x);
  if (!gather_links(all, is_wide_)) return false;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    HingedState& s = states_[k];
    if (!links_[k].turns && !solve_free(s, -s.moment, -s.force, s.alpha, s.a)) return false;
  }
  return accelerate_links(all, x, is_wide_);
}

bool HingedTree::linearize(const Node& x, bool was_just_found) {
  const TimedTask timed(Task::Recursion);
  if (!adjoint_) adjoint_ = std::make_unique<HingedAdjoint>(*system_, data_, tree_, choice_);
  if (!(was_just_found && keeps_inertias_) && !move(x, adjoint_.get())) return false;
  adjoint_->linearize_elements(x);
  return true;
}

bool HingedTree::adjoint(const Node& x, const AdjointNode& y) {
  const TimedTask timed(Task::Recursion);
  return adjoint_->find({links_, states_}, x, y, forces_.are_none() ? nullptr : forces_.at(0), is_wide_);
}

bool HingedTree::tangent(const Node& x, int count, const TangentNode& y) {
  const TimedTask timed(Task::Recursion);
  if (adjoint_->turns_hinges()) return false;
  if (!tangent_) tangent_ = std::make_unique<HingedTangent>(*system_, tree_, choice_);
  return tangent_->find({links_, states_}, x, count, y, *adjoint_, forces_.at(0), is_wide_);
}

bool HingedTree::differentiates_without_multipliers() const {
  return !(adjoint_ ? adjoint_->turns_hinges() : HingedAdjoint::turn_hinges(*system_, tree_));
}

bool HingedTree::point(const Node& x, bool with_multipliers) {
  const TimedTask timed(Task::Recursion);
  // Who differentiated a point may well do so at the next.
  if (!move(x, adjoint_.get())) return false;
  if (!with_multipliers) return true;
  find_multipliers({links_, states_}, tree_.links, x, forces_.are_none() ? nullptr : forces_.at(0), is_wide_);
  return true;
}

}  // namespace perilune::formulation
