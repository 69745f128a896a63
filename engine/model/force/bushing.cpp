// SPDX-License-Identifier: MIT
#include "model/force/bushing.hpp"

#include <algorithm>
#include <array>

#include "error.hpp"
#include "model/body/orientation.hpp"
#include "model/declare.hpp"
#include "model/force/forces.hpp"
#include "model/law/switches.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/markers.hpp"
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

using Quaternion = std::array<Symbol, 4>;

Quaternion product(const Quaternion& p, const Quaternion& q) {
  return {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
          p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
}

/// Of axes in the frame of a body (3 x 3, row-major), expressions of parameters; its sign may change where these do. The
/// row r of 4 m m^T is linear in the axes; of one whose m_r is far from zero whatever the parameters.
Quaternion of_axes(const Vector& A) {
  const Quaternion rows[] = {{1.0 + A[0] + A[4] + A[8], A[7] - A[5], A[2] - A[6], A[3] - A[1]},
                             {A[7] - A[5], 1.0 + A[0] - A[4] - A[8], A[1] + A[3], A[2] + A[6]},
                             {A[2] - A[6], A[1] + A[3], 1.0 - A[0] + A[4] - A[8], A[5] + A[7]},
                             {A[3] - A[1], A[2] + A[6], A[5] + A[7], 1.0 - A[0] - A[4] + A[8]}};
  constexpr double enough = 0.9;  // the squares 4 m_r^2 add up to four
  Quaternion m = rows[3];
  Symbol square = rows[3][3];
  for (std::size_t r = 3; r-- > 0;) {
    const auto is_large = less(enough, rows[r][r]);
    for (std::size_t k = 0; k < 4; ++k) m[k] = Symbol::where(is_large, rows[r][k], m[k]);
    square = Symbol::where(is_large, rows[r][r], square);
  }
  const Symbol length = 2.0 * sqrt(square);
  for (Symbol& x : m) x = x / length;
  return m;
}

/// Of the axes of a place in space. `coordinates`: of its body, which has Euler parameters, or is the ground.
Quaternion turn_of(const Place& place, const Vector& coordinates) {
  Quaternion turn = {1.0, 0.0, 0.0, 0.0};
  if (place.kind != Place::Kind::Ground) std::copy_n(coordinates.begin() + 3, 4, turn.begin());
  return place.axes.empty() ? turn : product(turn, of_axes(place.axes));
}

Quaternion turn_between(Quaternion a, const Quaternion& b) {
  for (std::size_t k = 1; k < 4; ++k) a[k] = -a[k];
  return product(a, b);
}

bool has_euler_parameters(const Place& place) { return place.kind != Place::Kind::NaturalBody; }

/// Euler parameters of the turning of b against a, along the axes of a. They follow those of the bodies, through half a
/// turn, too: of their two signs that counts by which the turning is below half a turn at the start. Bodies without
/// them have the rotation R = A_a^T A_b (row-major) alone, which tells them below half a turn.
Quaternion turning_of(const Model& model, const Place& a, const Place& b, const Vector& R) {
  if (!has_euler_parameters(a) || !has_euler_parameters(b)) {
    const Symbol e0 = 0.5 * sqrt(1.0 + R[0] + R[4] + R[8]);
    return {e0, (R[7] - R[5]) / (4.0 * e0), (R[2] - R[6]) / (4.0 * e0), (R[3] - R[1]) / (4.0 * e0)};
  }
  const Quaternion start = turn_between(turn_of(a, initial_coordinates(model, a.coordinates)),
                                        turn_of(b, initial_coordinates(model, b.coordinates)));
  const Symbol sign = Symbol::where(less(start[0], 0.0), -1.0, 1.0);
  Quaternion turning = turn_between(turn_of(a, coordinate_symbols(model, a.coordinates)),
                                    turn_of(b, coordinate_symbols(model, b.coordinates)));
  for (Symbol& x : turning) x = sign * x;
  return turning;
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
  const Quaternion turning_of_b = turning_of(model, a, b, R);
  m.e0 = turning_of_b[0];
  m.e = {turning_of_b.begin() + 1, turning_of_b.end()};
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

/// Half a turn has no sign: the turning may point either way, and its Euler parameters divide by zero.
void refuse_half_turn(Model& model, const std::string& name, const Place& a, const Place& b) {
  Symbol trace = 0.0;
  for (int k = 0; k < 3; ++k) trace += dot(initial_axis(model, a, k), initial_axis(model, b, k));
  require(model, "bushing \"" + name + "\"", {trace}, [](const double* values) -> std::string {
    constexpr double closest = 1e-12;  // of 4 cos^2(angle / 2), which is zero there but for rounding
    if (1 + values[0] > closest) return "";
    return "as declared its ends are turned half a turn against each other, where its law has no direction; turn the "
           "axes of one of them, as by a marker, so that they agree where the bushing is at rest";
  });
}

/// The last element is the bushing.
void limit_turn(Model& model, const std::string& name, const Place& a, const Place& b, const RelativeMotion& motion) {
  const int element = static_cast<int>(model.elements().size()) - 1;
  // Where only the rotation is known it has to end before: what it is of jumps to its opposite.
  const bool is_followed = has_euler_parameters(a) && has_euler_parameters(b);
  constexpr double near_half_a_turn = 0.19;  // cos(angle / 2) at 158 degrees
  model.record().limits[watch(model, name + ".turn", is_followed ? motion.e0 : motion.e0 - near_half_a_turn)] = {
      -1,
      "bushing \"" + name + "\" is turned " +
          (is_followed ? "past half a turn" : "by more than 158 degrees, and may come past half a turn") +
          ", from where its torques, which go by 2 sin(angle / 2), act the other way; what follows is not what "
          "happens: "
          "m:torsion_spring on the angle of a joint counts turns",
      element};
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
  if (d == 3) refuse_half_turn(model, name, a, b);
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
  if (d == 3) limit_turn(model, name, a, b, motion);
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
