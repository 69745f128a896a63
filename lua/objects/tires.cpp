// SPDX-License-Identifier: MIT
// Wheels on the ground.
#include "base/guard.hpp"
#include "laws/terrain.hpp"
#include "model/contact/tire.hpp"
#include "model/place/markers.hpp"
#include "objects/rolling.hpp"

namespace perilune::lua {

namespace {

using expr::Symbol;

std::optional<model::TireSlip> slip_forces(Args& args) {
  const std::optional<Symbol> friction = args.optional_number("friction");
  const std::optional<Symbol> lateral = args.optional_number("lateral_friction");
  model::TireSlip slip;
  slip.critical_slip = args.number("critical_slip");
  slip.critical_angle = args.number("critical_angle");
  slip.least_speed = args.number("least_speed");
  if (!friction) {
    if (lateral) args.fail_missing("friction");
    for (const char* field : {"critical_slip", "critical_angle", "least_speed"}) {
      if (args.given(field)) args.fail(std::string(field) + " is for slip forces; give friction, too");
    }
    return std::nullopt;
  }
  slip.friction_x = *friction;
  slip.friction_y = lateral.value_or(*friction);
  return slip;
}

int tire(lua_State* L) {
  Args args(L);
  model::Tire tire;
  tire.ground = args.place("a");
  tire.wheel = args.place("b");
  tire.axis = {0.0, 1.0, 0.0};
  if (args.given("axis") && model::turns(tire.wheel)) {
    tire.axis = to_local_direction(args.engine(), tire.wheel, args.axis("axis"));
  }
  tire.radius = args.number("radius");
  tire.stiffness = args.number("stiffness");
  tire.damping = args.number("damping");
  const bool vertical = args.boolean("vertical");
  if (vertical && !args.given("height")) args.fail("vertical is for a terrain; give its height, too");
  const std::optional<Symbol> height = read_height(L, args);
  if (height) tire.surface = model::Terrain{*height, vertical};
  tire.slip = slip_forces(args);
  add_tire(args.engine(), args.name(), tire);
  args.finish();
  return 1;
}

Constructor tire_entry() {
  return {
      .name = "model:tire",
      .object = "tire",
      .summary =
          "A tire between the ground a and a wheel b, a body that turns, about its centre. The ground is the plane\n"
          "through a's place normal to its z axis; with a height it is a terrain, a function of s.x and s.y, the\n"
          "coordinates along the axes of a from its place, and s.t, or a table of them (mbs.bicubic_spline, or\n"
          "mbs.spline of x). The normal force is a spring and a damper that never pull. With friction the tire is\n"
          "Zhu's: it rolls, with forces along and across its path that grow with slip and slip angle up to an\n"
          "ellipse. Without friction it is Schaffer's: the normal force alone. A vertical tire counts its height\n"
          "above the terrain as the distance and pushes straight up whatever the slope: so a steep slope acts as a\n"
          "step, and the terrain may have corners. A torque on the wheel (m:torque with frame = \"body\") drives it.\n"
          "Adaptive integrators end steps where the wheel lands and leaves the ground, where slip or slip angle\n"
          "becomes critical, where both reach the ellipse, and at the least speed; run.events lists them.",
      .naming = Naming::Optional,
      .positional = {{.name = "a", .type = Type::Place, .text = "carries the ground", .required = true},
                     {.name = "b", .type = Type::Place, .text = "the wheel, or its centre on one", .required = true}},
      .fields =
          {{.name = "radius", .text = "R, without load", .unit = "m", .range = Range::Positive, .required = true},
           {.name = "stiffness", .text = "K", .unit = "N/m", .range = Range::Positive, .required = true},
           {.name = "damping", .text = "D", .unit = "N s/m", .fallback = "0", .range = Range::NonNegative},
           {.name = "axis",
            .type = Type::Axis,
            .text = "u, of the wheel, in space as declared: u cross normal points forward",
            .fallback = "y axis of the wheel"},
           {.name = "height", .type = Type::Height, .text = "terrain above the plane: a law, or a table", .unit = "m"},
           {.name = "vertical",
            .type = Type::Boolean,
            .text = "whether heights count, whatever the slope",
            .fallback = "false"},
           {.name = "friction",
            .text = "mu_x, along the path",
            .unit = unitless,
            .fallback = "none: no slip forces",
            .range = Range::NonNegative},
           {.name = "lateral_friction",
            .text = "mu_y, across",
            .unit = unitless,
            .fallback = "friction",
            .range = Range::NonNegative},
           {.name = "critical_slip",
            .text = "kappa_c, from which all of mu_x acts",
            .unit = unitless,
            .fallback = "0.1",
            .range = Range::Positive},
           {.name = "critical_angle",
            .text = "alpha_c, from which all of mu_y acts",
            .unit = "rad",
            .fallback = "0.1",
            .range = Range::Positive},
           {.name = "least_speed",
            .text = "v0: slips are relative to no less speed, so that rest is regular",
            .unit = "m/s",
            .fallback = "0.1",
            .range = Range::Positive}},
      .signals = {{"deflection", "m", "R less the distance of the centre; negative where the wheel has no contact"},
                  {"normal_force", "N", "of the ground on the wheel"},
                  {"dissipation", "W",
                   "power lost by the damper and by slip (and given by a vertical terrain's slope)"},
                  {"slip", "1", "kappa, positive where the wheel drives", "", "with friction"},
                  {"slip_angle", "rad", "alpha, positive where the wheel drifts to its right", "", "with friction"},
                  {"longitudinal_force", "N", "F_x on the wheel, forward", "", "with friction"},
                  {"lateral_force", "N", "F_y on the wheel, to its left", "", "with friction"}},
      .equations =
          "With the normal n, the distance r of the centre c along it and d = R - r: F_n = max(0, K d + D d') n\n"
          "where d > 0. b = (u x n) / |u x n|, kappa = -b.(v_c - omega x r n) / s, s = max(|b.v_c|, v0), alpha =\n"
          "-atan((n x b).v_c / s); F_x = mu_x F_n clip(kappa / kappa_c), F_y = mu_y F_n clip(alpha / alpha_c), both\n"
          "scaled onto (F_x / mu_x)^2 + (F_y / mu_y)^2 = F_n^2 where they lie outside, at the place c - r n of the\n"
          "wheel, F_x along b and F_y along n x b; clip(x) = min(max(x, -1), 1). Zhu 2014, eqs. 5.6 to 5.10, where\n"
          "clip, which the source has for positive slips only, and v0 are ours; the speeds are those against a.\n"
          "Without friction: the tire of Schaffer 2005, section 6.2.",
      .example =
          "local mbs = require \"perilune\"\n"
          "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
          "local wheel = m:body { \"wheel\", mass = 20, inertia = {0.4, 0.8, 0.4}, at = {0, 0, 0.3},\n"
          "                       velocity = {5, 0, 0}, angular_velocity = {0, 5 / 0.3, 0} }\n"
          "m:tire { \"tire\", m.ground, wheel, radius = 0.301, stiffness = 2e5, damping = 500, friction = 0.9,\n"
          "         height = function(s) return 0.02 * mbs.smoothstep(s.x, 1, 1.5) end }\n"
          "m:torque { \"drive\", on = wheel, torque = {0, 20, 0}, frame = \"body\" }\n"
          "print(m:simulate { t = 0.5 }:at(\"tire.slip\", 0.5))",
      .see_also = {"rolling", "contact", "bicubic_spline", "torque", "spring"},
      .function = guarded<tire>};
}

}  // namespace

std::span<const Constructor> tire_constructors() {
  static const std::vector<Constructor> constructors = {tire_entry(), rolling_entry(), cam_entry()};
  return constructors;
}

}  // namespace perilune::lua
