// Rigid bodies and places on them.
#include "args.hpp"
#include "guard.hpp"
#include "userdata.hpp"

namespace perilune::lua {

namespace {

using expr::Symbol;
using model::Vector;

model::Place planar_body(Args& args) {
  if (args.given("orientation")) args.fail("orientation is for spatial models; a planar body has an angle");
  const Symbol mass = args.number("mass"), inertia = args.number("inertia");
  const Vector at = args.vector("at");
  const Symbol angle = args.number("angle");
  const Vector velocity = args.vector("velocity");
  const Symbol omega = args.number("angular_velocity");
  return args.engine().add_planar_body(args.name(), mass, inertia, at, angle, velocity, omega);
}

model::Place spatial_body(Args& args) {
  if (args.given("angle")) args.fail("angle is for planar models; a spatial body has orientation = {e0, e1, e2, e3}");
  const Symbol mass = args.number("mass");
  const std::vector<Symbol> inertia = args.inertia("inertia");
  const Vector at = args.vector("at"), orientation = args.vector("orientation", 4), velocity = args.vector("velocity"),
               omega = args.vector("angular_velocity");
  double square = 0;
  for (const Symbol& e : orientation) {
    const double value = args.model()->value(e.in(args.engine().graph()));
    square += value * value;
  }
  if (!(square > 0)) args.fail("orientation must not be zero");
  return args.engine().add_spatial_body(args.name(), mass, inertia, at, orientation, velocity, omega);
}

int body(lua_State* L) {
  Args args(L);
  args.finish(args.engine().dimension() == 2 ? planar_body(args) : spatial_body(args));
  return 1;
}

int place(lua_State* L) {
  Args args(L);
  const Object& body = *test_userdata<Object>(L, 1);
  if (!body.is_whole()) args.fail(body.title() + " is a place already");
  Vector local{args.number("x"), args.number("y")};
  if (args.engine().dimension() == 3) {
    local.push_back(args.number("z"));
  } else if (args.given("z")) {
    args.fail("z is for spatial models; this model is planar");
  }
  args.check_all_read();
  model::Place place = args.engine().body_place(*body.place, local);
  push_object(L, {args.model(), "place", "on " + body.name, script_line(L), std::move(place)});
  return 1;
}

}  // namespace

std::span<const Constructor> body_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "model:body",
       .object = "body",
       .summary = "A rigid body. In a planar model its coordinates are its centre of mass and an angle, in a spatial\n"
                  "one the centre of mass and four Euler parameters. body:point { ... } is a place on it.",
       .naming = Naming::Required,
       .fields =
           {{.name = "mass", .text = "mass", .unit = "kg", .range = Range::Positive, .required = true},
            {.name = "inertia",
             .type = Type::Inertia,
             .text = "about the centre of mass, in the body frame; a list is Jxx, Jyy, Jzz, Jxy, Jxz, Jyz",
             .unit = "kg m^2",
             .range = Range::Positive,
             .required = true},
            {.name = "at",
             .type = Type::Vector,
             .text = "position of the centre of mass at the start",
             .unit = "m",
             .fallback = "0"},
            {.name = "angle", .text = "angle at the start, counter-clockwise (planar)", .unit = "rad", .fallback = "0"},
            {.name = "orientation",
             .type = Type::Orientation,
             .text = "Euler parameters at the start, normalized (spatial)",
             .fallback = "{1, 0, 0, 0}"},
            {.name = "velocity",
             .type = Type::Vector,
             .text = "velocity of the centre of mass at the start",
             .unit = "m/s",
             .fallback = "0"},
            {.name = "angular_velocity",
             .type = Type::Rotation,
             .text = "at the start; in the body frame if spatial",
             .unit = "rad/s",
             .fallback = "0"}},
       .signals = {{"x", "m", "centre of mass; also y, z, and vx, ax and so on"},
                   {"angle", "rad", "planar; also omega (rad/s), alpha (rad/s^2)"},
                   {"e0", "", "spatial: Euler parameters e0 to e3"},
                   {"omega_x", "rad/s", "spatial: angular velocity in the body frame; also omega_y, omega_z"}},
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local arm = m:body { \"arm\", mass = 2, inertia = 0.17, at = {0.5, 0} }\n"
                  "m:revolute { \"pivot\", m.ground, arm, at = {0, 0} }\n"
                  "local tip = arm:point { 0.5, 0 }",
       .see_also = {"place", "revolute", "spherical", "force", "point"},
       .function = guarded<body>},
      {.name = "body:point",
       .object = "place",
       .summary = "The place on a body at the given coordinates of its frame, from the centre of mass.",
       .positional = {{.name = "x", .text = "coordinate", .unit = "m", .required = true},
                      {.name = "y", .text = "coordinate", .unit = "m", .fallback = "0"},
                      {.name = "z", .text = "coordinate, spatial models only", .unit = "m", .fallback = "0"}},
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local arm = m:body { \"arm\", mass = 2, inertia = 0.17, at = {0.5, 0} }\n"
                  "print(arm:point { 0.5, 0 })",
       .see_also = {"body"},
       .function = guarded<place>},
  };
  return constructors;
}

}  // namespace perilune::lua
