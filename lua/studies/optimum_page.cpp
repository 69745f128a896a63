// SPDX-License-Identifier: MIT
#include "studies/optimum_page.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "base/guard.hpp"
#include "base/suggest.hpp"
#include "base/table_fields.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "output/picture/svg_plot.hpp"
#include "output/scene/optimum_report.hpp"
#include "output/scene/view_page.hpp"
#include "runs/run.hpp"
#include "studies/optimum.hpp"

namespace perilune::lua {

namespace {

constexpr const char* page_key = "page of the optimization";  // in the metatable

/// The motion with one set of parameters, as far as it came.
struct Side {
  std::shared_ptr<const simulation::Trajectory> run;
  std::vector<double> values;  // of the objectives; empty where the motion did not come to its end
  std::string failure;
};

Side motion_at(const OptimumPage& page, std::size_t number, const Eigen::VectorXd& x) {
  const NamedRun& experiment = page.task.experiments[number];
  Side side;
  try {
    const std::vector<double> parameters = experiment.parameters(page.task.parameters_at(x));
    simulation::Evaluation run;
    {
      ProgressLine line(experiment.problem.start, experiment.problem.end);
      simulation::Problem shown = experiment.problem;
      shown.progress = line.listener();
      run = simulation::evaluate(shown, parameters);
    }
    if (run.solution.status == integrator::Status::Interrupted) throw Interrupted();
    if (run.solution.status == integrator::Status::Completed) {
      side.values = run.values;
    } else {
      side.failure = run.solution.message;
    }
    side.run = std::make_shared<simulation::Trajectory>(page.snapshots[number], experiment.problem, std::move(run));
  } catch (const NumericalError& problem) {
    side.failure = problem.what();
  }
  return side;
}

std::string trouble_text(const char* when, const Side& side) {
  return std::string("The motion ") + when +
         (side.run ? " is shown as far as it came: " : " is missing, for it cannot be simulated: ") + side.failure;
}

/// The values of the limits in this motion; NaN where they belong to another experiment.
Eigen::VectorXd limits_in(const OptimumPage& page, std::size_t experiment, const Side& side, const Eigen::VectorXd& x) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const SubjectTo& subject_to = page.task.subject_to;
  std::vector<sensitivity::Gradient> found(page.task.experiments.size());
  for (std::size_t e = 0; e < found.size(); ++e) {
    found[e].values = e == experiment ? side.values : std::vector<double>();
    found[e].values.resize(page.task.experiments[e].problem.objectives.size(), unknown);
  }
  Eigen::VectorXd values(static_cast<Eigen::Index>(subject_to.limits.size()) + 1);
  Eigen::MatrixXd no_slopes;
  evaluate_limits(subject_to, found, page.task.parameters_at(x), page.task.over, values, no_slopes);
  return values.tail(values.size() - 1);
}

/// By more than what rounding leaves of a limit that holds.
bool is_exceeded(const optimize::Constraint& limit, double value) {
  double size = limit.scale;
  for (const double end : {limit.lower, limit.upper}) {
    if (std::isfinite(end)) size = std::max(size, std::abs(end));
  }
  return std::max(value - limit.upper, limit.lower - value) > 1e-6 * size;
}

std::vector<output::OptimumReport::Limit> limits_of(const OptimumPage& page, const Eigen::VectorXd& before) {
  std::vector<output::OptimumReport::Limit> out;
  if (!page.limited) return out;
  const optimize::ConstrainedResult& found = *page.limited;
  const bool has_gradients = !std::isnan(found.kkt);
  for (std::size_t k = 0; k < page.task.subject_to.limits.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    const optimize::Constraint& limit = page.task.subject_to.limits[k];
    output::OptimumReport::Limit row{
        limit.name, page.task.subject_to.units[k], {}, found.values[i], limit.lower, limit.upper, true, {}, false};
    if (!std::isnan(before[i])) row.before = before[i];
    row.holds = !(found.violation > 1e-6 && is_exceeded(limit, found.values[i]));
    if (has_gradients) row.multiplier = found.multipliers[i];
    row.is_active = has_gradients && (found.multipliers[i] != 0 || limit.lower == limit.upper);
    out.push_back(row);
  }
  return out;
}

/// What the optimum itself says below its first line.
void add_own_words(lua_State* L, output::OptimumReport& report) {
  for (const char* field : {"by_experiment", "by_tolerance", "by_extremum"}) {
    if (lua_getfield(L, 1, field) == LUA_TSTRING) report.tables.emplace_back(lua_tostring(L, -1));
    lua_pop(L, 1);
  }
  if (const std::string text = starts_sentence(L, 1); !text.empty()) report.notes.push_back(text);
  std::istringstream warnings(warning_lines(L));
  for (std::string line; std::getline(warnings, line);) {
    if (const std::size_t at = line.find_first_not_of(' '); at != std::string::npos) {
      report.troubles.push_back(line.substr(at));
    }
  }
}

output::OptimumReport report_of(const OptimumPage& page, std::size_t experiment) {
  output::OptimumReport report;
  report.objective = page.objective;
  report.before = page.before;
  report.after = page.after;
  report.reason = page.best.message;
  for (std::size_t k = 0; k < page.task.over.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    const model::Parameter& p = page.snapshot->parameters()[static_cast<std::size_t>(page.task.over[k])];
    const optimize::Variable& bounds = page.task.variables[k];
    report.parameters.push_back(
        {p.name, p.unit, page.best.history.front().x[i], page.best.x[i], bounds.lower, bounds.upper});
  }
  if (page.task.sign < 0) report.notes.push_back("What was sought is the greatest " + page.objective + ".");
  const std::vector<NamedRun>& all = page.task.experiments;
  if (!all[experiment].name.empty()) {
    report.notes.push_back("The motions are those of experiment \"" + all[experiment].name + "\"" +
                           (all.size() > 1 ? ", one of " + std::to_string(all.size()) : "") + ".");
  }
  output::PlotOptions options;
  options.width = 520;
  report.convergence = output::svg_plot(page.history, options);
  return report;
}

/// Of the name at the stack index, or the first.
std::size_t experiment_at(lua_State* L, const OptimumPage& page, int index) {
  if (lua_isnil(L, index)) return 0;
  if (lua_type(L, index) != LUA_TSTRING) {
    throw Error("page: expected the name of an experiment, got " + described_value(L, index));
  }
  const std::string name = lua_tostring(L, index);
  std::vector<std::string> names;
  for (const NamedRun& each : page.task.experiments) names.push_back(each.name);
  if (names.front().empty()) {
    throw Error("page: the optimum is of a single run, without experiments; leave out \"" + name + "\"");
  }
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw Error("page: the optimum has no experiment '" + name + "'" +
                suggestion_or_list(name, names, "the experiments are"));
  }
  return static_cast<std::size_t>(found - names.begin());
}

int optimum_page(lua_State* L) {
  lua_settop(L, 3);
  const OptimumPage* page = nullptr;
  if (lua_istable(L, 1) && lua_getmetatable(L, 1)) {
    lua_getfield(L, -1, page_key);
    page = test_userdata<OptimumPage>(L, -1);
  }
  if (!page) throw Error("page is a method of what m:optimize returns: write best:page(file) with a colon");
  const std::string path = check_path(L, "page");
  const std::size_t experiment = experiment_at(L, *page, 3);
  const Eigen::VectorXd& start = page->best.history.front().x;
  const Side before = motion_at(*page, experiment, start), after = motion_at(*page, experiment, page->best.x);
  if (!before.run && !after.run) {
    throw NumericalError("page: neither motion can be simulated. Before: " + before.failure +
                         "\nafter: " + after.failure);
  }
  output::OptimumReport report = report_of(*page, experiment);
  if (!before.failure.empty()) report.troubles.push_back(trouble_text("before", before));
  if (!after.failure.empty()) report.troubles.push_back(trouble_text("after", after));
  report.limits = limits_of(*page, limits_in(*page, experiment, before, start));
  add_own_words(L, report);

  model::Model& snapshot = *page->snapshots[experiment];
  const std::vector<model::ShownSignal> signals = shown_signals(snapshot, output::signals_to_view(snapshot));
  std::vector<output::ViewedRun> runs;
  if (before.run) runs.push_back({"before", before.run.get(), signals, after.run != nullptr});
  if (after.run) runs.push_back({"after", after.run.get(), signals});
  std::ostringstream text;  // complete before the file is touched
  output::write_view_page(page->snapshots[experiment]->name(), runs, text, output::html_report(report));
  write_moving_page(path, text.str());
  return 0;
}

}  // namespace

void keep_for_page(lua_State* L, OptimumPage page) {
  lua_getmetatable(L, -1);
  push_metatable<OptimumPage>(L, "optimum_page");
  lua_pop(L, 1);
  push_userdata(L, "optimum_page", std::move(page));
  lua_setfield(L, -2, page_key);
  lua_pop(L, 1);
}

Function optimum_page_method() {
  return {.name = "optimum:page",
          .signature = "optimum:page(file, experiment)",
          .arguments = {{"file", "string", "to be written", unitless},
                        {"experiment", "string", "whose motions; of several, the first", unitless}},
          .summary =
              "Writes a page as run:view does, of what m:optimize returned: the mechanism with the parameters before\n"
              "(grey, seen through) and after, in motion at the same times, and beside it the parameters with their\n"
              "bounds, the cost, limits with their multipliers, why the search ended, and its history. Both motions\n"
              "are simulated anew with the settings of the optimization; the model stays as it is.",
          .example =
              "local mbs = require \"perilune\"\n"
              "local m = mbs.model { \"throw\", gravity = {0, -9.81} }\n"
              "local v = m:param { \"v\", 3, unit = \"m/s\", min = 0, max = 20 }\n"
              "local P = m:point { \"P\", at = {0, 0}, velocity = {v, 5}, mass = 1 }\n"
              "local miss = m:objective { \"miss\", terminal = (P.x - 4)^2 }\n"
              "local best = m:optimize { minimize = miss, t = 1 }\n"
              "best:page(os.tmpname())",
          .see_also = {"optimize", "convergence", "view", "compare"},
          .function = guarded<optimum_page>};
}

}  // namespace perilune::lua
