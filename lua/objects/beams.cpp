// SPDX-License-Identifier: MIT
// Flexible beams, and clamps of their ends.
#include "objects/beam_fields.hpp"

#include "base/guard.hpp"
#include "base/userdata.hpp"
#include "values/args.hpp"

namespace perilune::lua {

namespace {

/// Makes the nodes the fields first, last, nodes, and of those that were asked for at, of the object on top of the
/// stack.
int push_nodes(lua_State* L, const ModelPtr& model, const Object& made, const std::vector<model::Place>& nodes,
               const std::vector<std::size_t>& wanted, const char* kind) {
  const std::string position = made.defined_at;
  const int object = lua_gettop(L);
  lua_getiuservalue(L, object, 1);
  const int properties = lua_gettop(L);
  lua_createtable(L, static_cast<int>(nodes.size()), 0);
  const int list = lua_gettop(L);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    model->declare({kind, nodes[k].name, position, {}});
    push_object(L, {model, kind, nodes[k].name, position, nodes[k]});
    remember(L, model, nodes[k].name);
    lua_newtable(L);
    lua_setiuservalue(L, -2, 1);
    for (const char* name : {"first", "last"}) {
      if (k != (*name == 'f' ? 0 : nodes.size() - 1)) continue;
      lua_pushvalue(L, -1);
      lua_setfield(L, properties, name);
    }
    lua_rawseti(L, list, static_cast<lua_Integer>(k) + 1);
  }
  lua_createtable(L, static_cast<int>(wanted.size()), 0);
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    lua_rawgeti(L, list, static_cast<lua_Integer>(wanted[k]) + 1);
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
  lua_setfield(L, properties, "at");
  lua_setfield(L, properties, "nodes");
  lua_settop(L, object);
  return 1;
}

/// The nodes that were asked for: at the points of along, too, where these are the ends alone.
std::vector<std::size_t> wanted_nodes(Args& args, const model::BeamLine& line) {
  if (line.is_straight && args.given("along")) return {0, line.lengths.size()};
  return line.wanted;
}

/// From two ends, or along points.
model::BeamCourse read_course(Args& args) {
  constexpr int most = 100'000;
  model::BeamCourse course;
  if (args.given("along")) {
    for (const char* end : {"from", "to"}) {
      if (args.given(end)) args.fail(std::string(end) + " is given twice: along has both ends of the beam");
    }
    course.through = args.rows("along");
    if (course.through.size() < 2) {
      args.fail("along must be a list of 2 points or more, got " + std::to_string(course.through.size()));
    }
  } else {
    for (const char* end : {"from", "to"}) {
      if (!args.given(end)) args.fail_missing(end);
    }
    course.through = {args.vector("from"), args.vector("to")};
  }
  if (args.given("nodes_at")) course.nodes_at = args.ordinates("nodes_at");
  // The smallest number that goes along all points is meant where none is given.
  const int needed = static_cast<int>(std::max(course.through.size() - 1, course.nodes_at.size() + 1));
  course.elements = args.integer("elements");
  if (!args.given("elements")) course.elements = std::max(course.elements, needed);
  if (course.elements > most) args.fail("elements must be at most 100000, got " + std::to_string(course.elements));
  return course;
}

/// What both kinds have.
template <class Shape>
void read_shape(Args& args, const model::Material& material, Shape& shape) {
  shape.course = read_course(args);
  shape.young = material.young;
  shape.density = material.density;
  shape.damping = *material.damping;
  shape.velocity = args.vector("velocity");
  const bool is_planar = args.engine().dimension() == 2;
  shape.angular_velocity = is_planar ? model::Vector{args.number("angular_velocity")} : args.vector("angular_velocity");
}

int shear_beam(lua_State* L, Args& args) {
  model::ShearBeamShape shape;
  const model::Material material = read_beam_material(args);
  read_shape(args, material, shape);
  shape.poisson = *material.poisson;
  shape.section = read_beam_section(args);
  if (args.given("up")) {
    if (args.engine().dimension() == 2) args.fail("up has no use in the plane");
    shape.up = args.vector("up", 3);
  }
  complete_beam_section(args, shape);
  const model::ShearBeam& made = add_shear_beam(args.engine(), args.name(), shape);
  const std::vector<std::size_t> wanted = wanted_nodes(args, made.line);
  return push_nodes(L, args.model(), args.finish(), made.nodes, wanted, "body");
}

int beam(lua_State* L) {
  Args args(L);
  if (read_whether_shear(args)) return shear_beam(L, args);
  model::CableShape shape;
  read_shape(args, read_beam_material(args), shape);
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
  if (shape.course.through.size() > 2 && args.given("axial")) {
    args.fail("axial is for straight beams: one along points is stretched by the mean of Green's strain; leave it out");
  }
  const model::Cable& made = add_cable(args.engine(), args.name(), shape);
  const std::vector<std::size_t> wanted = wanted_nodes(args, made.line);
  return push_nodes(L, args.model(), args.finish(), made.nodes, wanted, "node");
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
           "A flexible beam between two positions, or along points, without load as declared: it stretches and\n"
           "bends by any amount. Its nodes are first, last, and the list nodes (named \"arm_1\", \"arm_2\", ...);\n"
           "those of nodes_at, or at the points of along, are the list at: arm.at[1]. Those of\n"
           "slender beams, without shear and torsion, are points with a slope: they are held by joints of\n"
           "points (m:coincidence) and by m:clamp. Those of kind = \"shear\", which has both, are bodies, to\n"
           "which all joints, forces and contacts attach; m:weld clamps them.",
       .naming = Naming::Required,
       .fields =
           {{.name = "from", .type = Type::Vector, .text = "first end; needed, as to, without along", .unit = "m"},
            {.name = "to", .type = Type::Vector, .text = "last end", .unit = "m"},
            {.name = "along",
             .type = Type::Rows,
             .text = "points of a smooth line from end to end, in place of from and to; in space more than 2: shear",
             .unit = "m"},
            {.name = "nodes_at",
             .type = Type::Ordinates,
             .text = "shares of a straight beam's length, ascending between 0 and 1, to have nodes at",
             .unit = unitless},
            {.name = "elements",
             .type = Type::Integer,
             .text = "how many in all, as equally long as can be; points and nodes_at may need more",
             .fallback = "4",
             .range = Range::Positive},
            {.name = "kind",
             .type = Type::String,
             .text = "\"slender\", or \"shear\": with shear and torsion, 2 elements at least",
             .fallback = "slender"},
            {.name = "material", .type = Type::Material, .text = "mbs.material"},
            {.name = "young", .text = "Young's modulus, in place of that", .unit = "Pa", .range = Range::Positive},
            {.name = "density", .text = "with it", .unit = "kg/m^3", .range = Range::Positive},
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
            {.name = "torsion_modulus",
             .text = "torque over the largest shear stress of torsion; shear, in space, for torsion_stress",
             .unit = "m^3",
             .fallback = "the section's, or no such stress",
             .range = Range::Positive},
            {.name = "poisson",
             .text = "Poisson's ratio; shear",
             .unit = unitless,
             .fallback = "the material's, or 0.3"},
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
             .fallback = "the material's, or 0",
             .range = Range::NonNegative},
            {.name = "axial",
             .type = Type::String,
             .text = "\"chord\": by the distance of nodes; \"green\": by the strain along the line; \"printed\":\n"
                     "the source's, which has no energy; for straight beams",
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
           "Along points EI ((k - k0)^2 + (g - g0)^2) / 2 with r'' across (k) and along (g) r', and EA e^2 / 2 with\n"
           "the mean e of (r'.r' - r0'.r0') / 2 over the element; 0: as declared; damped by the rates of these.\n"
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
       .see_also = {"station", "clamp", "material", "round_section", "rectangular_section", "point", "coincidence"},
       .function = guarded<beam>},
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
