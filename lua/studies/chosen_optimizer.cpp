// SPDX-License-Identifier: MIT
#include "studies/chosen_optimizer.hpp"

#include "runs/specs.hpp"
#include "sensitivity/second/hessian.hpp"
#include "simulation/usual_formulation.hpp"

namespace perilune::lua {

Optimizer read_optimizer(Args& args, lua_State* L, const Minimization& task) {
  const SubjectTo& subject_to = task.subject_to;
  const Optimizer usual =
      task.is_limited() ? Optimizer(optimize::ConstrainedOptions{}) : Optimizer(optimize::Options{});
  Optimizer chosen = read_spec<Optimizer>(args, L, "optimizer", usual);
  if (!subject_to.empty() && !std::holds_alternative<optimize::ConstrainedOptions>(chosen)) {
    args.fail(std::string(std::holds_alternative<optimize::Options>(chosen) ? "mbs.lbfgsb" : "mbs.trust_region") +
              " knows bounds of parameters alone, not subject_to; take mbs.slsqp {}");
  }
  const auto* limited = std::get_if<optimize::ConstrainedOptions>(&chosen);
  if (limited && !optimize::takes_gradients(limited->method)) {
    if (args.given("method")) args.fail("mbs.cobyla takes no gradients, so that method has no meaning; leave it out");
    if (!task.tolerances.empty())
      args.fail("mbs.cobyla takes no gradients, and tolerances need them; take mbs.slsqp {}");
    if (args.boolean("check")) args.fail("check compares gradients, and mbs.cobyla takes none; leave it out");
    if (task.is_minimax()) {
      args.fail(
          "mbs.cobyla takes no gradients, and the worst of several experiments is sought by theirs; take mbs.slsqp {}");
    }
  }
  if (std::holds_alternative<optimize::TrustRegionOptions>(chosen) && !task.tolerances.empty()) {
    args.fail("mbs.trust_region would need third derivatives of what has tolerances; take mbs.lbfgsb {}");
  }
  if (std::holds_alternative<optimize::TrustRegionOptions>(chosen) && !task.experiments[0].name.empty()) {
    args.fail(
        "mbs.trust_region has second derivatives of a single run, not of several experiments; take mbs.lbfgsb {}");
  }
  if (task.is_minimax() && !limited) {
    args.fail("the worst of several experiments has kinks, of which mbs.lbfgsb knows nothing; take mbs.slsqp {}");
  }
  return chosen;
}

void ensure_second_derivatives(const Args& args, const Optimizer& optimizer, Minimization& task, bool has_formulation) {
  const bool is_newton = std::holds_alternative<optimize::TrustRegionOptions>(optimizer);
  if (!is_newton && task.tolerances.empty()) return;
  simulation::Problem& problem = task.experiments[0].problem;
  if (!has_formulation) problem.formulation = simulation::usual_smooth_formulation(problem, task.parameters);
  // Projections have no second derivatives.
  if (auto* form = std::get_if<formulation::Index3>(&problem.formulation)) form->project = false;
  simulation::Problem of_cost = problem;
  of_cost.objectives.resize(1);
  const std::string why = sensitivity::objection_to_second_derivatives(of_cost, task.parameters);
  if (why.empty()) return;
  args.fail(is_newton ? "mbs.trust_region: " + why + ". mbs.lbfgsb {} needs no second derivatives"
                      : "tolerances: " + why + ". Experiments with combine = \"mean_and_deviation\" need none");
}

}  // namespace perilune::lua
