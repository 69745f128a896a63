// SPDX-License-Identifier: MIT
// A gradient entry does not depend on what else is asked for: other parameters, other objectives, other data.
#include <catch2/catch.hpp>
#include <cmath>

#include "mechanisms.hpp"
#include "model/body/points.hpp"
#include "model/force/springs.hpp"
#include "model/place/places.hpp"

using namespace perilune;
using expr::Symbol;
using integrator::DormandPrince;
using integrator::Rk4;
using integrator::Trapezoidal;

namespace {

const integrator::Integrator integrators[] = {Rk4{0.01}, DormandPrince{1e-7, 1e-8}, Trapezoidal{0.01}};
const sensitivity::Method methods[] = {sensitivity::FiniteDifference{1e-4, 0}, sensitivity::DiscreteDirect{},
                                       sensitivity::DiscreteAdjoint{}, sensitivity::ContinuousDirect{},
                                       sensitivity::ContinuousAdjoint{}};

/// The continuous equations share the adaptive method's error control, so they share its steps.
bool shares_steps(const integrator::Integrator& integrator, const sensitivity::Method& method) {
  return std::holds_alternative<DormandPrince>(integrator) &&
         (std::holds_alternative<sensitivity::ContinuousDirect>(method) ||
          std::holds_alternative<sensitivity::ContinuousAdjoint>(method));
}

/// A point on a bar with a spring; the first `count` of its eight numbers are parameters.
Mechanism pendulum_with_spring(int count) {
  Mechanism mechanism("pendulum with a spring", {0, -9.81});
  model::Model& m = *mechanism.model;
  int declared = 0;
  auto number = [&](double value) {
    const int index = declared++;
    return index < count ? mechanism.parameter("p" + std::to_string(index), value) : Symbol(value);
  };
  const Symbol mass = number(1.3), k = number(40), free = number(0.6), damping = number(0.7), x = number(0.8),
               y = number(-0.5), pivot = number(0.1), speed = number(0.4);
  const model::Place P = add_point(m, "P", {x, y}, {0.0, speed}, mass);
  add_bar(m, "bar", ground_place(m, {pivot, 0.0}), P, 0.5, nullptr);
  add_spring(m, "s", ground_place(m, {-0.5, 0.3}), P, k, &free, damping, 0.0);
  mechanism.compile();
  mechanism.problem.independent = {0};
  mechanism.problem.end = 0.4;
  mechanism.both("mixed", mechanism.signal("P.vx") * mechanism.signal("bar.lambda"),
                 mechanism.signal("P.y") * mechanism.signal("P.ay"));
  return mechanism;
}

}  // namespace

TEST_CASE("a gradient entry does not depend on the other parameters asked for", "[sensitivity]") {
  Mechanism mechanism = planar_net_mechanism();  // eight parameters
  const std::vector<double> rho = mechanism.parameters();
  REQUIRE(rho.size() == 8);
  for (const auto& integrator : integrators) {
    mechanism.problem.integrator = integrator;
    for (const auto& method : methods) {
      if (shares_steps(integrator, method)) continue;
      CAPTURE(integrator::name_of(integrator), sensitivity::name_of(method));
      const auto all = sensitivity::gradient(mechanism.problem, rho, mechanism.over(), method);
      for (const std::vector<int>& over : {std::vector<int>{5}, {6, 2}, {0, 7, 3}, {7, 6, 5, 4, 3, 2, 1, 0}}) {
        const auto some = sensitivity::gradient(mechanism.problem, rho, over, method);
        REQUIRE(some.values == all.values);
        for (std::size_t o = 0; o < all.derivatives.size(); ++o) {
          REQUIRE(some.derivatives[o].size() == over.size());
          for (std::size_t i = 0; i < over.size(); ++i) {
            CHECK(some.derivatives[o][i] == all.derivatives[o][static_cast<std::size_t>(over[i])]);
          }
        }
      }
    }
  }
}

TEST_CASE("the gradient of an objective does not depend on the other objectives", "[sensitivity]") {
  Mechanism mechanism = spatial_net_mechanism();
  const std::vector<double> rho = mechanism.parameters();
  const auto objectives = mechanism.problem.objectives;
  for (const auto& integrator : integrators) {
    mechanism.problem.integrator = integrator;
    for (const auto& method : methods) {
      if (shares_steps(integrator, method)) continue;
      CAPTURE(integrator::name_of(integrator), sensitivity::name_of(method));
      mechanism.problem.objectives = objectives;
      const auto together = sensitivity::gradient(mechanism.problem, rho, {0, 4, 6}, method);
      for (std::size_t o = 0; o < objectives.size(); ++o) {
        CAPTURE(objectives[o]->name);
        mechanism.problem.objectives = {objectives[o]};
        const auto alone = sensitivity::gradient(mechanism.problem, rho, {0, 4, 6}, method);
        CHECK(alone.values[0] == together.values[o]);
        CHECK(alone.derivatives[0] == together.derivatives[o]);
      }
    }
  }
}

TEST_CASE("a gradient entry does not depend on how many numbers of the model are parameters", "[sensitivity]") {
  for (const auto& integrator : integrators) {
    for (const auto& method : methods) {
      if (shares_steps(integrator, method)) continue;
      CAPTURE(integrator::name_of(integrator), sensitivity::name_of(method));
      Mechanism full = pendulum_with_spring(8);
      full.problem.integrator = integrator;
      const auto all = sensitivity::gradient(full.problem, full.parameters(), full.over(), method);
      double largest = 0;
      for (double entry : all.derivatives[0]) largest = std::max(largest, std::abs(entry));
      // The same sums, but constants may be folded in another order: rounding, magnified by the difference's step.
      const double rounding = std::holds_alternative<sensitivity::FiniteDifference>(method) ? 1e-10 : 1e-12;
      for (int count : {1, 2, 3}) {
        Mechanism part = pendulum_with_spring(count);
        part.problem.integrator = integrator;
        const auto some = sensitivity::gradient(part.problem, part.parameters(), part.over(), method);
        REQUIRE(some.derivatives[0].size() == static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
          CHECK(std::abs(some.derivatives[0][i] - all.derivatives[0][i]) < rounding * largest);
        }
      }
    }
  }
}
