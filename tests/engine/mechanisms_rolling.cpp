// SPDX-License-Identifier: MIT
// Mechanisms with constraints on velocities.
#include "mechanisms.hpp"
#include "model/body/bodies.hpp"
#include "model/force/forces.hpp"
#include "model/joint/joints.hpp"
#include "model/joint/relations.hpp"
#include "model/place/places.hpp"

using namespace perilune;
using namespace perilune::model;

Mechanism trailer_mechanism() {
  Mechanism mechanism("trailer", {0, 0});
  Model& m = *mechanism.model;
  auto s = [&](const char* name) { return mechanism.signal(name); };
  const Symbol mass = mechanism.parameter("mass", 2, "kg"), inertia = mechanism.parameter("inertia", 0.3, "kg m^2");
  const Symbol edge = mechanism.parameter("edge", 0.4, "m"), hitch = mechanism.parameter("reach", 0.5, "m");
  const Symbol drift = mechanism.parameter("drift", 0.2, "m/s"), turn = mechanism.parameter("turn", 3, "1/s");
  const Symbol thrust = mechanism.parameter("thrust", 4, "N"), start = mechanism.parameter("start", 0.3, "rad");
  const Place sled = add_planar_body(m, "sled", mass, inertia, {0.0, 0.1}, start, {1.0, 0.4}, 0.8);
  const Place cart = add_planar_body(m, "cart", 1.0, 0.1, {-0.8, 0.0}, 0.1, {1.0, 0.2}, -0.3);
  // The speed across an edge at a distance behind the centre of a body.
  auto across = [&](const std::string& body, const Symbol& behind) {
    const Symbol angle = mechanism.signal(body + ".angle");
    return cos(angle) * mechanism.signal(body + ".vy") - sin(angle) * mechanism.signal(body + ".vx") -
           behind * mechanism.signal(body + ".omega");
  };
  add_velocity_constraint(m, "knife", across("sled", edge) - drift * sin(turn * s("t")) * (1.0 + 0.1 * s("sled.x")));
  // Between those on velocities: rows of both kinds stand among each other.
  add_joint(m, "revolute", "hitch", body_place(m, sled, {-hitch, 0.0}), body_place(m, cart, {0.4, 0.05}));
  add_velocity_constraint(m, "wheel", across("cart", 0.3));
  add_force(m, "push", sled, {thrust * cos(s("sled.angle")), thrust * sin(s("sled.angle")) - s("sled.vy")}, {});
  mechanism.compile();
  mechanism.problem.end = 0.3;
  mechanism.both("way", s("sled.x") * s("sled.y"), s("cart.angle") * s("sled.vx"));
  mechanism.both("loads", 0.1 * s("knife.lambda") + 0.1 * s("hitch.force_x"),
                 0.1 * s("wheel.lambda") * s("sled.omega"));
  mechanism.terminal("accelerations", 0.1 * s("sled.ax") + 0.1 * s("cart.alpha"));
  return mechanism;
}

Mechanism rolling_ball_mechanism() {
  Mechanism mechanism("rolling ball", {0.3, 0, -9.81});
  Model& m = *mechanism.model;
  auto s = [&](const char* name) { return mechanism.signal(name); };
  const Symbol mass = mechanism.parameter("mass", 1.5, "kg"), radius = mechanism.parameter("radius", 0.2, "m");
  const Symbol table = mechanism.parameter("table", 1.3, "1/s");
  const Symbol J = 0.4 * mass * radius * radius;
  add_spatial_body(m, "ball", mass, {J, J, J, 0.0, 0.0, 0.0}, {0.5, 0.1, radius}, {1.0, 0.1, 0.2, 0.0},
                   {0.4, -0.2, 0.0}, {1.0, 0.5, 0.3});
  add_constraint(m, "plane", s("ball.z") - radius);
  add_velocity_constraint(m, "along x", s("ball.vx") - radius * s("ball.omega_y") + table * s("ball.y"));
  add_velocity_constraint(m, "along y", s("ball.vy") + radius * s("ball.omega_x") - table * s("ball.x"));
  mechanism.compile();
  mechanism.problem.end = 0.3;
  mechanism.both("way", s("ball.x"), s("ball.y") * s("ball.omega_z"));
  mechanism.both("grip", 0.1 * s("along x.lambda"), 0.1 * s("plane.lambda") * s("ball.vy"));
  return mechanism;
}
