#include "sensitivity/continuous_motion.hpp"

#include <algorithm>
#include <cmath>

#include "sensitivity/seeds.hpp"

namespace perilune::sensitivity {

struct LinearizedMotion::View {
  const linalg::SparsePattern& pattern;
  const double* values;
};

LinearizedMotion::LinearizedMotion(const Problem& problem, const Evaluation& run)
    : run_(run),
      dynamics_(problem.system, run.data, problem.formulation),
      n_(static_cast<std::size_t>(dynamics_.n())),
      m_(static_cast<std::size_t>(dynamics_.m())),
      q_(n_),
      v_(n_),
      a_(n_),
      lambda_(m_),
      rates_(n_ + m_),
      second_rates_(n_ + m_),
      no_mass_(n_ + m_),
      with_mass_(n_ + m_),
      scaled_(n_),
      zero_(n_ + m_) {}

const system::MotionPoint& LinearizedMotion::at(double t) {
  if (is_set_ && !is_mesh_ && t == point_.t) return point_;
  run_.solution.mesh.interpolate(t, q_.data(), v_.data(), hint_);
  dynamics_.accelerations(t, q_.data(), v_.data(), a_.data(), lambda_.data());
  dynamics_.linearize(t, q_.data(), v_.data(), a_.data(), lambda_.data(), true, false);
  set({t, q_.data(), v_.data(), a_.data(), lambda_.data(), run_.data->parameters.data()});
  is_mesh_ = false;
  return point_;
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
  has_rates_ = has_second_rates_ = has_no_mass_ = false;
}

system::Kinematics LinearizedMotion::kinematics(const double* a, const double* lambda) const {
  return {point_.t, point_.q, point_.v, a, lambda};
}

LinearizedMotion::View LinearizedMotion::view(Block block) {
  const system::Workspace& blocks = dynamics_.workspace();
  const System& s = system();
  switch (block) {
    case Block::Mass:
      return {s.nn(), blocks.mass.data()};
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

void LinearizedMotion::add(Block block, const double* x, double* y, double scale) {
  const View of = view(block);
  of.pattern.multiply(of.values, x, y, scale);
}

void LinearizedMotion::add_transposed(Block block, const double* x, double* y, double scale) {
  const View of = view(block);
  of.pattern.multiply_transposed(of.values, x, y, scale);
}

system::SecondOrder& LinearizedMotion::second_order() {
  if (!second_order_) second_order_.emplace(system());
  return *second_order_;
}

const double* LinearizedMotion::rates() {
  if (has_rates_) return rates_.data();
  // R(z(t)) = 0 along the motion: R_a a' + R_lambda lambda' = -(R_q v + R_v a + R_t).
  std::fill(rates_.begin(), rates_.end(), 0.0);
  second_order().add_first(kinematics(point_.a, point_.lambda), dynamics_.data(), law(),
                           {.q = point_.v, .v = point_.a, .t = 1}, rates_.data());
  for (double& x : rates_) x = -x;
  dynamics_.solve(rates_.data());
  has_rates_ = true;
  return rates_.data();
}

const double* LinearizedMotion::second_rates() {
  if (has_second_rates_) return second_rates_.data();
  const double* first = rates();
  const system::Kinematics at = kinematics(point_.a, point_.lambda);
  const system::Direction along{.q = point_.v, .v = point_.a, .a = first, .lambda = first + n_, .t = 1};
  std::fill(second_rates_.begin(), second_rates_.end(), 0.0);
  second_order().add_second(at, dynamics_.data(), law(), along, along, second_rates_.data());
  second_order().add_first(at, dynamics_.data(), law(), {.q = point_.a, .v = first}, second_rates_.data());
  for (double& x : second_rates_) x = -x;
  dynamics_.solve(second_rates_.data());
  has_second_rates_ = true;
  return second_rates_.data();
}

void LinearizedMotion::add_rates_transposed(const double* w, system::PointGradient& out) {
  const double* first = rates();
  second_order().add_gradient(kinematics(point_.a, point_.lambda), dynamics_.data(), law(), w,
                              {.q = point_.v, .v = point_.a, .a = first, .lambda = first + n_, .t = 1}, out);
}

void LinearizedMotion::curvature(const double* x, std::vector<double>& out) {
  const system::Kinematics at = kinematics(x, zero_.data());
  const system::Direction along{.q = point_.v, .t = 1};
  const system::ConstraintLaw none{0, 0, 0, 0};
  std::fill(out.begin(), out.end(), 0.0);
  second_order().add_second(at, dynamics_.data(), none, along, along, out.data());
  second_order().add_first(at, dynamics_.data(), none, {.q = point_.a}, out.data());
}

void LinearizedMotion::add_mass_second_rate(const double* x, double* out, double scale) {
  // The residual is linear in the accelerations: x in their place, less the same with none, is M x, whose derivatives
  // the second-order products know. The forces, which drop out, should not drown it: x is scaled to their size.
  double size = 0, forces = 1;
  for (std::size_t k = 0; k < n_; ++k) {
    size = std::max(size, std::abs(x[k]));
    forces = std::max(forces, std::abs(point_.a[k]));
  }
  if (size == 0) return;
  if (!has_no_mass_) curvature(zero_.data(), no_mass_);
  has_no_mass_ = true;
  for (std::size_t k = 0; k < n_; ++k) scaled_[k] = x[k] * (forces / size);
  curvature(scaled_.data(), with_mass_);
  for (std::size_t k = 0; k < n_; ++k) out[k] += scale * (size / forces) * (with_mass_[k] - no_mass_[k]);
}

}  // namespace perilune::sensitivity
