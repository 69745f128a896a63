// SPDX-License-Identifier: MIT
#include "formulation/tree/derivatives/hinge_weights.hpp"

#include <algorithm>

#include "formulation/tree/derivatives/hinge_places.hpp"

#pragma GCC diagnostic ignored "-Wpsabi"  // as in four.hpp

namespace perilune::formulation {

namespace {

/// Visits the constraints of a hinge: elements, number of one among them.
template <class Visit>
void for_each_tie(const std::vector<system::Elements>& elements, const Link& link, Visit&& visit) {
  std::vector<int> rows{link.turn};
  for (const auto* list : {&link.forces, &link.torques}) {
    for (const Link::Reaction& each : *list) rows.push_back(each.multiplier);
  }
  for (const system::Elements& each : elements) {
    const int nc = each.kernel->constraint_count();
    for (int e = 0; e < each.batch.count && nc > 0; ++e) {
      const int first = each.batch.multipliers[static_cast<std::size_t>(e * nc)];
      if (std::find(rows.begin(), rows.end(), first) != rows.end()) visit(each, e);
    }
  }
}

Eigen::Matrix<double, 6, 1> stacked(const Four& moment, const Four& force) {
  Eigen::Matrix<double, 6, 1> out;
  out << vector_of(moment), vector_of(force);
  return out;
}

}  // namespace

bool HingeWeights::are_wanted(const std::vector<system::Elements>& elements, const Link& link) {
  bool are = false;
  if (link.joint != Link::Joint::Hinge) return are;
  for_each_tie(elements, link, [&](const system::Elements& each, int e) {
    are = are || (!HingePlaces::are_of(each) && ElementSlopes::is_active(each, e));
  });
  return are;
}

HingeWeights::HingeWeights(const system::System& system, const std::vector<system::Elements>& elements,
                           const Link& link, std::size_t number)
    : body_(link.body), number_(number), lambda_(static_cast<std::size_t>(system.constraint_count())) {
  for_each_tie(elements, link, [&](const system::Elements& each, int e) {
    elements_.emplace_back(system, each, e);
    for (int row = 0; row < elements_.back().nc(); ++row) rows_.push_back({elements_.size() - 1, row});
  });
}

void HingeWeights::gather(const double* row, const ElementSlopes& of, double weight, double* out) const {
  for (int i = 0; i < of.nq(); ++i) {
    const int own = of.coordinate(i) - body_;
    if (own >= 0 && own < 7) out[own] += weight * row[i];
  }
}

void HingeWeights::add(const HingedState& s, const LinkAdjoint& own, const double* mu, const Node& x,
                       const system::Data& data, double* of_data) {
  const BodyMotion motion = body_motion(s, own);
  for (ElementSlopes& each : elements_) each.evaluate(x, data);
  Matrix jacobian;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const ElementSlopes& element = elements_[rows_[r].element];
    double seed[7]{};
    gather(element.jacobian(rows_[r].row), element, 1, seed);
    Four moment = all(0), force = all(0);
    add_drive(motion, seed, moment, force);
    jacobian.col(static_cast<Eigen::Index>(r)) = stacked(moment, force);
  }
  const Eigen::PartialPivLU<Matrix> factors(jacobian);
  const Vector lambda = factors.solve(stacked(own.of.mu_omega, own.of.mu_v)),
               nu = factors.solve(stacked(own.of.alpha, own.of.a));
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    lambda_[static_cast<std::size_t>(elements_[rows_[r].element].multiplier(rows_[r].row))] =
        lambda[static_cast<Eigen::Index>(r)];
  }
  Node with_own = x;
  with_own.lambda = lambda_.data();
  for (ElementSlopes& each : elements_) each.linearize(with_own, data);
  double of_q[7]{}, of_v[7]{}, of_a[7]{}, of_mu[7]{};
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const auto i = static_cast<Eigen::Index>(r);
    const ElementSlopes& element = elements_[rows_[r].element];
    const int row = rows_[r].row;
    gather(element.jacobian(row), element, nu[i], of_a);
    gather(element.jacobian(row), element, lambda[i], of_mu);
    gather(element.jacobian_rate(row), element, 2 * nu[i], of_v);
    gather(element.jacobian_acceleration(row), element, nu[i], of_q);
  }
  for (const ElementSlopes& each : elements_) {
    for (int i = 0; i < each.nq(); ++i) gather(each.stiffness(i), each, mu[each.coordinate(i)], of_q);
  }
  const Four none = all(0);
  MotionAdjoint taken{none, none, none, none, none, none, none, none};
  add_velocity(motion, of_v, taken);
  add_acceleration(motion, of_a, taken);
  const Vector tau = factors.solve(stacked(own.of.omega - taken.omega, own.of.v - taken.v));
  double more_v[7]{};
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const auto i = static_cast<Eigen::Index>(r);
    const ElementSlopes& element = elements_[rows_[r].element];
    gather(element.jacobian(rows_[r].row), element, tau[i], more_v);
    gather(element.jacobian_rate(rows_[r].row), element, tau[i], of_q);
  }
  add_velocity(motion, more_v, taken);
  add_virtual(motion, of_mu, taken);
  add_position(motion, of_q, taken);
  const Vector sigma = factors.solve(stacked(own.of.xi - taken.xi, own.of.o - taken.o));
  for (const ElementSlopes& each : elements_) {
    for (int j = 0; j < each.nd(); ++j) {
      if (each.datum(j) < 0) continue;
      double& to = of_data[each.datum(j)];
      for (int i = 0; i < each.nq(); ++i) to -= mu[each.coordinate(i)] * each.residual_data(i)[j];
    }
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const auto i = static_cast<Eigen::Index>(r);
    const ElementSlopes& each = elements_[rows_[r].element];
    const int row = rows_[r].row;
    for (int j = 0; j < each.nd(); ++j) {
      if (each.datum(j) < 0) continue;
      of_data[each.datum(j)] -= nu[i] * each.phi_acceleration_data(row)[j] + tau[i] * each.phi_rate_data(row)[j] +
                                sigma[i] * each.phi_data(row)[j];
    }
  }
}

}  // namespace perilune::formulation
