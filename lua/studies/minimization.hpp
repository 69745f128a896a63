// SPDX-License-Identifier: MIT
// What m:optimize minimizes, and the searches for it.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "error.hpp"
#include "optimize/multi_start.hpp"
#include "runs/specs.hpp"
#include "sensitivity/discrete/hessian.hpp"
#include "simulation/run.hpp"
#include "studies/subject_to.hpp"

namespace perilune::lua {

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
  SubjectTo subject_to;
  std::shared_ptr<Warned> warned = std::make_shared<Warned>();

  Eigen::VectorXd present() const {
    Eigen::VectorXd x(static_cast<Eigen::Index>(over.size()));
    for (std::size_t k = 0; k < over.size(); ++k) {
      x[static_cast<Eigen::Index>(k)] = parameters[static_cast<std::size_t>(over[k])];
    }
    return x;
  }

  std::vector<double> parameters_at(const Eigen::VectorXd& x) const {
    std::vector<double> rho = parameters;
    for (std::size_t k = 0; k < over.size(); ++k) {
      rho[static_cast<std::size_t>(over[k])] = x[static_cast<Eigen::Index>(k)];
    }
    return rho;
  }

  sensitivity::Gradient gradient_at(const Eigen::VectorXd& x, const sensitivity::Method& by) const {
    sensitivity::Gradient found = sensitivity::gradient(problem, parameters_at(x), over, by);
    if (!found.warnings.empty()) warned->add(x, found.warnings);
    return found;
  }

  /// Without derivatives.
  sensitivity::Gradient values_at(const Eigen::VectorXd& x) const {
    simulation::Evaluation run = simulation::evaluate(problem, parameters_at(x));
    sensitivity::require_complete(run.solution);
    if (problem.stop && !run.solution.stop) throw NumericalError("the stop condition was not met before the end time");
    if (!run.warnings.empty()) warned->add(x, run.warnings);
    return {run.values, {}, run.solution.statistics, 0, run.warnings};
  }

  double noise() const {
    const auto* tolerances = integrator::tolerances_of(problem.integrator);
    return std::max(optimize::Problem{}.noise, tolerances ? tolerances->relative : 0);
  }

  /// As `from`, with the limits.
  optimize::ConstrainedProblem limited_from(const Eigen::VectorXd& start) const {
    optimize::ConstrainedProblem task;
    const optimize::Problem bounded = from(start);
    task.start = bounded.start;
    task.lower = bounded.lower;
    task.upper = bounded.upper;
    task.noise = bounded.noise;
    task.constraints = subject_to.limits;
    for (const optimize::Variable& v : variables) task.names.push_back(v.name);
    task.evaluate = [this](const Eigen::VectorXd& x, Eigen::VectorXd& values, Eigen::MatrixXd& jacobian) {
      const sensitivity::Gradient found = jacobian.size() > 0 ? gradient_at(x, method) : values_at(x);
      evaluate_limits(subject_to, found, parameters_at(x), over, values, jacobian);
    };
    return task;
  }

  /// It must not outlive the minimization. Several of them may be evaluated at the same time.
  optimize::Problem from(const Eigen::VectorXd& start) const {
    optimize::Problem task{start, start, start, {}};
    task.noise = noise();
    for (std::size_t k = 0; k < over.size(); ++k) {
      task.lower[static_cast<Eigen::Index>(k)] = variables[k].lower;
      task.upper[static_cast<Eigen::Index>(k)] = variables[k].upper;
    }
    task.evaluate = [this](const Eigen::VectorXd& x, Eigen::VectorXd& slope) {
      const sensitivity::Gradient found = gradient_at(x, method);
      slope = Eigen::Map<const Eigen::VectorXd>(found.derivatives[0].data(), x.size());
      return found.values[0];
    };
    return task;
  }

  /// The same with second derivatives.
  optimize::NewtonProblem newton_from(const Eigen::VectorXd& start) const {
    return {from(start), [this](const Eigen::VectorXd& x, const Eigen::VectorXd& direction) -> Eigen::VectorXd {
              const std::vector<double> along(direction.data(), direction.data() + direction.size());
              const auto found = sensitivity::hessian_product(problem, parameters_at(x), over, along);
              return Eigen::Map<const Eigen::VectorXd>(found.products[0].data(), x.size());
            }};
  }
};

/// What the two kinds of search have in common.
struct Found {
  optimize::MultiStart all;
  std::vector<std::optional<optimize::ConstrainedResult>> limited;  // by attempt; empty without limits
};

/// From each of the starts, on all processors where there are several. Throws NumericalError where none can be
/// evaluated, and Error where the problem makes no sense.
Found minimize(const Minimization& task, const Optimizer& optimizer, const std::vector<Eigen::VectorXd>& starts);

}  // namespace perilune::lua
