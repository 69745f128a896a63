// SPDX-License-Identifier: MIT
// Flexible beams, and clamps of their ends.
#include "objects/beam_fields.hpp"

#include "base/guard.hpp"
#include "base/userdata.hpp"
#include "model/beam/stations.hpp"
#include "values/args.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

/// Makes the nodes the fields first, last and nodes of the object on top of the stack.
int push_nodes(lua_State* L, const ModelPtr& model, const Object& made, const std::vector<model::Place>& nodes,
               const char* kind) {
  const std::string position = made.defined_at;
  const int object = lua_gettop(L);
  lua_getiuservalue(L, object, 1);
  const int properties = lua_gettop(L);
  lua_createtable(L, static_cast<int>(nodes.size()), 0);
  const int list = lua_gettop(L);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    model->declare({kind, nodes[k].name, position, {}});
    push_object(L, {model, kind, nodes[k].name, position, nodes[k]});
    lua_newtable(L);
    lua_setiuservalue(L, -2, 1);
    for (const char* name : {"first", "last"}) {
      if (k != (*name == 'f' ? 0 : nodes.size() - 1)) continue;
      lua_pushvalue(L, -1);
      lua_setfield(L, properties, name);
    }
    lua_rawseti(L, list, static_cast<lua_Integer>(k) + 1);
  }
  lua_setfield(L, properties, "nodes");
  lua_settop(L, object);
  return 1;
}

/// What both kinds have.
template <class Shape>
void read_shape(Args& args, Shape& shape) {
  constexpr int most = 100'000;
  shape.from = args.vector("from");
  shape.to = args.vector("to");
  shape.elements = args.integer("elements");
  if (shape.elements > most) args.fail("elements must be at most 100000, got " + std::to_string(shape.elements));
  shape.young = args.number("young");
  shape.density = args.number("density");
  shape.damping = args.number("damping");
  shape.velocity = args.vector("velocity");
  const bool is_planar = args.engine().dimension() == 2;
  shape.angular_velocity = is_planar ? model::Vector{args.number("angular_velocity")} : args.vector("angular_velocity");
}

int shear_beam(lua_State* L, Args& args) {
  model::ShearBeamShape shape;
  read_shape(args, shape);
  shape.section = read_beam_section(args);
  const std::optional<expr::Symbol> poisson = args.optional_number("poisson");
  shape.poisson = poisson ? *poisson : expr::Symbol(0.3);
  if (args.given("up")) {
    if (args.engine().dimension() == 2) args.fail("up has no use in the plane");
    shape.up = args.vector("up", 3);
  }
  complete_beam_section(args, shape);
  const std::vector<model::Place>& nodes = add_shear_beam(args.engine(), args.name(), shape).nodes;
  return push_nodes(L, args.model(), args.finish(), nodes, "body");
}

int beam(lua_State* L) {
  Args args(L);
  if (read_whether_shear(args)) return shear_beam(L, args);
  model::CableShape shape;
  read_shape(args, shape);
  const model::Section section = read_beam_section(args);
  if (section.across && args.engine().dimension() == 3) {
    args.fail(
        "in space a slender beam bends alike about all axes of its section: use mbs.round_section { ... }, "
        "mbs.rectangular_section { width = ... } without a height, or kind = \"shear\"");
  }
  shape.area = section.area;
  shape.second_moment = section.second_moment;
  shape.fibre = section.fibre;
  shape.axial = read_axial_form(args);
  const std::vector<model::Place>& nodes = add_cable(args.engine(), args.name(), shape).nodes;
  return push_nodes(L, args.model(), args.finish(), nodes, "node");
}

/// Sets t.field, of the table on top of the stack, to the expression.
void set_expression(lua_State* L, const ModelPtr& model, const std::string& field, const expr::Symbol& value) {
  push_expression(L, model, value.in(model->engine->graph()));
  lua_setfield(L, -2, field.c_str());
}

/// Fields of the table on top of the stack that both kinds have.
template <class Station>
void set_line(lua_State* L, const ModelPtr& model, const Station& found) {
  for (std::size_t k = 0; k < found.position.size(); ++k) {
    const std::string axis(1, "xyz"[k]);
    set_expression(L, model, axis, found.position[k]);
    set_expression(L, model, "slope_" + axis, found.slope[k]);
  }
  set_expression(L, model, "strain", found.strain);
  set_expression(L, model, "curvature", found.curvature);
}

void set_stresses(lua_State* L, const ModelPtr& model, const expr::Symbol& young, const expr::Symbol& strain,
                  const expr::Symbol& bent) {
  const bool is_planar = model->engine->dimension() == 2;
  set_expression(L, model, is_planar ? "stress_left" : "stress_least", young * (strain - bent));
  set_expression(L, model, is_planar ? "stress_right" : "stress_most", young * (strain + bent));
}

void push_station(lua_State* L, const ModelPtr& model, const model::ShearBeam& beam, double share,
                  const std::optional<expr::Symbol>& fibre) {
  const model::ShearBeamStation found = station_of(*model->engine, beam, share);
  lua_newtable(L);
  set_line(L, model, found);
  set_expression(L, model, "axial_force", found.forces[0]);
  if (found.moments.size() == 1) {
    set_expression(L, model, "shear_force", found.forces[1]);
    set_expression(L, model, "moment", found.moments[0]);
  } else {
    set_expression(L, model, "shear_y", found.forces[1]);
    set_expression(L, model, "shear_z", found.forces[2]);
    set_expression(L, model, "torque", found.moments[0]);
    set_expression(L, model, "moment_y", found.moments[1]);
    set_expression(L, model, "moment_z", found.moments[2]);
  }
  if (fibre) set_stresses(L, model, beam.shape.young, found.strain, *fibre * found.curvature);
}

int station(lua_State* L) {
  Args args(L);
  const Object& beam = own_userdata<Object>(L);
  const double share = args.plain_number("share");
  if (!(share >= 0 && share <= 1)) {
    args.fail("share must be from 0, the first end, to 1, the last, got " + number_text(share));
  }
  std::optional<expr::Symbol> fibre = args.optional_number("fibre");
  args.check_all_read();
  const ModelPtr model = args.model();
  if (const model::ShearBeam* stout = find_shear_beam(args.engine(), beam.name)) {
    const model::Section& section = stout->shape.section;
    const bool is_round = args.engine().dimension() == 2 || !section.across;
    if (fibre && !is_round) {
      args.fail("stresses need a section that bends alike about all axes; take them from moment_y and moment_z");
    }
    push_station(L, model, *stout, share, is_round && !fibre ? section.fibre : fibre);
    return 1;
  }
  const model::Cable* cable = find_cable(args.engine(), beam.name);
  if (!fibre) fibre = cable->shape.fibre;
  const model::CableStation found = station_of(args.engine(), *cable, share);
  lua_newtable(L);
  set_line(L, model, found);
  set_expression(L, model, "axial_force", found.axial_force);
  set_expression(L, model, "moment", found.moment);
  if (fibre) set_stresses(L, model, cable->shape.young, found.strain, *fibre * found.curvature);
  return 1;
}

int clamp(lua_State* L) {
  Args args(L);
  const model::Place node = args.place("node"), body = args.place("body");
  add_clamp(args.engine(), args.name(), node, body);
  args.finish();
  return 1;
}

}  // namespace

std::span<const Constructor> beam_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "model:beam",
       .object = "beam",
       .summary =
           "A flexible, straight beam between two positions, without load as declared: it stretches and bends by\n"
           "any amount. Its nodes are first, last, and the list nodes (named \"arm_1\", \"arm_2\", ...). Those of\n"
           "slender beams, without shear and torsion, are points with a slope: they are held by joints of\n"
           "points (m:coincidence) and by m:clamp. Those of kind = \"shear\", which has both, are bodies, to\n"
           "which all joints, forces and contacts attach; m:weld clamps them.",
       .naming = Naming::Required,
       .fields =
           {{.name = "from", .type = Type::Vector, .text = "first end", .unit = "m", .required = true},
            {.name = "to", .type = Type::Vector, .text = "last end", .unit = "m", .required = true},
            {.name = "elements",
             .type = Type::Integer,
             .text = "how many, of equal length",
             .fallback = "4",
             .range = Range::Positive},
            {.name = "kind",
             .type = Type::String,
             .text = "\"slender\", or \"shear\": with shear and torsion, 2 elements at least",
             .fallback = "slender"},
            {.name = "young", .text = "Young's modulus", .unit = "Pa", .range = Range::Positive, .required = true},
            {.name = "density", .text = "density", .unit = "kg/m^3", .range = Range::Positive, .required = true},
            {.name = "section", .type = Type::Section, .text = "mbs.round_section, mbs.rectangular_section"},
            {.name = "area", .text = "of the section, in place of that", .unit = "m^2", .range = Range::Positive},
            {.name = "second_moment",
             .text = "of the section's area, in the plane; in space about z, where slender about all axes",
             .unit = "m^4",
             .range = Range::Positive},
            {.name = "second_moment_across",
             .text = "for bending about the axis in direction up; shear, in space",
             .unit = "m^4",
             .fallback = "second_moment",
             .range = Range::Positive},
            {.name = "torsion_constant",
             .text = "torque over shear modulus and twist; shear, in space, with area and second_moment",
             .unit = "m^4",
             .range = Range::Positive},
            {.name = "poisson", .text = "Poisson's ratio; shear", .unit = unitless, .fallback = "0.3"},
            {.name = "shear_factor",
             .text = "share of the area that carries shear; shear",
             .unit = unitless,
             .fallback = "Cowper's of the section, else 5 / 6",
             .range = Range::Positive},
            {.name = "up",
             .type = Type::Triple,
             .text = "near the direction of the section's height, its y axis; shear, in space",
             .unit = unitless,
             .fallback = "any, where the section bends alike"},
            {.name = "damping",
             .text = "stress is young (strain + damping strain rate)",
             .unit = "s",
             .fallback = "0",
             .range = Range::NonNegative},
            {.name = "axial",
             .type = Type::String,
             .text = "\"chord\": by the distance of nodes; \"green\": by the strain along the line; \"printed\":\n"
                     "the source's, which has no energy",
             .fallback = "chord"},
            {.name = "velocity",
             .type = Type::Vector,
             .text = "of its first end at the start",
             .unit = "m/s",
             .fallback = "0"},
            {.name = "angular_velocity",
             .type = Type::Rotation,
             .text = "at the start; in space",
             .unit = "rad/s",
             .fallback = "0"}},
       .signals = {{"strain_energy", "J", "of bending and, but for \"printed\", of stretching"},
                   {"length", "m", "sum of the distances of its nodes"}},
       .equations =
           "Cubic elements by absolute nodal coordinates q = (r_i, t_i, r_j, t_j), t = dr/dx (Ebrahimi 2019,\n"
           "(28)-(35), corrected); U = EI |r''|^2 / 2 and EA (d / l - 1)^2 / 2 along the line; damping of\n"
           "bending by the rate of r'' as seen by the chord: a bent beam that turns about its chord is damped.\n"
           "With kind = \"shear\" (Reissner 1972, Simo 1985) l (n.Gamma + m.K) / 2, Gamma = R^T r' - e_1, K of a\n"
           "helix between two nodes; l^2 / (12 E I) is added to the compliance in shear (MacNeal 1978).",
       .example =
           "local mbs = require \"perilune\"\n"
           "local m = mbs.model { gravity = {0, -9.81} }\n"
           "local b = m:param { \"b\", 0.05, unit = \"m\" }\n"
           "local arm = m:beam { \"arm\", from = {0, 0}, to = {1.2, 0}, elements = 5, young = 1e7, density = 4000,\n"
           "  area = b^2, second_moment = b^4 / 12 }\n"
           "m:coincidence { arm.first, m:ground { at = {0, 0} } }\n"
           "print(arm.last.y, m:mobility())",
       .see_also = {"station", "clamp", "round_section", "rectangular_section", "point", "coincidence"},
       .function = guarded<beam>},
      {.name = "beam:station",
       .object = "station",
       .returns = "table",
       .summary =
           "What a cross-section of a beam does, as a table of expressions for objectives, limits and charts: x, y\n"
           "(z), slope_x, slope_y (slope_z), strain, curvature, axial_force (N) and moment (N m); with fibre\n"
           "the stresses (Pa) that far off the line: stress_left and stress_right of the way from first to\n"
           "last in the plane, where a turn to the left is positive; stress_least and stress_most in space.\n"
           "With kind = \"shear\" shear_force, too, and in space shear_y, shear_z, torque, moment_y, moment_z\n"
           "in place of moment, on the part towards first, along the axes of the section.",
       .positional = {{.name = "share",
                       .type = Type::PlainNumber,
                       .text = "of the length as declared, from 0 to 1",
                       .unit = unitless,
                       .required = true}},
       .fields = {{.name = "fibre",
                   .text = "distance from the line to the outer fibre; that of the beam's section",
                   .unit = "m",
                   .fallback = "no stresses",
                   .range = Range::NonNegative}},
       .equations =
           "strain d / l - 1 of the element's chord, or (r'.r' - 1) / 2 with axial = \"green\"; curvature r'' along\n"
           "the left normal, in space |r''|; axial_force EA strain, moment EI curvature, without damping;\n"
           "stress young (strain -+ fibre curvature)",
       .example =
           "local mbs = require \"perilune\"\n"
           "local m = mbs.model { gravity = {0, -9.81} }\n"
           "local arm = m:beam { \"arm\", from = {0, 0}, to = {1, 0}, young = 7e10, density = 2700, area = 1e-4,\n"
           "  second_moment = 8e-10 }\n"
           "m:clamp { arm.first, m.ground }\n"
           "local root = arm:station { 0, fibre = 0.005 }\n"
           "print(m:equilibrium({}):values(root.stress_left)[1])",
       .see_also = {"beam", "objective", "clamp"},
       .function = guarded<station>},
      {.name = "model:clamp",
       .object = "clamp",
       .summary =
           "Clamps a node of a slender beam to a body or the ground where both are declared: position and direction\n"
           "stay what they are in the body's frame. The end may stretch, and turning about its own axis is not\n"
           "held, as the beam knows no torsion.",
       .naming = Naming::Optional,
       .positional = {{.name = "node", .type = Type::Place, .text = "a node of a beam: arm.first", .required = true},
                      {.name = "body", .type = Type::Body, .text = "a body, or m.ground", .required = true}},
       .signals = {{"lambda_x", "N", "multipliers of the position, in space", "lambda_y, lambda_z"},
                   {"slope_1", "N m", "multiplier of the slope along a normal of the declared one"},
                   {"slope_2", "N m", "along another", "", "spatial"}},
       .equations =
           "r_node - r_body = 0, (A n) . t = 0 for the normals n of the declared slope. The source's weld (Ebrahimi\n"
           "2019, (42)) holds the length of t, too, which disturbs the strain near the end.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
                  "local arm = m:beam { \"arm\", from = {0, 0, 0}, to = {1, 0, 0}, young = 7e10, density = 2700,\n"
                  "  area = 1e-4, second_moment = 8e-10 }\n"
                  "m:clamp { arm.first, m.ground }\n"
                  "print(m:equilibrium({}):values(arm.last.z)[1])",
       .see_also = {"beam", "coincidence", "weld"},
       .function = guarded<clamp>},
  };
  return constructors;
}

}  // namespace perilune::lua
