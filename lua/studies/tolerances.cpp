// SPDX-License-Identifier: MIT
#include "studies/tolerances.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/named_values.hpp"
#include "base/table_fields.hpp"
#include "base/userdata.hpp"
#include "format/text.hpp"
#include "runs/specs.hpp"
#include "sensitivity/second/hessian.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

constexpr const char* tolerances_name = "tolerances";

/// The item { parameter, deviation } of the list on top of the stack.
void read_tolerance(Args& args, lua_State* L, lua_Integer number, Tolerances& out) {
  const std::string who = std::string(tolerances_name) + "[" + std::to_string(number) + "]: ";
  const int item = lua_gettop(L);
  if (!lua_istable(L, item)) {
    args.fail(who + "must be { parameter, standard deviation } such as { L, 0.001 }, got " + described_value(L, item));
  }
  for (lua_pushnil(L); lua_next(L, item); lua_pop(L, 1)) {
    if (lua_isinteger(L, -2) && lua_tointeger(L, -2) >= 1 && lua_tointeger(L, -2) <= 2) continue;
    args.fail(who + "it has a parameter and its standard deviation alone, such as { L, 0.001 }");
  }
  lua_rawgeti(L, item, 1);
  const Expression* expression = test_userdata<Expression>(L, -1);
  if (!expression) args.fail(who + "must begin with a parameter of the model, got " + described_value(L, -1));
  if (expression->model != args.model()) args.fail(who + "the parameter is of another model");
  const std::optional<int> parameter = parameter_index(args.engine(), expression->node);
  if (!parameter) args.fail(who + "must begin with a parameter (of m:param), not with an expression");
  const std::string& name = args.engine().parameters()[static_cast<std::size_t>(*parameter)].name;
  if (std::find(out.parameters.begin(), out.parameters.end(), *parameter) != out.parameters.end()) {
    args.fail(who + "\"" + name + "\" is given twice; its deviations add up as squares");
  }
  lua_rawgeti(L, item, 2);
  const double deviation = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : std::nan("");
  if (!std::isfinite(deviation) || deviation <= 0) {
    args.fail(who + "the standard deviation of \"" + name + "\" must be a positive number, got " +
              described_value(L, -1));
  }
  lua_settop(L, item);
  out.parameters.push_back(*parameter);
  out.deviations.push_back(deviation);
}

/// d psi / dp_i sigma_i, of the derivatives by `over`, which has the parameters.
std::vector<double> scatter(const Tolerances& tolerances, const std::vector<int>& over,
                            const std::vector<double>& derivatives) {
  std::vector<double> out;
  for (std::size_t k = 0; k < tolerances.parameters.size(); ++k) {
    const auto place = std::find(over.begin(), over.end(), tolerances.parameters[k]) - over.begin();
    out.push_back(derivatives[static_cast<std::size_t>(place)] * tolerances.deviations[k]);
  }
  return out;
}

double size_of(const std::vector<double>& parts) {
  return std::sqrt(std::inner_product(parts.begin(), parts.end(), parts.begin(), 0.0));
}

}  // namespace

Field tolerances_field() {
  return {.name = tolerances_name,
          .type = Type::Tolerances,
          .text =
              "parameters that scatter, a list of { parameter, standard deviation }: what is minimized is the\n"
              "cost plus deviations times its standard deviation, to first order",
          .fallback = "{}"};
}

Tolerances read_tolerances(Args& args, lua_State* L) {
  Tolerances out;
  const int index = args.value(tolerances_name);
  if (index == 0) return out;
  if (!lua_istable(L, index)) args.fail_value(tolerances_name, index);
  check_list(args, L, tolerances_name, index);
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, index));
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, index, i);
    read_tolerance(args, L, i, out);
    lua_pop(L, 1);
  }
  out.factor = args.plain_number("deviations");
  return out;
}

sensitivity::Gradient robust_gradient(const NamedRun& run, const std::vector<double>& rho,
                                      const std::vector<int>& asked, const sensitivity::Method& method,
                                      const Tolerances& tolerances) {
  std::vector<int> all = asked;
  for (const int p : tolerances.parameters) {
    if (std::find(all.begin(), all.end(), p) == all.end()) all.push_back(p);
  }
  sensitivity::Gradient found = sensitivity::gradient(run.problem, rho, all, method);
  const std::vector<double> parts = scatter(tolerances, all, found.derivatives[0]);
  const double sigma = size_of(parts);
  found.values[0] += tolerances.factor * sigma;
  if (sigma > 0) {  // also where nothing is added: a motion without second derivatives is refused before the search
    std::vector<double> along(all.size(), 0.0);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const auto place = std::find(all.begin(), all.end(), tolerances.parameters[k]) - all.begin();
      along[static_cast<std::size_t>(place)] = tolerances.deviations[k] * parts[k] / sigma;
    }
    simulation::Problem of_cost = run.problem;
    of_cost.objectives.resize(1);
    const sensitivity::HessianProducts product = sensitivity::hessian_products(of_cost, rho, all, {along});
    for (std::size_t p = 0; p < asked.size(); ++p) {
      found.derivatives[0][p] += tolerances.factor * product.products[0][0][p];
    }
  }
  for (std::vector<double>& row : found.derivatives) row.resize(asked.size());
  return found;
}

Scatter set_tolerances(lua_State* L, const model::Model& engine, const NamedRun& run, const std::vector<double>& rho,
                       const Tolerances& tolerances, double sign) {
  simulation::Problem of_cost = run.problem;
  of_cost.objectives.resize(1);
  const std::size_t count = tolerances.parameters.size();
  std::vector<double> parts;
  Scatter out;
  std::vector<std::vector<double>> directions(count, std::vector<double>(count, 0.0));
  for (std::size_t k = 0; k < count; ++k) directions[k][k] = tolerances.deviations[k];
  const sensitivity::HessianProducts found =
      sensitivity::hessian_products(of_cost, rho, tolerances.parameters, directions);
  for (std::size_t k = 0; k < count; ++k) {
    parts.push_back(found.derivatives[0][k] * tolerances.deviations[k]);
    for (std::size_t i = 0; i < count; ++i) {
      const double curvature = found.products[k][0][i] * tolerances.deviations[i];
      out.second_order += curvature * curvature / 2;
      if (i == k) out.shift += curvature / 2;
    }
  }
  out.second_order = std::sqrt(out.second_order);
  out.first_order = size_of(parts);
  const double value = sign * found.values[0];
  out.shift *= sign;
  set_number(L, "nominal", value);
  set_number(L, "deviation", out.first_order);
  set_number(L, "second_order_deviation", out.second_order);
  set_number(L, "second_order_shift", out.shift);
  std::string text = of_cost.objectives[0]->name.substr(sign < 0 ? 1 : 0) + " = " + format::significant(value, 6) +
                     (sign < 0 ? " - " : " + ") + format::significant(tolerances.factor, 3) + " x " +
                     format::significant(out.first_order, 4) + ", its standard deviation to first order";
  lua_newtable(L);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return std::abs(parts[a]) > std::abs(parts[b]); });
  constexpr std::size_t most = 5;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& name = engine.parameters()[static_cast<std::size_t>(tolerances.parameters[order[i]])].name;
    const double share = out.first_order > 0 ? std::pow(parts[order[i]] / out.first_order, 2) : 0;
    set_number(L, name.c_str(), share);
    if (out.first_order > 0 && i < most) {
      text += (i ? ", " : ": of its square ") + format::significant(100 * share, 3) + " % by " + name;
    }
  }
  refuse_other_names(L);
  lua_setfield(L, -2, tolerances_name);
  set_text(L, "by_tolerance", text);
  return out;
}

std::string Scatter::objection() const {
  constexpr double small = 0.3;
  if (second_order <= small * first_order) return "";
  return "to first order the tolerances scatter the cost by " + format::significant(first_order, 3) +
         ", by its curvature by " + format::significant(second_order, 3) + " and move its mean by " +
         format::significant(shift, 3) +
         ": the first order does not describe it there. Experiments at values that scatter, with combine = "
         "\"mean_and_deviation\", do";
}

}  // namespace perilune::lua
