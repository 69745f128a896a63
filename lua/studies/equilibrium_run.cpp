// SPDX-License-Identifier: MIT
#include "studies/equilibrium_run.hpp"

#include <algorithm>
#include <utility>

#include "simulation/rolling_limits.hpp"

namespace perilune::lua {

double read_time(Args& args, const std::optional<GivenState>& from) {
  if (args.given("t") || !from) return args.plain_number("t");
  args.value("t");
  return from->t;
}

EquilibriumSearch read_equilibrium_search(Args& args, lua_State* L) {
  EquilibriumSearch search;
  search.from = read_from(args, L, std::nullopt);
  search.t = read_time(args, search.from);
  search.independent = read_independent(args, L);
  search.wanted = args.boolean("stable") ? analysis::Wanted::Stable : analysis::Wanted::Nearest;
  return search;
}

RunHandle equilibrium_run(const ModelPtr& model, const std::string& name, const EquilibriumSearch& search,
                          const analysis::Equilibrium& found, std::shared_ptr<const system::Data> data,
                          std::vector<std::string> warnings, double seconds) {
  simulation::Problem problem;
  problem.system = model->compiled();
  problem.start = problem.end = search.t;
  problem.independent = search.independent;
  const auto kept = std::make_shared<const analysis::Equilibrium>(found);
  simulation::Evaluation run;
  run.data = std::move(data);
  run.initial = kept->state;
  run.warnings = std::move(warnings);
  integrator::Mesh& mesh = run.solution.mesh;
  mesh = integrator::Mesh(problem.system->coordinate_count(), problem.system->constraint_count());
  const std::vector<double> rest(kept->state.q.size(), 0.0);
  mesh.append(search.t, kept->state.q.data(), kept->state.v.data(), rest.data(), kept->lambda.data());
  for (std::string& sentence : simulation::limits_at_rest(*problem.system, *run.data, search.t, kept->state.q,
                                                          kept->lambda)) {
    run.warnings.push_back(std::move(sentence));
  }
  run.solution.statistics.newton_iterations = kept->iterations;
  run.solution.message = "found an equilibrium";
  simulation::Nature nature{name, [kept](const integrator::Mesh&, double, double*, double*, double* a, double* lambda) {
                              std::fill_n(a, kept->state.q.size(), 0.0);
                              std::copy(kept->lambda.begin(), kept->lambda.end(), lambda);
                            }};
  auto trajectory = std::make_shared<simulation::Trajectory>(model->snapshot(), std::move(problem), std::move(run),
                                                             std::move(nature));
  return {model, std::move(trajectory), seconds, kept};
}

}  // namespace perilune::lua
