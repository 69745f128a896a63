// SPDX-License-Identifier: MIT
// The paths of places, as expressions.
#include "base/guard.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "model/place/place_signals.hpp"
#include "values/expression.hpp"
#include "values/object.hpp"

namespace perilune::lua {

namespace {

int curvature(lua_State* L) {
  const Object* place = test_userdata<Object>(L, 1);
  if (!place || !place->place) {
    throw Error("curvature: expected a point, a body or a place or marker on one, got " + described_value(L, 1));
  }
  place->check_present();
  if (place->place->kind == model::Place::Kind::Ground) {
    throw Error("curvature: " + place->title() + " is on the ground, which has no path");
  }
  const model::Model& engine = *place->model->engine;
  push_variable(L, "mbs.curvature(" + place->name + ")", place->model,
                path_curvature(engine, *place->place).in(engine.graph()));
  return 1;
}

}  // namespace

std::span<const Function> path_functions() {
  static const std::vector<Function> functions = {
      {.name = "mbs.curvature",
       .signature = "mbs.curvature(place)",
       .arguments = {{"place", "perilune.place_like", "what moves: a point, a body, a place or a marker on one",
                      unitless}},
       .returns = "perilune.number",
       .summary =
           "Curvature of the path of a place in space (1/m), one over its radius: |v x a| / |v|^3. In the plane it\n"
           "has a sign, positive where the path turns counter-clockwise. It is undefined where the place rests.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local P = m:point { \"P\", at = {0, 0}, velocity = {3, 4}, mass = 1 }\n"
                  "local bend = mbs.curvature(P)\n"
                  "m:simulate { t = 0.5 }:plot { \"bend\", bend, unit = \"1/m\" }",
       .see_also = {"turn_of", "signal", "point"},
       .function = guarded<curvature>},
  };
  return functions;
}

}  // namespace perilune::lua
