// Every formulation with every integrator and every sensitivity method, on several mechanisms.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "gradient_check.hpp"

using namespace perilune;
using sensitivity::Gradient;

namespace {

integrator::Integrator refined(const integrator::Integrator& method) {
  integrator::Integrator finer = method;
  if (auto* rk4 = std::get_if<integrator::Rk4>(&finer)) rk4->step /= 2;
  if (auto* trapezoidal = std::get_if<integrator::Trapezoidal>(&finer)) trapezoidal->step /= 2;
  if (auto* sdirk = std::get_if<integrator::Sdirk4>(&finer)) sdirk->step /= 2;
  if (auto* adaptive = std::get_if<integrator::DormandPrince>(&finer)) {
    adaptive->tolerances.relative /= 100;
    adaptive->tolerances.absolute /= 100;
  }
  return finer;
}

struct Allowed {
  double continuous;  // difference of the continuous methods from the discrete ones
  double decrease;    // at most this much of it is left when the integration is refined
};

void check(Mechanism mechanism, const formulation::Formulation& form, const integrator::Integrator& method,
           const Allowed& allowed) {
  sensitivity::Problem& problem = mechanism.problem;
  problem.formulation = form;
  problem.integrator = method;
  const std::vector<double> rho = mechanism.parameters();
  const std::vector<int> over = mechanism.over();
  const auto* penalty = std::get_if<formulation::Penalty>(&form);
  INFO(mechanism.name << ", " << formulation::name_of(form) << (penalty ? " " + std::to_string(penalty->alpha) : "")
                      << ", " << integrator::name_of(method));

  auto run = [&](const sensitivity::Method& which) { return sensitivity::gradient(problem, rho, over, which); };
  const Gradient direct = run(sensitivity::DiscreteDirect{}), adjoint = run(sensitivity::DiscreteAdjoint{});
  const Gradient extrapolated = run(sensitivity::FiniteDifference{4e-3, 2});
  auto gaps_to_discrete = [&] {
    const auto reference = run(sensitivity::DiscreteAdjoint{}).derivatives;
    return std::pair(difference(run(sensitivity::ContinuousDirect{}).derivatives, reference, rho),
                     difference(run(sensitivity::ContinuousAdjoint{}).derivatives, reference, rho));
  };
  REQUIRE(direct.derivatives.size() == problem.objectives.size());
  for (std::size_t o = 0; o < problem.objectives.size(); ++o) {
    CAPTURE(problem.objectives[o]->name);
    CHECK(direct.values[o] == adjoint.values[o]);
    CHECK(difference(direct.derivatives[o], adjoint.derivatives[o], rho) < 1e-10);
    CHECK(difference(direct.derivatives[o], extrapolated.derivatives[o], rho) < 1e-7);
    CHECK(difference(adjoint.derivatives[o], extrapolated.derivatives[o], rho) < 1e-7);
  }
  const auto [direct_gap, adjoint_gap] = gaps_to_discrete();
  problem.integrator = refined(method);
  const auto [finer_direct_gap, finer_adjoint_gap] = gaps_to_discrete();
  // The trapezoidal rule on the tangent equations is the tangent of the trapezoidal rule: no gap at all.
  constexpr double rounding = 1e-9;
  CHECK(direct_gap < allowed.continuous);
  CHECK(adjoint_gap < allowed.continuous);
  CHECK(finer_direct_gap < std::max(rounding, allowed.decrease * direct_gap));
  CHECK(finer_adjoint_gap < std::max(rounding, allowed.decrease * adjoint_gap));
}

void check_all(Mechanism (*make)()) {
  for (const formulation::Formulation& form : std::initializer_list<formulation::Formulation>{
           formulation::Penalty{1e9, 1, 10}, formulation::Penalty{1e5, 1, 10}, formulation::Index1{},
           formulation::Index1{5, 5}}) {
    check(make(), form, integrator::Rk4{0.01}, {3e-5, 1 / 10.0});
    check(make(), form, integrator::DormandPrince{1e-7, 1e-8}, {2e-6, 1 / 20.0});
    check(make(), form, integrator::Trapezoidal{0.01}, {2e-2, 1 / 3.0});
    check(make(), form, integrator::Sdirk4{0.02}, {1e-3, 1 / 10.0});
  }
}

}  // namespace

TEST_CASE("gradient table: all methods agree on the five-bar", "[sensitivity]") { check_all(five_bar_mechanism); }
TEST_CASE("gradient table: all methods agree on the four-bar", "[sensitivity]") { check_all(four_bar_mechanism); }
TEST_CASE("gradient table: all methods agree on the spatial pendulum", "[sensitivity]") {
  check_all(spatial_pendulum_mechanism);
}
TEST_CASE("gradient table: all methods agree on the planar net", "[sensitivity]") { check_all(planar_net_mechanism); }
TEST_CASE("gradient table: all methods agree on the spatial net", "[sensitivity]") { check_all(spatial_net_mechanism); }
TEST_CASE("gradient table: all methods agree on planar forces by law", "[sensitivity]") {
  check_all(planar_forces_mechanism);
}
TEST_CASE("gradient table: all methods agree on spatial forces by law", "[sensitivity]") {
  check_all(spatial_forces_mechanism);
}
TEST_CASE("gradient table: all methods agree on the driven linkage", "[sensitivity]") {
  check_all(driven_linkage_mechanism);
}
TEST_CASE("gradient table: all methods agree on the spatial joints", "[sensitivity]") {
  check_all(spatial_joints_mechanism);
}
