// SPDX-License-Identifier: MIT
#include "gradient_check.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "numbers.hpp"

using namespace perilune;
using sensitivity::Method;

double size_of(const std::vector<double>& gradient, const std::vector<double>& rho) {
  REQUIRE(gradient.size() == rho.size());
  double size = 0;
  for (std::size_t i = 0; i < rho.size(); ++i) {
    const double entry = std::max(1.0, std::abs(rho[i])) * std::abs(gradient[i]);
    if (!std::isfinite(entry)) return std::numeric_limits<double>::infinity();
    size = std::max(size, entry);
  }
  return size;
}

double difference(std::vector<double> x, const std::vector<double>& y, const std::vector<double>& rho) {
  REQUIRE(x.size() == y.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] -= y[i];
  const double error = size_of(x, rho), size = size_of(y, rho);
  if (!std::isfinite(error)) return error;
  return size > 0 ? error / size : error;
}

double difference(const Rows& x, const Rows& y, const std::vector<double>& rho) {
  REQUIRE(x.size() == y.size());
  double worst = 0;
  for (std::size_t o = 0; o < y.size(); ++o) worst = std::max(worst, difference(x[o], y[o], rho));
  return worst;
}

std::vector<double> oblique_direction(const std::vector<double>& rho, double phase) {
  std::vector<double> parts;
  for (std::size_t k = 0; k < rho.size(); ++k) parts.push_back(std::cos(phase + 1.7 * static_cast<double>(k)));
  const double size = std::sqrt(dot(parts, parts));
  for (std::size_t k = 0; k < rho.size(); ++k) parts[k] *= std::max(1.0, std::abs(rho[k])) / size;
  return parts;
}

std::vector<double> difference_along(const Mechanism& mechanism, const std::vector<double>& direction) {
  const std::vector<double> rho = mechanism.parameters();
  const auto nominal = simulation::evaluate(mechanism.problem, rho);
  sensitivity::require_complete(nominal.solution);
  auto values = [&](double h) {
    std::vector<double> moved = rho;
    for (std::size_t k = 0; k < rho.size(); ++k) moved[k] += h * direction[k];
    auto run = simulation::evaluate(mechanism.problem, moved, &nominal.solution.steps);
    sensitivity::require_complete(run.solution);
    return run.values;
  };
  return slope(values, 1e-2);
}

Rows derivatives(const Mechanism& mechanism, const Method& method) {
  return sensitivity::gradient(mechanism.problem, mechanism.parameters(), mechanism.over(), method).derivatives;
}

std::vector<Method> continuous_methods(const Mechanism& mechanism) {
  std::vector<Method> all = sensitivity::methods_offered(mechanism.problem.formulation, mechanism.problem.integrator);
  const Mechanism plain = with_plain_ends(mechanism);
  std::erase_if(all, [&](const Method& method) {
    return !sensitivity::is_continuous(method) || !sensitivity::objection(plain.problem, method).empty();
  });
  return all;
}

Mechanism with_plain_ends(Mechanism mechanism) {
  const auto all = std::move(mechanism.problem.objectives);
  mechanism.problem.objectives.clear();
  for (const auto& objective : all) {
    auto plain = std::make_shared<simulation::Objective>(*objective);
    const auto& end = plain->terminal;
    if (end && (end->reads(expr::Quantity::Acceleration) || end->reads(expr::Quantity::Multiplier))) {
      if (!plain->integral) continue;
      plain->terminal.reset();
    }
    mechanism.problem.objectives.push_back(plain);
  }
  REQUIRE(!mechanism.problem.objectives.empty());
  return mechanism;
}
