// SPDX-License-Identifier: MIT
// Markers: frames fixed to bodies.
#include "model/place/markers.hpp"
#include "base/guard.hpp"
#include "base/userdata.hpp"
#include "model/place/place_signals.hpp"
#include "model/place/places.hpp"
#include "values/args.hpp"

namespace perilune::lua {

namespace {

using model::Place;
using model::Vector;

int marker(lua_State* L) {
  Args args(L);
  model::Model& engine = args.engine();
  const Object& body = own_userdata<Object>(L);
  if (!body.is_whole()) args.fail(body.title() + " is a place already; markers are fixed to bodies or to m.ground");
  args.name();
  Place place = body_place(engine, *body.place, args.vector("at"));
  place.name = body.name;
  if (engine.dimension() == 2) {
    for (const char* field : {"axis", "x_axis"}) {
      if (args.given(field)) args.fail(std::string(field) + " is for spatial models; a planar marker has an angle");
    }
    place.axes = {args.number("angle")};
  } else {
    if (args.given("angle")) args.fail("angle is for planar models; a spatial marker has an axis and an x_axis");
    const Vector z = args.given("axis") ? args.axis("axis") : Vector{0.0, 0.0, 1.0};
    Vector x;
    if (args.given("x_axis")) {
      x = args.axis("x_axis");
    } else if (!args.given("axis")) {
      x = {1.0, 0.0, 0.0};
    }
    place = with_axis(engine, place, z, x);
  }
  add_place_signals(engine, args.name(), place);
  args.finish(std::move(place));
  return 1;
}

}  // namespace

std::vector<SignalText> place_signal_texts(std::string_view when) {
  return {{"x", "m", "position in space", "y, z", when},
          {"vx", "m/s", "velocity", "vy, vz", when},
          {"ax", "m/s^2", "acceleration", "ay, az", when}};
}

std::span<const Constructor> marker_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "body:marker",
       .object = "marker",
       .summary = "A frame fixed to a body (or to the ground, with m.ground:marker): where a joint or a force element\n"
                  "attaches, and its axes. In space z is the axis of hinges and sliders, x is where angles are\n"
                  "counted from, and y completes the right-handed frame. In the plane the angle turns x from the\n"
                  "body's x axis, counter-clockwise.",
       .naming = Naming::Optional,
       .fields =
           {{.name = "at", .type = Type::Vector, .text = "position in the body frame", .unit = "m", .fallback = "0"},
            {.name = "axis", .type = Type::Axis, .text = "z axis in the body frame (spatial)", .fallback = "\"z\""},
            {.name = "x_axis",
             .type = Type::Axis,
             .text = "x axis in the body frame, as near as z allows (spatial)",
             .fallback = "\"x\", or any normal of axis"},
            {.name = "angle", .text = "of the x axis in the body frame (planar)", .unit = "rad", .fallback = "0"}},
       .signals = place_signal_texts(),
       .equations =
           "position r_body + A at; axes A z, A x, A y in space, with z = axis / |axis|, x the part of x_axis\n"
           "normal to z, at unit length, and y = z cross x",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
                  "local door = m:body { \"door\", mass = 20, inertia = {2, 1, 3}, at = {0.4, 0, 1} }\n"
                  "local post = m.ground:marker { \"post\", at = {0, 0, 1}, axis = \"z\" }\n"
                  "local edge = door:marker { \"edge\", at = {-0.4, 0, 0}, axis = \"z\" }\n"
                  "m:revolute { \"hinge\", post, edge }",
       .see_also = {"body", "place", "revolute", "weld", "translational"},
       .function = guarded<marker>},
  };
  return constructors;
}

}  // namespace perilune::lua
