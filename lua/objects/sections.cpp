// SPDX-License-Identifier: MIT
// Cross-sections and materials for beams, as tables of expressions.
#include "model/beam/section.hpp"

#include "base/guard.hpp"
#include "values/args.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

int push_section(lua_State* L, Args& args, const model::Section& section) {
  args.check_all_read();
  lua_createtable(L, 0, 8);
  const auto set = [&](const char* name, const expr::Symbol& x) {
    push_symbol(L, args.model(), x);
    lua_setfield(L, -2, name);
  };
  set("area", section.area);
  set("second_moment", section.second_moment);
  if (section.across) set("across", *section.across);
  if (section.fibre) set("fibre", *section.fibre);
  if (section.fibre_across) set("fibre_across", *section.fibre_across);
  if (section.torsion_constant) set("torsion_constant", *section.torsion_constant);
  if (section.torsion_modulus) set("torsion_modulus", *section.torsion_modulus);
  lua_createtable(L, 3, 0);
  for (std::size_t k = 0; k < section.shear.size(); ++k) {
    push_symbol(L, args.model(), section.shear[k]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
  lua_setfield(L, -2, "shear");
  return 1;
}

int rectangular_section(lua_State* L) {
  Args args(L);
  const expr::Symbol width = args.number("width");
  const std::optional<expr::Symbol> height = args.optional_number("height");
  if (!height) return push_section(L, args, model::square_section(width));
  const bool is_high = args.value_of(*height) > args.value_of(width);
  return push_section(L, args, model::rectangular_section(width, *height, is_high));
}

int round_section(lua_State* L) {
  Args args(L);
  const expr::Symbol diameter = args.number("diameter"), inner = args.number("inner_diameter");
  if (!(args.value_of(inner) < args.value_of(diameter))) {
    args.fail("inner_diameter must be less than the diameter, got " + number_text(args.value_of(inner)) + " in " +
              number_text(args.value_of(diameter)));
  }
  return push_section(L, args, model::round_section(diameter, inner));
}

int material(lua_State* L) {
  Args args(L);
  const expr::Symbol young = args.number("young"), density = args.number("density"), poisson = args.number("poisson"),
                     damping = args.number("damping");
  const double ratio = args.value_of(poisson);
  if (!(ratio > -1 && ratio <= 0.5)) {
    args.fail("poisson must be above -1 and at most 0.5, got " + number_text(ratio));
  }
  args.check_all_read();
  lua_createtable(L, 0, 4);
  for (const auto& [name, x] :
       {std::pair{"young", young}, {"density", density}, {"poisson", poisson}, {"damping", damping}}) {
    push_symbol(L, args.model(), x);
    lua_setfield(L, -2, name);
  }
  return 1;
}

constexpr std::string_view section_equations =
    "A table with area, second_moment, fibre (the distance to the outermost fibre), torsion_constant,\n"
    "torsion_modulus (torque over the largest shear stress of torsion), where bending across is another,\n"
    "across and fibre_across, and shear = {n, p, q}: the share n (1 + nu) / (p + q nu) of the area carries shear\n"
    "(Cowper 1966). Any table with such numbers is a section; area and second_moment are needed. Torsion of\n"
    "rectangles is de Saint-Venant's, its largest stress in the middle of the longer side.";

}  // namespace

std::span<const Constructor> section_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "mbs.rectangular_section",
       .object = "rectangular_section",
       .returns = "section",
       .summary = "A solid rectangle as the section of a beam; a square where no height is given, as slender beams in\n"
                  "space need, which bend alike about all axes.",
       .fields = {{.name = "width",
                   .text = "across the plane of bending",
                   .unit = "m",
                   .range = Range::Positive,
                   .required = true},
                  {.name = "height", .text = "in it", .unit = "m", .fallback = "the width", .range = Range::Positive}},
       .equations = section_equations,
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local h = m:param { \"h\", 0.01, unit = \"m\" }\n"
                  "local leaf = mbs.rectangular_section { width = 0.03, height = h }\n"
                  "local arm = m:beam { \"arm\", from = {0, 0}, to = {0.5, 0}, young = 2e11, density = 7850, section = "
                  "leaf }\n"
                  "m:clamp { arm.first, m.ground }\n"
                  "print(m:objective { \"stress\", maximum = arm:station { 0 }.stress_left })",
       .see_also = {"round_section", "beam", "station"},
       .function = guarded<rectangular_section>},
      {.name = "mbs.round_section",
       .object = "round_section",
       .returns = "section",
       .summary = "A circle, or a tube, as the section of a beam.",
       .fields =
           {{.name = "diameter", .text = "outer diameter", .unit = "m", .range = Range::Positive, .required = true},
            {.name = "inner_diameter",
             .text = "of a tube, less than the outer one",
             .unit = "m",
             .fallback = "0",
             .range = Range::NonNegative}},
       .equations = section_equations,
       .example =
           "local mbs = require \"perilune\"\n"
           "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
           "local tube = mbs.round_section { diameter = 0.03, inner_diameter = 0.02 }\n"
           "m:beam { \"arm\", from = {0, 0, 0}, to = {0.5, 0, 0}, young = 2e11, density = 7850, section = tube }\n"
           "print(tube.area, tube.second_moment)",
       .see_also = {"rectangular_section", "beam", "station"},
       .function = guarded<round_section>},
      {.name = "mbs.material",
       .object = "material",
       .returns = "material",
       .summary = "What beams are made of, as a table: material = steel in place of young and density.",
       .fields =
           {{.name = "young", .text = "Young's modulus", .unit = "Pa", .range = Range::Positive, .required = true},
            {.name = "density", .text = "density", .unit = "kg/m^3", .range = Range::Positive, .required = true},
            {.name = "poisson", .text = "Poisson's ratio, for shear", .unit = unitless, .fallback = "0.3"},
            {.name = "damping",
             .text = "stress is young (strain + damping strain rate)",
             .unit = "s",
             .fallback = "0",
             .range = Range::NonNegative}},
       .equations = "Any table with young and density, and if need be poisson and damping, is a material.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local steel = mbs.material { young = 2.1e11, density = 7850 }\n"
                  "local leaf = mbs.rectangular_section { width = 0.03, height = 0.005 }\n"
                  "local arm = m:beam { \"arm\", from = {0, 0}, to = {0.5, 0}, material = steel, section = leaf }\n"
                  "m:clamp { arm.first, m.ground }\n"
                  "print(m:equilibrium({}):values(arm.last.y)[1])",
       .see_also = {"beam", "rectangular_section", "round_section"},
       .function = guarded<material>},
  };
  return constructors;
}

}  // namespace perilune::lua
