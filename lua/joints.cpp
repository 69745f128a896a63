// Constraints between places.
#include "args.hpp"
#include "guard.hpp"

namespace perilune::lua {

namespace {

using expr::Symbol;
using model::Place;
using model::Vector;

int distance(lua_State* L) {
  Args args(L);
  const Place a = args.place("a"), b = args.place("b");
  const std::optional<Symbol> length = args.optional_number("length");
  args.engine().add_distance(args.name(), a, b, length ? &*length : nullptr);
  args.finish();
  return 1;
}

int coincidence(lua_State* L) {
  Args args(L);
  const Place a = args.place("a"), b = args.place("b");
  args.engine().add_coincidence(args.name(), a, b);
  args.finish();
  return 1;
}

// The place on a body that is at this position of space in the declared configuration. It follows the parameters on
// which the position and the declared pose depend.
Place place_at(model::Model& engine, const Place& body, const Vector& at) {
  if (body.kind == Place::Kind::Ground) return engine.ground_place(at);
  const Vector origin = engine.initial_position(body);
  Vector offset;
  for (size_t k = 0; k < at.size(); ++k) offset.push_back(at[k] - origin[k]);
  if (engine.dimension() == 3) return engine.body_place(body, engine.to_local_direction(body, offset));
  const auto& angle = engine.coordinates()[static_cast<size_t>(body.first_coordinate) + 2];
  const Symbol turn(engine.graph(), angle.initial_position), c = cos(turn), s = sin(turn);
  return engine.body_place(body, {c * offset[0] + s * offset[1], c * offset[1] - s * offset[0]});
}

int revolute(lua_State* L) {
  Args args(L);
  model::Model& engine = args.engine();
  const Object &first = args.object("a"), &second = args.object("b");
  Place a = *first.place, b = *second.place;
  if (args.given("at")) {
    for (const Object* object : {&first, &second}) {
      if (!object->is_whole()) {
        args.fail("at is for a joint of two bodies, but " + object->title() + " is a place already; leave 'at' out");
      }
    }
    const Vector at = args.vector("at");
    a = place_at(engine, a, at);
    b = place_at(engine, b, at);
  } else if (first.is_whole() && second.is_whole()) {
    args.fail("at is missing: the position of the joint, such as at = {0, 0}");
  } else if (first.is_whole()) {
    a = place_at(engine, a, engine.initial_position(b));
  } else if (second.is_whole()) {
    b = place_at(engine, b, engine.initial_position(a));
  }
  if (engine.dimension() == 2) {
    if (args.given("axis")) args.fail("axis is for spatial models; in the plane a joint turns about z");
    engine.add_coincidence(args.name(), a, b);
  } else {
    for (const Object* object : {&first, &second}) {
      if (object->place->kind == Place::Kind::Point) {
        args.fail(object->title() + " has no axis; use m:spherical { ... }, or a body");
      }
    }
    const Vector axis = args.axis("axis");
    engine.add_spatial_revolute(args.name(), a, b, engine.to_local_direction(a, axis),
                                engine.to_local_direction(b, axis));
  }
  args.finish();
  return 1;
}

std::vector<Field> two_places() {
  return {{.name = "a", .type = Type::Place, .text = "one place", .required = true},
          {.name = "b", .type = Type::Place, .text = "the other place", .required = true}};
}

}  // namespace

std::span<const Constructor> joint_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "model:distance",
       .object = "distance",
       .summary = "Keeps two places at a constant distance: a massless rod with ball joints.",
       .naming = Naming::Optional,
       .positional = two_places(),
       .fields = {{.name = "length",
                   .text = "the distance",
                   .unit = "m",
                   .fallback = "distance of the declared positions",
                   .range = Range::Positive}},
       .signals = {{"length", "m", "current distance"}, {"lambda", "", "multiplier"}},
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local A = m:ground { at = {0, 0} }\n"
                  "local P = m:point { \"P\", at = {1, 0}, mass = 1 }\n"
                  "m:distance { A, P }",
       .see_also = {"bar", "spring", "coincidence"},
       .function = guarded<distance>},
      {.name = "model:coincidence",
       .object = "coincidence",
       .summary = "Keeps two places together: a revolute joint in the plane, a ball joint in space.",
       .naming = Naming::Optional,
       .positional = two_places(),
       .signals = {{"lambda_x", "", "reaction; also lambda_y, lambda_z"}},
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local arm = m:body { \"arm\", mass = 2, inertia = 0.17, at = {0.5, 0} }\n"
                  "m:coincidence { m:ground { at = {0, 0} }, arm:point { -0.5, 0 } }",
       .see_also = {"spherical", "revolute"},
       .function = guarded<coincidence>},
      {.name = "model:spherical",
       .object = "spherical",
       .summary = "A ball joint: keeps two places together and leaves all rotations free.",
       .naming = Naming::Optional,
       .positional = two_places(),
       .signals = {{"lambda_x", "", "reaction; also lambda_y, lambda_z"}},
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
                  "local top = m:body { \"top\", mass = 1, inertia = {1, 1, 0.5}, at = {0, 0, 1} }\n"
                  "m:spherical { \"tip\", m:ground { at = {0, 0, 0} }, top:point { 0, 0, -1 } }",
       .see_also = {"coincidence", "revolute"},
       .function = guarded<coincidence>},
      {.name = "model:revolute",
       .object = "revolute",
       .summary = "A hinge between two bodies, at a position of space where both are in the declared configuration;\n"
                  "or between two places on them; or at a given place of one of them.",
       .naming = Naming::Optional,
       .positional = {{.name = "a", .type = Type::Place, .text = "a body, m.ground, or a place", .required = true},
                      {.name = "b", .type = Type::Place, .text = "a body, m.ground, or a place", .required = true}},
       .fields = {{.name = "at",
                   .type = Type::Vector,
                   .text = "position of the joint in space, for two bodies",
                   .unit = "m",
                   .fallback = "that of the place"},
                  {.name = "axis", .type = Type::Axis, .text = "direction in space at the start (spatial models)"}},
       .signals = {{"lambda_x", "", "reaction; also lambda_y, lambda_z"}},
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
                  "local arm = m:body { \"arm\", mass = 2, inertia = {0.01, 0.17, 0.17}, at = {0.5, 0, 0} }\n"
                  "m:revolute { \"pivot\", m.ground, arm, at = {0, 0, 0}, axis = \"y\" }",
       .see_also = {"spherical", "coincidence", "body"},
       .function = guarded<revolute>},
  };
  return constructors;
}

}  // namespace perilune::lua
