// SPDX-License-Identifier: MIT
// model:optimize.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "base/guard.hpp"
#include "base/named_values.hpp"
#include "base/table_fields.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "runs/experiment.hpp"
#include "runs/phases.hpp"
#include "runs/specs.hpp"
#include "studies/chosen_optimizer.hpp"
#include "studies/optimization_job.hpp"
#include "studies/optimum.hpp"
#include "studies/said_by.hpp"
#include "studies/smooth_extrema.hpp"
#include "studies/subject_to.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

const char* word(optimize::Reason reason) {
  switch (reason) {
    case optimize::Reason::ProjectedGradient:
      return "projected_gradient";
    case optimize::Reason::RelativeDecrease:
      return "relative_decrease";
    case optimize::Reason::EvaluationLimit:
      return "evaluation_limit";
    case optimize::Reason::Stalled:
      return "stalled";
    case optimize::Reason::Interrupted:
      return "interrupted";
  }
  return "";
}

const char* word(optimize::ConstrainedReason reason) {
  switch (reason) {
    case optimize::ConstrainedReason::Stationary:
      return "stationary";
    case optimize::ConstrainedReason::NoDecrease:
      return "no_decrease";
    case optimize::ConstrainedReason::SmallSteps:
      return "small_steps";
    case optimize::ConstrainedReason::Infeasible:
      return "infeasible";
    case optimize::ConstrainedReason::EvaluationLimit:
      return "evaluation_limit";
    case optimize::ConstrainedReason::Stalled:
      return "stalled";
    case optimize::ConstrainedReason::Interrupted:
      return "interrupted";
  }
  return "";
}

void push_parameters(lua_State* L, const model::Model& engine, const std::vector<int>& over, const Eigen::VectorXd& x) {
  lua_newtable(L);
  for (std::size_t k = 0; k < over.size(); ++k) {
    set_number(L, engine.parameters()[static_cast<std::size_t>(over[k])].name.c_str(), x[static_cast<Eigen::Index>(k)]);
  }
  refuse_other_names(L);
}

/// The present values first, then a Latin hypercube between the bounds.
std::vector<Eigen::VectorXd> start_points(const Args& args, const Minimization& task, int starts, std::uint64_t seed) {
  std::vector<Eigen::VectorXd> points{task.present()};
  try {
    for (auto& point : optimize::design_points(optimize::LatinHypercube{starts - 1, seed}, task.variables)) {
      points.push_back(Eigen::Map<const Eigen::VectorXd>(point.data(), points[0].size()));
    }
  } catch (const Error& problem) {
    args.fail(problem.what());
  }
  return points;
}

void push_result(lua_State* L, const model::Model& engine, const std::vector<int>& over, const optimize::Result& result,
                 double sign) {
  lua_newtable(L);
  set_number(L, "initial", result.initial);
  set_number(L, "final", result.value);
  set_integer(L, "iterations", result.iterations);
  set_integer(L, "evaluations", result.evaluations);
  if (result.products > 0) set_integer(L, "products", result.products);
  if (!std::isnan(result.least_curvature)) {
    set_number(L, sign < 0 ? "greatest_curvature" : "least_curvature", result.least_curvature);
  }
  set_text(L, "reason", word(result.reason));  // with limits another takes its place
  set_text(L, "message", result.message);
  push_parameters(L, engine, over, result.x);
  lua_setfield(L, -2, "parameters");
}

void set_history(lua_State* L, const model::Model& engine, const std::vector<int>& over,
                 const optimize::Result& result) {
  lua_newtable(L);
  for (std::size_t k = 0; k < result.history.size(); ++k) {
    const optimize::Iterate& it = result.history[k];
    lua_newtable(L);
    set_integer(L, "iteration", it.iteration);
    set_integer(L, "evaluations", it.evaluations);
    set_number(L, "value", it.value);
    if (!std::isnan(it.projected_gradient)) set_number(L, "projected_gradient", it.projected_gradient);
    push_parameters(L, engine, over, it.x);
    lua_setfield(L, -2, "parameters");
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
  lua_setfield(L, -2, "history");
}

void set_check(lua_State* L, const optimize::GradientCheck& check) {
  lua_newtable(L);
  set_number(L, "directional", check.directional);
  set_number(L, "difference", check.difference);
  set_number(L, "relative_error", check.relative_error);
  lua_setfield(L, -2, "gradient_check");
}

void set_starts(lua_State* L, const model::Model& engine, const std::vector<int>& over,
                const optimize::MultiStart& found, double sign) {
  lua_newtable(L);
  for (std::size_t k = 0; k < found.attempts.size(); ++k) {
    const optimize::Attempt& attempt = found.attempts[k];
    if (attempt.result) {
      push_result(L, engine, over, *attempt.result, sign);
    } else {
      lua_newtable(L);
      set_text(L, "failure", attempt.failure);
    }
    push_parameters(L, engine, over, attempt.start);
    lua_setfield(L, -2, "from");
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
  print_starts(L, engine, over, found);
  lua_setfield(L, -2, "starts");
  set_integer(L, "start", static_cast<lua_Integer>(*found.best) + 1);
}

/// The gradients at the best point by another method.
void set_second_method(lua_State* L, const Minimization& task, const Eigen::VectorXd& x) {
  const bool is_adjoint = std::holds_alternative<sensitivity::DiscreteAdjoint>(task.method);
  const sensitivity::Method other =
      is_adjoint ? sensitivity::Method(sensitivity::DiscreteDirect{}) : sensitivity::DiscreteAdjoint{};
  double most = 0;
  const auto compare = [&](const std::vector<double>& one, const std::vector<double>& two) {
    double size = 0, gap = 0;
    for (std::size_t p = 0; p < task.over.size(); ++p) {
      const double scale = std::max(std::abs(x[static_cast<Eigen::Index>(p)]), 1e-300);
      size = std::max({size, std::abs(one[p]) * scale, std::abs(two[p]) * scale});
      gap = std::max(gap, std::abs(one[p] - two[p]) * scale);
    }
    if (size > 0) most = std::max(most, gap / size);
  };
  const std::vector<sensitivity::Gradient> first = task.gradients_at(x, task.method),
                                           second = task.gradients_at(x, other);
  for (std::size_t e = 0; e < first.size(); ++e) {
    for (std::size_t k = 0; k < first[e].derivatives.size(); ++k) {
      compare(first[e].derivatives[k], second[e].derivatives[k]);
    }
  }
  lua_newtable(L);
  set_text(L, "method", sensitivity::name_of(other));
  set_number(L, "relative_difference", most);
  lua_setfield(L, -2, "check");
  constexpr double suspicious = 1e-6;
  if (most <= suspicious) return;
  char text[40];
  std::snprintf(text, sizeof text, "%.2g", most);
  print_warnings(L, {std::string("the gradients at the best point by ") + sensitivity::name_of(task.method) + " and " +
                     sensitivity::name_of(other) + " differ by " + text + " of their size: do not trust the optimum"});
}

/// What each experiment costs at the best point; the worst of them is the final value.
void set_experiments(lua_State* L, const Minimization& task, const std::string& objective, const Eigen::VectorXd& x,
                     const optimize::ConstrainedResult* limited) {
  if (task.experiments[0].name.empty()) return;
  std::vector<double> costs = costs_of(task.experiments, task.parameters_at(x));
  Eigen::VectorXd multipliers;
  if (task.is_minimax()) {
    multipliers = limited->multipliers.tail(static_cast<Eigen::Index>(costs.size()));
    double worst = -std::numeric_limits<double>::infinity();
    for (std::size_t e = 0; e < costs.size(); ++e) worst = std::max(worst, task.experiments[e].weight * costs[e]);
    set_number(L, "final", task.sign * worst);
  }
  for (double& cost : costs) cost *= task.sign;
  set_costs(L, objective, task.experiments, costs, multipliers);
}

/// The fields, with those of several experiments before the settings.
std::vector<Field> with_combination(std::vector<Field> own) {
  const std::vector<Field> more = combination_fields();
  own.insert(own.end(), more.begin(), more.end());
  return with_settings(std::move(own));
}

int optimize_parameters(lua_State* L) {
  Args args(L);
  Minimization task;
  task.over = read_parameters(args, L, "over");
  OptimizationJob job(args, task.over);
  const bool has_formulation = has_given_formulation(args);
  simulation::Problem problem = read_problem(args, L);
  bool is_list = false;
  problem.objectives = read_objectives(args, L, "minimize", is_list);
  if (const int index = args.value("maximize"); index != 0) {
    if (!problem.objectives.empty()) args.fail("give either minimize or maximize");
    if (lua_istable(L, index) && lua_rawlen(L, index) == 1) {
      lua_rawgeti(L, index, 1);
      lua_replace(L, index);
    }
    if (!test_userdata<ObjectiveHandle>(L, index)) args.fail_value("maximize", index);
    lua_pushvalue(L, index);
    lua_arith(L, LUA_OPUNM);
    const ObjectiveHandle& negative = *test_userdata<ObjectiveHandle>(L, lua_gettop(L));
    if (negative.model != args.model()) args.fail("objective \"" + negative.parts.name + "\" is of another model");
    problem.objectives.push_back(objective_of(negative));
    task.sign = -1;
  }
  if (problem.objectives.empty()) args.fail("minimize, or maximize, is missing: an objective (of m:objective)");
  if (problem.objectives.size() != 1) args.fail("minimize takes one objective");
  // The negative of "height" is called "-height".
  const std::string objective = problem.objectives[0]->name.substr(task.sign < 0 ? 1 : 0);
  task.subject_to = read_subject_to(args, L, problem);
  task.experiments = read_experiments(args, L, problem);
  task.tolerances = read_tolerances(args, L);
  task.combination = read_combination(args, task.experiments, !task.tolerances.empty());
  if (!task.tolerances.empty() && !task.experiments[0].name.empty()) {
    args.fail("tolerances are of a single run; several experiments at the ends of the tolerances have " +
              std::string("combine = \"mean_and_deviation\""));
  }
  hold_in_all(task.subject_to, task.experiments);
  task.method = read_spec<sensitivity::Method>(args, L, "method", sensitivity::DiscreteAdjoint{});
  const Optimizer optimizer = read_optimizer(args, L, task);
  const bool checks = args.boolean("check");
  const int starts = args.integer("starts");
  const std::uint64_t seed = args.seed("seed");
  args.check_all_read();
  if (starts > 1'000'000) args.fail("starts must be at most 1 million, got " + std::to_string(starts));
  task.parameters = args.model()->parameter_values();
  ensure_second_derivatives(args, optimizer, task, has_formulation);
  model::Model& engine = args.engine();
  task.variables = design_variables(engine, task.over);
  leave_room(task.experiments, task.parameters, task.over, task.variables);

  const std::vector<Eigen::VectorXd> points =
      starts == 1 ? std::vector<Eigen::VectorXd>{task.present()} : start_points(args, task, starts, seed);
  job.open(task, optimizer, points.size(), seed);
  Found found = said_by(args, [&] { return minimize(task, optimizer, points); });
  if (task.sign < 0) turn_signs(found);
  const optimize::MultiStart& all = found.all;
  if (all.best) {
    const Eigen::VectorXd& x = all.attempts[*all.best].result->x;
    for (std::size_t k = 0; k < task.over.size(); ++k) {
      engine.set_parameter(task.over[k], x[static_cast<Eigen::Index>(k)]);
    }
    keep_other_models_alike(task.experiments, args.model()->parameter_values());
    job.keep_parameters();
  }
  if (all.interrupted) {
    print_warnings(L, job.warnings());
    throw Interrupted();
  }

  const optimize::Result& best = *all.attempts[*all.best].result;
  const optimize::ConstrainedResult* limited = found.limited.empty() ? nullptr : &*found.limited[*all.best];
  std::vector<int> without_effect;
  for (std::size_t k = 0; k < task.over.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    const bool moves_limits = limited && limited->moving[k];
    if (best.gradient[i] == 0 && !moves_limits) without_effect.push_back(task.over[k]);
  }
  std::vector<int> idle = without_effect;
  for (const NamedRun& one : task.experiments) idle = unread(one.problem, idle);
  warn_of_idle_parameters(L, engine, idle);
  push_result(L, engine, task.over, best, task.sign);
  job.set_resumed(L);
  std::vector<std::string> warnings = task.warnings_at(best.x);
  for (const std::string& warning : job.warnings()) warnings.push_back(warning);
  for (const int number : without_effect) {
    const auto is_covered = [number](const NamedRun& e) { return !e.set.empty() && e.over({number}).empty(); };
    if (!std::all_of(task.experiments.begin(), task.experiments.end(), is_covered)) continue;
    warnings.push_back("every experiment sets parameter \"" +
                       engine.parameters()[static_cast<std::size_t>(number)].name +
                       "\" to what does not depend on it, so that the search has nothing to move by it");
  }
  if (limited) {
    set_text(L, "reason", word(limited->reason));
    for (const std::string& name : limited->unmoved) {
      warnings.push_back("no parameter in over moves the constraint \"" + name + "\" at the start");
    }
    if (limited->reason == optimize::ConstrainedReason::Infeasible) print_warnings(L, {limited->message});
    set_certificate(L, engine, task.over, objective, task.sign, task.subject_to, task.variables, *limited);
  }
  if (!task.tolerances.empty()) {
    const std::string why =
        set_tolerances(L, engine, task.experiments[0], task.parameters_at(best.x), task.tolerances, task.sign)
            .objection();
    if (!why.empty()) warnings.push_back(why);
  }
  print_warnings(L, warnings);
  set_names(L, "warnings", warnings);
  set_history(L, engine, task.over, best);
  if (best.gradient_check) set_check(L, *best.gradient_check);
  set_experiments(L, task, objective, best.x, limited);
  set_smooth_extrema(L, task, best.x);
  if (checks) set_second_method(L, task, best.x);
  if (starts > 1) set_starts(L, engine, task.over, all, task.sign);
  make_optimum(L, args.model(), task, objective, best, limited);
  return 1;
}

}  // namespace

std::span<const Constructor> optimize_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "model:optimize",
       .object = "optimize",
       .returns = "table",
       .summary =
           "Minimizes an objective over parameters within their bounds, starting at their values, and leaves\n"
           "them at the best point. Returns a table: initial, final, iterations, evaluations, parameters,\n"
           "reason, message, history; its method convergence draws the history. With several starts, the\n"
           "first at the present values and the others in a Latin hypercube between min and max, it is that\n"
           "of the best of them, with start (its number) and starts, a printable list of such tables; they\n"
           "run on all processors (OMP_NUM_THREADS sets how many; the results do not depend on it).\n"
           "With subject_to the table has kkt (what multipliers leave of the gradient, as a share), violation\n"
           "(over the scale of the limit), and constraints by name, each with value, active and multiplier:\n"
           "minus the slope of the least objective by the limit (of maximize, the slope of the greatest). Printed,\n"
           "it says what more room would gain.\n"
           "With experiments their costs are one, limits hold in each of them (\"travel in bump\"), and the\n"
           "table has experiments by name, each with cost, weight, and of the worst active and multiplier.\n"
           "With tolerances it has nominal, the cost alone, deviation, second_order_deviation, second_order_shift,\n"
           "and tolerances: by name the share of the deviation's square.\n"
           "Of smooth extrema it has extrema by name, each with value and t, and smooth, what stood for it.\n"
           "With job = \"file\" the same call goes on where Ctrl-C or the end of the process has stopped it, and the\n"
           "table has resumed: how many evaluations were in the file. A finished job is not computed again.\n"
           "mbs.trust_region adds products and least_curvature, that of the scaled variables at a point\n"
           "without slope (of maximize greatest_curvature); mbs.cobyla leaves out what only gradients tell.",
       .fields = with_combination(
           {{.name = "minimize", .type = Type::Objective, .text = "of m:objective: what is to become small"},
            {.name = "maximize", .type = Type::Objective, .text = "in its place: what is to become large"},
            {.name = "over", .type = Type::Parameters, .text = "by which", .fallback = "all parameters"},
            {.name = "subject_to",
             .type = Type::Limits,
             .text = "limits: a list of { \"name\", what, max =, min = or equals =, unit =, scale = } with\n"
                     "objectives, or expressions of parameters, in SI units",
             .fallback = "{}"},
            tolerances_field(),
            {.name = "method", .type = Type::Method, .text = "of the gradient", .fallback = "mbs.adjoint {}"},
            phases_field(),
            {.name = "optimizer",
             .type = Type::Optimizer,
             .text = "how",
             .fallback = "mbs.lbfgsb {}; mbs.slsqp {} with subject_to"},
            {.name = "check",
             .type = Type::Boolean,
             .text = "compare the gradient at the best point with another method's",
             .fallback = "false"},
            {.name = "starts",
             .type = Type::Integer,
             .text = "where to begin: against local minima",
             .unit = unitless,
             .fallback = "1",
             .range = Range::Positive},
            {.name = "seed",
             .type = Type::Integer,
             .text = "of the starts: another one gives others",
             .unit = unitless,
             .fallback = "1",
             .range = Range::NonNegative},
            job_field()}),
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local L = m:param { \"L\", 1, unit = \"m\", min = 0.5, max = 2 }\n"
                  "local k = m:param { \"k\", 20, unit = \"N/m\", min = 1, max = 100 }\n"
                  "local P = m:point { \"P\", at = {L, 0}, mass = 1 }\n"
                  "m:spring { m:ground { at = {0, 0} }, P, stiffness = k, free_length = L }\n"
                  "local cost = m:objective { \"cost\", integral = function(s) return (P.y(s) + 0.5)^2 end }\n"
                  "local depth = m:objective { \"depth\", terminal = -P.y }\n"
                  "print(m:optimize { minimize = cost, over = { L }, t = 1 })\n"
                  "print(m:optimize { minimize = cost, t = 1, subject_to = {\n"
                  "  { \"depth\", depth, max = 0.4, unit = \"m\" }, { \"size\", k * L, max = 30 } } })",
       .see_also = {"lbfgsb", "trust_region", "slsqp", "cobyla", "gradient", "param", "convergence", "sweep"},
       .function = guarded<optimize_parameters>},
  };
  return constructors;
}

}  // namespace perilune::lua
