// SPDX-License-Identifier: MIT
// How a steady motion changes with parameters.
#include <algorithm>
#include <optional>

#include "analysis/small_motion/steady_motion.hpp"
#include "analysis/small_motion/steady_parts.hpp"
#include "error.hpp"
#include "expr/tape.hpp"

namespace perilune::analysis {

using Eigen::Vector3d;
using Eigen::Vector4d;
using steady::CommonTurn;
using steady::conjugate;
using steady::gravity_of;
using steady::largest;
using steady::parameters;
using steady::product;
using steady::pure;
using steady::tolerance;

std::pair<Vector3d, Vector3d> steady::gravity_of(const model::Model& model, const std::vector<double>& parameters,
                                                 int by) {
  std::vector<expr::NodeId> inputs, outputs;
  for (const model::Parameter& parameter : model.parameters()) inputs.push_back(parameter.node);
  for (const model::Symbol& component : model.gravity()) outputs.push_back(component.in(model.graph()));
  const expr::Tape tape(model.graph(), inputs, outputs);
  std::vector<double> work = tape.make_work<double>(), tangent(work.size(), 0.0);
  std::copy_n(parameters.begin(), inputs.size(), work.begin());
  tape.evaluate(work.data());
  if (by >= 0) {
    tangent[static_cast<std::size_t>(by)] = 1;
    tape.tangent(work.data(), tangent.data());
  }
  std::pair<Vector3d, Vector3d> out{Vector3d::Zero(), Vector3d::Zero()};
  for (int i = 0; i < tape.output_count(); ++i) {
    const auto slot = static_cast<std::size_t>(tape.output_slot(i));
    out.first[i] = work[slot];
    out.second[i] = tangent[slot];
  }
  return out;
}

MatrixXd SteadyMotion::turn_axes_rate(int parameter) const {
  const MatrixXd axes = turn_axes();
  if (dimension_ == 2 || gravity_.norm() == 0) return MatrixXd::Zero(3, axes.cols());
  const Vector3d change = gravity_of(model_, parameters_, parameter).second / gravity_.norm();
  return change - axes * (axes.transpose() * change);
}

MatrixXd SteadyMotion::displaced(const MatrixXd& shifts, const MatrixXd& axes, const VectorXd& q, const VectorXd& v,
                                 double angle) const {
  const Index n = q.size();
  MatrixXd out = MatrixXd::Zero(2 * n, shifts.cols() + axes.cols());
  for (const Frame& frame : frames_) {
    const Index at = frame.first;
    out.block(at, 0, dimension_, shifts.cols()) = shifts.topRows(dimension_);
    for (Index k = 0; k < axes.cols(); ++k) {
      const Vector3d axis = axes.col(k);
      for (Index level = 0; level < 2; ++level) {
        const VectorXd& of = level == 0 ? q : v;
        auto column = out.col(shifts.cols() + k).segment(level * n, n);
        Vector3d r = Vector3d::Zero();
        r.head(dimension_) = of.segment(at, dimension_);
        column.segment(at, dimension_) = axis.cross(r).head(dimension_);
        if (frame.has_angle && level == 0) column[at + 2] = angle * axis[2];
        if (frame.has_parameters) column.segment<4>(at + 3) = product(pure(axis), of.segment<4>(at + 3)) / 2;
      }
    }
  }
  return out;
}

Vector3d SteadyMotion::turn_rate(const VectorXd& q_rate, const VectorXd& v_rate, const VectorXd& a_rate,
                                 int parameter) const {
  const MatrixXd axes = turn_axes();
  const Turning vectors = turning_vectors(a_);
  if (axes.cols() == 0 || vectors.empty()) return Vector3d::Zero();
  const auto part = [&](const VectorXd& x, const Frame& frame) {
    Vector3d out = Vector3d::Zero();
    out.head(dimension_) = x.segment(frame.first, dimension_);
    return out;
  };
  Turning rates;
  for (const Frame& frame : frames_) {
    rates.emplace_back(part(v_rate, frame), part(a_rate, frame));
    if (!frame.has_parameters) continue;
    const Vector4d back = conjugate(parameters(q_, frame.first));
    const Vector4d back_rate = conjugate(q_rate.segment<4>(frame.first + 3));
    const auto turned = [&](const std::vector<double>& x, const VectorXd& x_rate) -> Vector3d {
      const Vector4d direction = x_rate.segment<4>(frame.first + 3);
      return 2 * (product(direction, back) + product(parameters(x, frame.first), back_rate)).tail<3>();
    };
    rates.emplace_back(turned(v_, v_rate), turned(a_, a_rate));
  }
  const MatrixXd axes_rate = turn_axes_rate(parameter);
  if (turns_with_ >= 0) {
    const Frame& frame = frames_[static_cast<std::size_t>(turns_with_)];
    const Vector4d back_rate = conjugate(q_rate.segment<4>(frame.first + 3)), w = parameters(v_, frame.first);
    const Vector4d rate = product(v_rate.segment<4>(frame.first + 3), conjugate(parameters(q_, frame.first)));
    const Vector3d omega = angular_velocity(frame), omega_rate = 2 * (rate + product(w, back_rate)).tail<3>();
    return axes_rate * (axes.transpose() * omega) +
           axes * (axes_rate.transpose() * omega + axes.transpose() * omega_rate);
  }
  const CommonTurn turn(axes, vectors);
  const MatrixXd matrix_rate = CommonTurn::crossed(axes_rate, vectors) + CommonTurn::crossed(axes, rates);
  VectorXd right_rate(turn.right.size());
  for (std::size_t k = 0; k < rates.size(); ++k) right_rate.segment<3>(3 * static_cast<Index>(k)) = rates[k].second;
  // The last term: what the smallest of several solutions is turns, too.
  const VectorXd back = matrix_rate.transpose() * (turn.inverse.transpose() * turn.shares);
  const VectorXd shares_rate =
      turn.inverse * (right_rate - matrix_rate * turn.shares) + back - turn.inverse * (turn.matrix * back);
  return axes_rate * turn.shares + axes * shares_rate;
}

std::unique_ptr<LinearFlow> SteadyMotion::rate(const VectorXd& q_rate, const VectorXd& v_rate, const VectorXd& a_rate,
                                               double size, int parameter) const {
  auto out = std::make_unique<SteadyMotion>(*this);
  const VectorXd q = Eigen::Map<const VectorXd>(q_.data(), static_cast<Index>(q_.size()));
  const VectorXd v = Eigen::Map<const VectorXd>(v_.data(), static_cast<Index>(v_.size()));
  const MatrixXd none = MatrixXd::Zero(3, 3);
  out->displacements_ =
      displaced(none, turn_axes(), q_rate, v_rate, 0) + displaced(none, turn_axes_rate(parameter), q, v, 1);
  out->turn_ = turn_rate(q_rate, v_rate, a_rate, parameter);
  for (Frame& frame : out->frames_) {
    if (!frame.has_parameters) continue;
    const Vector4d p = parameters(q_, frame.first), w = parameters(v_, frame.first);
    const Vector4d dp = q_rate.segment<4>(frame.first + 3), dv = v_rate.segment<4>(frame.first + 3);
    const Vector4d turned = product(pure(turn_), p);
    const Vector4d turned_rate = product(pure(out->turn_), p) + product(pure(turn_), dp);
    frame.spin = (2 * (product(conjugate(dp), w) + product(conjugate(p), dv)) - product(conjugate(dp), turned) -
                  product(conjugate(p), turned_rate))
                     .tail<3>();
  }
  const VectorXd by_flow = out->derivative(v), by_velocity = derivative(v_rate), left = a_rate - by_flow - by_velocity;
  double shift_size = rate_ > 0 ? size / rate_ : size, shift_left = 0;
  std::optional<Vector3d> first;
  for (const Frame& frame : frames_) {
    const Vector3d r = place(q_, frame);
    Vector3d dr = Vector3d::Zero(), dv = Vector3d::Zero();
    dr.head(dimension_) = q_rate.segment(frame.first, dimension_);
    dv.head(dimension_) = v_rate.segment(frame.first, dimension_);
    const Vector3d turned = out->turn_.cross(r) + turn_.cross(dr);
    if (!first) first = dv - turned;
    shift_size = std::max({shift_size, dv.norm(), turned.norm()});
    shift_left = std::max(shift_left, (dv - turned - *first).norm());
  }
  if (parameter < 0) return out;
  // Where nothing acts, rounding is compared with what the parameter's own size would do to the motion.
  constexpr double least = 1e-9;
  const double value = std::abs(parameters_[static_cast<std::size_t>(parameter)]), own = value > 0 ? value : 1;
  const double fastest = std::max(rate_, largest(v)), bend = std::max(1e-3, fastest * fastest);
  const double most = std::max({size, largest(a_rate), largest(by_flow), largest(by_velocity)});
  if (largest(left) > std::max(tolerance * most, least * bend / own) ||
      shift_left > std::max(tolerance * shift_size, least * fastest / own)) {
    throw NumericalError("the motion is steady only at this value of the parameter \"" +
                         model_.parameters()[static_cast<std::size_t>(parameter)].name +
                         "\": let the declared velocities and positions follow it, or leave it out of over");
  }
  return out;
}

}  // namespace perilune::analysis
