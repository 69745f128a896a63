// SPDX-License-Identifier: MIT
// Reading the settings of an experiment.
#include <algorithm>
#include <cstdio>
#include <numeric>

#include "base/suggest.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "runs/experiment.hpp"
#include "runs/phases.hpp"
#include "runs/specs.hpp"
#include "runs/usual_form.hpp"
#include "values/expression.hpp"
#include "values/expression_field.hpp"

namespace perilune::lua {

void check_list(const Args& args, lua_State* L, std::string_view name, int index) {
  const std::string field(name);
  lua_Integer count = 0, last = 0;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (!lua_isinteger(L, -2)) args.fail(field + " must be a plain list, but has the key " + described_value(L, -2));
    last = std::max(last, lua_tointeger(L, -2));
    ++count;
  }
  if (count == last) return;
  lua_Integer hole = 1;
  while (lua_rawgeti(L, index, hole) != LUA_TNIL) {
    lua_pop(L, 1);
    ++hole;
  }
  args.fail(field + "[" + std::to_string(hole) + "] is nil, while the list goes on to item " + std::to_string(last));
}

std::vector<std::string> read_names(Args& args, lua_State* L, std::string_view field) {
  std::vector<std::string> names;
  const int index = args.value(field);
  if (index == 0) return names;
  if (!lua_istable(L, index)) args.fail_value(field, index);
  check_list(args, L, field, index);
  for (lua_Integer i = 1; lua_rawgeti(L, index, i) != LUA_TNIL; ++i) {
    if (lua_type(L, -1) != LUA_TSTRING) args.fail_value(field, lua_gettop(L));
    names.emplace_back(lua_tostring(L, -1));
    lua_pop(L, 1);
  }
  lua_settop(L, index - 1);
  return names;
}

namespace {

std::vector<int> coordinate_numbers(Args& args, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const model::Coordinate& c : args.engine().coordinates()) {
    if (!c.is_removed) known.push_back(c.name);
  }
  std::vector<int> numbers;
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      args.fail("independent: the model has no coordinate '" + name + "'" + did_you_mean(closest(name, known)));
    }
    const auto number = static_cast<int>(found - known.begin());
    if (std::find(numbers.begin(), numbers.end(), number) != numbers.end()) {
      args.fail("independent: coordinate '" + name + "' is named twice");
    }
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

std::vector<int> read_independent(Args& args, lua_State* L) {
  return coordinate_numbers(args, read_names(args, L, "independent"));
}

std::optional<GivenState> read_from(Args& args, lua_State* L, std::optional<double> t) {
  const int index = args.value("from");
  if (index == 0) return std::nullopt;
  const RunHandle* run = test_userdata<RunHandle>(L, index);
  if (!run) args.fail_value("from", index);
  if (run->model != args.model()) args.fail("from: the run is of another model");
  const model::Model& then = run->trajectory->model();
  const bool has_grown = then.coordinates().size() != args.engine().coordinates().size();
  if (has_grown || then.coordinate_numbers() != args.engine().coordinate_numbers()) {
    args.fail(has_grown ? "from: the model has got more coordinates since that run"
                        : "from: coordinates were removed from the model since that run");
  }
  GivenState state{t.value_or(run->trajectory->times().back()),
                   {},
                   {},
                   run->equilibrium != nullptr,
                   run->trajectory->run().data->parameters};
  run->trajectory->state(state.t, state.q, state.v);
  lua_settop(L, index - 1);
  return state;
}

void warn_of_idle_parameters(lua_State* L, const model::Model& engine, const std::vector<int>& without_effect) {
  if (without_effect.empty()) return;
  std::vector<expr::NodeId> nodes;
  for (const auto& element : engine.elements()) nodes.insert(nodes.end(), element.data.begin(), element.data.end());
  for (const model::Coordinate& c : engine.coordinates()) {
    if (c.is_removed) continue;
    nodes.insert(nodes.end(), {c.initial_position, c.initial_velocity});
  }
  for (const auto& [coordinate, sampled] : engine.record().sampled) {
    if (sampled.next != expr::no_node) nodes.push_back(sampled.next);
  }
  const std::vector<expr::NodeId> read = engine.graph().variables_of(nodes);
  for (const int number : without_effect) {
    const model::Parameter& p = engine.parameters()[static_cast<std::size_t>(number)];
    if (std::find(read.begin(), read.end(), p.node) != read.end()) continue;
    print_warnings(L, {"nothing depends on parameter \"" + p.name +
                       "\": where the model shall follow it, give the parameter itself, not its value"});
  }
}

std::vector<int> unread(const simulation::Problem& problem, const std::vector<int>& parameters) {
  std::vector<const simulation::Objective*> readers;
  for (const auto& objective : problem.objectives) readers.push_back(objective.get());
  if (problem.stop) readers.push_back(problem.stop.get());
  for (const auto& phase : problem.phases) {
    if (phase->stop) readers.push_back(phase->stop.get());
  }
  std::vector<int> out;
  for (const int number : parameters) {
    const auto reads = [number](const auto& measure) {
      return measure && measure->reads(expr::Quantity::Parameter, number);
    };
    const bool is_restitution = std::any_of(problem.phases.begin(), problem.phases.end(),
                                            [&](const auto& phase) { return reads(phase->restitution); });
    const bool is_read =
        is_restitution || std::any_of(readers.begin(), readers.end(), [&](const simulation::Objective* one) {
          return reads(one->terminal) || reads(one->integral) ||
                 (one->extremum && one->extremum->signal.reads(expr::Quantity::Parameter, number));
        });
    if (!is_read) out.push_back(number);
  }
  return out;
}

bool is_stiff(const integrator::Statistics& statistics) {
  return statistics.steps >= 1000 && 2 * statistics.stability_limited > statistics.steps;
}

bool has_given_formulation(Args& args) {
  return args.given("formulation") || (args.model()->last_problem && args.model()->has_given_formulation);
}

namespace {

bool has_end_time(const simulation::Problem& problem) { return problem.stop && problem.stop->is_end_time; }

/// The end time may be an expression of parameters; the run stops there.
void read_end_time(Args& args, simulation::Problem& problem) {
  model::Model& engine = args.engine();
  const expr::Symbol end = args.number("t");
  problem.end = args.value_of(end);
  if (has_end_time(problem)) problem.stop = nullptr;
  if (engine.graph().variables_of({end.in(engine.graph())}).empty()) return;
  const std::shared_ptr<const model::Model> shared(args.model(), &engine);
  const expr::Symbol t(engine.graph(), engine.time());
  auto stop = std::make_shared<simulation::Objective>("end time", shared, (t - end).in(engine.graph()), expr::no_node);
  stop->is_end_time = true;
  problem.stop = std::move(stop);
}

void read_times(Args& args, simulation::Problem& problem, bool is_first, std::optional<double> from_start,
                std::optional<double> own_end) {
  const bool end_given = !own_end && args.given("t"), start_given = args.given("start");
  if (own_end) {
    problem.end = *own_end;
  } else if (end_given) {
    read_end_time(args, problem);
  } else {
    if (is_first) args.fail("t is missing (the end time, s), and nothing was simulated before");
    args.value("t");
    if (has_end_time(problem)) problem.end = simulation::end_of(problem, args.model()->parameter_values());
  }
  if (from_start && !start_given) {
    problem.start = *from_start;
    args.value("start");
  } else if (start_given || is_first) {
    problem.start = args.plain_number("start");
  } else {
    args.value("start");
  }
  if (problem.end > problem.start) return;
  const std::string times = number_text(problem.end) + " and " + number_text(problem.start);
  const bool start_remembered = !start_given && !from_start && !is_first;
  std::string whose;
  if (!end_given) whose = "; t is that of the last simulation";
  if (start_remembered) whose = "; the start is that of the last simulation";
  if (from_start && !start_given) whose = "; the start is where the given run ended";
  args.fail("t must be greater than the start, got " + times + whose);
}

/// The remembered condition does not own the model: a model that owns itself is never freed.
std::shared_ptr<const simulation::Objective> with_graph(const simulation::Objective& stop,
                                                        std::shared_ptr<const expr::Graph> graph) {
  auto own = std::make_shared<simulation::Objective>(stop);
  own->graph = std::move(graph);
  return own;
}

/// "stop" and "phases", each of which ends a motion in its way.
void read_end(Args& args, lua_State* L, simulation::Problem& problem) {
  const std::shared_ptr<const expr::Graph> graph(args.model(), &args.model()->engine->graph());
  const int index = args.value("stop");
  const bool is_given = index != 0, is_none = is_given && lua_isboolean(L, index) && !lua_toboolean(L, index);
  if (is_none) {
    if (!has_end_time(problem)) problem.stop = nullptr;
  } else if (is_given) {
    if (has_end_time(problem)) {
      args.fail(
          "stop: t follows parameters, and is a stop condition itself; give t as a number, or let the greater of "
          "two conditions stop, as in math.max(..., s.t - T)");
    }
    const expr::NodeId stop = expression_at(args, L, "stop", index, true);
    const std::shared_ptr<const model::Model> engine(args.model(), &args.engine());
    problem.stop = std::make_shared<simulation::Objective>("stop", engine, stop, expr::no_node);
  } else if (problem.stop) {
    problem.stop = with_graph(*problem.stop, graph);
  }
  if (is_given) lua_settop(L, index - 1);
  const PhaseSource source = read_phases(args, L, problem);
  if (problem.phases.empty() || !problem.stop) return;
  if (has_end_time(problem)) {
    args.fail("t: a motion in phases needs a number as its end time, or a last phase whose stop reads time");
  }
  if (!is_given) {
    problem.stop = nullptr;  // of a simulation before these phases were given
    return;
  }
  args.fail(source == PhaseSource::Given
                ? "stop: a motion in phases ends with its last phase, which has a stop of its own"
                : "stop: the last simulation went in phases, which end with the last of them; give phases = {} for a "
                  "motion without");
}

/// What was simulated from the end of another run is no motion that starts as declared.
void check_start(Args& args, const simulation::Problem& last) {
  if (!last.from || args.constructor().find("from") || args.given("start")) return;
  args.fail(
      "the last simulation started from a given run, but this needs a motion that starts as declared: simulate "
      "that first, or give its start, as in start = " +
      number_text(last.start));
}

}  // namespace

simulation::Problem read_problem(Args& args, lua_State* L, std::optional<double> from_start,
                                 std::optional<double> own_end) {
  simulation::Problem problem;
  const auto& last = args.model()->last_problem;
  if (last) {
    check_start(args, *last);
    problem = *last;
  } else {
    problem.integrator = integrator::DormandPrince{};
  }
  problem.objectives.clear();
  problem.progress = nullptr;
  problem.from = nullptr;
  read_times(args, problem, !last, from_start, own_end);
  const bool form_given = args.given("formulation"), steps_given = args.given("integrator");
  const bool has_formulation = has_given_formulation(args);
  problem.formulation = read_spec(args, L, "formulation", problem.formulation);
  problem.integrator = read_spec(args, L, "integrator", problem.integrator);
  const std::string why_not = integrator::objection(problem.formulation, problem.integrator);
  if (has_formulation && !why_not.empty()) {
    const char* whose = form_given == steps_given ? ""
                        : form_given              ? "; the integrator is that of the last simulation"
                                                  : "; the formulation is that of the last simulation";
    args.fail(why_not + (last ? whose : ""));
  }
  if (args.given("independent")) {
    problem.independent = read_independent(args, L);
  } else {
    args.value("independent");
  }
  const bool given = args.given("at_rest"), at_rest = args.boolean("at_rest");
  if (given || !last) {
    problem.start_from = at_rest ? analysis::StartFrom::Rest : analysis::StartFrom::Declared;
  }
  if (own_end) {
    problem.stop = nullptr;
    problem.phases.clear();
  } else {
    read_end(args, L, problem);
  }
  problem.system = args.model()->compiled();
  if (!has_formulation) problem.formulation = usual_form(args, L, problem, args.model()->parameter_values());
  // The published form has no error control of velocities.
  if (auto* form = std::get_if<formulation::Index3>(&problem.formulation)) {
    form->project = integrator::tolerances_of(problem.integrator) != nullptr;
  }
  return problem;
}

void remember(Args& args, lua_State* L, const simulation::Problem& problem, bool is_from_run) {
  ModelData& model = *args.model();
  const double start = model.last_problem ? model.last_problem->start : 0;
  model.has_given_formulation = has_given_formulation(args);
  model.last_problem = problem;
  simulation::Problem& kept = *model.last_problem;
  kept.objectives.clear();  // they hold the model, which could never be freed
  if (is_from_run) kept.start = start;
  if (kept.stop) kept.stop = with_graph(*kept.stop, {std::shared_ptr<void>(), kept.stop->graph.get()});
  kept.phases.clear();
  remember_phases(args, L, problem);
}

std::vector<std::shared_ptr<const simulation::Objective>> read_objectives(Args& args, lua_State* L,
                                                                          std::string_view field, bool& is_list) {
  std::vector<std::shared_ptr<const simulation::Objective>> objectives;
  is_list = false;
  const int index = args.value(field);
  if (index == 0) return objectives;
  const auto add = [&](int at) {
    const ObjectiveHandle* handle = test_userdata<ObjectiveHandle>(L, at);
    if (!handle) args.fail_value(field, at);
    args.adopt(handle->model);
    if (handle->model != args.model()) args.fail("objective \"" + handle->objective->name + "\" is of another model");
    objectives.push_back(objective_of(*handle));
  };
  if (test_userdata<ObjectiveHandle>(L, index) || !lua_istable(L, index)) {
    add(index);
  } else {
    is_list = true;
    check_list(args, L, field, index);
    for (lua_Integer i = 1; lua_rawgeti(L, index, i) != LUA_TNIL; ++i) {
      add(lua_gettop(L));
      lua_pop(L, 1);
    }
    if (objectives.empty() && args.constructor().find(field)->required) args.fail_value(field, index);
  }
  lua_settop(L, index - 1);
  return objectives;
}

std::vector<int> read_parameters(Args& args, lua_State* L, std::string_view field) {
  std::vector<int> numbers;
  const int index = args.value(field);
  const auto count = static_cast<int>(args.engine().parameters().size());
  if (index == 0) {
    numbers.resize(static_cast<size_t>(count));
    std::iota(numbers.begin(), numbers.end(), 0);
    if (numbers.empty()) args.fail("the model has no parameters; declare them with m:param");
    return numbers;
  }
  const auto add = [&](int at) {
    const Expression* expression = test_userdata<Expression>(L, at);
    if (!expression) args.fail_value(field, at);
    if (expression->model != args.model()) {
      args.fail(std::string(field) + ": " + described_value(L, at) + " is a parameter of another model");
    }
    const std::optional<int> number = parameter_index(*expression->model->engine, expression->node);
    if (!number) args.fail_value(field, at);
    if (std::find(numbers.begin(), numbers.end(), *number) != numbers.end()) {
      args.fail(std::string(field) + ": " + described_value(L, at) + " is named twice");
    }
    numbers.push_back(*number);
  };
  if (lua_istable(L, index)) {
    check_list(args, L, field, index);
    for (lua_Integer i = 1; lua_rawgeti(L, index, i) != LUA_TNIL; ++i) {
      add(lua_gettop(L));
      lua_pop(L, 1);
    }
    if (numbers.empty()) args.fail_value(field, index);
  } else {
    add(index);
  }
  lua_settop(L, index - 1);
  return numbers;
}

std::vector<optimize::Variable> design_variables(const model::Model& engine, const std::vector<int>& over) {
  std::vector<optimize::Variable> variables;
  for (const int number : over) {
    const model::Parameter& p = engine.parameters()[static_cast<std::size_t>(number)];
    variables.push_back({p.name, p.lower, p.upper});
  }
  return variables;
}

}  // namespace perilune::lua
