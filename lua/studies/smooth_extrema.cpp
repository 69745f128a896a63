// SPDX-License-Identifier: MIT
#include "studies/smooth_extrema.hpp"

#include "base/named_values.hpp"
#include "base/table_fields.hpp"
#include "base/text_columns.hpp"
#include "format/text.hpp"
#include "simulation/run.hpp"

namespace perilune::lua {

namespace {

/// By how much the extremum exceeds a limit of the objective in the experiment, or an empty text.
std::string excess_text(const SubjectTo& subject_to, std::size_t objective, std::size_t experiment, double extremum) {
  double most = 0;
  for (std::size_t k = 0; k < subject_to.limits.size(); ++k) {
    if (subject_to.objectives[k] != static_cast<int>(objective) || subject_to.experiments[k] != experiment) continue;
    const optimize::Constraint& limit = subject_to.limits[k];
    most = std::max({most, extremum - limit.upper, limit.lower - extremum});
  }
  return most > 0 ? format::significant(most, 3) + " beyond its limit" : "";
}

}  // namespace

void set_smooth_extrema(lua_State* L, const Minimization& task, const Eigen::VectorXd& x) {
  const auto has_smooth = [](const NamedRun& e) {
    const auto& all = e.problem.objectives;
    return std::any_of(all.begin(), all.end(), [](const auto& o) { return o->smooth.has_value(); });
  };
  if (std::none_of(task.experiments.begin(), task.experiments.end(), has_smooth)) return;
  const std::vector<double> rho = task.parameters_at(x);
  TextRows rows{{"objective", "smooth", "extremum", "at", ""}};
  lua_newtable(L);
  for (std::size_t e = 0; e < task.experiments.size(); ++e) {
    const NamedRun& experiment = task.experiments[e];
    const simulation::Evaluation run = simulation::evaluate(experiment.problem, experiment.parameters(rho));
    for (std::size_t k = 0; k < run.smoothed.size(); ++k) {
      const std::optional<simulation::Peak>& peak = run.smoothed[k];
      if (!peak) continue;
      const std::string name =
          experiment.problem.objectives[k]->name + (experiment.name.empty() ? "" : " in " + experiment.name);
      lua_createtable(L, 0, 3);
      set_number(L, "value", peak->value);
      set_number(L, "t", peak->t);
      set_number(L, "smooth", run.values[k]);
      lua_setfield(L, -2, name.c_str());
      rows.push_back({name, format::significant(run.values[k], 6), format::significant(peak->value, 6),
                      format::significant(peak->t, 4) + " s", excess_text(task.subject_to, k, e, peak->value)});
    }
  }
  refuse_other_names(L);
  lua_setfield(L, -2, "extrema");
  if (rows.size() > 1) set_text(L, "by_extremum", "what the smooth extrema stand for:" + aligned(rows));
}

}  // namespace perilune::lua
