// SPDX-License-Identifier: MIT
// What m:optimize minimizes, as functions for the optimizers.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "fingerprint.hpp"
#include "optimize/variables.hpp"
#include "ranks/each.hpp"
#include "studies/minimization.hpp"
#include "studies/optimization_journal.hpp"

namespace perilune::lua {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double Minimization::noise() const {
  const auto* of_steps = integrator::tolerances_of(experiments[0].problem.integrator);
  return std::max(optimize::Problem{}.noise, of_steps ? of_steps->relative : 0);
}

VectorXd Minimization::present() const {
  VectorXd x(static_cast<Index>(over.size()));
  for (std::size_t k = 0; k < over.size(); ++k) {
    x[static_cast<Index>(k)] = parameters[static_cast<std::size_t>(over[k])];
  }
  return x;
}

std::vector<double> Minimization::parameters_at(const VectorXd& x) const {
  std::vector<double> rho = parameters;
  for (std::size_t k = 0; k < over.size(); ++k) {
    rho[static_cast<std::size_t>(over[k])] = x[static_cast<Index>(k)];
  }
  return rho;
}

std::vector<sensitivity::Gradient> Minimization::gradients_at(const VectorXd& x, const sensitivity::Method& by) const {
  const std::vector<double> rho = parameters_at(x);
  return of_each(x, [&](const NamedRun& experiment) {
    if (!tolerances.empty()) return robust_gradient(experiment, rho, over, by, tolerances);
    return gradient_of(experiment, rho, over, by);
  });
}

std::vector<sensitivity::Gradient> Minimization::values_at(const VectorXd& x) const {
  if (!tolerances.empty()) return gradients_at(x, method);  // the deviation is made of them
  const std::vector<double> rho = parameters_at(x);
  return of_each(x, [&](const NamedRun& experiment) { return values_of(experiment, rho); });
}

std::vector<sensitivity::Gradient> Minimization::of_each(
    const VectorXd& x, const std::function<sensitivity::Gradient(const NamedRun&)>& run) const {
  std::vector<sensitivity::Gradient> found;
  if (experiments.size() == 1) {
    found = {run(experiments[0])};
  } else {
    const auto title = [&] {
      const std::string at = Fingerprint().add(fingerprint).add(parameters_at(x)).text();
      return "an evaluation of " + std::to_string(experiments.size()) + " experiments (" + at + ")";
    };
    found = ranks::compute_each<sensitivity::Gradient>(title, experiments.size(),
                                                       [&](std::size_t e) { return run(experiments[e]); });
  }
  keep_warnings(x, found);
  return found;
}

void Minimization::keep_warnings(const VectorXd& x, const std::vector<sensitivity::Gradient>& found) const {
  std::vector<std::string> warnings;
  for (const sensitivity::Gradient& g : found) warnings.insert(warnings.end(), g.warnings.begin(), g.warnings.end());
  if (!warnings.empty()) warned->add(head_of(x), warnings);
}

std::vector<sensitivity::Gradient> Minimization::asked_by(std::size_t number, const VectorXd& x,
                                                          bool has_gradients) const {
  const auto run = [&] { return has_gradients ? gradients_at(x, method) : values_at(x); };
  if (!journal) return run();
  bool is_live = false;
  auto found = journal->evaluation(number, has_gradients ? "gradients" : "values", head_of(x), {}, [&] {
    is_live = true;
    return run();
  });
  if (!is_live) keep_warnings(x, found);
  return found;
}

double Minimization::combined(const std::vector<sensitivity::Gradient>& found, VectorXd& slope) const {
  const auto n = static_cast<Index>(over.size());
  const bool has_gradients = !found[0].derivatives.empty();
  if (experiments[0].name.empty()) {
    if (has_gradients) slope = Eigen::Map<const VectorXd>(found[0].derivatives[0].data(), n);
    return found[0].values[0];
  }
  VectorXd costs(static_cast<Index>(found.size()));
  MatrixXd slopes = MatrixXd::Zero(costs.size(), n);
  for (Index e = 0; e < costs.size(); ++e) {
    const sensitivity::Gradient& run = found[static_cast<std::size_t>(e)];
    costs[e] = run.values[0];
    if (has_gradients) slopes.row(e) = Eigen::Map<const Eigen::RowVectorXd>(run.derivatives[0].data(), n);
  }
  return combination.value(experiments, costs, slopes, slope);
}

optimize::Problem Minimization::from(const VectorXd& start, std::size_t number) const {
  optimize::Problem task{start, start, start, {}};
  task.noise = noise();
  task.maximizes = sign < 0;
  for (std::size_t k = 0; k < over.size(); ++k) {
    task.lower[static_cast<Index>(k)] = variables[k].lower;
    task.upper[static_cast<Index>(k)] = variables[k].upper;
  }
  task.evaluate = [this, number](const VectorXd& x, VectorXd& slope) {
    return combined(asked_by(number, x, true), slope);
  };
  return task;
}

/// What the variables do to the weighted costs, over their scales; where they do nothing, the size of the costs.
double Minimization::reach_of_costs(const std::vector<sensitivity::Gradient>& found,
                                    const optimize::Problem& bounded) const {
  const VectorXd scales = optimize::variable_scales(bounded.start, bounded.lower, bounded.upper);
  double reach = 0, size = 0;
  for (std::size_t e = 0; e < found.size(); ++e) {
    const Eigen::Map<const VectorXd> slope(found[e].derivatives[0].data(), scales.size());
    reach = std::max(reach, experiments[e].weight * slope.cwiseProduct(scales).lpNorm<Eigen::Infinity>());
    size = std::max(size, experiments[e].weight * std::abs(found[e].values[0]));
  }
  return reach > 0 ? reach : size > 0 ? size : 1;
}

optimize::ConstrainedProblem Minimization::limited_from(const VectorXd& start, std::size_t number) const {
  optimize::ConstrainedProblem task;
  const optimize::Problem bounded = from(start);
  const auto n = static_cast<Index>(over.size()), m = static_cast<Index>(subject_to.limits.size());
  task.start = bounded.start.cwiseMax(bounded.lower).cwiseMin(bounded.upper);
  task.lower = bounded.lower;
  task.upper = bounded.upper;
  task.noise = bounded.noise;
  task.maximizes = bounded.maximizes;
  task.constraints = subject_to.limits;
  for (const optimize::Variable& v : variables) task.names.push_back(v.name);
  double worst = 0, reach = 1;
  if (is_minimax()) {
    VectorXd slope;
    const std::vector<sensitivity::Gradient> found = asked_by(number, task.start, true);
    worst = combined(found, slope);
    reach = reach_of_costs(found, bounded);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const auto& [numbers, last] :
         {std::pair(&task.start, 0.0), std::pair(&task.lower, -infinity), std::pair(&task.upper, infinity)}) {
      numbers->conservativeResize(n + 1);
      (*numbers)[n] = last;
    }
    task.names.emplace_back("the worst of the experiments");
    for (const NamedRun& e : experiments) {
      task.constraints.push_back({.name = "the cost of " + e.name, .upper = 0, .scale = reach});
    }
  }
  task.evaluate = [this, number, n, m, worst, reach](const VectorXd& x, VectorXd& values, MatrixXd& jacobian) {
    const bool has_gradients = jacobian.size() > 0;
    const std::vector<sensitivity::Gradient> found = asked_by(number, x, has_gradients);
    evaluate_limits(subject_to, found, parameters_at(x), over, values, jacobian);
    if (!is_minimax()) {
      VectorXd slope;
      values[0] = combined(found, slope);
      if (has_gradients) jacobian.row(0) = slope;
      return;
    }
    const double z = worst + reach * x[n];
    values[0] = z;
    jacobian(0, n) = reach;
    for (std::size_t e = 0; e < experiments.size(); ++e) {
      const Index row = 1 + m + static_cast<Index>(e);
      const double weight = experiments[e].weight;
      values[row] = weight * found[e].values[0] - z;
      jacobian.row(row).head(n) = weight * Eigen::Map<const Eigen::RowVectorXd>(found[e].derivatives[0].data(), n);
      jacobian(row, n) = -reach;
    }
  };
  return task;
}

optimize::NewtonProblem Minimization::newton_from(const VectorXd& start, std::size_t number) const {
  return {from(start, number), [this, number](const VectorXd& x, const VectorXd& direction) -> VectorXd {
            const auto run = [&] {
              const std::vector<double> along(direction.data(), direction.data() + direction.size());
              const auto found = sensitivity::hessian_products(experiments[0].problem, parameters_at(x), over, {along});
              sensitivity::Gradient product;
              product.values = found.products[0][0];
              return std::vector<sensitivity::Gradient>{std::move(product)};
            };
            const auto found = journal ? journal->evaluation(number, "product", x, direction, run) : run();
            return Eigen::Map<const VectorXd>(found[0].values.data(), x.size());
          }};
}

void turn_signs(Found& found) {
  for (optimize::Attempt& attempt : found.all.attempts) {
    if (!attempt.result) continue;
    // 0 - x, so that nothing is -0.
    attempt.result->initial = 0 - attempt.result->initial;
    attempt.result->value = 0 - attempt.result->value;
    attempt.result->least_curvature = 0 - attempt.result->least_curvature;
    for (optimize::Iterate& it : attempt.result->history) it.value = 0 - it.value;
  }
}

}  // namespace perilune::lua
