// SPDX-License-Identifier: MIT
// Motions in phases.
#include "runs/phases.hpp"

#include <algorithm>

#include "base/guard.hpp"
#include "base/suggest.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "simulation/phases.hpp"
#include "values/expression.hpp"
#include "values/expression_field.hpp"

namespace perilune::lua {

namespace {

std::shared_ptr<const simulation::Phase> compile(PhaseHandle& handle) {
  const model::Model& engine = *handle.model->engine;
  if (handle.compiled && handle.revision == engine.revision()) return handle.compiled;
  auto phase = std::make_shared<simulation::Phase>(simulation::phase_without(engine, handle.name, handle.without));
  if (handle.stop != expr::no_node) {
    const std::shared_ptr<const model::Model> model(handle.model, &engine);
    phase->stop = std::make_shared<simulation::Objective>(handle.name + ".stop", model, handle.stop, expr::no_node);
  }
  phase->longest = handle.longest;
  phase->is_impact = handle.is_impact;
  if (handle.restitution != expr::no_node) phase->restitution.emplace(engine, std::vector{handle.restitution});
  for (const auto& [parameter, node] : handle.set) {
    const model::Parameter& p = engine.parameters()[static_cast<std::size_t>(parameter)];
    phase->set.push_back({parameter, system::Measure(engine, {node}), p.name, p.lower, p.upper});
  }
  handle.compiled = std::move(phase);
  handle.revision = engine.revision();
  return handle.compiled;
}

int phase_tostring(lua_State* L) {
  lua_pushstring(L, ("phase \"" + own_userdata<PhaseHandle>(L).name + "\"").c_str());
  return 1;
}

int phase_index(lua_State* L) {
  const PhaseHandle& phase = own_userdata<PhaseHandle>(L);
  const std::string key = luaL_tolstring(L, 2, nullptr);
  if (key != "name") {
    throw Error("phase \"" + phase.name + "\" has no field '" + key +
                "', only its name; where it began and ended is in run.phases");
  }
  lua_pushstring(L, phase.name.c_str());
  return 1;
}

bool can_be_left_out(const Object& object) {
  constexpr std::string_view others[] = {"point", "marker", "place", "bar", "pid", "rate_limit", "filter", "sampled"};
  return !object.is_body() && std::find(std::begin(others), std::end(others), object.kind) == std::end(others);
}

std::vector<std::string> read_without(Args& args, lua_State* L) {
  std::vector<std::string> names;
  const int index = args.value("without");
  if (index == 0) return names;
  if (!lua_istable(L, index)) args.fail_value("without", index);
  check_list(args, L, "without", index);
  for (lua_Integer i = 1; lua_rawgeti(L, index, i) != LUA_TNIL; ++i) {
    const Object* object = test_userdata<Object>(L, lua_gettop(L));
    if (!object) args.fail_value("without", lua_gettop(L));
    if (object->model != args.model()) args.fail("without: " + object->title() + " is of another model");
    object->check_present();
    if (!can_be_left_out(*object)) {
      args.fail("without: " + object->title() +
                " cannot be left out, only joints, constraints, contacts, forces and states");
    }
    names.push_back(object->name);
    lua_pop(L, 1);
  }
  lua_settop(L, index - 1);
  return names;
}

/// Parameters by name, in their order. Nothing is called while the table is walked: functions could change it.
std::vector<int> parameter_names(const Args& args, lua_State* L, std::string_view field, int index) {
  std::vector<std::string> known;
  for (const model::Parameter& p : args.engine().parameters()) known.push_back(p.name);
  std::vector<int> out;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) args.fail_value(field, index);
    const std::string name = lua_tostring(L, -2);
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      args.fail(std::string(field) + ": the model has no parameter '" + name + "'" +
                suggestion_or_list(name, known, "the parameters"));
    }
    out.push_back(static_cast<int>(found - known.begin()));
  }
  std::sort(out.begin(), out.end());
  return out;
}

void refuse_accelerations(const Args& args, const Assignments& set) {
  const expr::Graph& graph = args.engine().graph();
  for (const auto& [parameter, node] : set) {
    for (expr::NodeId id : graph.variables_of({node})) {
      const expr::Variable& variable = graph.variable_of(id);
      if (variable.quantity != expr::Quantity::Acceleration && variable.quantity != expr::Quantity::Multiplier)
        continue;
      args.fail("set: it cannot read '" + variable.name + "': accelerations and multipliers change with the phase");
    }
  }
}

int make_phase(lua_State* L) {
  Args args(L);
  PhaseHandle handle{args.model(), args.name(), read_without(args, L)};
  handle.stop = read_expression(args, L, "stop", true);
  const bool has_stop = handle.stop != expr::no_node;
  if (args.given("within")) {
    handle.longest = args.plain_number("within");
    handle.is_impact = handle.longest == 0;
    if (handle.is_impact && has_stop) {
      args.fail("within = 0 is for a phase that is over with its impact and has no stop");
    }
    if (!handle.is_impact && !has_stop) {
      args.fail(
          "within is the time by which stop must come, which is missing; 0 is for a phase that is over with its "
          "impact");
    }
  } else {
    args.value("within");
  }
  if (args.given("restitution")) {
    const expr::Symbol restitution = args.number("restitution");
    if (has_stop) args.fail("restitution is for a phase that is over with its impact and has no stop");
    if (const double e = args.value_of(restitution); e > 1) {
      args.fail("restitution must be from 0 to 1, got " + number_text(e));
    }
    handle.restitution = restitution.in(args.engine().graph());
  } else {
    args.value("restitution");
  }
  handle.set = read_assignments(args, L, "set", false);
  refuse_accelerations(args, handle.set);
  args.check_all_read();
  args.model()->declare({"phase", handle.name, script_line(L)});
  const std::string name = handle.name;
  push_phase(L, std::move(handle));
  remember(L, args.model(), name);
  return 1;
}

}  // namespace

void push_phase(lua_State* L, PhaseHandle handle) {
  if (push_metatable<PhaseHandle>(L, "phase")) {
    constexpr luaL_Reg functions[] = {
        {"__index", guarded<phase_index>}, {"__tostring", guarded<phase_tostring>}, {nullptr, nullptr}};
    luaL_setfuncs(L, functions, 0);
  }
  lua_pop(L, 1);
  push_userdata(L, "phase", std::move(handle), 2);
}

Assignments read_assignments(Args& args, lua_State* L, std::string_view field, bool accelerations) {
  Assignments out;
  const int index = args.value(field);
  if (index == 0) return out;
  if (!lua_istable(L, index)) args.fail_value(field, index);
  for (const int parameter : parameter_names(args, L, field, index)) {
    const model::Parameter& p = args.engine().parameters()[static_cast<std::size_t>(parameter)];
    lua_pushstring(L, p.name.c_str());
    lua_rawget(L, index);
    const bool is_in_its_unit = lua_type(L, -1) == LUA_TNUMBER;
    expr::NodeId value = expression_at(args, L, field, lua_gettop(L), accelerations);
    expr::Graph& graph = args.engine().graph();
    if (!is_in_its_unit && p.size != 1) value = graph.binary(expr::Op::Div, value, graph.constant(p.size));
    out.emplace_back(parameter, value);
    lua_pop(L, 1);
  }
  lua_settop(L, index - 1);
  return out;
}

namespace {

/// The first constraint that acts in a phase and in the next one, and not in the one before; empty: there is none.
std::string closed_and_kept(const simulation::Phase* before, const simulation::Phase& phase,
                            const simulation::Phase* next) {
  const std::vector<int>& numbers = phase.system->multiplier_numbers();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] < 0 || !before || before->system->multiplier_numbers()[i] >= 0) continue;
    if (!next || next->system->multiplier_numbers()[i] >= 0) return phase.system->describe_constraint(numbers[i]);
  }
  return {};
}

/// What rebounds has to close, and to be free then: the next phase would catch it with another impact.
void check_restitutions(const Args& args, const simulation::Problem& problem) {
  for (std::size_t k = 0; k < problem.phases.size(); ++k) {
    const simulation::Phase& phase = *problem.phases[k];
    if (!phase.restitution) continue;
    const std::string who = "phases: phase \"" + phase.name + "\"";
    const simulation::Phase* before = k == 0 ? nullptr : problem.phases[k - 1].get();
    const bool is_last = k + 1 == problem.phases.size();
    if (is_last && !phase.is_impact) {
      args.fail(who +
                ", the last one, would go on with constraints that its restitution "
                "opens again; let a phase without them follow, or give it within = 0");
    }
    if (closed_and_kept(before, phase, nullptr).empty()) {
      args.fail(who +
                " has a restitution, but closes no constraint that the phase before leaves out; name it in that "
                "one's without");
    }
    if (is_last) continue;
    const simulation::Phase& next = *problem.phases[k + 1];
    const std::string kept = closed_and_kept(before, phase, &next);
    if (kept.empty()) continue;
    args.fail(who + " opens the constraint of " + kept + " again by its restitution, but the next one, \"" + next.name +
              "\", has it, too, and would catch it; leave it out there");
  }
}

}  // namespace

PhaseSource read_phases(Args& args, lua_State* L, simulation::Problem& problem) {
  problem.phases.clear();
  const int top = lua_gettop(L);
  int index = 0;
  PhaseSource source = PhaseSource::Given;
  const bool is_offered = args.constructor().find("phases") != nullptr;
  if (is_offered) index = args.value("phases");
  if (index == 0 && args.model()->last_has_phases) {
    if (!is_offered) {
      args.fail(
          "the last simulation went in phases, through which this cannot go; simulate without them first, with "
          "phases = {}");
    }
    source = PhaseSource::Remembered;
    push_model(L, args.model());
    if (lua_getiuservalue(L, -1, phases_value) != LUA_TTABLE) {
      args.fail("the phases of the last simulation are gone with their model; give phases");
    }
    index = lua_gettop(L);
  }
  if (index != 0) {
    if (!lua_istable(L, index)) args.fail_value("phases", index);
    check_list(args, L, "phases", index);
    for (lua_Integer i = 1; lua_rawgeti(L, index, i) != LUA_TNIL; ++i) {
      PhaseHandle* handle = test_userdata<PhaseHandle>(L, lua_gettop(L));
      if (!handle) args.fail_value("phases", lua_gettop(L));
      if (handle->model != args.model()) args.fail("phases: phase \"" + handle->name + "\" is of another model");
      problem.phases.push_back(compile(*handle));
      lua_pop(L, 1);
    }
  }
  const model::Model& engine = *args.model()->engine;
  const bool only_simulates = args.constructor().object == "simulate";
  if (!only_simulates && !problem.phases.empty() && !engine.record().sampled.empty()) {
    const auto held = static_cast<std::size_t>(engine.record().sampled.begin()->first);
    args.fail(
        "phases: sampled \"" + engine.coordinates()[held].owner +
        "\" ticks by the clock, and phases begin when they do: m:simulate goes through both, derivatives do not; simulate "
        "without phases first (phases = {}), or let m:filter or m:state take its place");
  }
  check_restitutions(args, problem);
  lua_settop(L, top);
  return source;
}

void remember_phases(Args& args, lua_State* L, const simulation::Problem& problem) {
  const int top = lua_gettop(L), index = args.value("phases");
  args.model()->last_has_phases = !problem.phases.empty();
  if (index != 0) {
    push_model(L, args.model());
    lua_createtable(L, static_cast<int>(problem.phases.size()), 0);  // a copy: the script may change its own
    for (lua_Integer i = 1; lua_rawgeti(L, index, i) != LUA_TNIL; ++i) lua_rawseti(L, -2, i);
    lua_pop(L, 1);
    lua_setiuservalue(L, -2, phases_value);
  }
  lua_settop(L, top);
}

std::span<const Constructor> phase_constructors() {
  static constexpr std::string_view example =
      "local mbs = require \"perilune\"\n"
      "-- A wheel without rim rolls down a slope on its spokes, of which two are enough for one step.\n"
      "local m = mbs.model { \"rimless wheel\", gravity = {9.81 * math.sin(0.08), -9.81 * math.cos(0.08)} }\n"
      "local w = m:param { \"w\", -1, unit = \"rad/s\" }\n"
      "local a = 0.3 -- rad: half the angle between spokes\n"
      "local hub = m:body { \"hub\", mass = 1, inertia = 0.1, at = {-math.sin(a), math.cos(a)},\n"
      "  velocity = {-w * math.cos(a), -w * math.sin(a)}, angular_velocity = w }\n"
      "local place = m:param { \"place\", 0, unit = \"m\" } -- where the next foot comes down\n"
      "local ends = { hub:point { math.sin(a), -math.cos(a) }, hub:point { math.sin(3 * a), -math.cos(3 * a) } }\n"
      "local foot = m:coincidence { \"foot\", m:ground { at = {0, 0} }, ends[1] }\n"
      "local next_foot = m:coincidence { \"next foot\", m:ground { at = {place, 0} }, ends[2] }\n"
      "local height = hub.y - math.cos(hub.angle + 3 * a)\n"
      "local step = { m:phase { \"rolls\", without = {next_foot}, stop = -height, within = 2 },\n"
      "  m:phase { \"strikes\", within = 0, without = {foot}, set = { place = hub.x + math.sin(hub.angle + 3 * a) } } "
      "}\n"
      "print(m:limit_cycle { t = 5, phases = step, returns = { w = hub.omega } })\n"
      "local run = m:simulate { t = 5, phases = step }\n"
      "for _, phase in ipairs(run.phases) do print(phase.name, phase.start, phase.finish) end";
  static const std::vector<Constructor> constructors = {
      {.name = "model:phase",
       .object = "phase",
       .summary =
           "Part of a motion in which some joints and forces do not act. A motion through several phases, as in\n"
           "m:simulate { phases = {...} }, hands position, velocity and time on from each to the next, sets\n"
           "parameters, and has the velocities changed by an impact so that all constraints hold that act from\n"
           "then on. A phase without a stop is over with its impact; but if it is the last one, it lasts until t\n"
           "unless it says within = 0. What is left out is in no energy, and its forces are zero as signals, too;\n"
           "its lengths, gaps and slips go on. Anchors and bristles of contacts that act again begin unstretched.\n"
           "Items of run.phases have name, start, finish (s), first, last (points), complete, and of the impact\n"
           "that they begin with kinetic_energy_lost (J) and impulses, by joint and by signal in place of its\n"
           "force: impulses.pin.force_x (N s), impulses.pin.torque (N m s); nan where redundant constraints leave\n"
           "them undetermined.",
       .naming = Naming::Optional,
       .fields = {{.name = "stop",
                   .type = Type::Integrand,
                   .text = "negative at first, ends the phase where it rises through zero",
                   .unit = "any"},
                  {.name = "within",
                   .type = Type::PlainNumber,
                   .text = "time from the phase's start by which that must happen, or else the motion fails;\n"
                           "0: there is no stop, the phase is over with its impact",
                   .unit = "s",
                   .fallback = "no limit",
                   .range = Range::NonNegative},
                  {.name = "restitution",
                   .text =
                       "coefficient of the impact, from 0 to 1: what closes parts again with so much of its speed;\n"
                       "for a phase that is over with its impact",
                   .unit = unitless,
                   .fallback = "0",
                   .range = Range::NonNegative},
                  {.name = "without",
                   .type = Type::Objects,
                   .text = "joints, constraints, contacts and forces that do not act, and states that keep their value",
                   .fallback = "{}"},
                  {.name = "set",
                   .type = Type::Assignments,
                   .text =
                       "parameters from now on, by name, within their bounds: expressions of the state as the phase\n"
                       "before ends, in SI units, or numbers in their units",
                   .unit = "SI",
                   .fallback = "{}"}},
       .equations =
           "impact: M (v+ - v-) + Phi_q^T Lambda = 0, Phi_q v+ + Phi_t = 0; v+ - v- and Lambda 1 + restitution\n"
           "times as large",
       .example = example,
       .see_also = {"simulate", "gradient", "limit_cycle"},
       .function = guarded<make_phase>},
      {.name = "model:limit_cycle",
       .object = "limit_cycle",
       .returns = "table",
       .summary =
           "A periodic motion: values of parameters, of which the start is made, that come back as themselves at\n"
           "the end of the motion, by Newton's method from their present values, with exact derivatives. The\n"
           "parameters are left there. Returns a printable table: parameters, jacobian of the return map (rows\n"
           "in the order of declaration of the parameters), its eigenvalues (real, imaginary; the largest\n"
           "first), stable (all are below 1 in modulus), iterations; with objectives gradients, a list of tables\n"
           "as m:gradient returns them: derivatives by other parameters, which the whole cycle follows.",
       .fields = with_settings(
           {phases_field(),
            {.name = "returns",
             .type = Type::Assignments,
             .text = "parameters by name, and what they are at the end: expressions of signals, in SI units",
             .unit = "SI",
             .required = true},
            {.name = "objectives",
             .type = Type::Objective,
             .text = "of m:objective, one or a list: their derivatives are gradients",
             .fallback = "{}"},
            {.name = "over",
             .type = Type::Parameters,
             .text = "by which, of gradients",
             .fallback = "all parameters but those of returns"},
            {.name = "method", .type = Type::Method, .text = "of gradients", .fallback = "mbs.adjoint {}"}}),
       .example = example,
       .see_also = {"phase", "gradient", "linearize"},
       .function = guarded<limit_cycle>},
  };
  return constructors;
}

}  // namespace perilune::lua
