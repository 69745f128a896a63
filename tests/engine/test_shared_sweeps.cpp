// SPDX-License-Identifier: MIT
// What objectives and directions of one motion share: linearizations on the way back, and transitions of intervals.
#include <catch2/catch.hpp>
#include <cmath>

#include "gradient_check.hpp"
#include "sensitivity/second/hessian.hpp"

using namespace perilune;

namespace {

sensitivity::Gradient gradient_of(const Mechanism& mechanism, std::size_t first, std::size_t count,
                                  const sensitivity::Method& method) {
  simulation::Problem problem = mechanism.problem;
  const auto begin = mechanism.problem.objectives.begin() + static_cast<std::ptrdiff_t>(first);
  problem.objectives.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
  return sensitivity::gradient(problem, mechanism.parameters(), mechanism.over(), method);
}

Mechanism mechanism_of(const formulation::Formulation& form, const integrator::Integrator& steps) {
  Mechanism mechanism = five_bar_mechanism();
  mechanism.problem.formulation = form;
  mechanism.problem.integrator = steps;
  return mechanism;
}

struct Motion {
  formulation::Formulation form;
  integrator::Integrator steps;
};
const std::vector<Motion> motions = {
    {formulation::Maggi{}, integrator::Rk4{0.01}},
    {formulation::Maggi{}, integrator::Radau{5, 0.02, {}}},
    {formulation::CoordinatePartitioning{}, integrator::Radau{5, 0.02, {}}},
    {formulation::Maggi{}, integrator::GeneralizedAlpha{0.01}},
    {formulation::Index3{}, integrator::GeneralizedAlpha{0.01}},
    {formulation::Index1{5, 5}, integrator::Trapezoidal{0.01}},
    {formulation::Index1{5, 5}, integrator::Bdf{4, 0.005, {}}},
    {formulation::Penalty{1e5, 1, 10}, integrator::Rk4{0.01}},
};

/// The largest difference of any product, relative to the largest number of its row.
double difference(const sensitivity::HessianProducts& a, const sensitivity::HessianProducts& b) {
  double most = 0;
  for (std::size_t k = 0; k < b.products.size(); ++k) {
    for (std::size_t o = 0; o < b.products[k].size(); ++o) {
      double size = 0;
      for (const double x : b.products[k][o]) size = std::max(size, std::abs(x));
      for (std::size_t p = 0; p < b.products[k][o].size(); ++p) {
        most = std::max(most, std::abs(a.products[k][o][p] - b.products[k][o][p]) / size);
      }
    }
  }
  return most;
}

}  // namespace

TEST_CASE("a second objective costs no linearization", "[sensitivity]") {
  const auto count = [](const formulation::Formulation& form, const integrator::Integrator& steps,
                        const sensitivity::Method& method) {
    Mechanism mechanism = mechanism_of(form, steps);
    // The piecewise adjoint objects to terminal parts that read accelerations.
    std::erase_if(mechanism.problem.objectives, [&](const auto& objective) {
      simulation::Problem alone = mechanism.problem;
      alone.objectives = {objective};
      return !sensitivity::objection(alone, method).empty();
    });
    const std::size_t objectives = mechanism.problem.objectives.size();
    REQUIRE(objectives > 1);
    const auto all = gradient_of(mechanism, 0, objectives, method);
    INFO(formulation::name_of(form) << ", " << integrator::name_of(steps) << ", " << sensitivity::name_of(method));
    CHECK(all.linearizations > 0);
    for (std::size_t o = 0; o < objectives; ++o) {
      const auto alone = gradient_of(mechanism, o, 1, method);
      CHECK(alone.linearizations == all.linearizations);
      for (std::size_t p = 0; p < alone.derivatives[0].size(); ++p) {
        CHECK(alone.derivatives[0][p] == Approx(all.derivatives[o][p]).epsilon(1e-12));
      }
    }
  };
  for (const Motion& motion : motions) {
    count(motion.form, motion.steps, sensitivity::DiscreteAdjoint{0, 0, 1});
    count(motion.form, motion.steps, sensitivity::DiscreteAdjoint{0, 4, 1});
  }
  count(formulation::StabilizedIndex1{}, integrator::Radau{5, 0.02, {}}, sensitivity::PiecewiseAdjoint{4, true, 1});
}

TEST_CASE("objectives shared by threads have the bits of one", "[sensitivity]") {
  for (const Motion& motion : motions) {
    Mechanism mechanism = mechanism_of(motion.form, motion.steps);
    const auto own = mechanism.problem.objectives;
    while (mechanism.problem.objectives.size() < 11) {
      mechanism.problem.objectives.insert(mechanism.problem.objectives.end(), own.begin(), own.end());
    }
    const std::size_t objectives = mechanism.problem.objectives.size();
    const auto one = gradient_of(mechanism, 0, objectives, sensitivity::DiscreteAdjoint{0, 0, 1});
    const auto two = gradient_of(mechanism, 0, objectives, sensitivity::DiscreteAdjoint{0, 0, 2});
    CHECK(one.derivatives == two.derivatives);
  }
}

TEST_CASE("directions of second derivatives share one way back", "[sensitivity]") {
  for (const Motion& motion : motions) {
    const Mechanism mechanism = mechanism_of(motion.form, motion.steps);
    INFO(formulation::name_of(motion.form) << ", " << integrator::name_of(motion.steps));
    const std::vector<double> rho = mechanism.parameters();
    const std::vector<int> over = mechanism.over();
    const std::vector<std::vector<double>> directions = {oblique_direction(rho, 0.3), oblique_direction(rho, 2.1),
                                                         oblique_direction(rho, 1.2)};
    const auto products = [&](const std::vector<std::vector<double>>& along, const sensitivity::DiscreteAdjoint& how) {
      return sensitivity::hessian_products(mechanism.problem, rho, over, along, how);
    };
    const auto all = products(directions, {0, 0, 1}), shared = products(directions, {0, 0, 2});
    CHECK(all.products == shared.products);
    CHECK(all.derivatives == shared.derivatives);
    for (std::size_t k = 0; k < directions.size(); ++k) {
      const auto alone = products({directions[k]}, {0, 0, 1});
      CHECK(alone.products[0] == all.products[k]);
      CHECK(alone.linearizations == all.linearizations);
    }
    for (const int intervals : {1, 2, 5}) {
      CAPTURE(intervals);
      const auto parts = products(directions, {0, intervals, 1}), threads = products(directions, {0, intervals, 2});
      CHECK(difference(parts, all) < 1e-12);
      CHECK(parts.products == threads.products);
      CHECK(products({directions[1]}, {0, intervals, 1}).linearizations == parts.linearizations);
      for (std::size_t o = 0; o < all.derivatives.size(); ++o) {
        for (std::size_t p = 0; p < over.size(); ++p) {
          CHECK(parts.derivatives[o][p] == Approx(all.derivatives[o][p]).epsilon(1e-12));
        }
      }
    }
  }
}
