// SPDX-License-Identifier: MIT
#include "objects/joint_friction.hpp"

#include <algorithm>

#include "expr/rewrite.hpp"
#include "laws/contact_laws.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

namespace {

using expr::Symbol;
using model::BearingField;
using model::Rub;

/// A law of a script as a function of what it names: traced once, before anything is declared.
std::function<Symbol(const model::Vector&)> law_of(lua_State* L, Args& args, const char* field, const char* result,
                                                   const std::vector<std::string>& names) {
  constexpr int first = 16;  // arguments of heights have the numbers below
  expr::Graph& graph = args.engine().graph();
  args.name();
  TraceRequest request{args.model(), std::string(field) + " of " + args.title(), {}, {result}, true};
  std::vector<expr::NodeId> inputs;
  for (const std::string& name : names) {
    inputs.push_back(graph.variable(expr::Quantity::Argument, first + static_cast<int>(inputs.size()), name));
    request.state.push_back({name, inputs.back()});
  }
  const expr::NodeId law = traced(L, args.function(field), request)[0].in(graph);
  return [&graph, inputs, law](const model::Vector& values) {
    expr::NodeMap by;
    for (std::size_t k = 0; k < inputs.size(); ++k) by[inputs[k]] = values[k].in(graph);
    return Symbol(graph, expr::substitute(graph, law, by));
  };
}

bool slips_in_one_direction(Rub rub) { return rub == Rub::Hinge || rub == Rub::Slide || rub == Rub::Bead; }

bool has_way(Rub rub, const model::Bearing& bearing) {
  return rub != Rub::Ball && rub != Rub::Cross && (rub != Rub::Table || !bearing.contains("radius"));
}

std::vector<std::string> reaction_names(int dimension) {
  if (dimension == 2) return {"force_x", "force_y", "torque"};
  return {"force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"};
}

void check_that_nothing_rubs(Args& args, const model::JointKind& kind) {
  for (const Field& field : friction_fields(kind)) {
    if (field.name == "friction" || !args.given(field.name)) continue;
    args.fail(std::string(field.name) +
              " is given, but no friction; add friction = mbs.brown_mcphee { ... } or leave " +
              std::string(field.name) + " out");
  }
}

model::Bearing read_bearing(Args& args, const model::JointKind& kind, bool has_load_rule,
                            std::vector<model::Check>& checks) {
  model::Bearing bearing;
  const int dimension = args.engine().dimension();
  const std::vector<BearingField> own = bearing_fields(kind.rub, dimension);
  for (const Field& field : friction_fields(kind)) {
    if (field.type != Type::Number) continue;
    const auto known =
        std::find_if(own.begin(), own.end(), [&](const BearingField& b) { return b.name == field.name; });
    const std::optional<Symbol> number = args.given(field.name) ? args.optional_number(field.name) : std::nullopt;
    if (known == own.end()) {
      if (number) args.fail(std::string(field.name) + " is for spatial models");
      continue;
    }
    if (number) {
      bearing.emplace(field.name, *number);
      checks.push_back(check_of(field, *number));
    } else if (known->is_required && !(has_load_rule && field.name != "radius")) {
      args.fail("friction needs " + std::string(field.name) + " = ... (m): " + std::string(known->text));
    } else if (known->is_required) {
      bearing.emplace(field.name, 1.0);  // of a rule that the script's own replaces
    }
  }
  return bearing;
}

}  // namespace

std::vector<Field> friction_fields(const model::JointKind& kind) {
  if (kind.rub == Rub::Nowhere) return {};
  std::vector<Field> fields{{.name = "friction",
                             .type = Type::Rubbing,
                             .text = "law against slip; or a function of s.slip and s.load that returns the force",
                             .fallback = "none"}};
  std::vector<BearingField> all = bearing_fields(kind.rub, 3);
  if (kind.planar) {
    for (const BearingField& field : bearing_fields(kind.rub, 2)) {
      if (std::none_of(all.begin(), all.end(), [&](const BearingField& b) { return b.name == field.name; }))
        all.push_back(field);
    }
  }
  for (const BearingField& field : all) {
    using Kind = BearingField::Kind;
    const bool is_length = field.kind == Kind::Size || field.kind == Kind::Place;
    fields.push_back({.name = field.name,
                      .text = field.text,
                      .unit = is_length ? "m" : "N",
                      .fallback = field.kind == Kind::Size       ? ""
                                  : field.kind == Kind::Rounding ? "1e-6"
                                                                 : "0",
                      .range = field.kind == Kind::Load    ? Range::NonNegative
                               : field.kind == Kind::Place ? Range::Finite
                                                           : Range::Positive});
  }
  fields.push_back({.name = "load",
                    .type = Type::Law,
                    .text = "load of all that rubs, by s.force_x, ..., s.torque_z: the reaction",
                    .unit = "N",
                    .fallback = "the rule"});
  return fields;
}

std::vector<SignalText> friction_signal_texts(const model::JointKind& kind) {
  std::vector<SignalText> out;
  for (const model::FrictionSignal& each : friction_signals(kind.rub)) {
    out.push_back({each.name, each.unit, each.text, each.also, each.when});
  }
  if (out.empty()) return out;
  out.push_back({"load", "N", "that friction feels", "", "with friction"});
  out.push_back({"slip", "m/s", "at which it rubs", "", "with friction"});
  out.push_back({"dissipation", "W", "power lost by friction", "", "with friction"});
  return out;
}

std::optional<model::JointFriction> read_friction(lua_State* L, Args& args, const model::JointKind& kind,
                                                  const model::Place& a, const model::Place& b) {
  if (kind.rub == Rub::Nowhere) return std::nullopt;
  if (!args.given("friction")) {
    check_that_nothing_rubs(args, kind);
    return std::nullopt;
  }
  model::JointFriction friction;
  const bool has_rule = args.given("load");
  friction.bearing = read_bearing(args, kind, has_rule, friction.checks);
  if (has_rule && args.given("preload")) args.fail("preload is part of the rule that load replaces; add it there");
  if (args.is_function("friction")) {
    if (!slips_in_one_direction(kind.rub)) {
      args.fail("a function is for friction along one direction, but here two slip together; give a law such as " +
                std::string("mbs.brown_mcphee { static = 0.3, dynamic = 0.2 }"));
    }
    const auto law = law_of(L, args, "friction", "force", {"slip", "load"});
    friction.force = [law](const Symbol& slip, const Symbol& load) { return law({slip, load}); };
  } else {
    friction.law = *read_law<model::Friction>(args, L, "friction", friction.checks);
    if (std::holds_alternative<model::StaticFriction>(friction.law) && !has_way(kind.rub, friction.bearing)) {
      args.fail("static friction is anchored along a way, which what turns here does not have; give a law of slip " +
                std::string("such as mbs.brown_mcphee { static = 0.3, dynamic = 0.2 }"));
    }
  }
  for (const model::Place* end : {&a, &b}) {
    const bool turns = kind.rub == Rub::Hinge || kind.rub == Rub::Ball || kind.rub == Rub::Cross ||
                       (kind.rub == Rub::Table && friction.bearing.contains("radius"));
    if (turns && !has_directions(*end)) {
      args.fail("\"" + end->name + "\" is a point, which does not turn: nothing rubs there");
    }
  }
  if (has_rule) {
    const auto rule = law_of(L, args, "load", "load", reaction_names(args.engine().dimension()));
    friction.load = [rule](const model::Vector& force, const model::Vector& torque) {
      model::Vector values = force;
      values.insert(values.end(), torque.begin(), torque.end());
      return rule(values);
    };
  }
  return friction;
}

}  // namespace perilune::lua
