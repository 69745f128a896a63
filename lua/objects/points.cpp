// SPDX-License-Identifier: MIT
// Places in space, natural-coordinate points, and bars between them.
#include "model/body/points.hpp"
#include "base/guard.hpp"
#include "model/place/places.hpp"
#include "values/args.hpp"

namespace perilune::lua {

namespace {

int ground(lua_State* L) {
  Args args(L);
  const model::Vector at = args.vector("at");
  if (args.given("shape")) {
    for (model::Shape& shape : args.shapes("shape")) {
      for (std::size_t k = 0; k < at.size(); ++k) shape.at[k] += at[k];
      args.engine().record().ground_shapes.push_back(std::move(shape));
    }
  }
  args.finish(ground_place(args.engine(), at));
  return 1;
}

int point(lua_State* L) {
  Args args(L);
  const model::Vector at = args.vector("at"), velocity = args.vector("velocity");
  const expr::Symbol mass = args.number("mass");
  args.finish(add_point(args.engine(), args.name(), at, velocity, mass));
  return 1;
}

int bar(lua_State* L) {
  Args args(L);
  const model::Place a = args.place("a"), b = args.place("b");
  const expr::Symbol mass = args.number("mass");
  const std::optional<expr::Symbol> length = args.optional_number("length");
  add_bar(args.engine(), args.name(), a, b, mass, length ? &*length : nullptr);
  args.finish();
  return 1;
}

}  // namespace

std::span<const Constructor> point_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "model:ground",
       .object = "ground",
       .summary = "A place fixed in space. m.ground, without a call, is the ground as a body, with its frame at the\n"
                  "origin of space.",
       .naming = Naming::Optional,
       .fields = {{.name = "at", .type = Type::Vector, .text = "position", .unit = "m", .required = true},
                  {.name = "shape",
                   .type = Type::Shape,
                   .text = "what pictures show there and does not move: a rail, a housing",
                   .fallback = "nothing"}},
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local A = m:ground { \"A\", at = {-0.5, 0} }\n"
                  "print(A)",
       .see_also = {"point", "body"},
       .function = guarded<ground>},
      {.name = "model:point",
       .object = "point",
       .summary = "A point in natural coordinates: its position in space is its coordinates. It may carry a mass and\n"
                  "does not turn; bars, distances and springs connect points.",
       .naming = Naming::Required,
       .fields =
           {{.name = "at",
             .type = Type::Vector,
             .text = "position at the start; assembly makes it fit the joints",
             .unit = "m",
             .required = true},
            {.name = "velocity", .type = Type::Vector, .text = "velocity at the start", .unit = "m/s", .fallback = "0"},
            {.name = "mass", .text = "point mass", .unit = "kg", .fallback = "0", .range = Range::NonNegative}},
       .signals = {{"x", "m", "position", "y, z"},
                   {"vx", "m/s", "velocity", "vy, vz"},
                   {"ax", "m/s^2", "acceleration", "ay, az"}},
       .equations = "q = r, M = mass I, Q = mass g",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local P = m:point { \"P\", at = {0, 1}, velocity = {2, 0}, mass = 1.5 }\n"
                  "print(P, P.mass, P.x)",
       .see_also = {"ground", "bar", "distance", "body"},
       .function = guarded<point>},
      {.name = "model:bar",
       .object = "bar",
       .summary = "A uniform slender rigid bar between two points: its mass is spread evenly along the line between\n"
                  "them, its length is constant. It has no coordinates of its own.",
       .naming = Naming::Optional,
       .positional = {{.name = "a", .type = Type::Place, .text = "one end: a point or a ground", .required = true},
                      {.name = "b", .type = Type::Place, .text = "the other end", .required = true}},
       .fields = {{.name = "mass", .text = "mass of the bar", .unit = "kg", .range = Range::Positive, .required = true},
                  {.name = "length",
                   .text = "length",
                   .unit = "m",
                   .fallback = "distance of the declared positions",
                   .range = Range::Positive}},
       .signals = {{"length", "m", "current length"},
                   {"rate", "m/s", "its rate, zero but for drift"},
                   {"force", "N", "pulls the ends together where positive: 2 lambda length"},
                   {"lambda", "N/m", "multiplier of the constraint"}},
       .equations = "q = (r_a, r_b), M = mass / 6 (2 I, I; I, 2 I), Q = mass / 2 (g; g),\n"
                    "|r_b - r_a|^2 - L^2 = 0 (Schaffer 2005, eq. 4.73)",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local A = m:ground { at = {0, 0} }\n"
                  "local P = m:point { \"P\", at = {1, 0} }\n"
                  "m:bar { \"rod\", A, P, mass = 2 }",
       .see_also = {"point", "distance"},
       .function = guarded<bar>},
  };
  return constructors;
}

}  // namespace perilune::lua
