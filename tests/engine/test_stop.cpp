// SPDX-License-Identifier: MIT
// Runs that end where a function of the motion becomes zero, and their gradients.
#include <catch2/catch.hpp>
#include <cmath>

#include "mechanisms.hpp"
#include "model/body/points.hpp"

using namespace perilune;
using expr::Symbol;

namespace {

/// A body thrown upwards with speed v against gravity g; it lands on a floor of height z0 + f.
Mechanism throw_upwards() {
  Mechanism mechanism("throw", {0, 0, -9.81});
  const Symbol v = mechanism.parameter("v", 6.0), floor = mechanism.parameter("floor", 0.5);
  add_point(*mechanism.model, "P", {0.0, 0.0, 1.0}, {2.0, 0.0, v}, 0.7);
  mechanism.compile();
  mechanism.problem.end = 10;
  mechanism.stop("landing", mechanism.signal("P.z") - floor);
  mechanism.terminal("range", mechanism.signal("P.x"));
  mechanism.both("time and path", mechanism.signal("t"), mechanism.signal("P.z"));
  return mechanism;
}

/// x', x'' of the landing time T(v, f): 1 + v T - g T^2 / 2 = f.
struct Landing {
  double T, in_v, in_f, path, path_in_v, path_in_f;
  explicit Landing(double v, double f) {
    const double g = 9.81;
    T = (v + std::sqrt(v * v + 2 * g * (1 - f))) / g;
    const double speed = v - g * T;
    in_v = -T / speed;
    in_f = 1 / speed;
    path = T + v * T * T / 2 - g * T * T * T / 6;
    path_in_v = T * T / 2 + f * in_v;
    path_in_f = f * in_f;
  }
};

}  // namespace

TEST_CASE("a run ends where its stop condition becomes zero, with exact gradients", "[sensitivity]") {
  const Landing exact(6, 0.5);
  for (const integrator::Integrator& method : std::initializer_list<integrator::Integrator>{
           integrator::Rk4{0.03}, integrator::DormandPrince{}, integrator::Radau{5, 0.04, {}},
           integrator::Rosenbrock{4, 0.04, {}}, integrator::Rosenbrock{}, integrator::Bdf{5, 0.02, {}},
           integrator::Bdf{5, 0, {1e-9, 1e-11, 0, 0.02}}}) {
    Mechanism mechanism = throw_upwards();
    mechanism.problem.integrator = method;
    INFO(integrator::name_of(method));
    const bool is_exact = !std::holds_alternative<integrator::Bdf>(method);  // a parabola, for all but their starts
    const double tolerance = is_exact ? 1e-10 : 2e-5;
    // Adaptive steps are controlled by the motion alone, which formulas of second order find exactly.
    const double of_path = integrator::fixed_step(method) == 0 && !is_exact ? 1e-3 : tolerance;
    const auto run = simulation::evaluate(mechanism.problem, mechanism.parameters());
    REQUIRE(run.solution.stop);
    CHECK(run.solution.message == "the stop condition became zero");
    CHECK(run.solution.mesh.t.back() == Approx(exact.T).epsilon(tolerance));
    CHECK(run.values[0] == Approx(2 * exact.T).epsilon(tolerance));
    CHECK(run.values[1] == Approx(exact.T + exact.path).epsilon(of_path));
    for (const sensitivity::Method& how : sensitivity::methods_offered(mechanism.problem, run)) {
      INFO(sensitivity::name_of(how));
      const auto result = sensitivity::gradient(mechanism.problem, mechanism.parameters(), mechanism.over(), how);
      CHECK(result.derivatives[0][0] == Approx(2 * exact.in_v).epsilon(100 * tolerance));
      CHECK(result.derivatives[0][1] == Approx(2 * exact.in_f).epsilon(100 * tolerance));
      CHECK(result.derivatives[1][0] == Approx(exact.in_v + exact.path_in_v).epsilon(is_exact ? 1e-8 : 2e-3));
      CHECK(result.derivatives[1][1] == Approx(exact.in_f + exact.path_in_f).epsilon(is_exact ? 1e-8 : 2e-3));
    }
  }
}

TEST_CASE("a stop condition that is never met leaves the run as it is, without gradients", "[sensitivity]") {
  Mechanism mechanism = throw_upwards();
  mechanism.problem.end = 0.2;
  const auto run = simulation::evaluate(mechanism.problem, mechanism.parameters());
  CHECK_FALSE(run.solution.stop);
  CHECK(run.solution.mesh.t.back() == 0.2);
  CHECK_THROWS_WITH(sensitivity::gradient(mechanism.problem, mechanism.parameters(), mechanism.over(),
                                          sensitivity::DiscreteAdjoint{}),
                    Catch::Matchers::Contains("the stop condition was not met"));
}
