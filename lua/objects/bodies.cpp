// SPDX-License-Identifier: MIT
// Rigid bodies and places on them.
#include "model/body/bodies.hpp"
#include "base/guard.hpp"
#include "base/userdata.hpp"
#include "model/place/place_signals.hpp"
#include "model/place/places.hpp"
#include "values/args.hpp"

namespace perilune::lua {

namespace {

using expr::Symbol;
using model::Vector;

bool is_number_zero(const Args& args, const Symbol& x) {
  const expr::Graph& graph = args.engine().graph();
  const expr::NodeId node = x.in(args.engine().graph());
  return graph.is_constant(node) && graph.constant_value(node) == 0;
}

// Mass, centre of mass (empty: the reference point) and inertia, given one by one or by inertia_of. The centre of mass
// has as many components as the model has dimensions, the inertia 1 or 6 numbers.
model::Solid mass_properties(Args& args) {
  const bool is_planar = args.engine().dimension() == 2;
  model::Solid solid;
  if (!args.given("inertia_of")) {
    for (const char* field : {"mass", "inertia"}) {
      if (!args.given(field)) args.fail_missing(field);
    }
    solid.mass = args.number("mass");
    solid.inertia = is_planar ? Vector{args.number("inertia")} : args.inertia("inertia");
    if (args.given("center_of_mass")) solid.center_of_mass = args.vector("center_of_mass");
  } else {
    for (const char* field : {"mass", "inertia", "center_of_mass"}) {
      if (args.given(field)) args.fail(std::string(field) + " is given twice: as a field and by inertia_of");
    }
    solid = args.solid("inertia_of");
    if (is_planar) {
      solid.center_of_mass.pop_back();
      solid.inertia = {solid.inertia[2]};
    }
  }
  bool is_centred = true;
  for (const Symbol& x : solid.center_of_mass) is_centred = is_centred && is_number_zero(args, x);
  if (is_centred) solid.center_of_mass.clear();
  return solid;
}

model::Place planar_body(Args& args) {
  if (args.given("orientation")) args.fail("orientation is for spatial models; a planar body has an angle");
  const model::Solid solid = mass_properties(args);
  const Vector at = args.vector("at");
  const Symbol angle = args.number("angle");
  const Vector velocity = args.vector("velocity");
  const Symbol omega = args.number("angular_velocity");
  const model::Place body = add_planar_body(args.engine(), args.name(), solid.mass, solid.inertia[0], at, angle,
                                            velocity, omega, solid.center_of_mass);
  set_shapes(args.engine(), body, solid.shapes);
  return body;
}

// With Euler parameters or in natural coordinates.
model::Place spatial_body(Args& args, decltype(&model::add_spatial_body) add) {
  const model::Solid solid = mass_properties(args);
  const Vector at = args.vector("at"), orientation = args.vector("orientation", 4), velocity = args.vector("velocity"),
               omega = args.vector("angular_velocity");
  double square = 0;
  for (const Symbol& e : orientation) square += args.value_of(e) * args.value_of(e);
  if (!(square > 0)) args.fail("orientation must not be zero");
  const model::Place body = add(args.engine(), args.name(), solid.mass, solid.inertia, at, orientation, velocity, omega,
                                solid.center_of_mass);
  set_shapes(args.engine(), body, solid.shapes);
  return body;
}

int body(lua_State* L) {
  Args args(L);
  if (args.engine().dimension() == 2) {
    args.finish(planar_body(args));
    return 1;
  }
  if (args.given("angle")) args.fail("angle is for planar models; a spatial body has orientation = {e0, e1, e2, e3}");
  args.finish(spatial_body(args, &model::add_spatial_body));
  return 1;
}

int natural_body(lua_State* L) {
  Args args(L);
  if (args.engine().dimension() == 2) args.fail("a natural_body is for spatial models; use m:body { ... }");
  args.finish(spatial_body(args, &model::add_natural_body));
  return 1;
}

int place(lua_State* L) {
  Args args(L);
  const Object& body = own_userdata<Object>(L);
  if (!body.is_whole()) args.fail(body.title() + " is a place already");
  Vector local{args.number("x"), args.number("y")};
  if (args.engine().dimension() == 3) {
    local.push_back(args.number("z"));
  } else if (args.given("z")) {
    args.fail("z is for spatial models; this model is planar");
  }
  args.check_all_read();
  model::Place place = body_place(args.engine(), *body.place, local);
  if (args.has_name()) {
    add_place_signals(args.engine(), args.name(), place);
    args.finish(std::move(place));
    return 1;
  }
  push_object(L, {args.model(), "place", "on " + body.name, script_line(L), std::move(place)});
  return 1;
}

// The fields of m:body and m:natural_body from the mass properties on.
std::vector<Field> mass_fields() {
  return {{.name = "mass", .text = "mass; needed unless inertia_of is given", .unit = "kg", .range = Range::Positive},
          {.name = "inertia",
           .type = Type::Inertia,
           .text = "about the centre of mass, parallel to the body axes; a list is Jxx, Jyy, Jzz, Jxy, Jxz, Jyz; "
                   "needed unless inertia_of is given",
           .unit = "kg m^2",
           .range = Range::Positive},
          {.name = "center_of_mass",
           .type = Type::Vector,
           .text = "in the body frame, from the reference point",
           .unit = "m",
           .fallback = "the reference point"},
          {.name = "inertia_of",
           .type = Type::Solid,
           .text = "all three of these, as mbs.box, mbs.assembly and so on give them; in the plane Jzz counts"}};
}

std::vector<Field> spatial_fields() {
  std::vector<Field> fields = mass_fields();
  fields.insert(fields.end(), {{.name = "at",
                                .type = Type::Vector,
                                .text = "position of the reference point at the start",
                                .unit = "m",
                                .fallback = "0"},
                               {.name = "orientation",
                                .type = Type::Orientation,
                                .text = "Euler parameters at the start, normalized (spatial)",
                                .fallback = "{1, 0, 0, 0}"},
                               {.name = "velocity",
                                .type = Type::Vector,
                                .text = "velocity of the reference point at the start",
                                .unit = "m/s",
                                .fallback = "0"},
                               {.name = "angular_velocity",
                                .type = Type::Rotation,
                                .text = "at the start; in the body frame if spatial",
                                .unit = "rad/s",
                                .fallback = "0"}});
  return fields;
}

// Of any body, and more.
std::vector<SignalText> body_signals(std::initializer_list<SignalText> own) {
  std::vector<SignalText> signals{{"x", "m", "reference point", "y, z"},
                                  {"vx", "m/s", "its velocity", "vy, vz"},
                                  {"ax", "m/s^2", "its acceleration", "ay, az"},
                                  {"com_x", "m", "centre of mass", "com_y, com_z", "if center_of_mass is given"}};
  signals.insert(signals.end(), own.begin(), own.end());
  return signals;
}

std::vector<Field> body_fields() {
  std::vector<Field> fields = spatial_fields();
  fields.insert(
      fields.begin() + 5,
      {.name = "angle", .text = "angle at the start, counter-clockwise (planar)", .unit = "rad", .fallback = "0"});
  return fields;
}

}  // namespace

std::span<const Constructor> body_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "model:body",
       .object = "body",
       .summary =
           "A rigid body with a frame of its own. The origin of the frame is the reference point: the centre of\n"
           "mass, unless center_of_mass says where that is. In the plane the coordinates are x, y and the angle\n"
           "from the x axis of space to that of the body, counter-clockwise; in space x, y, z and four Euler\n"
           "parameters {e0, e1, e2, e3} = {cos(a / 2), sin(a / 2) n} of a turn by a about the unit vector n.\n"
           "body:point { ... } is a place on it, body:marker { ... } a frame.",
       .naming = Naming::Required,
       .fields = body_fields(),
       .signals =
           body_signals({{"angle", "rad", "from the x axis of space to that of the body", "", "planar"},
                         {"omega", "rad/s", "its rate", "", "planar"},
                         {"alpha", "rad/s^2", "its second derivative", "", "planar"},
                         {"e0", "", "Euler parameters", "e1, e2, e3", "spatial"},
                         {"omega_x", "rad/s", "angular velocity in the body frame", "omega_y, omega_z", "spatial"},
                         {"alpha_x", "rad/s^2", "its rate in the body frame", "alpha_y, alpha_z", "spatial"},
                         {"lambda", "J", "multiplier of p.p = 1; no reaction", "", "spatial"}}),
       .equations = "With c = r + A s, s = center_of_mass, and g gravity. Plane: q = (x, y, theta),\n"
                    "  c_q^T m (c'' - g) + (0, 0, J theta'') = forces and reactions\n"
                    "Space: q = (r, p), omega = 2 G(p) p' in the body frame, p.p - 1 = 0,\n"
                    "  c_q^T m (c'' - g) + (0; 4 G^T J G p'' - 8 G'^T J G' p) = forces and reactions\n"
                    "(Schaffer 2005, eqs. 4.84 and 4.87, but for terms that p.p = 1 makes zero; G: section A.4)",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local L = m:param { \"L\", 1.2, unit = \"m\", min = 0.1 }\n"
                  "local bar = mbs.box { density = 2700, size = {L, 0.04, 0.02}, at = {L / 2, 0, 0} }\n"
                  "local arm = m:body { \"arm\", inertia_of = bar }\n"
                  "m:coincidence { \"pivot\", m:ground { at = {0, 0} }, arm }\n"
                  "local load = m:body { \"load\", mass = 2, inertia = 0.17, at = {L, 0} }\n"
                  "m:revolute { \"hinge\", arm, load, at = {L, 0} }",
       .see_also = {"place", "box", "assembly", "natural_body", "revolute", "spherical", "force", "point"},
       .function = guarded<body>},
      {.name = "model:natural_body",
       .object = "natural_body",
       .summary =
           "A rigid body of a spatial model in natural coordinates: the reference point and the body axes u, v,\n"
           "w (x, y, z of the body frame) as vectors of space, 12 coordinates that six constraints keep\n"
           "orthonormal. Its mass matrix is constant; joints on its places are linear or quadratic. It is declared\n"
           "as a body is, and moves as one.",
       .naming = Naming::Required,
       .fields = spatial_fields(),
       .signals = body_signals({{"u_x", "", "body axes in space", "u_y, u_z, v_x, v_y, v_z, w_x, w_y, w_z"},
                                {"omega_x", "rad/s", "angular velocity in the body frame", "omega_y, omega_z"},
                                {"alpha_x", "rad/s^2", "its rate in the body frame", "alpha_y, alpha_z"},
                                {"lambda_uu", "J", "multipliers of u.u = 1 and so on",
                                 "lambda_vv, lambda_ww, lambda_uv, lambda_uw, lambda_vw"}}),
       .equations = "q = (r, u, v, w); a point with body coordinates x is at r + x1 u + x2 v + x3 w.\n"
                    "M = P (x) I with the 4 x 4 matrix P = int (1, x) (1, x)^T dm, Q = gravity alone,\n"
                    "u.u - 1 = v.v - 1 = w.w - 1 = 0, u.v = u.w = v.w = 0\n"
                    "(Ebrahimi 2019, eqs. 36 to 40, 60 and 61, for any reference point)",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
                  "local top = m:natural_body { \"top\", mass = 1, inertia = {0.02, 0.02, 0.01},\n"
                  "  center_of_mass = {0, 0, 0.3}, angular_velocity = {0.5, 0, 40} }\n"
                  "m:spherical { \"tip\", m:ground { at = {0, 0, 0} }, top }",
       .see_also = {"body", "spherical", "distance"},
       .function = guarded<natural_body>},
      {.name = "body:point",
       .object = "place",
       .summary =
           "The place on a body at the given coordinates of the body frame, counted from the reference point.\n"
           "place.x, place.vx and so on are its motion. With a name, as in arm:point { \"tip\", 0.5, 0 }, they are\n"
           "signals: \"tip.x\".",
       .naming = Naming::Optional,
       .positional = {{.name = "x", .text = "coordinate", .unit = "m", .required = true},
                      {.name = "y", .text = "coordinate", .unit = "m", .fallback = "0"},
                      {.name = "z", .text = "coordinate, spatial models only", .unit = "m", .fallback = "0"}},
       .signals = place_signal_texts("by name if it has one"),
       .equations = "r_body + A (x, y, z): A turns by the angle in the plane; in space it is A(p) of Euler\n"
                    "parameters (Schaffer 2005, section A.4), or (u v w) of a natural_body (Ebrahimi 2019, eq. 36).",
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
