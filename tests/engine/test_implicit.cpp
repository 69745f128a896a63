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

/// A mass of 1 kg on a critically damped spring with the double rate `rate` (1/s), whose other end moves slowly.
Mechanism stiff_mass(double rate) {
  Mechanism mechanism("stiff mass", {0, 0});
  model::Model& m = *mechanism.model;
  const model::Place P = m.add_point("P", {1.0, 0.0}, {0.0, 0.0}, 1.0);
  const Symbol free = 1.0 + 0.1 * sin(Symbol(m.graph(), m.time()));
  const Symbol stretch = mechanism.signal("P.x") - free;
  m.add_force("spring", P, {-rate * rate * stretch - 2 * rate * mechanism.signal("P.vx"), -mechanism.signal("P.y")},
              {});
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
  // x'' + c x' + k (x - 1 - 0.1 sin t) = 0 with k = r^2 and c = 2 r: of the fast motion nothing is left after the first
  // steps; the particular solution in closed form. Explicit methods need steps below 3 / r.
  auto error = [](double rate) {
    const double k = rate * rate, c = 2 * rate, t = 2, real = k - 1, size = real * real + c * c;
    const double expected = 1 + 0.1 * k * (real * std::sin(t) - c * std::cos(t)) / size;
    Mechanism mechanism = stiff_mass(rate);
    mechanism.problem.formulation = formulation::Index1{};
    mechanism.problem.integrator = Sdirk4{0.1};
    const auto run = sensitivity::evaluate(mechanism.problem, {});
    REQUIRE(run.solution.status == integrator::Status::Completed);
    REQUIRE(run.solution.statistics.steps == 20);
    const integrator::Mesh& mesh = run.solution.mesh;
    return std::abs(mesh.q_at(mesh.size() - 1)[0] - expected);
  };
  // Stages of order 1 leave an error of the size of h / r times the slow motion.
  for (double rate : {1e4, 1e5, 1e6}) CHECK(error(rate) < 0.1 * 0.1 / rate);
}
