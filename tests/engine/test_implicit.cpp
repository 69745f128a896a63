// Implicit Runge-Kutta methods: order on a constrained motion against an accurate one, and steps that do not feel the
// stiffness.
#include <catch2/catch.hpp>
#include <cmath>

#include "mechanisms.hpp"

using namespace perilune;
using expr::Symbol;
using integrator::DormandPrince;
using integrator::Sdirk4;
using integrator::Trapezoidal;

namespace {

/// Largest difference of positions and velocities at the end from those of an accurate explicit run.
double end_error(Mechanism mechanism, const integrator::Integrator& method) {
  auto end_of = [&](const integrator::Integrator& which) {
    mechanism.problem.formulation = formulation::Index1{};
    mechanism.problem.integrator = which;
    const auto run = sensitivity::evaluate(mechanism.problem, mechanism.parameters());
    REQUIRE(run.solution.status == integrator::Status::Completed);
    const integrator::Mesh& mesh = run.solution.mesh;
    std::vector<double> end(mesh.q_at(mesh.size() - 1), mesh.q_at(mesh.size() - 1) + mesh.n);
    end.insert(end.end(), mesh.v_at(mesh.size() - 1), mesh.v_at(mesh.size() - 1) + mesh.n);
    return end;
  };
  const std::vector<double> exact = end_of(DormandPrince{1e-12, 1e-13}), got = end_of(method);
  double worst = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) worst = std::max(worst, std::abs(got[i] - exact[i]));
  return worst;
}

/// A mass on a spring of 1e7 N/m with a strong damper, carried along by a slow push: the fast part dies at once.
Mechanism stiff_mass() {
  Mechanism mechanism("stiff mass", {0, 0});
  model::Model& m = *mechanism.model;
  const model::Place P = m.add_point("P", {1.0, 0.0}, {0.0, 0.0}, 1.0);
  const Symbol free = 1.0 + 0.1 * sin(Symbol(m.graph(), m.time()));
  const Symbol stretch = mechanism.signal("P.x") - free;
  m.add_force("spring", P, {-1e7 * stretch - 2e4 * mechanism.signal("P.vx"), -mechanism.signal("P.y")}, {});
  mechanism.compile();
  mechanism.problem.end = 2;
  return mechanism;
}

}  // namespace

TEST_CASE("implicit methods have their order on constrained motions", "[integrator]") {
  for (Mechanism (*make)() : {four_bar_mechanism, driven_linkage_mechanism, spatial_joints_mechanism}) {
    INFO(make().name);
    const double four = std::log2(end_error(make(), Sdirk4{0.02}) / end_error(make(), Sdirk4{0.01}));
    CHECK(four > 3.6);
    CHECK(four < 4.6);
    const double two = std::log2(end_error(make(), Trapezoidal{0.01}) / end_error(make(), Trapezoidal{0.005}));
    CHECK(two > 1.9);
    CHECK(two < 2.1);
  }
}

TEST_CASE("the step of an L-stable method does not feel the stiffness", "[integrator]") {
  // The slow motion: x'' + 2e4 x' + 1e7 (x - 1 - 0.1 sin t) = 0 has the rates 513 and 19487 1/s, of which nothing is
  // left after the first steps; the particular solution in closed form. An explicit method would need 14,000 steps.
  const double k = 1e7, c = 2e4, t = 2, real = k - 1, size = real * real + c * c;
  const double expected = 1 + 0.1 * k * (real * std::sin(t) - c * std::cos(t)) / size;
  auto error = [&](double step) {
    Mechanism mechanism = stiff_mass();
    mechanism.problem.formulation = formulation::Index1{};
    mechanism.problem.integrator = Sdirk4{step};
    const auto run = sensitivity::evaluate(mechanism.problem, {});
    REQUIRE(run.solution.status == integrator::Status::Completed);
    const integrator::Mesh& mesh = run.solution.mesh;
    return std::abs(mesh.q_at(mesh.size() - 1)[0] - expected);
  };
  const double coarse = error(0.1);
  CHECK(coarse < 1e-4 * 0.1);  // of the amplitude
  CHECK(error(0.05) <
        coarse / 3);  // stages of order 1: at least order 2 where the step is far above the time constants
}
