// SPDX-License-Identifier: MIT
#include "simulation/problem.hpp"

#include <cmath>

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

const Objective* find_extremum(const Problem& problem) {
  for (const auto& objective : problem.objectives) {
    if (objective->extremum) return objective.get();
  }
  return nullptr;
}

double checked_value(const Objective& objective, const Measure& measure, const system::MotionPoint& at,
                     std::vector<double>& work) {
  measure.evaluate(at, work);
  const double value = measure.value(work, 0);
  if (std::isfinite(value)) return value;
  throw NumericalError(at_time(at.t) + "objective \"" + objective.name +
                       "\" is not a finite number: " + measure.explain_failure(*objective.graph, work));
}

}  // namespace perilune::simulation
