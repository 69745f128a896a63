// SPDX-License-Identifier: MIT
// Cams and their followers.
#include "model/contact/cam.hpp"

#include "base/guard.hpp"
#include "base/userdata.hpp"
#include "laws/terrain.hpp"
#include "model/contact/contact.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/markers.hpp"
#include "objects/rolling.hpp"
#include "values/spline.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

namespace {

using expr::Symbol;

Symbol read_profile(lua_State* L, Args& args) {
  const Symbol angle = model::profile_angle(args.engine().graph());
  if (args.is_function("profile")) {
    args.name();
    TraceRequest request{args.model(), "profile of " + args.title(), {}, {"radius"}, true};
    request.state.push_back({"angle", angle.in(args.engine().graph())});
    return traced(L, args.function("profile"), request)[0];
  }
  const int index = args.value("profile");
  if (index == 0) args.fail_missing("profile");
  const auto* table = test_userdata<SplineHandle>(L, index);
  if (!table) args.fail_value("profile", index);
  if (table->model && table->model != args.model()) {
    args.fail("profile: the table has expressions of another model");
  }
  const Symbol radius = table->spline(angle);
  lua_settop(L, index - 1);
  return radius;
}

int cam(lua_State* L) {
  Args args(L);
  model::Model& engine = args.engine();
  model::Cam cam;
  cam.a = surface_place(args, "axis");
  cam.b = args.place("b");
  cam.profile = read_profile(L, args);
  const bool is_flat = args.given("face");
  if (is_flat && args.given("radius")) args.fail("give either radius, of a roller, or face, of a flat follower");
  cam.radius = args.number("radius");
  if (is_flat) {
    const model::Vector face = args.axis("face");
    cam.face = model::unit(model::turns(cam.b) ? to_local_direction(engine, cam.b, face) : face);
  }
  cam.guides_both_ways = args.boolean("groove");
  add_cam(engine, args.name(), cam);
  args.finish();
  return 1;
}

}  // namespace

Constructor cam_entry() {
  return {
      .name = "model:cam",
      .object = "cam",
      .summary =
          "A cam on a moves b: by a roller about b's place, by a knife edge there, or by a flat face through it.\n"
          "The profile is the distance from a's place as a function of the angle around it, from its x axis; it\n"
          "must close after a turn, without a corner. They keep touching, without friction: run.warnings tells\n"
          "where b would have had to be pulled (a groove does both), and stop = -cam.normal_force ends a motion\n"
          "there; and where b would touch at two places. How b moves, joints and springs say.",
      .naming = Naming::Optional,
      .positional =
          {{.name = "a", .type = Type::Place, .text = "carries the profile, about this place", .required = true},
           {.name = "b",
            .type = Type::Place,
            .text = "the follower: centre of its roller, edge, or place on its face",
            .required = true}},
      .fields = {{.name = "profile",
                  .type = Type::Profile,
                  .text = "R(s.angle): a law, or a table over 0 to 2 pi, as mbs.spline { ..., period = 2 * math.pi }",
                  .unit = "m",
                  .required = true},
                 {.name = "radius",
                  .text = "r of the roller; 0: a knife edge",
                  .unit = "m",
                  .fallback = "0",
                  .range = Range::NonNegative},
                 {.name = "face",
                  .type = Type::Axis,
                  .text = "instead: direction in which a flat face looks, towards the cam, in space as declared",
                  .fallback = "none: a roller or an edge"},
                 {.name = "axis",
                  .type = Type::Axis,
                  .text = "of the cam, in space as declared; for the x axis give a marker as a",
                  .fallback = "z axis of a; z in the plane"},
                 {.name = "groove",
                  .type = Type::Boolean,
                  .text = "whether it guides both ways, so that b cannot lift off",
                  .fallback = "false"}},
      .signals = {{"normal_force", "N", "of the cam on b, positive while it pushes"},
                  {"force_x", "N", "the same along the axes of space", "force_y, force_z"},
                  {"x", "m", "where they touch, in space", "y, z"},
                  {"gap", "m", "between them: zero, but in phases without the cam"},
                  {"angle", "rad", "around the cam, where they touch; counts full turns"},
                  {"curvature", "1/m", "of the profile there, negative in a hollow"},
                  {"lambda_normal", "N", "multiplier of the gap: the normal force reversed"},
                  {"lambda_angle", "N", "multiplier of what defines where they touch: zero but for a knife edge"}},
      .equations =
          "c = r_a + R(phi) (x_a cos phi + y_a sin phi), t = c'/|c'|, n normal to it, outwards.\n"
          "Roller: (r_b - c).n = r, (r_b - c).t = 0; face f: (r_b - c).f = 0, t.f = 0",
      .example =
          "local mbs = require \"perilune\"\n"
          "local m = mbs.model { \"valve\", gravity = {0, -9.81} }\n"
          "local shaft = m:body { \"shaft\", mass = 1, inertia = 1e-3, at = {0, 0} }\n"
          "local hinge = m:revolute { \"hinge\", m.ground, shaft, at = {0, 0} }\n"
          "m:driver { hinge.angle, law = function(s) return 20 * s.t end }\n"
          "local valve = m:point { \"valve\", at = {0, 0.046}, mass = 0.1 }\n"
          "m:constraint { \"guide\", law = valve.x }\n"
          "m:spring { valve, m:ground { at = {0, 0.15} }, stiffness = 4000, free_length = 0.13 }\n"
          "local lift = m:param { \"lift\", 0.008, unit = \"m\" }\n"
          "local cam = m:cam { \"cam\", shaft, valve, radius = 0.01,\n"
          "  profile = function(s) return 0.036 + lift * math.cos(s.angle)^2 end }\n"
          "print(m:simulate { t = 0.3 }:at(cam.normal_force, 0.3))",
      .see_also = {"driver", "constraint", "spline", "rolling", "contact", "gear"},
      .function = guarded<lua::cam>};
}

}  // namespace perilune::lua
