// SPDX-License-Identifier: MIT
// Rigid bodies and places on them.
#include "model/body/bodies.hpp"
#include "base/guard.hpp"
#include "base/userdata.hpp"
#include "model/body/natural_bodies.hpp"
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
  if (args.given("shape")) solid.shapes = args.shapes("shape");
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
  model::Place body = add_planar_body(args.engine(), args.name(), solid.mass, solid.inertia[0], at, angle, velocity,
                                      omega, solid.center_of_mass);
  set_shapes(args.engine(), body, solid.shapes);
  return body;
}

model::Vector orientation_of(Args& args) {
  Vector orientation = args.vector("orientation", 4);
  double square = 0;
  for (const Symbol& e : orientation) square += args.value_of(e) * args.value_of(e);
  if (!(square > 0)) args.fail("orientation must not be zero");
  return orientation;
}

int body(lua_State* L) {
  Args args(L);
  model::Model& engine = args.engine();
  if (engine.dimension() == 2) {
    args.finish(planar_body(args));
    return 1;
  }
  if (args.given("angle")) args.fail("angle is for planar models; a spatial body has orientation = {e0, e1, e2, e3}");
  const model::Solid solid = mass_properties(args);
  const Vector at = args.vector("at"), orientation = orientation_of(args), velocity = args.vector("velocity"),
               omega = args.vector("angular_velocity");
  const model::Place body = add_spatial_body(engine, args.name(), solid.mass, solid.inertia, at, orientation, velocity,
                                             omega, solid.center_of_mass);
  set_shapes(engine, body, solid.shapes);
  args.finish(body);
  return 1;
}

constexpr const char* natural_axes[] = {"u", "v", "w"};

model::NaturalStart natural_start(Args& args) {
  model::NaturalStart start;
  bool has_shared_axis = false;
  for (size_t j = 0; j < 3; ++j) {
    start.axes[j] = args.free_vector(natural_axes[j]);
    has_shared_axis = has_shared_axis || start.axes[j];
  }
  if (args.given("position")) {
    const Object& object = args.object("position");
    if (object.is_body() && object.kind != "natural_body") {
      args.fail("position must be a point (m:point) or a natural_body, whose reference point it shares; " +
                object.title() + " has no such coordinates: hold the body there by a joint, as m:spherical");
    }
    if (object.place->kind == model::Place::Kind::NaturalBody && !object.is_body()) {
      args.fail("position must be a point (m:point) or a whole natural_body, whose reference point it shares; " +
                object.title() + " is a place on one: its coordinates follow from those of its body");
    }
    start.position = object.place;
  }
  if (!start.position || args.given("at")) start.at = args.vector("at");
  if (!start.position || args.given("velocity")) start.velocity = args.vector("velocity");
  if (!has_shared_axis || args.given("orientation")) start.orientation = orientation_of(args);
  if (!has_shared_axis || args.given("angular_velocity")) start.angular_velocity = args.vector("angular_velocity");
  return start;
}

int natural_body(lua_State* L) {
  Args args(L);
  model::Model& engine = args.engine();
  if (engine.dimension() == 2) args.fail("a natural_body is for spatial models; use m:body { ... }");
  const model::Solid solid = mass_properties(args);
  const model::NaturalStart start = natural_start(args);
  const model::Place body =
      add_natural_body(engine, args.name(), solid.mass, solid.inertia, start, solid.center_of_mass);
  set_shapes(engine, body, solid.shapes);
  const Object& object = args.finish(body);
  lua_getiuservalue(L, -1, 1);
  for (size_t j = 0; j < 3; ++j) {  // b.u, for another body to share; what it shares itself is there already
    if (start.axes[j]) continue;
    model::FreeVector axis = axis_of_natural(body, j);
    const std::string name = axis.name;
    push_object(L, {args.model(), "vector", name, object.defined_at, {}, std::move(axis)});
    lua_setfield(L, -2, natural_axes[j]);
  }
  lua_pop(L, 1);
  return 1;
}

int free_vector(lua_State* L) {
  Args args(L);
  model::Model& engine = args.engine();
  if (engine.dimension() == 2) args.fail("a vector is for spatial models; in the plane bodies have an angle");
  const Vector direction = args.axis("direction"), omega = args.vector("angular_velocity");
  model::FreeVector vector = add_vector(engine, args.name(), direction, omega);
  args.finish().vector = std::move(vector);
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
  return {
      {.name = "mass", .text = "mass; needed unless inertia_of is given", .unit = "kg", .range = Range::NonNegative},
      {.name = "inertia",
       .type = Type::Inertia,
       .text = "about the centre of mass, parallel to the body axes; a list is Jxx, Jyy, Jzz, Jxy, Jxz, Jyz, "
               "entries of the tensor: Jxy = -integral of x y dm; needed unless inertia_of is given",
       .unit = "kg m^2",
       .range = Range::NonNegative},
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
                                .fallback = "0"},
                               {.name = "shape",
                                .type = Type::Shape,
                                .text = "what pictures show of it, in the body frame",
                                .fallback = "the solid of inertia_of, or links between its joints"}});
  return fields;
}

// Where what is shared gives the start, nothing else does.
std::vector<Field> natural_fields() {
  std::vector<Field> fields = spatial_fields();
  for (Field& field : fields) {
    if (field.name == "at") field.text = "position of the reference point at the start, where that is not shared";
    if (field.name == "velocity") field.text = "velocity of the reference point at the start, where that is not shared";
    if (field.name == "orientation")
      field.text = "Euler parameters at the start; may be left out where an axis is shared";
    if (field.name == "angular_velocity") field.text = "in the body frame; may be left out where an axis is shared";
  }
  fields.insert(fields.end(), {{.name = "position",
                                .type = Type::Place,
                                .text = "a point, or another natural_body, whose coordinates are the reference point"},
                               {.name = "u",
                                .type = Type::FreeVector,
                                .text = "a vector, or an axis of another natural_body as A.w, that is the x axis"},
                               {.name = "v", .type = Type::FreeVector, .text = "the same for the y axis"},
                               {.name = "w", .type = Type::FreeVector, .text = "the same for the z axis"}});
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
           "as a body is, and moves as one.\n"
           "It may share coordinates with others: position = P takes those of a point (m:point) or of another\n"
           "natural_body as its reference point, and u, v, w = A.w an axis of another one, or a free vector\n"
           "(m:vector). Bodies that share a point and an axis are hinged, with a point alone as by a ball, without\n"
           "a constraint and so without reactions to read: take m:revolute, m:spherical where these count.",
       .naming = Naming::Required,
       .fields = natural_fields(),
       .signals = body_signals(
           {{"u_x", "", "body axes in space", "u_y, u_z, v_x, v_y, v_z, w_x, w_y, w_z"},
            {"omega_x", "rad/s", "angular velocity in the body frame", "omega_y, omega_z"},
            {"alpha_x", "rad/s^2", "its rate in the body frame", "alpha_y, alpha_z"},
            {"lambda_uu", "J", "multipliers of u.u = 1 and so on",
             "lambda_vv, lambda_ww, lambda_uv, lambda_uw, lambda_vw", "where no other has that constraint"}}),
       .equations = "q = (r, u, v, w); a point with body coordinates x is at r + x1 u + x2 v + x3 w.\n"
                    "M = P (x) I with the 4 x 4 matrix P = int (1, x) (1, x)^T dm, Q = gravity alone,\n"
                    "u.u - 1 = v.v - 1 = w.w - 1 = 0, u.v = u.w = v.w = 0, each once however many bodies share\n"
                    "the vectors (Ebrahimi 2019, eqs. 36 to 40, 60 and 61, for any reference point). The start of\n"
                    "axes that are not shared: two shared ones give the third; one is reached from the axis of\n"
                    "space by the shortest turn, and does not spin, unless orientation and angular_velocity are given",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
                  "local top = m:natural_body { \"top\", mass = 1, inertia = {0.02, 0.02, 0.01},\n"
                  "  center_of_mass = {0, 0, 0.3}, angular_velocity = {0.5, 0, 40} }\n"
                  "m:spherical { \"tip\", m:ground { at = {0, 0, 0} }, top }\n"
                  "local P = m:point { \"P\", at = {2, 0, 0} }\n"
                  "local rod = mbs.box { density = 1000, size = {0.5, 0.05, 0.05}, at = {0.25, 0, 0} }\n"
                  "local a = m:natural_body { \"a\", inertia_of = rod, position = P }\n"
                  "local b = m:natural_body { \"b\", inertia_of = rod, position = P, w = a.w }  -- hinged to a about w",
       .see_also = {"body", "vector", "point", "spherical", "revolute"},
       .function = guarded<natural_body>},
      {.name = "model:vector",
       .object = "vector",
       .summary = "A free unit vector of a spatial model as three coordinates, for bodies that share it as an axis:\n"
                  "m:natural_body { ..., w = n }. It has no mass of its own, so at least one body must have it.",
       .naming = Naming::Required,
       .fields = {{.name = "direction",
                   .type = Type::Axis,
                   .text = "at the start, in space, of any length",
                   .required = true},
                  {.name = "angular_velocity",
                   .type = Type::Rotation,
                   .text = "in space, turns it at the start",
                   .unit = "rad/s",
                   .fallback = "0"}},
       .signals = {{"x", "", "components", "y, z"},
                   {"vx", "1/s", "their rates", "vy, vz"},
                   {"ax", "1/s^2", "their second derivatives", "ay, az"},
                   {"lambda", "J", "multiplier of n.n = 1"}},
       .equations = "q = n, n.n - 1 = 0; at the start n = direction / |direction|, n' = angular_velocity x n",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
                  "local axis = m:vector { \"axis\", direction = {0, 1, 1} }\n"
                  "local P = m:point { \"P\", at = {0, 0, 0} }\n"
                  "local rod = mbs.box { density = 1000, size = {0.5, 0.05, 0.05}, at = {0.25, 0, 0} }\n"
                  "local a = m:natural_body { \"a\", inertia_of = rod, position = P, w = axis }\n"
                  "local b = m:natural_body { \"b\", inertia_of = rod, position = P, w = axis,\n"
                  "  angular_velocity = {0, 0, 3} }",
       .see_also = {"natural_body", "point"},
       .function = guarded<free_vector>},
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
