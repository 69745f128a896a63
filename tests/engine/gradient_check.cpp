#include "gradient_check.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace perilune;

double difference(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& rho) {
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double scale = std::max(1.0, std::abs(rho[i]));
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, scale * std::abs(x[i] - y[i]));
    largest = std::max(largest, scale * std::abs(y[i]));
  }
  return largest > 0 ? worst / largest : worst;
}

double difference(const std::vector<std::vector<double>>& x, const std::vector<std::vector<double>>& y,
                  const std::vector<double>& rho) {
  REQUIRE(x.size() == y.size());
  double worst = 0;
  for (std::size_t o = 0; o < y.size(); ++o) worst = std::max(worst, difference(x[o], y[o], rho));
  return worst;
}

void check_discrete_gradients(Mechanism mechanism, const Integration& how, double step) {
  sensitivity::Problem& problem = mechanism.problem;
  problem.formulation = how.formulation;
  problem.integrator = how.integrator;
  INFO(mechanism.name << ", " << how.name());
  const std::vector<double> rho = mechanism.parameters();
  auto run = [&](const sensitivity::Method& which) {
    return sensitivity::gradient(problem, rho, mechanism.over(), which);
  };
  const auto direct = run(sensitivity::DiscreteDirect{}), adjoint = run(sensitivity::DiscreteAdjoint{});
  const auto extrapolated = run(sensitivity::FiniteDifference{step, 2});
  REQUIRE(direct.derivatives.size() == problem.objectives.size());
  for (std::size_t o = 0; o < problem.objectives.size(); ++o) {
    CAPTURE(problem.objectives[o]->name);
    CHECK(direct.values[o] == adjoint.values[o]);
    CHECK(difference(direct.derivatives[o], adjoint.derivatives[o], rho) < 1e-10);
    CHECK(difference(direct.derivatives[o], extrapolated.derivatives[o], rho) < 1e-7);
  }
}
