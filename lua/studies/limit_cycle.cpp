// SPDX-License-Identifier: MIT
// m:limit_cycle.
#include "sensitivity/limit_cycle.hpp"

#include <algorithm>
#include <cstdio>

#include "base/named_values.hpp"
#include "base/table_fields.hpp"
#include "error.hpp"
#include "runs/phases.hpp"
#include "runs/specs.hpp"

namespace perilune::lua {

namespace {

std::shared_ptr<const simulation::Objective> terminal_objective(const Args& args, int parameter, expr::NodeId node) {
  const std::shared_ptr<const model::Model> engine(args.model(), &args.engine());
  const std::string& name = args.engine().parameters()[static_cast<std::size_t>(parameter)].name;
  return std::make_shared<simulation::Objective>("returns." + name, engine, node, expr::no_node);
}

std::string cycle_text(const model::Model& engine, const std::vector<int>& x, const sensitivity::LimitCycle& found) {
  std::string text = "limit cycle of \"" + engine.name() + "\", " + std::to_string(found.iterations) + " iterations:";
  char number[64];
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::snprintf(number, sizeof number, " = %.9g", found.x[i]);
    text += (i > 0 ? ", " : " ") + engine.parameters()[static_cast<std::size_t>(x[i])].name + number;
  }
  text += found.eigenvalues.empty() || std::abs(found.eigenvalues[0]) < 1 ? "; stable" : "; unstable";
  text += ", eigenvalues";
  for (const auto& e : found.eigenvalues) {
    std::snprintf(number, sizeof number, e.imag() == 0 ? " %.6g" : " %.6g%+.6gi", e.real(), e.imag());
    text += number;
  }
  return text;
}

/// Before any parameter is set.
void check_bounds(const model::Model& engine, const std::vector<int>& x, const sensitivity::LimitCycle& found) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const model::Parameter& p = engine.parameters()[static_cast<std::size_t>(x[i])];
    if (found.x[i] >= p.lower && found.x[i] <= p.upper) continue;
    char text[160];
    std::snprintf(text, sizeof text, " = %.6g, outside its bounds %.6g to %.6g", found.x[i], p.lower, p.upper);
    throw NumericalError("the limit cycle that was found has " + p.name + text);
  }
}

/// What gradients are by; the parameters `x` follow the others.
std::vector<int> read_over(Args& args, lua_State* L, const std::vector<int>& x) {
  const bool is_given = args.given("over");
  std::vector<int> over = read_parameters(args, L, "over");
  const auto is_returned = [&](int number) { return std::find(x.begin(), x.end(), number) != x.end(); };
  const auto returned = std::find_if(over.begin(), over.end(), is_returned);
  if (is_given && returned != over.end()) {
    args.fail("over: " + args.engine().parameters()[static_cast<std::size_t>(*returned)].name +
              " is among returns, so that it follows the others; its own derivatives are those of an objective that " +
              "reads it");
  }
  std::erase_if(over, is_returned);
  return over;
}

void push_cycle(lua_State* L, const model::Model& engine, const std::vector<int>& x,
                const sensitivity::LimitCycle& found) {
  lua_newtable(L);
  set_integer(L, "iterations", found.iterations);
  lua_newtable(L);
  for (std::size_t i = 0; i < x.size(); ++i) {
    set_number(L, engine.parameters()[static_cast<std::size_t>(x[i])].name.c_str(), found.x[i]);
  }
  refuse_other_names(L);
  lua_setfield(L, -2, "parameters");
  lua_createtable(L, static_cast<int>(x.size()), 0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    lua_createtable(L, static_cast<int>(x.size()), 0);
    for (std::size_t j = 0; j < x.size(); ++j) {
      lua_pushnumber(L, found.jacobian[i * x.size() + j]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(j) + 1);
    }
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
  lua_setfield(L, -2, "jacobian");
  lua_createtable(L, static_cast<int>(x.size()), 0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    lua_newtable(L);
    set_number(L, "real", found.eigenvalues[i].real());
    set_number(L, "imaginary", found.eigenvalues[i].imag());
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
  lua_setfield(L, -2, "eigenvalues");
  lua_pushboolean(L, std::abs(found.eigenvalues[0]) < 1);
  lua_setfield(L, -2, "stable");
  set_text(L, "text", cycle_text(engine, x, found));
  print_as_text(L, "perilune.limit_cycle");
}

}  // namespace

int limit_cycle(lua_State* L) {
  Args args(L);
  simulation::Problem problem = read_problem(args, L);
  const Assignments returns = read_assignments(args, L, "returns", true);
  bool is_list = false;
  const auto objectives = read_objectives(args, L, "objectives", is_list);
  if (objectives.empty() && (args.given("over") || args.given("method"))) {
    args.fail("over and method are of the gradients of objectives, which are missing");
  }
  if (returns.empty()) args.fail("returns: name at least one parameter, and what it comes back as");
  std::vector<int> x;
  for (const auto& [parameter, node] : returns) {
    x.push_back(parameter);
    problem.objectives.push_back(terminal_objective(args, parameter, node));
  }
  const std::vector<int> over = read_over(args, L, x);
  const auto method = read_spec<sensitivity::Method>(args, L, "method", sensitivity::DiscreteAdjoint{});
  args.check_all_read();
  std::vector<double> parameters = args.model()->parameter_values();
  const sensitivity::LimitCycle found = sensitivity::find_limit_cycle(problem, parameters, x);
  model::Model& engine = args.engine();
  check_bounds(engine, x, found);
  for (std::size_t i = 0; i < x.size(); ++i) parameters[static_cast<std::size_t>(x[i])] = found.x[i];
  sensitivity::Gradient gradient;
  if (!objectives.empty()) {
    simulation::Problem with_objectives = problem;
    with_objectives.objectives.insert(with_objectives.objectives.end(), objectives.begin(), objectives.end());
    gradient = sensitivity::limit_cycle_gradient(with_objectives, parameters, x, over, method);
    print_warnings(L, gradient.warnings);
  }
  for (std::size_t i = 0; i < x.size(); ++i) engine.set_parameter(x[i], found.x[i]);
  push_cycle(L, engine, x, found);
  lua_createtable(L, static_cast<int>(objectives.size()), 0);
  for (std::size_t k = 0; k < objectives.size(); ++k) {
    push_gradient(L, engine, objectives[k]->name, gradient, over, k, method);
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
  lua_setfield(L, -2, "gradients");
  return 1;
}

}  // namespace perilune::lua
