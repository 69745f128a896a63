// SPDX-License-Identifier: MIT
// m:fit: parameters from measurements.
#include <cmath>
#include <cstdio>

#include "base/guard.hpp"
#include "base/progress_terminal.hpp"
#include "base/suggest.hpp"
#include "base/table_fields.hpp"
#include "error.hpp"
#include "fingerprint.hpp"
#include "ranks/ranks.hpp"
#include "studies/fit_result.hpp"
#include "studies/optimization_facts.hpp"
#include "studies/said_by.hpp"

namespace perilune::lua {

namespace {

optimize::RobustLoss read_loss(Args& args) {
  using Kind = optimize::RobustLoss::Kind;
  static const std::vector<std::pair<std::string, Kind>> known = {
      {"squares", Kind::None}, {"huber", Kind::Huber}, {"soft_l1", Kind::SoftL1}, {"cauchy", Kind::Cauchy}};
  optimize::RobustLoss loss;
  const std::string name = args.text("loss");
  loss.scale = args.plain_number("loss_scale");
  std::vector<std::string> names;
  for (const auto& [text, kind] : known) {
    names.push_back(text);
    loss.kind = kind;
    if (text == name) return loss;
  }
  args.fail("loss: there is no '" + name + "'" + suggestion_or_list(name, names, "it may be"));
}

optimize::LeastSquaresOptions read_options(Args& args) {
  optimize::LeastSquaresOptions options;
  // Simulations within their tolerances allow no more.
  options.projected_gradient = 1e-8;
  options.relative_decrease = 1e-10;
  options.max_evaluations = args.integer("max_evaluations");
  return options;
}

void read_data(Args& args, lua_State* L, FitProblem& task, const simulation::Problem& common) {
  const int given = args.value("data");
  const int list = args.given("experiments") ? 1 : 0;
  if (!given && !list) args.fail_missing("data");
  if (given && list) args.fail("give either data, or experiments each of which has its own");
  const auto take = [&](const std::string& label, std::size_t experiment, NamedRun& of) {
    std::vector<FitSeries> series = pop_fit_data(args, L, label, task.signals, of.problem.start);
    of.problem.end = of.problem.start;
    for (FitSeries& each : series) {
      each.experiment = experiment;
      if (!of.name.empty()) each.name += " in " + of.name;
      of.problem.end = std::max(of.problem.end, each.t.back());
      task.series.push_back(std::move(each));
    }
    if (!(of.problem.end > of.problem.start)) {
      args.fail(label + ": all measurements are of the start, where nothing has moved yet");
    }
  };
  if (given) {
    task.experiments = read_experiments(args, L, common);
    lua_pushvalue(L, given);
    take("data", 0, task.experiments[0]);
    lua_settop(L, given - 1);
    return;
  }
  std::size_t number = 0;
  ExperimentFields fields{{"set", "data", "start", "at_rest"}, [&](int index, const std::string& who, NamedRun& of) {
                            if (lua_getfield(L, index, "data") == LUA_TNIL) args.fail(who + ": data is missing");
                            take(who + ": data", number++, of);
                          }};
  task.experiments = read_experiments(args, L, common, fields);
}

/// Shown on a terminal's standard error while the fit is sought.
void show(const optimize::LeastSquaresIterate& it) {
  std::fprintf(stderr, "\r\033[Kiteration %d, half the sum of squares %.6g, projected gradient %.2g", it.iteration,
               it.cost, it.projected_gradient);
  std::fflush(stderr);
}

/// A line of a terminal that goes when the search has ended.
struct ProgressShown {
  bool is_seen = progress_is_seen();
  ~ProgressShown() {
    if (is_seen) std::fputs("\r\033[K", stderr);
  }
};

FitFound solved(const Args& args, FitProblem& task, double confidence, optimize::LeastSquaresOptions options) {
  const ProgressShown line;
  if (line.is_seen) options.on_iteration = show;
  return said_by(args, [&] { return solve(task, confidence, options); });
}

std::vector<std::string> warnings_of(const FitProblem& task, const FitFound& found) {
  std::vector<std::string> all = task.warned->at(found.result.x);
  all.insert(all.end(), found.statistics.warnings.begin(), found.statistics.warnings.end());
  for (const FitSeries& series : task.series) {
    if (series.left_out == 0) continue;
    all.push_back(
        (series.left_out == 1 ? "1 measurement of \"" : std::to_string(series.left_out) + " measurements of \"") +
        series.name + (series.left_out == 1 ? "\" was" : "\" were") +
        " left out: the sensor's delay may reach back before the start");
  }
  using Reason = optimize::LeastSquaresReason;
  if (found.result.reason == Reason::EvaluationLimit || found.result.reason == Reason::Stalled) {
    all.push_back("the fit is not finished: " + found.result.message);
  }
  return all;
}

int fit_parameters(lua_State* L) {
  Args args(L);
  FitProblem task;
  constexpr double until_data_tell = 1e30;  // s
  if (args.model()->last_has_phases) {
    args.fail(
        "the last simulation went in phases, through which a fit cannot go; simulate without them first, with "
        "phases = {}");
  }
  simulation::Problem common = read_problem(args, L, std::nullopt, until_data_tell);
  // How the last simulation began says nothing of the measurements.
  if (!args.given("start")) common.start = 0;
  if (!args.given("at_rest")) common.start_from = analysis::StartFrom::Declared;
  task.over = read_parameters(args, L, "over");
  task.signals = read_fit_signals(args, L, task.over);
  read_data(args, L, task, common);
  task.loss = read_loss(args);
  const double confidence = args.plain_number("confidence");
  if (confidence >= 1) args.fail("confidence is a probability below 1, got " + number_text(confidence));
  const optimize::LeastSquaresOptions options = read_options(args);
  args.check_all_read();
  task.parameters = args.model()->parameter_values();
  model::Model& engine = args.engine();
  task.variables = design_variables(engine, task.over);
  if (ranks::may_spread()) {
    Fingerprint print;
    for (const auto& [what, fact] : facts_of(engine, task.experiments)) print.add(what).add(fact);
    task.fingerprint = print.text();
  }
  leave_room(task.experiments, task.parameters, task.over, task.variables);

  const FitFound found = solved(args, task, confidence, options);
  for (std::size_t k = 0; k < task.over.size(); ++k) {
    engine.set_parameter(task.over[k], found.result.x[static_cast<Eigen::Index>(k)]);
  }
  if (found.result.reason == optimize::LeastSquaresReason::Interrupted) throw Interrupted();
  std::vector<int> without_effect;
  for (std::size_t k = 0; k < task.over.size(); ++k) {
    if (found.result.jacobian.col(static_cast<Eigen::Index>(k)).isZero(0)) without_effect.push_back(task.over[k]);
  }
  warn_of_idle_parameters(L, engine, without_effect);
  const std::vector<std::string> warnings = warnings_of(task, found);
  print_warnings(L, warnings);
  push_fit(L, engine, task, found, confidence, warnings);
  return 1;
}

}  // namespace

std::span<const Constructor> fit_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "model:fit",
       .object = "fit",
       .returns = "table",
       .summary =
           "Finds the parameters with which signals of the model come nearest to measurements: least squares\n"
           "within the parameters' bounds, from their present values, by Levenberg and Marquardt's method with\n"
           "exact derivatives; it leaves the parameters there. A signal is { column, expression }, with the\n"
           "fields deviation (of a measurement; without it what the fit leaves tells), delay (of the sensor, a\n"
           "number or a parameter) and times (the column of its times, else t). A column with another unit than its\n"
           "signal's, as data.units says, is converted. Gains and offsets go into the\n"
           "expression, unknown starts into the declared positions and velocities.\n"
           "Returns a printable table: parameters, standard_errors, intervals, correlation (rows in the order\n"
           "of names), lost and weak (combinations that the data do not or hardly tell), deviation (of the\n"
           "residuals, 1 where they are as large as the deviations), signals by name (t, measured, fitted,\n"
           "band, whiteness), simulations, differentiated (of these, with derivatives), reason, message, warnings;\n"
           "its methods chart and correlation_chart draw it.",
       .fields = with_settings_but_end(
           {{.name = "data",
             .type = Type::Data,
             .text = "columns by name, as of mbs.read_csv and mbs.read_mat; t are the times (s)",
             .unit = "yours"},
            {.name = "signals",
             .type = Type::Signals,
             .text = "a list of { \"column\", expression, deviation =, delay =, times = }",
             .required = true},
            {.name = "over", .type = Type::Parameters, .text = "what to find", .fallback = "all parameters"},
            {.name = "experiments",
             .type = Type::Experiments,
             .text = "several runs: a list of { \"name\", data =, set = { k = 2 * k0 }, start =, at_rest = }",
             .fallback = "one, with data"},
            {.name = "loss",
             .type = Type::String,
             .text = "of a residual: squares, or gentler with outliers, huber, soft_l1, cauchy",
             .fallback = "squares"},
            {.name = "loss_scale",
             .type = Type::PlainNumber,
             .text = "from how many deviations on a residual is an outlier",
             .unit = unitless,
             .fallback = "1",
             .range = Range::Positive},
            {.name = "confidence",
             .type = Type::PlainNumber,
             .text = "of the intervals, below 1",
             .unit = unitless,
             .fallback = "0.95",
             .range = Range::Positive},
            {.name = "max_evaluations",
             .type = Type::Integer,
             .text = "limit of simulations of all experiments",
             .unit = unitless,
             .fallback = "1000",
             .range = Range::Positive}}),
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { \"pendulum\", gravity = {0, -9.81} }\n"
                  "local L = m:param { \"L\", 1, unit = \"m\", min = 0.5, max = 2 }\n"
                  "local offset = m:param { \"offset\", 0, unit = \"m\" }\n"
                  "local P = m:point { \"P\", at = {L, 0}, mass = 1 }\n"
                  "m:distance { m:ground { at = {0, 0} }, P }\n"
                  "local data = { t = {0.2, 0.4, 0.6, 0.8, 1}, height = {-0.08, -0.62, -1, -0.74, -0.17} }\n"
                  "print(m:fit { data = data, signals = { { \"height\", P.y + offset } } })",
       .see_also = {"read_csv", "read_mat", "optimize", "param", "chart"},
       .function = guarded<fit_parameters>},
  };
  return constructors;
}

}  // namespace perilune::lua
