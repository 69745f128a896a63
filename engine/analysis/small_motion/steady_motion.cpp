// SPDX-License-Identifier: MIT
#include "analysis/small_motion/steady_motion.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

#include "analysis/small_motion/steady_parts.hpp"
#include "error.hpp"

namespace perilune::analysis {

namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::Vector4d;
using model::Place;
using steady::CommonTurn;
using steady::conjugate;
using steady::gravity_of;
using steady::largest;
using steady::parameters;
using steady::product;
using steady::pure;
using steady::tolerance;
using system::System;

/// That of turning by the vector `x` (rad).
Vector4d turned_by(const Vector3d& x) {
  const double half = x.norm() / 2, share = half > 1e-8 ? std::sin(half) / (2 * half) : 0.5;
  return {std::cos(half), share * x[0], share * x[1], share * x[2]};
}

double sinc(double x) { return std::abs(x) > 1e-4 ? std::sin(x) / x : 1 - x * x / 6; }

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", x);
  return text;
}

}  // namespace

void SteadyMotion::refuse(const std::string& why) {
  throw NumericalError("the state is of no steady motion: " + why +
                       "; leave steady = true away for the matrix of this instant, or start from a steady motion");
}

SteadyMotion::SteadyMotion(const model::Model& model, const System& system, std::vector<double> q,
                           std::vector<double> v, const std::vector<double>& a, const std::vector<double>& parameters,
                           int turns_with)
    : model_(model),
      system_(system),
      dimension_(model.dimension()),
      gravity_(gravity_of(model, parameters, -1).first),
      q_(std::move(q)),
      v_(std::move(v)),
      a_(a),
      parameters_(parameters),
      turns_with_(turns_with) {
  find_frames(model);
  find_turn(a);
  find_spins();
  require_common_velocity();
  require_accelerations(a);
  displacements_ = displaced(MatrixXd::Identity(3, 3), turn_axes(),
                             Eigen::Map<const VectorXd>(q_.data(), static_cast<Index>(q_.size())),
                             Eigen::Map<const VectorXd>(v_.data(), static_cast<Index>(v_.size())), 1);
}

Vector3d SteadyMotion::place(const std::vector<double>& x, const Frame& frame) const {
  const double* r = x.data() + frame.first;
  return {r[0], r[1], dimension_ == 3 ? r[2] : 0.0};
}

void SteadyMotion::find_frames(const model::Model& model) {
  std::vector<char> is_known(q_.size(), 0);
  for (const model::MovingFrame& moving : model.record().moving_frames) {
    const Place& at = moving.place;
    Frame frame{at.name, model.coordinate_numbers()[static_cast<std::size_t>(at.coordinates.front())]};
    frame.has_angle = at.kind == Place::Kind::PlanarBody;
    frame.has_parameters = at.kind == Place::Kind::SpatialBody;
    if (at.kind != Place::Kind::Point && !frame.has_angle && !frame.has_parameters) continue;
    const int count = dimension_ + (frame.has_angle ? 1 : frame.has_parameters ? 4 : 0);
    std::fill_n(is_known.begin() + frame.first, count, char{1});
    frames_.push_back(std::move(frame));
  }
  for (int i = 0; i < system_.coordinate_count(); ++i) {
    if (is_known[static_cast<std::size_t>(i)] || system_.role(i) != model::Role::Motion) continue;
    throw Error(
        "m:linearize with steady = true is offered for points and rigid bodies with angles or Euler parameters, "
        "not for the coordinate " +
        system_.coordinate_name(i) + "; leave steady away");
  }
}

/// The directions, as columns, about which the whole can turn without a change of its weight.
MatrixXd SteadyMotion::turn_axes() const {
  const bool is_heavy = gravity_.norm() > 0;
  if (dimension_ == 2) return is_heavy ? MatrixXd(3, 0) : MatrixXd(Vector3d(0, 0, 1));
  return is_heavy ? MatrixXd(gravity_.normalized()) : MatrixXd(MatrixXd::Identity(3, 3));
}

SteadyMotion::Turning SteadyMotion::turning_vectors(const std::vector<double>& a) const {
  Turning vectors;
  for (const Frame& frame : frames_) {
    vectors.emplace_back(place(v_, frame), place(a, frame));
    if (!frame.has_parameters) continue;
    const Vector4d back = conjugate(parameters(q_, frame.first));
    vectors.emplace_back(2 * product(parameters(v_, frame.first), back).tail<3>(),
                         2 * product(parameters(a, frame.first), back).tail<3>());
  }
  return vectors;
}

void SteadyMotion::find_turn(const std::vector<double>& a) {
  const MatrixXd axes = turn_axes();
  const Turning vectors = turning_vectors(a);
  if (axes.cols() == 0 || vectors.empty()) return;
  turn_ = axes * CommonTurn(axes, vectors).shares;
  if (turns_with_ < 0) return;
  turn_ = axes * (axes.transpose() * angular_velocity(frames_[static_cast<std::size_t>(turns_with_)]));
}

Vector3d SteadyMotion::angular_velocity(const Frame& frame) const {
  return 2 * product(parameters(v_, frame.first), conjugate(parameters(q_, frame.first))).tail<3>();
}

std::vector<int> SteadyMotion::bodies_on_open_axis() const {
  const MatrixXd axes = turn_axes();
  const Turning vectors = turning_vectors(a_);
  std::vector<int> bodies;
  if (axes.cols() == 0 || vectors.empty() || !CommonTurn(axes, vectors).is_open) return bodies;
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    if (frames_[i].has_parameters && angular_velocity(frames_[i]).norm() > 0) bodies.push_back(static_cast<int>(i));
  }
  return bodies;
}

std::unique_ptr<SteadyMotion> SteadyMotion::find(const model::Model& model, const LinearizedState& state,
                                                 const System& system, const system::Data& data, double t,
                                                 const std::vector<double>& q, const std::vector<double>& v) {
  const std::vector<double>& a = state.acceleration();
  auto still = std::make_unique<SteadyMotion>(model, system, q, v, a, data.parameters);
  try {
    still->verify(state, data, t);
    return still;
  } catch (const NumericalError&) {
    for (const int body : still->bodies_on_open_axis()) {
      try {
        auto turning = std::make_unique<SteadyMotion>(model, system, q, v, a, data.parameters, body);
        turning->verify(state, data, t);
        return turning;
      } catch (const NumericalError&) {
        continue;  // another body may be what the whole turns with; else the first fault is told
      }
    }
    throw;
  }
}

void SteadyMotion::find_spins() {
  rate_ = turn_.norm();
  for (Frame& frame : frames_) {
    if (frame.has_angle) rate_ = std::max(rate_, std::abs(v_[static_cast<std::size_t>(frame.first + 2)]));
    if (!frame.has_parameters) continue;
    const Vector4d p = parameters(q_, frame.first), back = conjugate(p);
    frame.spin =
        2 * product(back, parameters(v_, frame.first)).tail<3>() - product(back, product(pure(turn_), p)).tail<3>();
    rate_ = std::max(rate_, frame.spin.norm());
  }
}

void SteadyMotion::require_common_velocity() const {
  if (frames_.empty()) return;
  double fastest = 0;
  const auto shift = [&](const Frame& frame) { return Vector3d(place(v_, frame) - turn_.cross(place(q_, frame))); };
  for (const Frame& frame : frames_) {
    fastest = std::max({fastest, place(v_, frame).norm(), turn_.cross(place(q_, frame)).norm()});
  }
  for (const Frame& frame : frames_) {
    if ((shift(frame) - shift(frames_.front())).norm() <= tolerance * fastest) continue;
    refuse("\"" + frames_.front().name + "\" and \"" + frame.name +
           "\" do not move as parts of one whole that turns and shifts");
  }
}

void SteadyMotion::require_accelerations(const std::vector<double>& a) const {
  const auto n = static_cast<Index>(a.size());
  const VectorXd expected = derivative(Eigen::Map<const VectorXd>(v_.data(), n));
  // Not below what rounding leaves of velocities of 1 m/s, or 1 rad/s, on a path of 1 m.
  constexpr double least = 1e-3;
  double fastest = rate_;
  for (const double x : v_) fastest = std::max(fastest, std::abs(x));
  const double bend = std::max(least, fastest * fastest);
  double length = std::max(gravity_.norm(), bend), angle = length;  // as of a lever of 1 m
  for (int i = 0; i < system_.coordinate_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    double& size = system_.unit(i) == "m" ? length : angle;
    size = std::max({size, std::abs(a[k]), rate_ * std::abs(v_[k])});
  }
  for (int i = 0; i < system_.coordinate_count(); ++i) {
    const double found = a[static_cast<std::size_t>(i)], wanted = expected[i];
    if (std::abs(found - wanted) <= tolerance * (system_.unit(i) == "m" ? length : angle)) continue;
    const bool is_state = system_.role(i) == model::Role::State;
    refuse((is_state ? "the rate of " : "the acceleration of ") +
           (is_state ? system_.velocity_name(i) : system_.coordinate_name(i)) + " is " + number(found) + ", not " +
           number(wanted));
  }
}

MatrixXd SteadyMotion::derivative(const MatrixXd& columns) const {
  MatrixXd out = MatrixXd::Zero(columns.rows(), columns.cols());
  for (Index k = 0; k < columns.cols(); ++k) {
    for (const Frame& frame : frames_) {
      Vector3d x = Vector3d::Zero();
      x.head(dimension_) = columns.col(k).segment(frame.first, dimension_);
      out.col(k).segment(frame.first, dimension_) = turn_.cross(x).head(dimension_);
      if (!frame.has_parameters) continue;
      const Vector4d p = columns.col(k).segment<4>(frame.first + 3);
      out.col(k).segment<4>(frame.first + 3) = (product(pure(turn_), p) + product(p, pure(frame.spin))) / 2;
    }
  }
  return out;
}

MatrixXd SteadyMotion::carried(const MatrixXd& columns, double time) const {
  MatrixXd out = columns;
  const Vector4d common = turned_by(time * turn_);
  const Eigen::Matrix3d rotation = Quaterniond(common[0], common[1], common[2], common[3]).toRotationMatrix();
  for (Index k = 0; k < columns.cols(); ++k) {
    for (const Frame& frame : frames_) {
      Vector3d x = Vector3d::Zero();
      x.head(dimension_) = columns.col(k).segment(frame.first, dimension_);
      out.col(k).segment(frame.first, dimension_) = (rotation * x).head(dimension_);
      if (!frame.has_parameters) continue;
      const Vector4d p = columns.col(k).segment<4>(frame.first + 3);
      out.col(k).segment<4>(frame.first + 3) = product(common, product(p, turned_by(time * frame.spin)));
    }
  }
  return out;
}

std::vector<double> SteadyMotion::position_after(double time) const {
  std::vector<double> out = q_;
  // What is in no frame, and planar angles, grow at constant rates.
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += time * v_[i];
  const double angle = time * turn_.norm();
  const Vector3d axis = turn_.norm() > 0 ? Vector3d(turn_.normalized()) : Vector3d::UnitZ();
  const VectorXd all = carried(Eigen::Map<const VectorXd>(q_.data(), static_cast<Index>(q_.size())), time);
  for (const Frame& frame : frames_) {
    // The velocity turns on the way.
    const Vector3d u = place(v_, frame), across = u - u.dot(axis) * axis;
    const double half = sinc(angle / 2);
    const Vector3d way = time * (u.dot(axis) * axis + sinc(angle) * across + angle / 2 * half * half * axis.cross(u));
    for (int i = 0; i < dimension_; ++i) {
      const auto k = static_cast<std::size_t>(frame.first + i);
      out[k] = q_[k] + way[i];
    }
    for (int i = 3; frame.has_parameters && i < 7; ++i)
      out[static_cast<std::size_t>(frame.first + i)] = all[frame.first + i];
  }
  return out;
}

void SteadyMotion::verify(const LinearizedState& state, const system::Data& data, double t) const {
  double fastest = rate_;
  for (const double x : v_) fastest = std::max(fastest, std::abs(x));
  const auto [dq, dv] = state.columns();
  const MatrixXd da = state.acceleration_of(dq, dv);
  const VectorXd v = Eigen::Map<const VectorXd>(v_.data(), static_cast<Index>(v_.size()));
  for (const double turns : {0.7, 1.9}) {  // nothing returns to where it was after these
    const double time = fastest > 0 ? turns / fastest : turns;
    const VectorXd later_v = carried(v, time);
    const LinearizedState later(system_, data, t + time, position_after(time),
                                {later_v.data(), later_v.data() + later_v.size()});
    const MatrixXd q = carried(dq, time), w = carried(dv, time), wanted = carried(da, time);
    const auto holds = [&](const MatrixXd& fault, double size) { return largest(fault) <= tolerance * size; };
    const Index positions = state.position_freedoms(), motions = positions + state.velocity_freedoms();
    const double rates = 1 + std::max(largest(dv), largest(da));
    if (later.size() != state.size() || later.velocity_freedoms() != state.velocity_freedoms() ||
        !holds(later.position_violation(q.leftCols(positions)), 1) ||
        !holds(later.velocity_violation(q.leftCols(motions), w.leftCols(motions)), rates)) {
      refuse("the constraints change on its way");
    }
    if (!holds(later.acceleration_of(q, w) - wanted, rates)) {
      refuse("the forces change on its way, " + number(time) + " s later its neighbours accelerate otherwise");
    }
  }
}

}  // namespace perilune::analysis
