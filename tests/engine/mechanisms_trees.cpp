// SPDX-License-Identifier: MIT
#include "mechanisms.hpp"
#include "model/body/bodies.hpp"
#include "model/force/springs.hpp"
#include "model/joint/joints.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"

using namespace perilune;
using namespace perilune::model;

Mechanism tree_mechanism() {
  Mechanism mechanism("tree", {0.5, 0.3, -9.81});
  Model& m = *mechanism.model;
  const Symbol mass = mechanism.parameter("mass", 0.8, "kg"), reach = mechanism.parameter("reach", 0.3, "m"),
               k = mechanism.parameter("k", 12, "N/m"), spin = mechanism.parameter("spin", 2.0, "rad/s");
  const Vector still{0.0, 0.0, 0.0};
  const Vector turning{0.0, 0.0, spin};
  // All turn with the rotor about z at the start.
  auto body = [&](const char* name, const Symbol& of, const Vector& at, const Vector& centre) {
    return add_spatial_body(m, name, of, {0.02, 0.03, 0.025 + 0.01 * reach, 0.001, 0.002, -0.001}, at,
                            {1.0, 0.0, 0.0, 0.0}, {-spin * at[1], spin * at[0], 0.0}, turning, centre);
  };
  const Place rotor = body("rotor", 1.5, {0.0, 0.0, 0.0}, {0.02, 0.0, 0.01});
  const Place cart = body("cart", mass, {0.4 + reach, 0.1, 0.0}, {0.0, 0.03, 0.02});
  const Place plate = body("plate", 0.4, {0.4 + reach, 0.1, 0.2}, {});
  const Place bob = body("bob", 0.3 * mass, {0.5 + reach, 0.1, -0.3}, {0.01, 0.02, 0.0});
  const Place bolt = body("bolt", 0.5, {-0.3, 0.0, 0.3}, {0.0, 0.02, 0.0});
  const Place flap = body("flap", 0.2, {-0.3, 0.2, 0.3}, {});
  const Place ground = ground_place(m, {0.0, 0.0, 0.0});
  auto at = [&](const Place& on, const Vector& where, const Vector& axis) {
    return attach(m, on, where, with_axis(m, ground, axis).axes);
  };
  auto join = [&](const char* kind, const char* name, const Place& a, const Place& b, const Vector& where,
                  const Vector& axis) { add_joint(m, kind, name, at(a, where, axis), at(b, where, axis)); };
  join("revolute", "bearing", ground, rotor, {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0});
  join("translational", "rail", cart, rotor, {0.1, 0.1, 0.0}, {1.0, 0.0, 0.0});
  join("weld", "clamp", cart, plate, {0.4, 0.1, 0.1}, {0.0, 1.0, 0.0});
  join("spherical", "socket", bob, cart, {0.4 + reach, 0.1, 0.0}, {0.0, 0.0, 1.0});
  join("cylindrical", "sleeve", rotor, bolt, {-0.3, 0.0, 0.2}, {0.0, 0.0, -1.0});
  join("revolute", "pin", flap, bolt, {-0.3, 0.1, 0.3}, {1.0, 0.0, 0.0});
  add_spring(m, "s1", body_place(m, rotor, {0.0, 0.0, 0.1}), body_place(m, cart, still), k, nullptr, 0.6, 0.0);
  add_spring(m, "s2", body_place(m, rotor, {-0.3, 0.1, 0.0}), body_place(m, bolt, {0.0, 0.1, 0.0}), 3.0 * k, nullptr,
             0.4, 0.0);
  add_spring(m, "s3", body_place(m, flap, {0.0, 0.1, 0.0}), ground_place(m, {0.0, 0.0, 0.7}), 0.5 * k, nullptr, 0.3,
             0.0);
  mechanism.compile();
  mechanism.problem.end = 0.3;
  auto s = [&](const char* name) { return mechanism.signal(name); };
  mechanism.both("motion", s("bob.x") * s("cart.e3"), s("flap.y") * s("bolt.z") + s("plate.vx") * s("bob.omega_x"));
  mechanism.both("accelerations", 0.1 * s("bob.az"), 0.01 * s("flap.ax") * s("bolt.alpha_z"));
  mechanism.both("reactions", 0.1 * s("socket.lambda_z") + 0.1 * s("rail.force_z"),
                 0.1 * s("clamp.torque_x") + 0.1 * s("sleeve.force_x") + s("pin.torque_y"));
  return mechanism;
}
