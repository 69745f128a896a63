// SPDX-License-Identifier: MIT
// Contact of places with surfaces.
#include "model/contact/contact.hpp"

#include "base/guard.hpp"
#include "base/userdata.hpp"
#include "laws/contact_laws.hpp"
#include "laws/terrain.hpp"

namespace perilune::lua {

using expr::Symbol;

namespace {

int contact(lua_State* L) {
  Args args(L);
  model::Contact contact;
  contact.b = args.places("b");
  contact.a = surface_place(args, "axis");
  contact.round.radius = args.number("radius");
  if (args.given("semi_axes")) {
    if (args.given("radius")) args.fail("give either a radius or semi_axes");
    contact.round.semi_axes = args.vector("semi_axes");
  }
  const std::optional<Symbol> ball = args.optional_number("ball");
  const std::optional<Symbol> height = read_height(L, args);
  if ((ball && height) || (ball && args.given("axis"))) {
    args.fail(std::string(height ? "height" : "axis") +
              " is for planes and terrain; with ball the surface is a sphere");
  }
  if (args.given("box")) {
    if (ball || height || args.given("axis")) {
      args.fail(std::string(ball     ? "ball"
                            : height ? "height"
                                     : "axis") +
                " does not go with box, which lies about the place of a along its axes (m:marker turns them)");
    }
    const std::size_t count = static_cast<std::size_t>(args.engine().dimension());
    contact.surface = model::Box{args.vector("box", count)};
  }
  if (ball) contact.surface = model::Ball{*ball};
  if (height) contact.surface = model::Terrain{*height};
  contact.normal = *read_law<model::NormalLaw>(args, L, "normal", contact.checks);
  contact.friction = read_law<model::Friction>(args, L, "friction", contact.checks).value_or(model::Friction());
  if (!ball) (void)args.given("axis");
  add_contact(args.engine(), args.name(), contact);
  args.finish();
  return 1;
}

Constructor contact_entry() {
  return {
      .name = "model:contact",
      .object = "contact",
      .summary =
          "Contact of places b, points, spheres or ellipsoids, with a surface of a: a plane, a terrain, a ball, or\n"
          "for spheres a box. The plane goes through a's place, normal to its z axis (to y in a planar model), and\n"
          "pushes b to that side of it. A height makes a terrain of it: a function of s.x (and s.y), the\n"
          "coordinates along the axes of a from its place, and of the time s.t, or a table of them: mbs.spline of\n"
          "x, or in space mbs.bicubic_spline. Edges and corners of a box are sharp; it is a plate where an edge is\n"
          "0. Several places b make a surface contact, each of its own.\n"
          "Any normal law goes with any friction law. Planes and balls are exact (an ellipsoid on a ball to\n"
          "rounding up to an aspect of 10). On a terrain, the closest points of a sphere or an ellipsoid are found\n"
          "by three steps of Newton's method; valleys have to be wider than it is round there, or else it touches\n"
          "at two points, of which one counts. The distance of a point from a terrain is that from the tangent\n"
          "plane below it: exact where the terrain is straight, otherwise off by about its curvature times gap^2.\n"
          "A point may pass corners of a terrain (mbs.where, math.max, math.abs), which are events; what is round\n"
          "needs them rounded, by mbs.softplus or a spline. Jumps are refused. Both are looked for along lines\n"
          "within 100 m. The height may change its form with time (a condition on s.t).\n"
          "A point of m:point does not turn: as a sphere it slides without rolling.\n"
          "Adaptive integrators end a step at every event: where a contact begins and ends, where its damper\n"
          "would pull, where compression ends if it is damped by another part than unloading, at the depth of a\n"
          "width, and where an anchor begins or ceases to slide. run.events lists them; gradients by the discrete\n"
          "methods follow them, also where the force jumps. Steps end at v0 and v1 of ambrosio, too. Two events of\n"
          "the same kind at one place within 1e-9 of the run's time are not told apart (chattering, grazing):\n"
          "until a step is longer, the run goes on without them. Fixed steps know no events: they have to be short\n"
          "at the beginning and the end of a contact, and where the force begins with a jump (kelvin_voigt without\n"
          "a width, the damper of static_friction) their gradients lack the change of the time of the touch.",
      .naming = Naming::Optional,
      .positional = {{.name = "a",
                      .type = Type::Place,
                      .text = "carries the surface: the ground, a body, or a marker or place on one",
                      .required = true},
                     {.name = "b", .type = Type::Place, .text = "touches it", .required = true}},
      .repeats = true,
      .fields =
          {{.name = "normal", .type = Type::NormalLaw, .text = "force against penetration", .required = true},
           {.name = "friction", .type = Type::FrictionLaw, .text = "against slip", .fallback = "none"},
           {.name = "radius",
            .text = "of the spheres about the places b; 0: points",
            .unit = "m",
            .fallback = "0",
            .range = Range::NonNegative},
           {.name = "semi_axes",
            .type = Type::Vector,
            .text = "of ellipsoids about the places b, along their axes",
            .unit = "m",
            .range = Range::Positive},
           {.name = "axis",
            .type = Type::Axis,
            .text = "outward normal of the plane, in space as declared",
            .fallback = "z axis of a; y in the plane"},
           {.name = "height", .type = Type::Height, .text = "terrain above the plane: a law, or a table", .unit = "m"},
           {.name = "ball",
            .text = "radius of a sphere about a's place, instead of the plane",
            .unit = "m",
            .range = Range::Positive},
           {.name = "box",
            .type = Type::Vector,
            .text = "edges of a box about a's place along its axes, instead of the plane; 0 for a thin plate",
            .unit = "m",
            .range = Range::NonNegative}},
      .signals = {{"gap", "m", "distance from the surface, negative in contact; the least of several"},
                  {"normal_force", "N", "pushes b off; the sum of several"},
                  {"dissipation", "W", "power lost by the normal force and by friction"},
                  {"friction_x", "N", "friction on b, along the axes of space", "friction_y, friction_z",
                   "with friction"},
                  {"slip_x", "m/s", "velocity of b against a along the surface", "slip_y, slip_z", "one place"},
                  {"stretch_x", "m", "b's place less its anchor, or the bend of its bristles, along the surface",
                   "stretch_y, stretch_z", "one place, friction with such a state"},
                  {"dwell", "1", "how long b has rested, from 0 to 1", "", "one place with mbs.gonthier"}},
      .equations =
          "d = -gap > 0: F = N(d, d') along the gradient of the gap, at the point of b nearest to the surface, and\n"
          "friction there against the slip v = v_b - v_a less its normal part, and the opposite at the same\n"
          "point of a (Zhu 2014, eqs. 5.21 to 5.23). Plane: gap = n.(r_b - r_a) - r; ball: gap =\n"
          "|r_b - r_a| - R - r; box: the distance of r_b from its nearest point, less r; terrain z = h(x, y): gap = "
          "n.(r_b - r_foot) - r with\n"
          "n = (-h_x, -h_y, 1) / sqrt(1 + h_x^2 + h_y^2), r_foot below r_b for points, else r_b - (r + gap) n.\n"
          "An ellipsoid has its support sqrt((a n_1)^2 + (b n_2)^2 + (c n_3)^2) along n in place of r. K d^n and\n"
          "springs of anchors or bristles store energy; the rest of the power is the dissipation.",
      .example =
          "local mbs = require \"perilune\"\n"
          "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
          "local mu = m:param { \"mu\", 0.4, min = 0 }\n"
          "local steel = mbs.hunt_crossley { stiffness = 1e6, dissipation = 0.1 }\n"
          "local ball = m:body { \"ball\", mass = 1, inertia = {0.004, 0.004, 0.004}, at = {0, 0, 0.5} }\n"
          "m:contact { \"floor\", m.ground, ball, radius = 0.1, normal = steel,\n"
          "            friction = mbs.coulomb { coefficient = mu } }\n"
          "local box = m:body { \"box\", mass = 2, inertia = {0.01, 0.01, 0.01}, at = {3, 0, 0.3} }\n"
          "m:contact { \"hills\", m.ground, box:point { -0.1, 0, -0.1 }, box:point { 0.1, 0, -0.1 },\n"
          "            height = function(s) return 0.05 * math.sin(2 * s.x) end, normal = steel }\n"
          "m:contact { \"bump\", box, ball, ball = 0.1, radius = 0.1, normal = steel }\n"
          "local egg = m:body { \"egg\", mass = 1, inertia = {0.01, 0.02, 0.02}, at = {-3, 0, 0.3} }\n"
          "m:contact { \"table\", m.ground, egg, semi_axes = {0.3, 0.2, 0.2}, normal = steel }",
      .see_also = {"kelvin_voigt", "hunt_crossley", "hertz", "coulomb", "ambrosio", "brown_mcphee", "static_friction",
                   "elasto_plastic", "bicubic_spline", "bump_stop"},
      .function = guarded<contact>};
}

}  // namespace

std::span<const Constructor> contact_constructors() {
  static const std::vector<Constructor> constructors = {contact_entry()};
  return constructors;
}

}  // namespace perilune::lua
