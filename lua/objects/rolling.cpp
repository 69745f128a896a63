// SPDX-License-Identifier: MIT
// What rolls without slip.
#include "objects/rolling.hpp"

#include "base/guard.hpp"
#include "laws/terrain.hpp"
#include "model/contact/contact.hpp"
#include "model/contact/rolling.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/markers.hpp"

namespace perilune::lua {

namespace {

using expr::Symbol;

/// Of the fields that each name another surface than the plane, one at most.
void check_surface(Args& args) {
  std::string_view chosen;
  for (const char* field : {"ball", "cylinder", "height"}) {
    if (!args.given(field)) continue;
    if (!chosen.empty()) args.fail("give either " + std::string(chosen) + " or " + field + ": it rolls on one of them");
    chosen = field;
  }
  if (chosen != "ball" && chosen != "cylinder" && args.given("inside")) {
    args.fail("inside is for what rolls in a hollow ball or cylinder; give its radius, too: ball or cylinder");
  }
  if (chosen == "ball" && args.given("normal")) args.fail("normal is for planes and terrain; a ball has none");
}

int rolling(lua_State* L) {
  Args args(L);
  model::Model& engine = args.engine();
  model::Rolling rolling;
  rolling.b = args.place("b");
  check_surface(args);
  // The normal of a plane; the axis of a cylinder is the z axis of a, too.
  rolling.a = surface_place(args, "normal");
  rolling.radius = args.number("radius");
  if (args.given("axis") && model::turns(rolling.b)) {
    rolling.axis = model::unit(to_local_direction(engine, rolling.b, args.axis("axis")));
  }
  rolling.crown = args.number("crown");
  if (args.given("crown") && !args.given("axis")) args.fail("crown is for the edge of a wheel; give its axis, too");
  if (const std::optional<Symbol> ball = args.optional_number("ball")) rolling.surface = model::Ball{*ball};
  if (const std::optional<Symbol> radius = args.optional_number("cylinder")) {
    rolling.surface = model::Cylinder{*radius};
  }
  if (const std::optional<Symbol> height = read_height(L, args)) rolling.surface = model::Terrain{*height};
  rolling.is_inside = args.boolean("inside");
  rolling.spins = args.boolean("spin");
  add_rolling(engine, args.name(), rolling);
  args.finish();
  return 1;
}

}  // namespace

Constructor rolling_entry() {
  return {
      .name = "model:rolling",
      .object = "rolling",
      .summary =
          "b rolls on a without slip: a ball about its place, or with an axis a wheel, a thin disc or one with\n"
          "a round edge (crown). It rolls on the plane through a's place, normal to its z axis (to y in a planar\n"
          "model); on or inside a ball or a cylinder about a's place; or on a terrain. What a carries may move,\n"
          "as a turntable does. b keeps touching, and its point that touches has the velocity of that of a; it\n"
          "may turn about the normal, unless spin is false. In a\n"
          "planar model b is always a wheel, and on a line or a circle its angle follows from its way; all else\n"
          "are constraints on velocities: see help \"constraint\".\n"
          "It cannot lift off or slide: run.warnings tells where it would have had to be pulled; stop =\n"
          "-roll.normal_force ends a motion there, phases go on without it. Friction over normal_force is the\n"
          "coefficient that it takes. A wheel must not fall flat (on a terrain its axis must not turn vertical),\n"
          "nor fit into the surface as closely as to touch at two places: run.warnings tells. On a ball, a ball\n"
          "must not pass the point opposite to where it starts.",
      .naming = Naming::Optional,
      .positional = {{.name = "a",
                      .type = Type::Place,
                      .text = "carries the surface: the ground, a body, or a marker or place on one",
                      .required = true},
                     {.name = "b", .type = Type::Place, .text = "what rolls, or its centre on it", .required = true}},
      .fields =
          {{.name = "radius",
            .text = "r, of the wheel or ball",
            .unit = "m",
            .range = Range::Positive,
            .required = true},
           {.name = "axis",
            .type = Type::Axis,
            .text = "u, of a wheel, in space as declared: u cross normal points forward",
            .fallback = "none: a ball; in the plane a wheel"},
           {.name = "crown",
            .text = "c, radius of a wheel's edge across its path: 0 for a thin disc, r for a ball",
            .unit = "m",
            .fallback = "0",
            .range = Range::NonNegative},
           {.name = "normal",
            .type = Type::Axis,
            .text = "z axis: outward normal of the plane, or axis of the cylinder, in space as declared",
            .fallback = "z axis of a; y in the plane"},
           {.name = "ball",
            .text = "R, radius of a ball about a's place, instead of the plane; in the plane a circle",
            .unit = "m",
            .range = Range::Positive},
           {.name = "cylinder",
            .text = "R, radius of a cylinder about the z axis of a, instead of the plane",
            .unit = "m",
            .range = Range::Positive},
           {.name = "inside", .type = Type::Boolean, .text = "whether these are hollow", .fallback = "false"},
           {.name = "height", .type = Type::Height, .text = "terrain above the plane: a law, or a table", .unit = "m"},
           {.name = "spin",
            .type = Type::Boolean,
            .text = "whether it may turn about the normal against a",
            .fallback = "true"}},
      .signals = {{"normal_force", "N", "of a on b, positive while it pushes"},
                  {"longitudinal_force", "N", "of a on a wheel b, forward", "", "wheels"},
                  {"lateral_force", "N", "to its left", "", "spatial wheels"},
                  {"friction_x", "N", "both of these, and that of a ball, along the axes of space",
                   "friction_y, friction_z"},
                  {"spin_torque", "N m", "of a on b about the normal", "", "spin = false"},
                  {"speed", "m/s", "of a wheel's centre forward, against the point of a that it touches", "", "wheels"},
                  {"x", "m", "the point that touches, in space", "y, z"},
                  {"lambda_normal", "N", "multiplier of the gap: the normal force reversed"},
                  {"lambda_along", "N", "multiplier of slip along a wheel, or the first tangent of a ball"},
                  {"lambda_across", "N", "multiplier of slip across", "", "spatial"},
                  {"lambda_spin", "N m", "multiplier of the spin", "", "spin = false"},
                  {"lambda_turn", "N", "multiplier of what defines the direction of the line of centres", "",
                   "planar, on a circle"},
                  {"lambda_edge", "N m", "multiplier of what defines which point of a wheel's edge touches: zero", "",
                   "wheels on terrain and cylinders"}},
      .equations =
          "With the normal n and the arm s from the centre of b to the point that touches: gap = 0 and\n"
          "t.(v_b + omega_b x s - v_a - omega_a x s_a) = 0 for two tangents t. Ball: s = -r n. Wheel on a plane:\n"
          "t_1 = u x n / |u x n|, t_2 = n x t_1, s = (r - c) u x t_1 - c n, gap = n.(r_b + s - r_a). On a ball, the\n"
          "circle of the radius r - c in the wheel takes the place of its centre, with the nearest of its points\n"
          "(the farthest inside), and c that of r. On terrain and cylinders this point is at an angle around the\n"
          "wheel, a coordinate, where the gap does not change along the edge. In the plane, on a line: x + r (theta_b "
          "- theta_a) = constant; on\n"
          "a circle: (R + r) phi - r theta_b - R theta_a = constant, with -r for r inside.",
      .example =
          "local mbs = require \"perilune\"\n"
          "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
          "local r = m:param { \"r\", 0.3, unit = \"m\", min = 0.1 }\n"
          "local disc = m:body { \"disc\", mass = 2, inertia = {0.045, 0.09, 0.045}, at = {0, 0, r},\n"
          "                      velocity = {6 * r, 0, 0}, angular_velocity = {0, 6, 0} }\n"
          "m:rolling { \"wheel\", m.ground, disc, radius = r, axis = \"y\" }\n"
          "print(m:simulate { t = 1 }:at(\"wheel.normal_force\", 1))\n"
          "local marble = m:body { \"marble\", mass = 0.1, inertia = {4e-6, 4e-6, 4e-6}, at = {0, 0, -0.19} }\n"
          "m:rolling { \"bowl\", m.ground, marble, radius = 0.01, ball = 0.2, inside = true }",
      .see_also = {"tire", "contact", "constraint", "rack_and_pinion", "belt"},
      .function = guarded<rolling>};
}

}  // namespace perilune::lua
