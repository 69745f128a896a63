// SPDX-License-Identifier: MIT
// Reactions of joints on one of their bodies.
#include "model/reactions.hpp"
#include "base/guard.hpp"
#include "base/userdata.hpp"
#include "values/args.hpp"

namespace perilune::lua {

namespace {

int reaction(lua_State* L) {
  Args args(L);
  const int index = args.value("joint");
  const Object* joint = test_userdata<Object>(L, index);
  if (!joint) args.fail("joint must be a joint, got " + described_value(L, index));
  if (joint->model != args.model()) args.fail("joint: " + joint->title() + " is of another model");
  joint->check_present();
  const model::Place on = args.place("on");
  const bool has_axes = args.given("axes");
  const model::Place axes = has_axes ? args.place("axes") : model::Place();
  if (has_axes && !model::has_directions(axes)) {
    args.fail("axes: \"" + axes.name + "\" is a point, which has none; give a body, a marker or the ground");
  }
  args.name();
  add_reaction(args.engine(), args.name(), joint->name, on, has_axes ? &axes : nullptr);
  args.finish();
  lua_getiuservalue(L, -1, 1);
  lua_pushvalue(L, index);
  lua_setfield(L, -2, "joint");
  lua_pop(L, 1);
  return 1;
}

}  // namespace

std::span<const Constructor> reaction_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "model:reaction",
       .object = "reaction",
       .summary =
           "What a joint does to one of its two bodies, as signals along the axes of space or of a body. It changes\n"
           "nothing in the motion. On the other body it is the opposite, whichever was declared first; the joint's\n"
           "own signals force_x, ... are what acts on its b along the axes of its a.",
       .naming = Naming::Optional,
       .positional = {{.name = "joint",
                       .type = Type::Joint,
                       .text = "a joint with a reaction at a place: revolute, weld, translational, ...",
                       .required = true}},
       .fields = {{.name = "on", .type = Type::Body, .text = "one of its bodies, or the ground", .required = true},
                  {.name = "axes",
                   .type = Type::Place,
                   .text = "a body or marker along whose axes the components are",
                   .fallback = "those of space"}},
       .signals = {{"force_x", "N", "on the body, at the joint's place on it", "force_y, force_z"},
                   {"torque", "N m", "about that place", "", "planar"},
                   {"torque_x", "N m", "about that place", "torque_y, torque_z", "spatial"}},
       .equations = "On b: F and T of the joint. On a: -F and -T - (r_b - r_a) x F, as where a joint slides both act\n"
                    "at the place on b.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local arm = m:body { \"arm\", mass = 2, inertia = 0.1, at = {0.5, 0} }\n"
                  "local pin = m:revolute { \"pin\", m.ground, arm, at = {0, 0} }\n"
                  "local load = m:reaction { \"load\", pin, on = arm, axes = arm } -- along and across the arm\n"
                  "local wall = m:reaction { \"wall\", pin, on = m.ground }        -- on the ground, in space\n"
                  "m:simulate { t = 1 }:plot(load.force_x, wall.force_y)",
       .see_also = {"revolute", "signal", "group"},
       .function = guarded<reaction>},
  };
  return constructors;
}

}  // namespace perilune::lua
