// model:optimize.
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "error.hpp"
#include "experiment.hpp"
#include "expression.hpp"
#include "optimum.hpp"
#include "specs.hpp"
#include "table_fields.hpp"

namespace perilune::lua {

namespace {

const char* word(optimize::Reason reason) {
  switch (reason) {
    case optimize::Reason::ProjectedGradient:
      return "projected_gradient";
    case optimize::Reason::RelativeDecrease:
      return "relative_decrease";
    case optimize::Reason::EvaluationLimit:
      return "evaluation_limit";
    case optimize::Reason::Stalled:
      return "stalled";
    case optimize::Reason::Interrupted:
      return "interrupted";
  }
  return "";
}

void push_parameters(lua_State* L, const model::Model& engine, const std::vector<int>& over, const Eigen::VectorXd& x) {
  lua_newtable(L);
  for (std::size_t k = 0; k < over.size(); ++k) {
    set_number(L, engine.parameters()[static_cast<std::size_t>(over[k])].name.c_str(), x[static_cast<Eigen::Index>(k)]);
  }
}

}  // namespace

int optimize_parameters(lua_State* L) {
  Args args(L);
  sensitivity::Problem problem = read_problem(args, L);
  bool is_list = false;
  problem.objectives = read_objectives(args, L, "minimize", is_list);
  if (problem.objectives.size() != 1) args.fail("minimize takes one objective");
  const std::vector<int> over = read_parameters(args, L, "over");
  const auto method = read_spec<sensitivity::Method>(args, L, "method", sensitivity::DiscreteAdjoint{});
  auto options = read_spec<optimize::Options>(args, L, "optimizer", {});
  args.check_all_read();

  model::Model& engine = args.engine();
  const ModelPtr model = args.model();
  optimize::Problem task;
  const auto n = static_cast<Eigen::Index>(over.size());
  task.start.resize(n);
  task.lower.resize(n);
  task.upper.resize(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const model::Parameter& p = engine.parameters()[static_cast<std::size_t>(over[static_cast<std::size_t>(k)])];
    task.start[k] = p.value;
    task.lower[k] = p.lower;
    task.upper[k] = p.upper;
  }
  std::vector<double> rho = model->parameter_values();
  task.evaluate = [&](const Eigen::VectorXd& x, Eigen::VectorXd& slope) {
    for (Eigen::Index k = 0; k < n; ++k) rho[static_cast<std::size_t>(over[static_cast<std::size_t>(k)])] = x[k];
    const sensitivity::Gradient result = sensitivity::gradient(problem, rho, over, method);
    slope = Eigen::Map<const Eigen::VectorXd>(result.derivatives[0].data(), n);
    return result.values[0];
  };
  const bool is_terminal = isatty(2) == 1;
  if (is_terminal) {
    options.on_iteration = [](const optimize::Iterate& it) {
      std::fprintf(stderr, "\r\033[Kiteration %d, objective %.6g, projected gradient %.2g", it.iteration, it.value,
                   it.projected_gradient);
      std::fflush(stderr);
    };
  }
  const optimize::Result result = optimize::minimize(task, options);
  if (is_terminal) std::fputs("\r\033[K", stderr);
  for (Eigen::Index k = 0; k < n; ++k) engine.set_parameter(over[static_cast<std::size_t>(k)], result.x[k]);
  if (result.reason == optimize::Reason::Interrupted) throw Interrupted();

  lua_newtable(L);
  set_number(L, "initial", result.initial);
  set_number(L, "final", result.value);
  set_integer(L, "iterations", result.iterations);
  set_integer(L, "evaluations", result.evaluations);
  lua_pushstring(L, word(result.reason));
  lua_setfield(L, -2, "reason");
  lua_pushstring(L, result.message.c_str());
  lua_setfield(L, -2, "message");
  push_parameters(L, engine, over, result.x);
  lua_setfield(L, -2, "parameters");
  lua_newtable(L);
  for (std::size_t k = 0; k < result.history.size(); ++k) {
    const optimize::Iterate& it = result.history[k];
    lua_newtable(L);
    set_integer(L, "iteration", it.iteration);
    set_integer(L, "evaluations", it.evaluations);
    set_number(L, "value", it.value);
    set_number(L, "projected_gradient", it.projected_gradient);
    push_parameters(L, engine, over, it.x);
    lua_setfield(L, -2, "parameters");
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
  lua_setfield(L, -2, "history");
  if (result.gradient_check) {
    lua_newtable(L);
    set_number(L, "directional", result.gradient_check->directional);
    set_number(L, "difference", result.gradient_check->difference);
    set_number(L, "relative_error", result.gradient_check->relative_error);
    lua_setfield(L, -2, "gradient_check");
  }
  make_optimum(L, engine, over, result);
  return 1;
}

}  // namespace perilune::lua
