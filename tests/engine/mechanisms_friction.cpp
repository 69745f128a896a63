// SPDX-License-Identifier: MIT
// Mechanisms whose joints rub by their own loads.
#include "mechanisms.hpp"
#include "model/body/bodies.hpp"
#include "model/joint/joint_friction.hpp"
#include "model/joint/joints.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"

using namespace perilune;
using namespace perilune::model;

namespace {

/// Differences over a hundredth of the parameters see loads as smooth.
const std::pair<const std::string, Symbol> rounded{"load_regularization", 0.5};

struct Joining {
  Mechanism& mechanism;
  Model& m;

  void operator()(const std::string& kind, const std::string& name, const Place& a, const Place& b,
                  const JointFriction& friction, const Symbol* lead = nullptr) {
    add_joint(m, kind, name, a, b, lead);
    add_joint_friction(m, kind, name, a, b, friction, lead);
  }
};

}  // namespace

Mechanism rubbing_slider_crank_mechanism() {
  Mechanism mechanism("rubbing slider-crank", {0, 0, -9.81});
  Model& m = *mechanism.model;
  Joining join{mechanism, m};
  auto s = [&](const char* name) { return mechanism.signal(name); };
  const Symbol rest = mechanism.parameter("static", 0.3), sliding = mechanism.parameter("dynamic", 0.2);
  const Symbol transition = mechanism.parameter("transition", 0.3, "m/s");
  const Symbol radius = mechanism.parameter("radius", 0.03, "m"), length = mechanism.parameter("length", 0.1, "m");
  const Symbol width = mechanism.parameter("width", 0.04, "m"), offset = mechanism.parameter("offset", 0.02, "m");
  const Symbol preload = mechanism.parameter("preload", 3, "N"), mass = mechanism.parameter("mass", 1.1, "kg");
  const Symbol r = mechanism.parameter("r", 0.2, "m");
  const Vector upright{1.0, 0.0, 0.0, 0.0}, zero{0.0, 0.0, 0.0};
  const Place crank = add_spatial_body(m, "crank", 0.8, {0.01, 0.02, 0.03, 0.0, 0.0, 0.0}, {0.0, 0.1, 0.2}, upright,
                                       zero, {3.0, 0.0, 0.0});
  const Place rod = add_spatial_body(m, "rod", mass, {0.02, 0.04, 0.05, 0.001, 0.0, 0.002}, {0.25, 0.05, 0.15},
                                     {1.0, 0.05, 0.25, -0.1}, zero, zero);
  const Place slider =
      add_spatial_body(m, "slider", 1.5, {0.01, 0.01, 0.02, 0.0, 0.0, 0.0}, {0.5, 0.0, 0.0}, upright, zero, zero);
  const Vector along_x{1.0, 0.0, 0.0};
  auto axis = [&](const Place& on, const Vector& at, const Vector& direction) {
    return with_axis(m, on.kind == Place::Kind::Ground ? ground_place(m, at) : body_place(m, on, at),
                     to_local_direction(m, on, direction));
  };
  const Place ground = ground_place(m, zero);
  const SlipLaw law = brown_mcphee(rest, sliding, transition);
  join("revolute", "hinge", axis(ground, {0.0, 0.1, 0.1}, along_x), axis(crank, {0.0, 0.0, -0.5 * r}, along_x),
       {law, {{"radius", radius}, {"length", length}, {"offset", offset}, {"thrust_radius", 0.5 * width}, rounded}});
  join("spherical", "ball", body_place(m, crank, {0.0, 0.0, 0.5 * r}), body_place(m, rod, {-0.25, 0.0, 0.0}),
       {coulomb_tanh(sliding, transition), {{"radius", radius}, {"preload", preload}, rounded}});
  join("universal", "cross", axis(slider, zero, {0.0, 1.0, 0.0}), axis(rod, {0.25, 0.0, 0.0}, {0.0, 0.0, 1.0}),
       {coulomb(sliding, transition), {{"radius", radius}, {"length", length}, rounded}});
  join("translational", "guide", axis(ground, zero, along_x), axis(slider, zero, along_x),
       {stribeck(rest, sliding, 2.0 * transition, transition, 0.4),
        {{"length", length}, {"half_width", width}, {"offset", offset}, {"preload", preload}, rounded}});
  mechanism.compile();
  mechanism.problem.end = 0.2;
  mechanism.both("way", s("slider.x") * s("slider.x"), s("hinge.angle") * s("rod.z"));
  mechanism.both("losses", 0.1 * s("hinge.friction_torque") + 0.01 * s("ball.dissipation"),
                 0.01 * s("guide.dissipation") + 0.1 * s("cross.friction_torque_b"));
  mechanism.both("loads", 0.01 * s("hinge.load") + 0.001 * s("cross.load"), 0.01 * s("guide.load"));
  return mechanism;
}

Mechanism rubbing_stack_mechanism() {
  Mechanism mechanism("rubbing stack", {2, 1, -9.81});
  Model& m = *mechanism.model;
  Joining join{mechanism, m};
  auto s = [&](const char* name) { return mechanism.signal(name); };
  const Symbol mu = mechanism.parameter("mu", 0.2), speed = mechanism.parameter("speed", 0.4, "m/s");
  const Symbol radius = mechanism.parameter("radius", 0.05, "m"), length = mechanism.parameter("length", 1.0, "m");
  const Symbol pads = mechanism.parameter("pads", 0.1, "m"), lead = mechanism.parameter("lead", 0.15, "m");
  const Symbol stiffness = mechanism.parameter("stiffness", 400, "N/m"), oil = mechanism.parameter("oil", 2, "N s/m");
  const Vector upright{1.0, 0.0, 0.0, 0.0}, zero{0.0, 0.0, 0.0};
  auto body = [&](const char* name, const Vector& at, const Vector& velocity, const Vector& turning) {
    return add_spatial_body(m, name, 1.2, {0.02, 0.03, 0.04, 0.0, 0.001, 0.0}, at, upright, velocity, turning);
  };
  const Place nut = body("nut", {0.1, 0.0, 0.5}, {0.0, 0.0, 0.3}, {0.0, 0.0, 1.0});
  const Place table = body("table", {0.1, 0.05, 0.7}, zero, {0.0, 0.0, -2.0});
  const Place plate = body("plate", {0.2, 0.1, 0.8}, {0.3, -0.2, 0.0}, {0.0, 0.0, 0.5});
  const Place bead = body("bead", {0.3, 0.1, 0.9}, {0.1, 0.1, 0.0}, {0.5, 0.0, 0.0});
  auto up = [&](const Place& on, const Vector& at) {
    return with_axis(m, on.kind == Place::Kind::Ground ? ground_place(m, at) : body_place(m, on, at), {0.0, 0.0, 1.0});
  };
  join("cylindrical", "sleeve", up(ground_place(m, zero), zero), up(nut, {-0.1, 0.0, 0.0}),
       {lugre({1.5 * mu, mu, speed}, {0.1 * stiffness, oil, 0.1, 1e-3}),
        {{"radius", radius}, {"length", length}, rounded}});
  join("screw", "thread", up(nut, {-0.1, 0.0, 0.1}), up(table, {-0.1, -0.05, -0.1}),
       {coulomb_tanh(mu, speed), {{"radius", radius}, {"length", length}, {"preload", 2.0}, rounded}}, &lead);
  join("planar", "face", up(table, {0.0, 0.0, 0.1}), up(plate, zero),
       {brown_mcphee(1.5 * mu, mu, speed), {{"radius", pads}, rounded}});
  join("point_on_plane", "foot", up(plate, {0.0, 0.0, 0.1}), body_place(m, bead, zero),
       {StaticFriction{stiffness, 10.0, 4.0 * mu}, {rounded}});
  mechanism.compile();
  mechanism.problem.end = 0.2;
  mechanism.both("motion", s("bead.vx") * s("bead.vx"), s("plate.vx") + 0.1 * s("thread.omega"));
  mechanism.both("losses", 0.01 * s("sleeve.friction_force") + 0.1 * s("thread.dissipation"),
                 0.1 * s("face.friction_torque") + 0.01 * s("foot.friction_x"));
  mechanism.both("loads", 0.01 * s("thread.load") + oil * s("sleeve.slip"), 0.01 * s("face.load") + s("foot.stretch"));
  return mechanism;
}
