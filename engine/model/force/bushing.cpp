// SPDX-License-Identifier: MIT
#include "model/force/bushing.hpp"

#include "error.hpp"
#include "model/body/orientation.hpp"
#include "model/force/forces.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/places.hpp"
#include "model/signals.hpp"

namespace perilune::model {

namespace {

/// Displacement and turning of b against a along the axes of a, their rates, and what carries generalized forces on
/// them back to the bodies.
struct RelativeMotion {
  Vector axes;      // of a in space
  Vector x, rates;  // displacements, then turning
  Symbol e0 = 1.0;  // spatial: Euler parameters of the turning, along the axes of a
  Vector e;
};

/// Scalar and vector part of the Euler parameters of the rotation R = A_a^T A_b (row-major), valid below half a turn.
void euler_parameters(const Vector& R, Symbol& e0, Vector& e) {
  e0 = 0.5 * sqrt(1.0 + R[0] + R[4] + R[8]);
  e = {(R[7] - R[5]) / (4.0 * e0), (R[2] - R[6]) / (4.0 * e0), (R[3] - R[1]) / (4.0 * e0)};
}

RelativeMotion relative_motion(const Model& model, const Place& a, const Place& b) {
  RelativeMotion m;
  m.axes = orientation(model, a);
  const Vector other = orientation(model, b), u = minus(position_of(model, b), position_of(model, a));
  const Vector turning_a = angular_velocity(model, a), spin = minus(angular_velocity(model, b), turning_a);
  const Vector drag = swept(turning_a, u);  // velocity of the point of body a that is at b, relative to a
  m.x = into_axes(m.axes, u);
  m.rates = into_axes(m.axes, minus(minus(velocity_of(model, b), velocity_of(model, a)), drag));
  if (u.size() == 2) {
    auto angle = [&](const Place& place) {
      Symbol sum = place.axes.empty() ? Symbol(0.0) : place.axes[0];
      if (place.kind == Place::Kind::PlanarBody) {
        sum += Symbol(model.graph(), model.coordinates()[static_cast<std::size_t>(place.coordinates[2])].position);
      }
      return sum;
    };
    m.x.push_back(angle(b) - angle(a));
    m.rates.push_back(spin[0]);
    return m;
  }
  Vector R(9, 0.0);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) R[3 * i + j] += m.axes[3 * k + i] * other[3 * k + j];
    }
  }
  euler_parameters(R, m.e0, m.e);
  // e' = (e0 omega + omega x e) / 2 with the relative angular velocity along the axes of a.
  const Vector omega = into_axes(m.axes, spin), turning = cross(omega, m.e);
  for (std::size_t k = 0; k < 3; ++k) {
    m.x.push_back(2.0 * m.e[k]);
    m.rates.push_back(m.e0 * omega[k] + turning[k]);
  }
  return m;
}

/// The torque on b along the axes of a that does the work of `conjugate` on the turning: the transpose of its rate.
Vector torque_of(const RelativeMotion& m, const Vector& conjugate) {
  if (conjugate.size() == 1) return conjugate;
  const Vector turning = cross(m.e, conjugate);
  Vector torque;
  for (std::size_t k = 0; k < 3; ++k) torque.push_back(m.e0 * conjugate[k] + turning[k]);
  return torque;
}

}  // namespace

void add_bushing(Model& model, const std::string& name, const Place& a, const Place& b,
                 const std::vector<Symbol>& stiffness, const std::vector<Symbol>& damping) {
  check_pair("bushing", name, a, b);
  const auto d = static_cast<std::size_t>(model.dimension()), n = d == 2 ? std::size_t{3} : std::size_t{6};
  for (const Place* place : {&a, &b}) {
    if (!has_directions(*place)) {
      throw Error("bushing \"" + name + "\": \"" + place->name + "\" is a point and has no axes");
    }
  }
  if (stiffness.size() != n * n || damping.size() != n * n) {
    throw Error("bushing \"" + name + "\": stiffness and damping need " + std::to_string(n) + " x " +
                std::to_string(n) + " numbers");
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (stiffness[n * i + j].in(model.graph()) != stiffness[n * j + i].in(model.graph())) {
        throw Error("bushing \"" + name + "\": the stiffness must be symmetric");
      }
    }
  }
  const RelativeMotion motion = relative_motion(model, a, b);
  const Vector elastic = out_of_axes(stiffness, motion.x), viscous = out_of_axes(damping, motion.rates);
  Vector forces(n);
  for (std::size_t k = 0; k < n; ++k) forces[k] = -(elastic[k] + viscous[k]);
  const auto middle = forces.begin() + static_cast<std::ptrdiff_t>(d);
  const Vector torque = torque_of(motion, {middle, forces.end()});
  GeneralizedForce total(model);
  total.add_force_pair(a, b, out_of_axes(motion.axes, {forces.begin(), middle}));
  total.add_torque_pair(a, b, d == 2 ? torque : out_of_axes(motion.axes, torque));
  add_law(model, name, "bushing", total, 0.5 * dot(motion.x, elastic));
  model.record().connections.push_back({"bushing", Mark::Rubber, name, a, b});

  static constexpr const char* planar[] = {"x", "y", "angle", "fx", "fy", "torque"};
  static constexpr const char* spatial[] = {"x", "y", "z", "rx", "ry", "rz", "fx", "fy", "fz", "tx", "ty", "tz"};
  const char* const* names = d == 2 ? planar : spatial;
  for (std::size_t k = 0; k < n; ++k) {
    add_signal(model, name, names[k], k < d ? "m" : "rad", motion.x[k]);
    add_acting_signal(model, name, names[n + k], k < d ? "N" : "N m", forces[k]);
  }
  add_acting_signal(model, name, "dissipation", "W", dot(motion.rates, viscous));
}

}  // namespace perilune::model
