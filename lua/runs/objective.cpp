// SPDX-License-Identifier: MIT
// Objectives, and what runs say of extrema over time.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/guard.hpp"
#include "base/named_values.hpp"
#include "base/suggest.hpp"
#include "base/table_fields.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "format/text.hpp"
#include "model/law/switches.hpp"
#include "runs/experiment.hpp"
#include "values/expression_field.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

namespace {

using expr::NodeId;

int objective_tostring(lua_State* L) {
  const ObjectiveHandle& handle = own_userdata<ObjectiveHandle>(L);
  lua_pushstring(L, ("objective \"" + handle.objective->name + "\"").c_str());
  return 1;
}

int objective_index(lua_State* L) {
  const std::string& name = own_userdata<ObjectiveHandle>(L).objective->name;
  const std::string key = luaL_tolstring(L, 2, nullptr);
  static const std::vector<std::string> known = {"name"};
  if (key != "name") {
    throw Error("objective \"" + name + "\" has no field '" + key + "'" + did_you_mean(closest(key, known)) +
                ", only its name; its value is in run.objectives of m:simulate { objectives = ... }");
  }
  lua_pushstring(L, name.c_str());
  return 1;
}

int objective_newindex(lua_State* L) {
  throw Error("objective \"" + own_userdata<ObjectiveHandle>(L).objective->name + "\" cannot be changed");
}

/// The signal of `maximum` or `minimum`.
NodeId read_extremum(Args& args, lua_State* L, bool has_others) {
  const NodeId maximum = read_expression(args, L, "maximum", true), minimum = read_expression(args, L, "minimum", true);
  if (maximum == expr::no_node && minimum == expr::no_node) return expr::no_node;
  if (maximum != expr::no_node && minimum != expr::no_node) {
    args.fail("give either maximum or minimum; two objectives have both");
  }
  if (has_others) {
    args.fail(std::string(maximum == expr::no_node ? "minimum" : "maximum") +
              " does not go together with terminal or integral; make it an objective of its own");
  }
  return maximum == expr::no_node ? minimum : maximum;
}

const std::vector<std::string> smooth_words = {"ks", "p_norm"};

/// `smooth` and what belongs to it, for an extremum.
std::optional<simulation::SmoothMaximum> read_smooth(Args& args, bool is_extremum) {
  const bool has_sharpness = args.given("sharpness"), has_about = args.given("about");
  const std::string word = args.given("smooth") ? args.text("smooth") : "";
  simulation::SmoothMaximum out;
  out.sharpness = args.plain_number("sharpness");
  out.about = has_about ? args.plain_number("about") : 0;
  if (word.empty()) {
    if (has_sharpness || has_about) args.fail("sharpness and about belong to smooth = \"ks\" or \"p_norm\"");
    return std::nullopt;
  }
  if (std::find(smooth_words.begin(), smooth_words.end(), word) == smooth_words.end()) {
    args.fail("smooth must be \"ks\" or \"p_norm\", got \"" + word + "\"" + did_you_mean(closest(word, smooth_words)));
  }
  if (!is_extremum) args.fail("smooth belongs to maximum or minimum, not to terminal and integral");
  using Kind = simulation::SmoothMaximum::Kind;
  out.kind = word == "p_norm" ? Kind::Norm : args.given("minimum") ? Kind::Minimum : Kind::Maximum;
  if (out.kind == Kind::Norm && args.given("minimum")) {
    args.fail("a p-norm comes near the largest of sizes; for minimum take smooth = \"ks\"");
  }
  if (!has_about) {
    args.fail("about is missing: about what the extremum is, as the limit on it (\"ks\" and \"p_norm\" measure by it)");
  }
  if (out.about == 0)
    args.fail("about must not be 0: it says how large the signal is; where the extremum is about 0, " +
              std::string("add a number to the signal"));
  if (out.kind == Kind::Norm && out.sharpness < 2) {
    args.fail("the sharpness of a p-norm must be at least 2, got " + format::shortest(out.sharpness));
  }
  return out;
}

/// Of the signal, what `smooth` is a function of the integral of.
expr::Symbol smooth_integrand(model::Model& engine, const expr::Symbol& signal, const simulation::SmoothMaximum& smooth,
                              double from, double to) {
  using expr::Symbol;
  using Kind = simulation::SmoothMaximum::Kind;
  const Symbol size = std::abs(smooth.about);
  const Symbol above = (smooth.kind == Kind::Minimum ? smooth.about - signal : signal - smooth.about) / size;
  Symbol out = smooth.kind == Kind::Norm ? pow(signal * signal / (size * size), smooth.sharpness / 2)
                                         : exp(smooth.sharpness * above);
  const Symbol t{engine.graph(), engine.time()};
  if (std::isfinite(from)) out = Symbol::where(less(t, from), 0.0, out);
  if (std::isfinite(to)) out = Symbol::where(less(t, to), out, 0.0);
  return out;
}

/// Of the model as it is now. Throws Error where a part reads what was removed.
std::shared_ptr<const simulation::Objective> make(const ModelData& model, const ObjectiveParts& of) {
  const model::Model& now = *model.engine;
  const std::shared_ptr<const model::Model> shared(model.shared_from_this(), &now);
  std::shared_ptr<simulation::Objective> out;
  if (of.extremum == expr::no_node) {
    out = std::make_shared<simulation::Objective>(of.name, shared, of.terminal, of.integral);
  } else {
    out = std::make_shared<simulation::Objective>(
        of.name, std::shared_ptr<const expr::Graph>(shared, &now.graph()),
        simulation::Extremum{simulation::Measure(now, std::vector<NodeId>{of.extremum}), of.is_minimum, of.from,
                             of.to});
  }
  if (of.smooth) {
    out->smooth = of.smooth;
    out->integral.emplace(now, std::vector<NodeId>{of.integral});
  }
  std::vector<NodeId> with_sides;
  for (const NodeId node : {of.integral, of.extremum}) {
    if (node != expr::no_node) with_sides.push_back(node);
  }
  if (!with_sides.empty()) out->switches = switches_of(now, with_sides);
  return out;
}

void push_made(lua_State* L, const ModelPtr& model, ObjectiveParts parts) {
  const std::shared_ptr<const simulation::Objective> made = make(*model, parts);
  push_objective(L, {model, std::move(parts), made, model->removals});
}

/// -cost: what is to become large is the negative of what m:optimize minimizes.
int objective_negative(lua_State* L) {
  const ObjectiveHandle& handle = own_userdata<ObjectiveHandle>(L);
  if (handle.parts.smooth) {
    throw Error("objective \"" + handle.parts.name +
                "\" is a smooth extremum, which has no negative; turn the sign of " +
                "what it is of, and ask for its minimum in place of its maximum");
  }
  expr::Graph& graph = handle.model->engine->graph();
  ObjectiveParts parts = handle.parts;
  parts.name = "-" + parts.name;
  parts.is_minimum = !parts.is_minimum;
  for (NodeId* node : {&parts.terminal, &parts.integral, &parts.extremum}) {
    if (*node != expr::no_node) *node = (-expr::Symbol(graph, *node)).in(graph);
  }
  push_made(L, handle.model, std::move(parts));
  return 1;
}

}  // namespace

void push_objective(lua_State* L, ObjectiveHandle handle) {
  if (push_metatable<ObjectiveHandle>(L, "objective")) {
    constexpr luaL_Reg functions[] = {{"__index", guarded<objective_index>},
                                      {"__newindex", guarded<objective_newindex>},
                                      {"__tostring", guarded<objective_tostring>},
                                      {"__unm", guarded<objective_negative>},
                                      {nullptr, nullptr}};
    luaL_setfuncs(L, functions, 0);
  }
  lua_pop(L, 1);
  push_userdata(L, "objective", std::move(handle), 2);
}

std::shared_ptr<const simulation::Objective> objective_of(const ObjectiveHandle& handle) {
  if (handle.removals == handle.model->removals) return handle.objective;
  try {
    handle.objective = make(*handle.model, handle.parts);
    handle.removals = handle.model->removals;
    return handle.objective;
  } catch (const Error& error) {
    throw Error("objective \"" + handle.objective->name + "\": " + error.what());
  }
}

int make_objective(lua_State* L) {
  Args args(L);
  const std::string name = args.name();
  NodeId terminal = read_expression(args, L, "terminal", true), integral = read_expression(args, L, "integral", true);
  NodeId extremum = read_extremum(args, L, terminal != expr::no_node || integral != expr::no_node);
  const double from = args.given("from") ? args.plain_number("from") : -std::numeric_limits<double>::infinity(),
               to = args.given("to") ? args.plain_number("to") : std::numeric_limits<double>::infinity();
  const std::optional<simulation::SmoothMaximum> smooth = read_smooth(args, extremum != expr::no_node);
  args.check_all_read();
  if (terminal == expr::no_node && integral == expr::no_node && extremum == expr::no_node) {
    args.fail("terminal, integral, maximum or minimum is missing\nmore: help \"objective\"");
  }
  if (extremum == expr::no_node && (args.given("from") || args.given("to"))) {
    args.fail("from and to belong to maximum or minimum, not to terminal and integral");
  }
  if (!(from < to)) args.fail("from has to be less than to");
  model::Model& engine = args.engine();
  const auto with_switches = [&](NodeId& node) {
    if (node != expr::no_node) node = integrand(engine, name, {engine.graph(), node}).in(engine.graph());
  };
  const auto as_symbol = [&](NodeId node) { return expr::Symbol(engine.graph(), node); };
  if (smooth) {
    integral = smooth_integrand(engine, as_symbol(extremum), *smooth, from, to).in(engine.graph());
    if (smooth->kind == simulation::SmoothMaximum::Kind::Norm) {
      extremum = max(as_symbol(extremum), -as_symbol(extremum)).in(engine.graph());
    }
  }
  with_switches(integral);
  with_switches(extremum);
  push_made(L, args.model(), {name, terminal, integral, extremum, args.given("minimum"), from, to, smooth});
  args.model()->declare({"objective", name, script_line(L)});
  remember(L, args.model(), name);
  return 1;
}

/// Of objectives that are extrema: when, and what interpolation is off by.
void push_peaks(lua_State* L, const simulation::Trajectory& trajectory) {
  lua_newtable(L);
  const auto& objectives = trajectory.problem().objectives;
  const simulation::Evaluation& run = trajectory.run();
  for (size_t k = 0; k < run.peaks.size(); ++k) {
    const std::optional<simulation::Peak>& peak = run.peaks[k] ? run.peaks[k] : run.smoothed[k];
    if (!peak) continue;
    lua_createtable(L, 0, 4);
    set_number(L, "value", peak->value);
    set_number(L, "t", peak->t);
    set_number(L, "error", peak->error);
    if (run.smoothed[k]) set_number(L, "smooth", run.values[k]);
    lua_setfield(L, -2, objectives[k]->name.c_str());
  }
  refuse_other_names(L);
}

}  // namespace perilune::lua
