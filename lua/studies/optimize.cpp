// SPDX-License-Identifier: MIT
// model:optimize.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <mutex>

#include "base/named_values.hpp"
#include "base/table_fields.hpp"
#include "error.hpp"
#include "optimize/multi_start.hpp"
#include "runs/experiment.hpp"
#include "runs/phases.hpp"
#include "runs/specs.hpp"
#include "studies/job_progress.hpp"
#include "studies/optimum.hpp"
#include "values/expression.hpp"

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
  refuse_other_names(L);
}

/// The warnings of the runs that had any, by their points. Several threads may add to them.
class Warned {
 public:
  void add(const Eigen::VectorXd& x, const std::vector<std::string>& warnings) {
    const std::lock_guard lock(mutex_);
    list_.emplace_back(x, warnings);
  }
  std::vector<std::string> at(const Eigen::VectorXd& x) const {
    for (const auto& [point, warnings] : list_) {
      if (point == x) return warnings;
    }
    return {};
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<Eigen::VectorXd, std::vector<std::string>>> list_;
};

/// What is minimized: a gradient at every point, from a parameter set of its own.
struct Minimization {
  simulation::Problem problem;
  sensitivity::Method method;
  std::vector<double> parameters;  // of the whole model
  std::vector<int> over;
  std::vector<optimize::Variable> variables;
  std::shared_ptr<Warned> warned = std::make_shared<Warned>();

  Eigen::VectorXd present() const {
    Eigen::VectorXd x(static_cast<Eigen::Index>(over.size()));
    for (std::size_t k = 0; k < over.size(); ++k) {
      x[static_cast<Eigen::Index>(k)] = parameters[static_cast<std::size_t>(over[k])];
    }
    return x;
  }

  /// It must not outlive the minimization. Several of them may be evaluated at the same time.
  optimize::Problem from(const Eigen::VectorXd& start) const {
    optimize::Problem task{start, start, start, {}};
    if (const auto* tolerances = integrator::tolerances_of(problem.integrator)) {
      task.noise = std::max(task.noise, tolerances->relative);
    }
    for (std::size_t k = 0; k < over.size(); ++k) {
      task.lower[static_cast<Eigen::Index>(k)] = variables[k].lower;
      task.upper[static_cast<Eigen::Index>(k)] = variables[k].upper;
    }
    task.evaluate = [this, rho = parameters](const Eigen::VectorXd& x, Eigen::VectorXd& slope) mutable {
      for (std::size_t k = 0; k < over.size(); ++k) {
        rho[static_cast<std::size_t>(over[k])] = x[static_cast<Eigen::Index>(k)];
      }
      const sensitivity::Gradient found = sensitivity::gradient(problem, rho, over, method);
      if (!found.warnings.empty()) warned->add(x, found.warnings);
      slope = Eigen::Map<const Eigen::VectorXd>(found.derivatives[0].data(), x.size());
      return found.values[0];
    };
    return task;
  }
};

optimize::Result minimize_once(const Minimization& task, optimize::Options options) {
  const bool is_terminal = isatty(2) == 1;
  if (is_terminal) {
    options.on_iteration = [](const optimize::Iterate& it) {
      std::fprintf(stderr, "\r\033[Kiteration %d, objective %.6g, projected gradient %.2g", it.iteration, it.value,
                   it.projected_gradient);
      std::fflush(stderr);
    };
  }
  optimize::Result result = optimize::minimize(task.from(task.present()), options);
  if (is_terminal) std::fputs("\r\033[K", stderr);
  return result;
}

/// The present values first, then a Latin hypercube between the bounds.
std::vector<Eigen::VectorXd> start_points(const Args& args, const Minimization& task, int starts, std::uint64_t seed) {
  std::vector<Eigen::VectorXd> points{task.present()};
  try {
    for (auto& point : optimize::design_points(optimize::LatinHypercube{starts - 1, seed}, task.variables)) {
      points.push_back(Eigen::Map<const Eigen::VectorXd>(point.data(), points[0].size()));
    }
  } catch (const Error& problem) {
    args.fail(problem.what());
  }
  return points;
}

optimize::MultiStart minimize_often(const Minimization& task, const std::vector<Eigen::VectorXd>& starts,
                                    const optimize::Options& options) {
  JobProgress progress("start", starts.size());
  optimize::MultiStart found = optimize::minimize_from(
      starts, [&](const Eigen::VectorXd& start) { return task.from(start); }, options,
      [&](const optimize::Attempt& attempt) { progress.count(attempt.result.has_value()); });
  if (found.best || found.interrupted) return found;
  throw NumericalError("optimize: none of the " + std::to_string(starts.size()) +
                       " starts can be evaluated. The first: " + found.attempts[0].failure);
}

void push_result(lua_State* L, const model::Model& engine, const std::vector<int>& over,
                 const optimize::Result& result) {
  lua_newtable(L);
  set_number(L, "initial", result.initial);
  set_number(L, "final", result.value);
  set_integer(L, "iterations", result.iterations);
  set_integer(L, "evaluations", result.evaluations);
  set_text(L, "reason", word(result.reason));
  set_text(L, "message", result.message);
  push_parameters(L, engine, over, result.x);
  lua_setfield(L, -2, "parameters");
}

void set_history(lua_State* L, const model::Model& engine, const std::vector<int>& over,
                 const optimize::Result& result) {
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
}

void set_check(lua_State* L, const optimize::GradientCheck& check) {
  lua_newtable(L);
  set_number(L, "directional", check.directional);
  set_number(L, "difference", check.difference);
  set_number(L, "relative_error", check.relative_error);
  lua_setfield(L, -2, "gradient_check");
}

void set_starts(lua_State* L, const model::Model& engine, const std::vector<int>& over,
                const optimize::MultiStart& found) {
  lua_newtable(L);
  for (std::size_t k = 0; k < found.attempts.size(); ++k) {
    const optimize::Attempt& attempt = found.attempts[k];
    if (attempt.result) {
      push_result(L, engine, over, *attempt.result);
    } else {
      lua_newtable(L);
      set_text(L, "failure", attempt.failure);
    }
    push_parameters(L, engine, over, attempt.start);
    lua_setfield(L, -2, "from");
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
  print_starts(L, engine, over, found);
  lua_setfield(L, -2, "starts");
  set_integer(L, "start", static_cast<lua_Integer>(*found.best) + 1);
}

}  // namespace

int optimize_parameters(lua_State* L) {
  Args args(L);
  Minimization task;
  task.problem = read_problem(args, L);
  bool is_list = false;
  task.problem.objectives = read_objectives(args, L, "minimize", is_list);
  if (task.problem.objectives.size() != 1) args.fail("minimize takes one objective");
  task.over = read_parameters(args, L, "over");
  task.method = read_spec<sensitivity::Method>(args, L, "method", sensitivity::DiscreteAdjoint{});
  const auto options = read_spec<optimize::Options>(args, L, "optimizer", {});
  const int starts = args.integer("starts");
  const std::uint64_t seed = args.seed("seed");
  args.check_all_read();
  if (starts > 1'000'000) args.fail("starts must be at most 1 million, got " + std::to_string(starts));
  task.parameters = args.model()->parameter_values();
  model::Model& engine = args.engine();
  task.variables = design_variables(engine, task.over);

  optimize::MultiStart found;
  if (starts == 1) {
    found.attempts.push_back({task.present(), minimize_once(task, options), ""});
    found.best = 0;
    found.interrupted = found.attempts[0].result->reason == optimize::Reason::Interrupted;
  } else {
    const auto points = start_points(args, task, starts, seed);
    found = minimize_often(task, points, options);
  }
  if (found.best) {
    const Eigen::VectorXd& x = found.attempts[*found.best].result->x;
    for (std::size_t k = 0; k < task.over.size(); ++k) {
      engine.set_parameter(task.over[k], x[static_cast<Eigen::Index>(k)]);
    }
  }
  if (found.interrupted) throw Interrupted();

  const optimize::Result& best = *found.attempts[*found.best].result;
  std::vector<int> without_effect;
  for (std::size_t k = 0; k < task.over.size(); ++k) {
    if (best.gradient[static_cast<Eigen::Index>(k)] == 0) without_effect.push_back(task.over[k]);
  }
  warn_of_idle_parameters(L, engine, without_effect);
  push_result(L, engine, task.over, best);
  const std::vector<std::string> warnings = task.warned->at(best.x);
  print_warnings(L, warnings);
  set_names(L, "warnings", warnings);
  set_history(L, engine, task.over, best);
  if (best.gradient_check) set_check(L, *best.gradient_check);
  if (starts > 1) set_starts(L, engine, task.over, found);
  make_optimum(L, engine, task.over, best);
  return 1;
}

}  // namespace perilune::lua
