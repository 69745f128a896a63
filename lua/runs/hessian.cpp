// SPDX-License-Identifier: MIT
// m:hessian.
#include "sensitivity/second/hessian.hpp"

#include "base/guard.hpp"
#include "base/table_fields.hpp"
#include "runs/derivative_text.hpp"
#include "runs/experiment.hpp"
#include "schema/schema.hpp"
#include "simulation/usual_formulation.hpp"
#include "values/args.hpp"

namespace perilune::lua {

int hessian(lua_State* L) {
  Args args(L);
  const bool has_formulation = has_given_formulation(args);
  simulation::Problem problem = read_problem(args, L);
  if (!has_formulation) {
    problem.formulation = simulation::usual_smooth_formulation(problem, args.model()->parameter_values());
  }
  // Projections have no second derivatives.
  if (auto* form = std::get_if<formulation::Index3>(&problem.formulation)) form->project = false;
  bool is_list = false;
  problem.objectives = read_objectives(args, L, "objective", is_list);
  const std::vector<int> over = read_parameters(args, L, "over");
  const bool has_direction = args.given("direction");
  const std::vector<double> direction = has_direction ? args.numbers("direction") : std::vector<double>();
  if (!has_direction) args.value("direction");
  const auto method = read_spec<sensitivity::Method>(args, L, "method", sensitivity::DiscreteAdjoint{});
  args.check_all_read();
  if (is_list) args.fail("it takes one objective, got a list");
  if (has_direction && direction.size() != over.size()) {
    args.fail("direction must have a number for each of the " + std::to_string(over.size()) +
              " parameters of over, got " + std::to_string(direction.size()));
  }
  const auto* adjoint = std::get_if<sensitivity::DiscreteAdjoint>(&method);
  if (!adjoint || adjoint->checkpoints > 0) {
    args.fail("method must be mbs.adjoint {} or mbs.adjoint { intervals = ... }, whose steps second derivatives follow"
              " with all their nodes");
  }
  const std::vector<double> parameters = args.model()->parameter_values();
  ProgressLine line(problem.start, problem.end);
  problem.progress = line.listener();
  std::vector<std::vector<double>> directions;
  if (has_direction) {
    directions.push_back(direction);
  } else {
    directions.assign(over.size(), std::vector<double>(over.size(), 0.0));
    for (std::size_t k = 0; k < over.size(); ++k) directions[k][k] = 1;
  }
  const sensitivity::HessianProducts found =
      sensitivity::hessian_products(problem, parameters, over, directions, *adjoint);
  lua_newtable(L);
  lua_pushnumber(L, found.values[0]);
  lua_setfield(L, -2, "value");
  push_list(L, found.derivatives[0]);
  lua_setfield(L, -2, "gradient");
  print_warnings(L, found.warnings);
  set_names(L, "warnings", found.warnings);
  if (has_direction) {
    push_list(L, found.products[0][0]);
    lua_setfield(L, -2, "product");
  } else {
    lua_newtable(L);
    for (std::size_t k = 0; k < over.size(); ++k) {
      push_list(L, found.products[k][0]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
    }
    lua_setfield(L, -2, "matrix");
  }
  lua_pushnumber(L, found.seconds);
  lua_setfield(L, -2, "seconds");
  lua_pushstring(L, problem.objectives[0]->name.c_str());
  lua_setfield(L, -2, "objective");
  set_parameter_names(L, args.engine(), over);
  if (luaL_newmetatable(L, "perilune.hessian")) {
    lua_pushcfunction(L, guarded<hessian_pretty>);
    lua_setfield(L, -2, "__pretty");
    lua_pushcfunction(L, guarded<hessian_pretty>);
    lua_setfield(L, -2, "__tostring");
    lua_pushliteral(L, "second derivatives");
    lua_setfield(L, -2, "__name");
  }
  lua_setmetatable(L, -2);
  return 1;
}

}  // namespace perilune::lua
