// SPDX-License-Identifier: MIT
#include "sensitivity/continuous/continuous_motion.hpp"

#include <algorithm>
#include <cmath>

#include "error.hpp"
#include "formulation/remedy.hpp"
#include "sensitivity/seeds.hpp"
#include "system/constraint_rank.hpp"

namespace perilune::sensitivity {

struct LinearizedMotion::View {
  const linalg::SparsePattern& pattern;
  const double* values;
};

namespace {

/// Steps in independent coordinates leave redundant constraints out; the published equations solve for all multipliers.
void check_constraints(const Problem& problem, const Evaluation& run) {
  if (!formulation::properties(problem.formulation).has_independent_coordinates()) return;
  system::Workspace w(*problem.system);
  const analysis::ConsistentState& start = run.initial;
  problem.system->evaluate({problem.start, start.q.data(), start.v.data(), nullptr, nullptr}, *run.data, w,
                           system::Part::Constraints);
  const system::ConstraintRank found = system::constraint_rank(*problem.system, w);
  if (!found.is_redundant()) return;
  throw NumericalError(
      "redundant constraints of " + system::describe(found.redundant) +
      ": the continuous equations of the form in use solve for multipliers, which are not determined then; "
      "mbs.adjoint {} and mbs.direct {} do without; or leave those constraints out, or " +
      formulation::use_instead(problem.formulation, formulation::Trouble::Redundancy, true));
}

}  // namespace

const formulation::Sides& sides_at(const integrator::Steps& run, double t, bool before) {
  const Blocks<integrator::Steps::Step>& steps = run.steps;
  std::size_t first = 0;  // that does not end earlier
  for (std::size_t count = steps.size(); count > 0;) {
    const std::size_t half = count / 2;
    const double end = steps[first + half].end;
    const bool is_earlier = before ? end < t : end <= t;
    first += is_earlier ? half + 1 : 0;
    count = is_earlier ? count - half - 1 : half;
  }
  return steps[std::min(first, steps.size() - 1)].sides;
}

LinearizedMotion::LinearizedMotion(const Problem& problem, const Evaluation& run)
    : run_(run),
      held_(problem.system->switches() ? std::make_shared<Data>(*run.data) : nullptr),
      dynamics_(problem.system, held_ ? held_ : run.data, problem.formulation),
      n_(static_cast<std::size_t>(dynamics_.n())),
      m_(static_cast<std::size_t>(dynamics_.m())),
      q_(n_),
      v_(n_),
      a_(n_),
      lambda_(m_),
      rates_(n_ + m_),
      second_rates_(n_ + m_),
      z_(2 * n_ + static_cast<std::size_t>(problem.system->data_count())),
      partials_(n_ + m_) {
  check_constraints(problem, run);
}

const system::MotionPoint& LinearizedMotion::at(double t) {
  if (is_set_ && !is_mesh_ && t == point_.t) return point_;
  run_.solution.mesh.interpolate(t, q_.data(), v_.data(), hint_);
  dynamics_.accelerations(t, q_.data(), v_.data(), a_.data(), lambda_.data());
  dynamics_.linearize(t, q_.data(), v_.data(), a_.data(), lambda_.data(), true, false);
  set({t, q_.data(), v_.data(), a_.data(), lambda_.data(), run_.data->parameters.data(),
       held_ ? held_->sides.data() : nullptr});
  is_mesh_ = false;
  return point_;
}

void LinearizedMotion::enter(double t, bool before) {
  if (held_) hold(sides_at(run_.solution.steps, t, before));
}

void LinearizedMotion::hold(const formulation::Sides& sides) {
  if (held_ && sides) system().set_sides(*sides, *held_);
  is_set_ = false;
}

const system::MotionPoint& LinearizedMotion::at_mesh(std::size_t node) {
  const system::MotionPoint at = mesh_point(run_.solution.mesh, node, run_.data->parameters);
  dynamics_.linearize(at.t, at.q, at.v, at.a, at.lambda, true, true);
  set(at);
  is_mesh_ = true;
  return point_;
}

void LinearizedMotion::set(const system::MotionPoint& point) {
  point_ = point;
  is_set_ = true;
  ++visit_;
  has_rates_ = has_second_rates_ = false;
}

system::Kinematics LinearizedMotion::kinematics() const {
  return {point_.t, point_.q, point_.v, point_.a, point_.lambda};
}

system::MotionRates::Point LinearizedMotion::moving_point() {
  const double* first = rates();
  return {kinematics(), first, first + n_, &dynamics_.data(), law()};
}

LinearizedMotion::View LinearizedMotion::view(Block block) {
  const system::Workspace& blocks = dynamics_.workspace();
  const System& s = system();
  switch (block) {
    case Block::Mass:
      return {s.nn(), blocks.mass.data()};
    case Block::Inertia:
      return {s.nn(), blocks.inertia.data()};
    case Block::Loads:
      return {s.nr(), blocks.force_multiplier.data()};
    case Block::Stiffness:
      return {s.nn(), blocks.stiffness.data()};
    case Block::Damping:
      return {s.nn(), blocks.damping.data()};
    case Block::ResidualData:
      return {s.nd(), blocks.residual_data.data()};
    case Block::Jacobian:
      return {s.mn(), blocks.jacobian.data()};
    case Block::JacobianRate:
      return {s.mn(), blocks.jacobian_rate.data()};
    case Block::JacobianAcceleration:
      return {s.mn(), blocks.jacobian_acceleration.data()};
    case Block::PhiData:
      return {s.md(), blocks.phi_data.data()};
    case Block::PhiRateData:
      return {s.md(), blocks.phi_rate_data.data()};
    case Block::PhiAccelerationData:
      break;
  }
  return {s.md(), blocks.phi_acceleration_data.data()};
}

Eigen::MatrixXd LinearizedMotion::dense(Block block) {
  const View of = view(block);
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(of.pattern.rows(), of.pattern.columns());
  const double* entry = of.values;
  of.pattern.for_each([&](int i, int j) { out(i, j) = *entry++; });
  return out;
}

void LinearizedMotion::add(Block block, const double* x, double* y, double scale) {
  const View of = view(block);
  of.pattern.multiply(of.values, x, y, scale);
}

void LinearizedMotion::add_transposed(Block block, const double* x, double* y, double scale) {
  const View of = view(block);
  of.pattern.multiply_transposed(of.values, x, y, scale);
}

system::MotionRates& LinearizedMotion::products() {
  if (!products_) {
    products_.emplace(needs_points(system()) ? system::MotionRates::with_second_rates(system())
                                             : system::MotionRates(system()));
  }
  return *products_;
}

void LinearizedMotion::solve_rates(const double* q, const double* v, std::vector<double>& x) {
  std::copy_n(q, n_, z_.data());
  std::copy_n(v, n_, z_.data() + n_);  // the data behind them stand still
  dynamics_.negative_partials(z_.data(), 1, partials_.data());
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = partials_[k] - x[k];
  dynamics_.solve(x.data());
}

const double* LinearizedMotion::rates() {
  if (has_rates_) return rates_.data();
  // R(z(t)) = 0 along the motion: R_a a' + R_lambda lambda' = -(R_q v + R_v a + R_t).
  std::fill(rates_.begin(), rates_.end(), 0.0);
  products().add_time_partial(kinematics(), dynamics_.data(), law(), rates_.data());
  solve_rates(point_.v, point_.a, rates_);
  has_rates_ = true;
  return rates_.data();
}

const double* LinearizedMotion::second_rates() {
  if (has_second_rates_) return second_rates_.data();
  const system::MotionRates::Point point = moving_point();
  std::fill(second_rates_.begin(), second_rates_.end(), 0.0);
  products().add_curvature(point, second_rates_.data());
  solve_rates(point_.a, point.a_rate, second_rates_);
  has_second_rates_ = true;
  return second_rates_.data();
}

void LinearizedMotion::add_rates_transposed(const double* w, const system::PointGradient& out) {
  products().add_rates_of_rows(moving_point(), w, out);
}

void LinearizedMotion::add_second_rates_transposed(const double* w, double* out) {
  const double* second = second_rates();
  products().add_second_rates(moving_point(), second, second + n_, w, {.a = out, .lambda = out + n_});
}

void LinearizedMotion::add_border_transposed(const double* w, double* out) const {
  const system::Workspace& blocks = dynamics_.workspace();
  const System& s = dynamics_.system();
  s.mn().multiply(blocks.jacobian.data(), w, out);
  s.nr().multiply_transposed(blocks.force_multiplier.data(), w, out);
  for (std::size_t k = 0; k < m_; ++k) out[k] -= dynamics_.law().compliance * w[n_ + k];
}

void LinearizedMotion::add_damping_rates_transposed(int count, const double* x, double* out) {
  products().add_damping_rates(moving_point(), count, x, out);
}

void LinearizedMotion::add_mass_rates(int count, const double* x, double* rate, double* second) {
  products().add_mass_rates(kinematics(), dynamics_.data(), count, x, rate, second);
}

}  // namespace perilune::sensitivity
