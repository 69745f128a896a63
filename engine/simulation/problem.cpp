// SPDX-License-Identifier: MIT
#include "simulation/problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "at_time.hpp"
#include "error.hpp"

namespace perilune::simulation {

Objective::Objective(std::string n, std::shared_ptr<const expr::Graph> g, expr::NodeId t, expr::NodeId i)
    : name(std::move(n)), graph(std::move(g)) {
  if (t != expr::no_node) terminal.emplace(*graph, std::vector<expr::NodeId>{t});
  if (i != expr::no_node) integral.emplace(*graph, std::vector<expr::NodeId>{i});
  if (!terminal && !integral) throw Error("objective \"" + name + "\" needs a terminal or an integral part");
}

Objective::Objective(std::string n, std::shared_ptr<const expr::Graph> g, Extremum e)
    : name(std::move(n)), graph(std::move(g)), extremum(std::move(e)) {}

Objective::Objective(std::string n, const std::shared_ptr<const model::Model>& model, expr::NodeId t, expr::NodeId i)
    : name(std::move(n)), graph(model, &model->graph()) {
  const auto measured = [&](std::optional<Measure>& part, expr::NodeId node) {
    if (node != expr::no_node) part.emplace(*model, std::vector<expr::NodeId>{node});
  };
  measured(terminal, t);
  measured(integral, i);
  if (!terminal && !integral) throw Error("objective \"" + name + "\" needs a terminal or an integral part");
}

const Objective* find_extremum(const Problem& problem) {
  for (const auto& objective : problem.objectives) {
    if (objective->is_exact_extremum()) return objective.get();
  }
  return nullptr;
}

double end_of(const Problem& problem, const std::vector<double>& parameters) {
  if (!problem.stop || !problem.stop->is_end_time) return problem.end;
  const Measure& condition = *problem.stop->terminal;
  std::vector<double> work = condition.make_work();
  const double end =
      -checked_value(*problem.stop, condition, {0, nullptr, nullptr, nullptr, nullptr, parameters.data()}, work);
  if (end > problem.start) return end;
  char text[120];
  std::snprintf(text, sizeof text, "the end time, which follows parameters, is %.6g s, not after the start at %.6g s",
                end, problem.start);
  throw NumericalError(text);
}

double time_in_window(const Problem& problem, const Objective& objective) {
  if (problem.stop && problem.stop->is_end_time) {
    throw NumericalError("objective \"" + objective.name +
                         "\" is a mean over time, which needs an end time that does not follow parameters");
  }
  const Extremum& window = *objective.extremum;
  const double time = std::min(problem.end, window.to) - std::max(problem.start, window.from);
  if (time > 0) return time;
  char text[160];
  std::snprintf(text, sizeof text, "\": the run from t = %.6g to %.6g s has no time in its window from %.6g to %.6g s",
                problem.start, problem.end, window.from, window.to);
  throw NumericalError("objective \"" + objective.name + text);
}

double checked_value(const Objective& objective, const Measure& measure, const system::MotionPoint& at,
                     std::vector<double>& work) {
  measure.evaluate(at, work);
  const double value = measure.value(work, 0);
  if (std::isfinite(value)) return value;
  std::vector<double> own = objective.smooth ? objective.extremum->signal.make_work() : std::vector<double>();
  if (objective.smooth) objective.extremum->signal.evaluate(at, own);
  if (objective.smooth && std::isfinite(objective.extremum->signal.value(own, 0))) {
    char text[160];
    std::snprintf(text, sizeof text,
                  "\" grows beyond all numbers, as about = %.4g is far from what it is of, %.6g there; give about a "
                  "value near the extremum",
                  objective.smooth->about, objective.extremum->signal.value(own, 0));
    throw NumericalError(at_time(at.t) + "objective \"" + objective.name + text);
  }
  throw NumericalError(at_time(at.t) + "objective \"" + objective.name +
                       "\" is not a finite number: " + measure.explain_failure(*objective.graph, work));
}

}  // namespace perilune::simulation
