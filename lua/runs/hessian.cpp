// SPDX-License-Identifier: MIT
// m:hessian.
#include "sensitivity/discrete/hessian.hpp"

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
  args.check_all_read();
  if (is_list) args.fail("it takes one objective, got a list");
  if (has_direction && direction.size() != over.size()) {
    args.fail("direction must have a number for each of the " + std::to_string(over.size()) +
              " parameters of over, got " + std::to_string(direction.size()));
  }
  const std::vector<double> parameters = args.model()->parameter_values();
  ProgressLine line(problem.start, problem.end);
  problem.progress = line.listener();
  double seconds = 0;
  auto along = [&](const std::vector<double>& u) {
    sensitivity::HessianProduct product = sensitivity::hessian_product(problem, parameters, over, u);
    seconds += product.seconds;
    return product;
  };
  lua_newtable(L);
  auto push_common = [&](const sensitivity::HessianProduct& product) {
    lua_pushnumber(L, product.values[0]);
    lua_setfield(L, -2, "value");
    push_list(L, product.derivatives[0]);
    lua_setfield(L, -2, "gradient");
    print_warnings(L, product.warnings);
    set_names(L, "warnings", product.warnings);
  };
  if (has_direction) {
    const sensitivity::HessianProduct product = along(direction);
    push_common(product);
    push_list(L, product.products[0]);
    lua_setfield(L, -2, "product");
  } else {
    lua_newtable(L);
    for (std::size_t k = 0; k < over.size(); ++k) {
      std::vector<double> unit(over.size(), 0.0);
      unit[k] = 1;
      const sensitivity::HessianProduct product = along(unit);
      push_list(L, product.products[0]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
      if (k + 1 < over.size()) continue;
      lua_setfield(L, -2, "matrix");
      push_common(product);
    }
  }
  lua_pushnumber(L, seconds);
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
