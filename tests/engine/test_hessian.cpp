// SPDX-License-Identifier: MIT
// Second derivatives of objectives against differences of exact gradients, and their symmetry.
#include <catch2/catch.hpp>
#include <cmath>

#include "gradient_check.hpp"
#include "numbers.hpp"
#include "sensitivity/second/hessian.hpp"

using namespace perilune;

namespace {

/// Extrapolated differences of the discrete gradient along a direction.
Rows differences(const simulation::Problem& problem, const std::vector<double>& rho, const std::vector<int>& over,
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
  simulation::Problem& problem = mechanism.problem;
  problem.formulation = form;
  problem.integrator = method;
  const std::vector<double> rho = mechanism.parameters();
  const std::vector<int> over = mechanism.over();
  INFO(mechanism.name << ", " << formulation::name_of(form) << ", " << integrator::name_of(method));
  const std::vector<double> u = oblique_direction(rho, 0.3), v = oblique_direction(rho, 2.1);
  const auto both = sensitivity::hessian_products(problem, rho, over, {u, v});
  const auto gradient = sensitivity::gradient(problem, rho, over, sensitivity::DiscreteAdjoint{});
  const Rows reference = differences(problem, rho, over, u);
  for (std::size_t o = 0; o < reference.size(); ++o) {
    CAPTURE(problem.objectives[o]->name);
    const std::vector<double>& product = both.products[0][o];
    double size = 0;
    for (std::size_t k = 0; k < over.size(); ++k) {
      size += std::abs(product[k] * v[k]);
      CHECK(both.derivatives[o][k] == Approx(gradient.derivatives[o][k]).epsilon(1e-12));
    }
    CHECK(difference(product, reference[o], rho) < 1e-7);
    CHECK(std::abs(dot(product, v) - dot(both.products[1][o], u)) < 1e-11 * size);
  }
}

}  // namespace

TEST_CASE("second derivatives of whole simulations", "[sensitivity]") {
  for (Mechanism (*make)() :
       {five_bar_mechanism, four_bar_mechanism, spatial_pendulum_mechanism, planar_forces_mechanism,
        rubbing_crank_mechanism, driven_linkage_mechanism, trailer_mechanism}) {
    check(make(), formulation::Penalty{1e5, 1, 10}, integrator::Rk4{0.01});
    check(make(), formulation::Index1{5, 5}, integrator::Radau{5, 0.02, {}});
    check(make(), formulation::Index3{}, integrator::GeneralizedAlpha{0.01});
    check(make(), formulation::Maggi{}, integrator::Rk4{0.01});
    check(make(), formulation::Maggi{}, integrator::Trapezoidal{0.01});
    check(make(), formulation::CoordinatePartitioning{}, integrator::Rk4{0.01});
    check(make(), formulation::CoordinatePartitioning{}, integrator::Radau{5, 0.02, {}});
  }
  check(five_bar_mechanism(), formulation::Maggi{}, integrator::GeneralizedAlpha{0.01});
  check(five_bar_mechanism(), formulation::Index1{}, integrator::Trapezoidal{0.01});
  check(five_bar_mechanism(), formulation::Index1{}, integrator::Sdirk4{0.02});
}

TEST_CASE("second derivatives of motions that start at rest", "[sensitivity]") {
  Mechanism mechanism = planar_net_mechanism();
  mechanism.problem.start_from = analysis::StartFrom::Rest;
  check(mechanism, formulation::Maggi{}, integrator::Radau{5, 0.02, {}});
  check(mechanism, formulation::Index1{5, 5}, integrator::Rk4{0.01});
}
