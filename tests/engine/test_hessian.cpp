// Second derivatives of objectives against differences of exact gradients, and their symmetry.
#include <catch2/catch.hpp>
#include <cmath>

#include "mechanisms.hpp"
#include "numbers.hpp"
#include "sensitivity/hessian.hpp"

using namespace perilune;

namespace {

using Rows = std::vector<std::vector<double>>;

/// Extrapolated differences of the discrete gradient along a direction.
Rows differences(const sensitivity::Problem& problem, const std::vector<double>& rho, const std::vector<int>& over,
                 const std::vector<double>& direction) {
  auto gradients = [&](double h) {
    std::vector<double> moved = rho, all;
    for (std::size_t k = 0; k < over.size(); ++k) moved[static_cast<std::size_t>(over[k])] += h * direction[k];
    const auto at = sensitivity::gradient(problem, moved, over, sensitivity::DiscreteAdjoint{});
    for (const auto& row : at.derivatives) all.insert(all.end(), row.begin(), row.end());
    return all;
  };
  const std::vector<double> all = slope(gradients, 4e-3);
  Rows rows;
  for (auto row = all.begin(); row != all.end();) {
    const auto next = row + static_cast<std::ptrdiff_t>(over.size());
    rows.emplace_back(row, next);
    row = next;
  }
  return rows;
}

void check(Mechanism mechanism, const formulation::Formulation& form, const integrator::Integrator& method) {
  sensitivity::Problem& problem = mechanism.problem;
  problem.formulation = form;
  problem.integrator = method;
  const std::vector<double> rho = mechanism.parameters();
  const std::vector<int> over = mechanism.over();
  INFO(mechanism.name << ", " << formulation::name_of(form) << ", " << integrator::name_of(method));
  // Directions of relative changes, so that all parameters matter alike.
  auto direction = [&](double phase) {
    std::vector<double> u;
    for (std::size_t k = 0; k < over.size(); ++k) {
      u.push_back(std::cos(phase + 1.7 * static_cast<double>(k)) *
                  std::max(1.0, std::abs(rho[static_cast<std::size_t>(over[k])])));
    }
    return u;
  };
  const std::vector<double> u = direction(0.3), v = direction(2.1);
  const auto along_u = sensitivity::hessian_product(problem, rho, over, u);
  const auto along_v = sensitivity::hessian_product(problem, rho, over, v);
  const auto gradient = sensitivity::gradient(problem, rho, over, sensitivity::DiscreteAdjoint{});
  const Rows reference = differences(problem, rho, over, u);
  for (std::size_t o = 0; o < reference.size(); ++o) {
    CAPTURE(problem.objectives[o]->name);
    double worst = 0, largest = 0, uv = 0, vu = 0, size = 0;
    for (std::size_t k = 0; k < over.size(); ++k) {
      const double scale = std::max(1.0, std::abs(rho[static_cast<std::size_t>(over[k])]));
      worst = std::max(worst, scale * std::abs(along_u.products[o][k] - reference[o][k]));
      largest = std::max(largest, scale * std::abs(reference[o][k]));
      uv += along_u.products[o][k] * v[k];
      vu += along_v.products[o][k] * u[k];
      size += std::abs(along_u.products[o][k] * v[k]);
      CHECK(along_u.derivatives[o][k] == Approx(gradient.derivatives[o][k]).epsilon(1e-12));
    }
    CHECK(worst < 1e-7 * largest);
    CHECK(std::abs(uv - vu) < 1e-9 * size);
  }
}

}  // namespace

TEST_CASE("second derivatives of whole simulations", "[sensitivity]") {
  for (Mechanism (*make)() : {five_bar_mechanism, four_bar_mechanism, spatial_pendulum_mechanism,
                              planar_forces_mechanism, driven_linkage_mechanism}) {
    check(make(), formulation::Penalty{1e5, 1, 10}, integrator::Rk4{0.01});
    check(make(), formulation::Index1{5, 5}, integrator::Radau{5, 0.02, {}});
    check(make(), formulation::Index3{}, integrator::GeneralizedAlpha{0.01});
  }
  check(five_bar_mechanism(), formulation::Index1{}, integrator::Trapezoidal{0.01});
  check(five_bar_mechanism(), formulation::Index1{}, integrator::Sdirk4{0.02});
}
