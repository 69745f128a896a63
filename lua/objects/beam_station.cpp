// SPDX-License-Identifier: MIT
// What a cross-section of a flexible beam does.
#include "base/guard.hpp"
#include "base/table_fields.hpp"
#include "base/userdata.hpp"
#include "model/beam/shear_beams.hpp"
#include "model/beam/stations.hpp"
#include "values/args.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

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

void push_station(lua_State* L, const ModelPtr& model, const model::ShearBeam& beam, const model::BeamSpot& spot,
                  const std::optional<expr::Symbol>& fibre) {
  const model::ShearBeamStation found = station_of(*model->engine, beam, spot);
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
  const std::optional<expr::Symbol> bent = fibre ? *fibre * found.curvature : outer_strain(beam, spot, found);
  if (bent) set_stresses(L, model, beam.shape.young, found.strain, *bent);
  if (const std::optional<expr::Symbol> torsion = torsion_stress(beam, found)) {
    set_expression(L, model, "torsion_stress", *torsion);
    if (bent)
      set_expression(L, model, "von_mises", model::von_mises_stress(beam.shape.young, found.strain, *bent, *torsion));
  }
}

/// Stresses that a station lacks are asked for by their names: what it would need, in place of a nil that fails later.
int missing_stress(lua_State* L) {
  require_table(L);
  if (lua_type(L, 2) != LUA_TSTRING) return 0;
  const std::string key = lua_tostring(L, 2);
  if (key != "torsion_stress" && key != "von_mises") return 0;
  lua_getmetatable(L, 1);
  throw Error("station: beam \"" + text_field(L, -1, "beam") + "\" has no " + key + ": " +
              text_field(L, -1, key.c_str()));
}

/// For the table on top of the stack.
void name_missing_stresses(lua_State* L, const std::string& beam, const std::string& torsion,
                           const std::string& von_mises) {
  lua_createtable(L, 0, 4);
  set_text(L, "beam", beam);
  set_text(L, "torsion_stress", torsion);
  set_text(L, "von_mises", von_mises);
  lua_pushcfunction(L, guarded<missing_stress>);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
}

/// Why there is no stress of torsion whatever the section, or nothing.
std::string without_torsion(const Args& args, bool is_slender) {
  if (args.engine().dimension() == 2) return "torsion is of beams in space";
  return is_slender ? "slender beams know no torsion" : "";
}

int station(lua_State* L) {
  Args args(L);
  const Object& beam = own_userdata<Object>(L);
  const expr::Symbol share = args.number("share");
  const std::string title = "beam \"" + beam.name + "\"";
  std::optional<expr::Symbol> fibre = args.optional_number("fibre");
  args.check_all_read();
  const ModelPtr model = args.model();
  if (const model::ShearBeam* stout = find_shear_beam(args.engine(), beam.name)) {
    const model::Section& section = stout->shape.section;
    const bool is_round = args.engine().dimension() == 2 || !section.across;
    if (fibre && !is_round) {
      args.fail(std::string("fibre is for sections that bend alike about all axes; ") +
                (section.fibre_across ? "leave it away, as the section says where its fibres are"
                                      : "give the section fibre and fibre_across, or take moment_y and moment_z"));
    }
    push_station(L, model, *stout, spot_at(args.engine(), title, stout->line, share), fibre);
    const std::string none = without_torsion(args, false);
    const std::string needed = none.empty() ? "give torsion_modulus, torque over the largest shear stress" : none;
    name_missing_stresses(L, beam.name, needed,
                          none.empty() && section.torsion_modulus
                              ? "its section does not say where its fibres are: give it fibre, and fibre_across where "
                                "it bends unlike about its axes"
                              : needed);
    return 1;
  }
  const model::Cable* cable = find_cable(args.engine(), beam.name);
  if (!fibre) fibre = cable->shape.fibre;
  const model::CableStation found =
      station_of(args.engine(), *cable, spot_at(args.engine(), title, cable->line, share));
  lua_newtable(L);
  set_line(L, model, found);
  set_expression(L, model, "axial_force", found.axial_force);
  set_expression(L, model, "moment", found.moment);
  if (fibre) set_stresses(L, model, cable->shape.young, found.strain, *fibre * found.curvature);
  const std::string none = without_torsion(args, true);
  name_missing_stresses(L, beam.name, none, none + ", so that it is the larger stress");
  return 1;
}

int point(lua_State* L) {
  Args args(L);
  const Object& beam = own_userdata<Object>(L);
  const expr::Symbol share = args.number("share");
  args.check_all_read();
  if (find_shear_beam(args.engine(), beam.name)) {
    args.fail("beam \"" + beam.name +
              "\" has shear: its nodes, which are bodies, are its only places; put one there by nodes_at of m:beam");
  }
  const model::Cable& cable = *find_cable(args.engine(), beam.name);
  const model::BeamSpot spot = spot_at(args.engine(), "beam \"" + beam.name + "\"", cable.line, share);
  push_object(L, {args.model(), "place", "on " + beam.name, script_line(L), place_at(beam.name, cable, spot)});
  return 1;
}

}  // namespace

std::span<const Constructor> station_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "beam:station",
       .object = "station",
       .returns = "table",
       .summary =
           "What a cross-section of a beam does, as a table of expressions for objectives, limits and charts: x, y\n"
           "(z), slope_x, slope_y (slope_z), strain, curvature, axial_force (N) and moment (N m); with fibre\n"
           "the stresses (Pa) that far off the line: stress_left and stress_right of the way from first to\n"
           "last in the plane, where a turn to the left is positive; stress_least and stress_most in space.\n"
           "With kind = \"shear\" shear_force, too, and in space shear_y, shear_z, torque, moment_y, moment_z\n"
           "in place of moment, on the part towards first, along the axes of the section; torsion_stress (Pa), the\n"
           "largest shear stress of torsion, and von_mises, in which both are as large as they are anywhere.",
       .positional =
           {{.name = "share", .text = "of the length as declared, from 0 to 1", .unit = unitless, .required = true}},
       .fields = {{.name = "fibre",
                   .text = "distance from the line to the outer fibre; that of the beam's section",
                   .unit = "m",
                   .fallback = "no stresses",
                   .range = Range::NonNegative}},
       .equations =
           "strain d / l - 1 of the element's chord, or (r'.r' - 1) / 2 with axial = \"green\"; curvature r'' along\n"
           "the left normal, in space |r''|, along points less that as declared (and the element's mean strain);\n"
           "axial_force EA strain, moment EI curvature, without damping;\n"
           "stress young (strain -+ fibre curvature), at the corner of a section that bends unlike about its axes:\n"
           "young (strain -+ (fibre |curvature about z| + fibre_across |curvature about y|)); torsion_stress is\n"
           "torque / torsion_modulus, von_mises sqrt(n^2 + 3 torsion_stress^2) with the larger stress n: exact for\n"
           "circles and tubes, above the true one where a section has both in different places; shear forces are not "
           "in it",
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
      {.name = "beam:point",
       .object = "beam_point",
       .returns = "place",
       .summary =
           "The place on a slender beam at a share of its length, where forces, springs, joints of points, contacts\n"
           "and m:clamp attach as to its nodes. It has no coordinates of its own: what acts there acts on the two\n"
           "nodes beside it. The line has no kink there, so that for the bend under a large force a node is better\n"
           "(nodes_at of m:beam). Beams of kind = \"shear\" have nodes alone.",
       .positional =
           {{.name = "share", .text = "of the length as declared, from 0 to 1", .unit = unitless, .required = true}},
       .equations =
           "r = s_1 r_i + s_2 l t_i + s_3 r_j + s_4 l t_j with the cubic shapes s of the share (Ebrahimi 2019,\n"
           "(28)); a force F there is s_k F on these, a torque acts on the slope dr/dx in the same way",
       .example =
           "local mbs = require \"perilune\"\n"
           "local m = mbs.model { gravity = {0, 0} }\n"
           "local arm = m:beam { \"arm\", from = {0, 0}, to = {1, 0}, young = 7e10, density = 2700, area = 1e-4,\n"
           "  second_moment = 8e-10 }\n"
           "m:clamp { arm.first, m.ground }\n"
           "m:force { \"load\", on = arm:point { 0.37 }, force = {0, -1} }\n"
           "print(m:equilibrium({}):values(arm:station({ 0.37 }).y)[1])",
       .see_also = {"beam", "station", "clamp", "force"},
       .function = guarded<point>},
  };
  return constructors;
}

}  // namespace perilune::lua
