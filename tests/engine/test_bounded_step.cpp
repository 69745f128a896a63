// SPDX-License-Identifier: MIT
// The pieces of least squares by themselves: the step within bounds and a radius, and the correction for a loss.
#include <random>

#include "least_squares_problems.hpp"
#include "optimize/fit/bounded_step.hpp"

using namespace least_squares_test;

namespace {

// A model whose columns may depend on each other, in a box around no step at all.
LinearModel random_model(std::mt19937& random, bool is_dependent) {
  const auto uniform = [&](double from, double to) {
    return from + (to - from) * (static_cast<double>(random()) / 4294967296.0);
  };
  const Index n = 2 + static_cast<Index>(random() % 7), m = n + static_cast<Index>(random() % 5);
  LinearModel model{MatrixXd::NullaryExpr(m, n, [&] { return uniform(-1, 1); }),
                    VectorXd::NullaryExpr(m, [&] { return uniform(-2, 2); }), all(n, -infinity), all(n, infinity)};
  if (is_dependent) model.matrix.col(1) = -2 * model.matrix.col(0);
  for (Index i = 0; i < n; ++i) {
    if (random() % 3 > 0) model.lower[i] = random() % 3 ? -uniform(0, 0.5) : 0;
    if (random() % 3 > 0) model.upper[i] = random() % 3 ? uniform(0, 0.5) : 0;
  }
  return model;
}

double cost_of(const LinearModel& model, const VectorXd& t) {
  return 0.5 * (model.residuals + model.matrix * t).squaredNorm();
}

}  // namespace

TEST_CASE("Damped steps within a box satisfy the optimality conditions", "[least_squares]") {
  std::mt19937 random(29);
  for (int trial = 0; trial < 500; ++trial) {
    const bool is_dependent = trial % 4 == 0;
    const LinearModel model = random_model(random, is_dependent);
    const double damping = trial % 3 == 0 ? 0 : std::pow(10, trial % 5 - 3);
    const BoundedStep step = damped_step(model, damping);
    INFO("trial " << trial << ", damping " << damping);
    const VectorXd gradient = model.matrix.transpose() * (model.residuals + model.matrix * step.t) + damping * step.t;
    for (Index i = 0; i < step.t.size(); ++i) {
      CHECK(step.t[i] >= model.lower[i]);
      CHECK(step.t[i] <= model.upper[i]);
      if (step.t[i] > model.lower[i]) CHECK(gradient[i] < 1e-10);
      if (step.t[i] < model.upper[i]) CHECK(gradient[i] > -1e-10);
    }
    CHECK(step.promise == Approx(cost_of(model, VectorXd::Zero(step.t.size())) - cost_of(model, step.t)).margin(1e-13));
  }
}

TEST_CASE("Trusted steps are as long as the radius, and none of that length is better", "[least_squares]") {
  std::mt19937 random(31);
  std::normal_distribution<double> normal;
  int shortened = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const LinearModel model = random_model(random, trial % 4 == 0);
    const double whole = damped_step(model, 0).t.norm();
    const double radius = std::pow(10, trial % 6 - 5) * whole;
    const BoundedStep step = trusted_step(model, radius);
    INFO("trial " << trial);
    if (whole == 0) continue;
    CHECK(step.t.norm() == Approx(radius).epsilon(0.1001));
    shortened += step.damping > 0;
    const Index n = step.t.size();
    for (int other = 0; other < 20; ++other) {
      VectorXd t = step.t + 0.3 * radius * VectorXd::NullaryExpr(n, [&] { return normal(random); });
      t = t.cwiseMax(model.lower).cwiseMin(model.upper);
      if (t.norm() > step.t.norm()) t *= step.t.norm() / t.norm();
      CHECK(cost_of(model, t) >= cost_of(model, step.t) - 1e-13);
    }
  }
  CHECK(shortened > 100);
}

TEST_CASE("Residuals corrected for a loss have its gradient and its curvature", "[least_squares]") {
  const auto kind = GENERATE(RobustLoss::Kind::Huber, RobustLoss::Kind::SoftL1, RobustLoss::Kind::Cauchy);
  const RobustLoss loss{kind, 1.5};
  // One variable moves one residual; the cost is differentiated by differences. Curvature below a tenth of the weight
  // is not followed.
  for (const double residual : {-9.0, -1.2, -0.3, 0.0, 0.4, 1.1, 1.4, 4.0}) {
    const auto cost = [&](double x) { return robust_cost(loss, vec({residual + 2 * x})); };
    const double h = 1e-4, gradient = (cost(h) - cost(-h)) / (2 * h);
    const double curvature = (cost(h) - 2 * cost(0) + cost(-h)) / (h * h);
    VectorXd r = vec({residual});
    MatrixXd jacobian = MatrixXd::Constant(1, 1, 2);
    correct_for_loss(loss, r, jacobian);
    INFO(residual);
    CHECK(jacobian(0, 0) * r[0] == Approx(gradient).margin(1e-6));
    const double least = residual == 0 ? 0 : 0.1 * gradient * 2 / residual;  // 4 rho' / 10
    CHECK(jacobian(0, 0) * jacobian(0, 0) == Approx(std::max(curvature, least)).margin(1e-5));
  }
}
