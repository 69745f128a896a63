// SPDX-License-Identifier: MIT
#include "runs/usual_form.hpp"

#include "runs/specs.hpp"
#include "simulation/usual_formulation.hpp"

namespace perilune::lua {

formulation::Formulation usual_form(Args& args, lua_State* L, const simulation::Problem& problem,
                                    const std::vector<double>& parameters) {
  const bool has_method = args.constructor().find("method") && args.given("method");
  if (has_method && sensitivity::is_continuous(
                        read_spec<sensitivity::Method>(args, L, "method", sensitivity::DiscreteAdjoint{}))) {
    return simulation::usual_continuous_formulation(problem, parameters);
  }
  return simulation::usual_formulation(problem, parameters);
}

}  // namespace perilune::lua
