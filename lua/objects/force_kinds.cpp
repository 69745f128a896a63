// SPDX-License-Identifier: MIT
// Forces that are given by fields: their entries in the schema, and the reading of their arguments.
#include "model/force/force_kinds.hpp"

#include <deque>

#include "base/guard.hpp"
#include "laws/force_fields.hpp"
#include "values/args.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

namespace {

using expr::Symbol;
using model::ForceKind;
using model::ForceValue;

// The angle of planar body b against body a.
Symbol angle_between(Args& args) {
  model::Model& engine = args.engine();
  if (engine.dimension() == 3) args.fail("two bodies are enough in the plane only; give a joint, or its angle, as on");
  Symbol angle = 0.0;
  for (const char* end : {"a", "b"}) {
    const Object& body = args.object(end);
    if (body.place->kind == model::Place::Kind::Ground) continue;
    const auto& coordinate = engine.coordinates()[static_cast<size_t>(body.place->coordinates[2])];
    const Symbol turned(engine.graph(), coordinate.position);
    angle = *end == 'b' ? angle + turned : angle - turned;
  }
  return angle;
}

void read_ends(Args& args, const model::ForceEnds& ends, model::GivenForce& given) {
  if (ends.on.empty()) {
    given.a = args.place("a");
    given.b = args.place("b");
    return;
  }
  if (!ends.a.empty()) {
    const bool has_a = args.given("a"), has_b = args.given("b"), on_bodies = has_a || has_b;
    if (args.given("on") == on_bodies) {
      args.fail(std::string(on_bodies ? "give either two bodies or on" : "on is missing") +
                ": a joint with an angle, an expression of signals, or in a planar model two bodies");
    }
    if (on_bodies) {
      given.measure = angle_between(args);
      args.count_in(ends.unit, "rad");
      given.measured_in = "rad";
      return;
    }
  }
  given.measure = args.measure("on", ends.signals);
  given.measured_in = args.counted(ends.unit);
}

void read_field(lua_State* L, Args& args, const model::ForceField& field, model::GivenForce& given) {
  const std::string name(field.name);
  switch (field.value) {
    case ForceValue::Number:
      if (const auto number = args.optional_number(name)) given.numbers.emplace(name, *number);
      return;
    case ForceValue::Polynomial:
      given.lists.emplace(name, args.polynomial(name));
      return;
    case ForceValue::Matrix:
      given.lists.emplace(name, args.matrix(name, args.engine().dimension() == 2 ? 3 : 6));
      return;
    case ForceValue::Curve:
      if (const expr::Spline* curve = args.curve(name)) given.curves.emplace(name, curve);
      return;
    case ForceValue::Law:
      break;
  }
  const int law = args.function(name);
  if (law == 0) return;
  given.law = [L, &args, law, name](const char* of, const Symbol& measure, const Symbol& rate, const Symbol& stretch) {
    args.name();
    expr::Graph& graph = args.engine().graph();
    const char* result = std::string_view(of) == "angle" ? "torque" : "force";
    const TraceRequest request{args.model(),
                               name + " of " + args.title(),
                               {{of, measure.in(graph)}, {"rate", rate.in(graph)}, {"stretch", stretch.in(graph)}},
                               {result},
                               true};
    return traced(L, law, request)[0];
  };
}

int force_of_kind(lua_State* L) {
  Args args(L);
  const ForceKind& kind = *model::find_force_kind(args.constructor().object);
  model::GivenForce given;
  read_ends(args, kind.ends, given);
  for (const model::ForceField& field : kind.fields) read_field(L, args, field, given);
  if (const std::string fault = kind.fault ? kind.fault(args.engine(), given) : ""; !fault.empty()) args.fail(fault);
  kind.declare(args.engine(), args.name(), given);
  args.finish();
  return 1;
}

Type type_of(ForceValue value) {
  switch (value) {
    case ForceValue::Polynomial:
      return Type::Polynomial;
    case ForceValue::Curve:
      return Type::Curve;
    case ForceValue::Matrix:
      return Type::Matrix;
    case ForceValue::Law:
      return Type::Law;
    case ForceValue::Number:
      break;
  }
  return Type::Number;
}

Constructor entry_of(const ForceKind& kind) {
  static std::deque<std::string> names;  // which entries refer to
  Constructor entry{.name = names.emplace_back("model:" + std::string(kind.name)),
                    .object = kind.name,
                    .summary = kind.summary,
                    .naming = Naming::Optional,
                    .equations = kind.equations,
                    .example = kind.example,
                    .see_also = kind.see_also,
                    .function = guarded<force_of_kind>};
  const bool needs_places = kind.ends.on.empty();
  if (!kind.ends.a.empty()) {
    const Type type = needs_places ? Type::Place : Type::Body;
    entry.positional = {{.name = "a", .type = type, .text = kind.ends.a, .required = needs_places},
                        {.name = "b", .type = type, .text = kind.ends.b, .required = needs_places}};
  }
  if (!needs_places) {
    entry.fields.push_back({.name = "on",
                            .type = Type::Measure,
                            .text = kind.ends.on,
                            .unit = kind.ends.unit,
                            .required = kind.ends.a.empty()});
  }
  for (const model::ForceField& f : kind.fields) {
    entry.fields.push_back({f.name, type_of(f.value), f.text, f.unit, f.fallback, range_of(f.bound), f.required});
  }
  for (const model::ForceSignal& s : kind.signals) entry.signals.push_back({s.name, s.unit, s.text, s.also, s.when});
  return entry;
}

}  // namespace

std::span<const Constructor> force_kind_constructors() {
  static const std::vector<Constructor> constructors = [] {
    std::vector<Constructor> list;
    for (const ForceKind& kind : model::force_kinds()) list.push_back(entry_of(kind));
    return list;
  }();
  return constructors;
}

}  // namespace perilune::lua
