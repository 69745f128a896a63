// SPDX-License-Identifier: MIT
// Mass properties of solids, for bodies.
#include "model/body/solids.hpp"

#include <limits>
#include <optional>

#include "base/guard.hpp"
#include "base/userdata.hpp"
#include "objects/solid_tables.hpp"
#include "values/args.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

using expr::Symbol;
using model::Vector;

void push_symbols(lua_State* L, const ModelPtr& model, const Vector& list) {
  lua_createtable(L, static_cast<int>(list.size()), 0);
  for (size_t k = 0; k < list.size(); ++k) {
    push_symbol(L, model, list[k]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
}

// Ends the reading of a solid that stands at the origin, and moves it.
int finish(lua_State* L, Args& args, const model::Solid& solid) {
  const Vector at = args.vector("at", 3), orientation = args.vector("orientation", 4);
  args.check_all_read();
  return push_solid(L, args.model(), model::placed(solid, at, orientation), weighs(args));
}

int rod(lua_State* L) {
  Args args(L);
  const Symbol length = args.number("length");
  return finish(L, args, model::rod(mass_of(args, length), length, args.letter("axis")));
}

int box(lua_State* L) {
  Args args(L);
  const Vector size = args.vector("size", 3);
  return finish(L, args, model::box(mass_of(args, model::box_volume(size)), size));
}

int cylinder(lua_State* L) {
  Args args(L);
  const Symbol radius = args.number("radius"), inner = args.number("inner_radius"), length = args.number("length");
  if (!(args.value_of(inner) < args.value_of(radius))) args.fail("inner_radius must be less than the radius");
  const Symbol mass = mass_of(args, model::cylinder_volume(radius, inner, length));
  return finish(L, args, model::cylinder(mass, radius, inner, length, args.letter("axis")));
}

int sphere(lua_State* L) {
  Args args(L);
  const Symbol radius = args.number("radius");
  return finish(L, args, model::sphere(mass_of(args, model::sphere_volume(radius)), radius));
}

int ellipsoid(lua_State* L) {
  Args args(L);
  const Vector semi_axes = args.vector("semi_axes", 3);
  return finish(L, args, model::ellipsoid(mass_of(args, model::ellipsoid_volume(semi_axes)), semi_axes));
}

int assembly(lua_State* L) {
  Args args(L);
  const std::vector<model::Solid> parts = args.solids("part");
  args.check_all_read();
  return push_solid(L, args.model(), model::assembly(parts));
}

int unknown_solid(lua_State* L) {
  Args args(L);
  const std::string name = args.name();
  const double mass = args.plain_number("mass");
  const std::vector<double> center = args.plain_list("center_of_mass", 3, 3);
  std::vector<double> inertia = args.plain_list("inertia", 3, 6);
  args.check_all_read();
  if (inertia.size() != 3 && inertia.size() != 6) args.fail("inertia has 3 numbers, or 6 with its products");
  if (args.engine().dimension() != 3) {
    args.fail("the model is planar: there a mass and an inertia with min = 0 say all that a body can be");
  }
  inertia.resize(6, 0.0);
  const std::optional<model::MassFactor> factor = model::mass_factor(mass, inertia);
  if (!factor) {
    args.fail(
        "no body has this inertia: each principal moment must be smaller than the sum of the other two; start with "
        "that of a box or a cylinder of about its size");
  }
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<expr::NodeId> parameters;
  const auto unknown = [&](const char* what, double value, const char* unit, double lower) {
    const std::string own = name + "_" + what;
    const Symbol symbol = args.engine().add_parameter(own, value, unit, lower, infinity);
    args.model()->declare({"parameter", own, script_line(L)});
    parameters.push_back(symbol.in(args.engine().graph()));
    return symbol;
  };
  constexpr double least = 1e-3;  // of the mass at the start: none at all has no motion
  const Symbol m = unknown("mass", mass, "kg", least * mass);
  Vector at, u;
  const char* const axes[] = {"x", "y", "z"};
  for (std::size_t k = 0; k < 3; ++k) at.push_back(unknown(axes[k], center[k], "m", -infinity));
  const char* const entries[] = {"u11", "u22", "u33", "u12", "u13", "u23"};
  for (std::size_t k = 0; k < 6; ++k) u.push_back(unknown(entries[k], (*factor)[k], "m", k < 3 ? 0 : -infinity));
  push_solid(L, args.model(), model::solid_of(m, at, u));
  lua_createtable(L, static_cast<int>(parameters.size()), 0);
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    push_expression(L, args.model(), parameters[k]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
  lua_setfield(L, -2, "parameters");
  return 1;
}

Field length_field(std::string_view name, std::string_view text) {
  return {.name = name, .text = text, .unit = "m", .range = Range::Positive, .required = true};
}

constexpr Field own_axis_field{.name = "axis", .type = Type::Letter, .text = "along which it lies", .fallback = "x"};

int shape_tostring(lua_State* L) {
  const size_t count = own_userdata<SolidShape>(L).shapes.size();
  lua_pushstring(L, (std::to_string(count) + (count == 1 ? " shape" : " shapes")).c_str());
  return 1;
}

}  // namespace

int push_solid(lua_State* L, const ModelPtr& model, model::Solid solid, bool weighs) {
  lua_createtable(L, 0, 4);
  if (weighs) {
    push_symbol(L, model, solid.mass);
    lua_setfield(L, -2, "mass");
    push_symbols(L, model, solid.center_of_mass);
    lua_setfield(L, -2, "center_of_mass");
    push_symbols(L, model, solid.inertia);
    lua_setfield(L, -2, "inertia");
  }
  push_solid_shape(L, {model, std::move(solid.shapes)});
  lua_setfield(L, -2, "shape");
  return 1;
}

Symbol mass_of(Args& args, const Symbol& amount) {
  const std::optional<Symbol> mass = args.optional_number("mass"), density = args.optional_number("density");
  if (mass && density) args.fail("mass and density are both given; give one of them");
  if (!mass && !density) return 1.0;
  return mass ? *mass : *density * amount;
}

bool weighs(Args& args) { return args.given("mass") || args.given("density"); }

std::vector<Field> solid_fields(const std::vector<Field>& dimensions, std::string_view density_unit,
                                std::string_view text_of_at) {
  std::vector<Field> fields = dimensions;
  fields.insert(fields.end(),
                {{.name = "mass",
                  .text = "mass, or else density; without both for pictures alone",
                  .unit = "kg",
                  .range = Range::Positive},
                 {.name = "density",
                  .text = density_unit == "kg/m" ? "mass per length, or else mass" : "density, or else mass",
                  .unit = density_unit,
                  .range = Range::Positive},
                 {.name = "at", .type = Type::Triple, .text = text_of_at, .unit = "m", .fallback = "0"},
                 {.name = "orientation",
                  .type = Type::Orientation,
                  .text = "Euler parameters of its axes, normalized",
                  .fallback = "{1, 0, 0, 0}"}});
  return fields;
}

void push_solid_shape(lua_State* L, SolidShape shape) {
  if (push_metatable<SolidShape>(L, "shape")) {
    lua_pushcfunction(L, guarded<shape_tostring>);
    lua_setfield(L, -2, "__tostring");
  }
  lua_pop(L, 1);
  push_userdata(L, "shape", std::move(shape));
}

std::span<const Constructor> solid_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "mbs.box",
       .object = "box",
       .returns = "solid",
       .summary =
           "Mass properties of a uniform cuboid, for inertia_of of a body: a table with mass, center_of_mass (3),\n"
           "inertia (about the centre of mass: Jxx, Jyy, Jzz, Jxy, Jxz, Jyz) and shape (for pictures). Every\n"
           "number may be an expression of parameters, and gradients follow it. Without mass and density a solid\n"
           "has its shape alone, for shape of a body.",
       .fields = solid_fields({{.name = "size",
                                .type = Type::Triple,
                                .text = "edges along x, y and z",
                                .unit = "m",
                                .range = Range::Positive,
                                .required = true}}),
       .equations =
           "volume a b c; Jxx = m (b^2 + c^2) / 12 and so on, for the edges a, b, c. orientation and at place\n"
           "any solid: center_of_mass = at, inertia = A J A^T, still about the centre of mass.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
                  "local L = m:param { \"L\", 0.8, unit = \"m\", min = 0.1 }\n"
                  "local plate = mbs.box { density = 7850, size = {L, 0.2, 0.01}, at = {L / 2, 0, 0} }\n"
                  "print(plate.mass, plate.inertia[3])\n"
                  "m:body { \"plate\", inertia_of = plate, at = {0, 0, 1} }",
       .see_also = {"cylinder", "sphere", "rod", "assembly", "body"},
       .function = guarded<box>},
      {.name = "mbs.cylinder",
       .object = "cylinder",
       .returns = "solid",
       .summary = "Mass properties of a uniform cylinder or tube about its own middle, for inertia_of of a body.",
       .fields = solid_fields({length_field("radius", "radius"),
                               length_field("length", "length"),
                               {.name = "inner_radius",
                                .text = "of a tube; less than the radius",
                                .unit = "m",
                                .fallback = "0",
                                .range = Range::NonNegative},
                               own_axis_field}),
       .equations = "volume pi (R^2 - r^2) L; J = m (R^2 + r^2) / 2 about its own axis, m (3 (R^2 + r^2) + L^2) / 12\n"
                    "across, with the inner radius r",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
                  "local wheel = mbs.cylinder { mass = 3, radius = 0.25, length = 0.06, axis = \"y\" }\n"
                  "m:body { \"wheel\", inertia_of = wheel, at = {0, 0, 0.25} }",
       .see_also = {"box", "rod", "assembly", "body"},
       .function = guarded<cylinder>},
      {.name = "mbs.sphere",
       .object = "sphere",
       .returns = "solid",
       .summary = "Mass properties of a uniform ball, for inertia_of of a body.",
       .fields = solid_fields({length_field("radius", "radius")}),
       .equations = "volume 4 / 3 pi r^3; J = 2 / 5 m r^2",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
                  "m:body { \"ball\", inertia_of = mbs.sphere { density = 1000, radius = 0.1 } }",
       .see_also = {"box", "assembly", "body"},
       .function = guarded<sphere>},
      {.name = "mbs.ellipsoid",
       .object = "ellipsoid",
       .returns = "solid",
       .summary = "Mass properties of a uniform ellipsoid, for inertia_of of a body.",
       .fields = solid_fields({{.name = "semi_axes",
                                .type = Type::Triple,
                                .text = "along x, y and z, half of its widths",
                                .unit = "m",
                                .range = Range::Positive,
                                .required = true}}),
       .equations = "volume 4 / 3 pi a b c; Jxx = m (b^2 + c^2) / 5 and so on, for the semi-axes a, b, c",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
                  "local torso = mbs.ellipsoid { density = 1000, semi_axes = {0.18, 0.12, 0.3} }\n"
                  "m:body { \"torso\", inertia_of = torso, at = {0, 0, 1} }",
       .see_also = {"sphere", "box", "assembly", "body"},
       .function = guarded<ellipsoid>},
      {.name = "mbs.rod",
       .object = "rod",
       .returns = "solid",
       .summary = "Mass properties of a thin uniform rod: it has no inertia about its own axis, so it serves planar\n"
                  "bodies and parts of an assembly; a spatial body on its own needs mbs.cylinder.",
       .fields = solid_fields({length_field("length", "length"), own_axis_field}, "kg/m"),
       .equations = "m = density L; J = m L^2 / 12 across, 0 about its own axis",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local rod = mbs.rod { mass = 2, length = 1.2, at = {0.6, 0, 0} }\n"
                  "local arm = m:body { \"arm\", inertia_of = rod }\n"
                  "m:coincidence { m:ground { at = {0, 0} }, arm }",
       .see_also = {"cylinder", "assembly", "body"},
       .function = guarded<rod>},
      {.name = "mbs.assembly",
       .object = "assembly",
       .returns = "solid",
       .summary =
           "Mass properties of several solids in one frame as one rigid body. Each part is what mbs.box and its\n"
           "like return, placed by their fields at and orientation.",
       .positional = {{.name = "part", .type = Type::Solid, .text = "a part", .required = true}},
       .repeats = true,
       .equations = "m = sum m_i, s = sum m_i s_i / m, J = sum (J_i + m_i (d.d I - d d^T)) with d = s_i - s",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
                  "local hammer = mbs.assembly {\n"
                  "  mbs.cylinder { density = 700, radius = 0.015, length = 0.3, at = {0.15, 0, 0} },\n"
                  "  mbs.box { density = 7850, size = {0.03, 0.1, 0.03}, at = {0.3, 0, 0} },\n"
                  "}\n"
                  "m:body { \"hammer\", inertia_of = hammer }",
       .see_also = {"box", "cylinder", "sphere", "rod", "body"},
       .function = guarded<assembly>},
      {.name = "model:unknown_solid",
       .object = "unknown_solid",
       .returns = "solid",
       .summary =
           "Mass properties of a body in space that a fit or an optimization is to find, and that cannot become such\n"
           "as no body has: a table for inertia_of of a body, with mass, center_of_mass and inertia in terms of ten\n"
           "parameters, which are in its list parameters: the mass, the centre of mass, and six numbers of an upper\n"
           "triangular matrix U (m), with which the second moments of mass about that centre are m U U^T. They are\n"
           "arm_mass, arm_x, arm_y, arm_z, arm_u11, arm_u22, arm_u33, arm_u12, arm_u13 and arm_u23. What is known of\n"
           "them is left out of over.",
       .naming = Naming::Required,
       .fields = {{.name = "mass",
                   .type = Type::PlainNumber,
                   .text = "where to start",
                   .unit = "kg",
                   .range = Range::Positive,
                   .required = true},
                  {.name = "center_of_mass",
                   .type = Type::Numbers,
                   .text = "where to start: x, y, z in the body's frame",
                   .unit = "m",
                   .required = true},
                  {.name = "inertia",
                   .type = Type::Numbers,
                   .text = "where to start: Jxx, Jyy, Jzz, and Jxy, Jxz, Jyz if there are any",
                   .unit = "kg m^2",
                   .required = true}},
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
                  "local solid = m:unknown_solid { \"arm\", mass = 2, center_of_mass = {0.1, 0, 0},\n"
                  "  inertia = {0.01, 0.02, 0.02} }\n"
                  "m:body { \"arm_body\", inertia_of = solid, at = {0, 0, 1} }\n"
                  "print(#solid.parameters, solid.inertia[1].value)",
       .see_also = {"fit", "box", "body"},
       .function = guarded<unknown_solid>},
  };
  return constructors;
}

}  // namespace perilune::lua
