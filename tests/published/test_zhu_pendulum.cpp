// SPDX-License-Identifier: MIT
// Acceptance problem P: a damped pendulum in natural coordinates, with the printed objectives, gradients and state of
// the DAE and of the penalty form (alpha = 1000). The only tolerance is one unit of the last printed digit: half of it
// for the rounding of the print and half for the error of the printed solution. (The psi2 entries of L and g are off by
// 0.66 and 0.54 units, as the solution in the pendulum's angle shows; nothing else needs more than half a unit.)
#include <catch2/catch.hpp>
#include <limits>

#include "engine/mechanisms.hpp"
#include "model/body/points.hpp"
#include "model/force/forces.hpp"
#include "model/joint/joints.hpp"
#include "model/place/places.hpp"
#include "printed.hpp"
#include "sensitivity/continuous/continuous.hpp"

using namespace perilune;
using expr::Symbol;

namespace {

Mechanism damped_pendulum() {
  Mechanism mechanism("damped pendulum", {0, -9.81});
  model::Model& m = *mechanism.model;
  const Symbol mass = mechanism.parameter("m", 2, "kg"), L = mechanism.parameter("L", 1.5, "m"),
               c = mechanism.parameter("c", 0.3, "N s/m"), g = mechanism.parameter("g", 9.81, "m/s^2");
  m.set_gravity({0.0, -g});
  // x0 is fixed; y0 is declared off the circle, so that it has to come from the constraint.
  const model::Place P = add_point(m, "P", {0.9, -1.1}, {0.0, 0.0}, mass);
  add_distance(m, "rod", ground_place(m, {0.0, 0.0}), P, &L);
  const Symbol x = mechanism.signal("P.x"), vx = mechanism.signal("P.vx"), vy = mechanism.signal("P.vy");
  add_force(m, "drag", P, {-c * vx, -c * vy}, {});
  mechanism.compile();
  mechanism.problem.independent = {0};
  mechanism.problem.end = 1;
  const Symbol ax = mechanism.signal("P.ax"), ay = mechanism.signal("P.ay"), lambda = mechanism.signal("rod.lambda");
  mechanism.integral("psi1", x * x + 0.1 * vy * vy);
  mechanism.both("psi2", vy * vy, x * vy);
  mechanism.both("psi3", lambda, 0.1 * (ax * ax + ay * ay) + lambda * lambda);
  return mechanism;
}

/// Different forms of the same motion.
const formulation::Formulation dae_forms[] = {formulation::Index1{}, formulation::Maggi{},
                                              formulation::CoordinatePartitioning{}};

struct Row {
  Printed value;
  std::vector<Printed> gradient;  // m, L, c, g
};

/// The objectives are compared only with a method that takes them.
void check_row(Mechanism mechanism, const sensitivity::Method& method, std::size_t o, const Row& row) {
  mechanism.problem.objectives = {mechanism.problem.objectives[o]};
  const simulation::Problem& problem = mechanism.problem;
  if (!sensitivity::objection(problem, method).empty()) return;
  const auto got = sensitivity::gradient(problem, mechanism.parameters(), mechanism.over(), method);
  CAPTURE(problem.objectives[0]->name, got.values[0], row.value.value);
  CHECK(matches(got.values[0], row.value, 0.5));
  for (std::size_t i = 0; i < 4; ++i) {
    CAPTURE(i, got.derivatives[0][i], row.gradient[i].value);
    CHECK(matches(got.derivatives[0][i], row.gradient[i], 0.5));
  }
}

/// By every method that goes with the formulation.
void check_table(const formulation::Formulation& form, const std::vector<integrator::Integrator>& integrators,
                 const std::vector<Row>& table) {
  Mechanism mechanism = damped_pendulum();
  mechanism.problem.formulation = form;
  for (const auto& integrator : integrators) {
    mechanism.problem.integrator = integrator;
    for (const auto& method : sensitivity::methods_offered(form, integrator)) {
      if (std::holds_alternative<sensitivity::FiniteDifference>(method)) continue;
      CAPTURE(formulation::name_of(form), integrator::name_of(integrator), sensitivity::name_of(method));
      for (std::size_t o = 0; o < table.size(); ++o) check_row(mechanism, method, o, table[o]);
    }
  }
}

const std::vector<integrator::Integrator> explicit_ones{integrator::Rk4{5e-4}, integrator::DormandPrince{1e-12, 1e-13}};
const std::vector<Row> printed_dae{
    {"0.3576878081", {"7.193418707e-3", "-0.1296503989", "-4.795612471e-2", "1.011296782e-2"}},
    {"0.1060905276", {"4.898406007e-2", "-0.1376295100", "-0.3265604005", "-4.000889111e-2"}},
    {"65.373903921", {"61.04457383", "-102.3317703", "-6.430702829", "11.70629945"}}};

}  // namespace

TEST_CASE("damped pendulum: printed objectives and gradients of the DAE", "[published]") {
  for (const auto& form : dae_forms) check_table(form, explicit_ones, printed_dae);
  check_table(formulation::Index3{}, {integrator::Radau{5, 1e-4, {}}}, printed_dae);
}

TEST_CASE("damped pendulum: the DAE against the solution in the pendulum's angle", "[published]") {
  // theta'' = -g/L sin(theta) - c/m theta', lambda from its definition, by a Taylor series method in 30 digits;
  // gradients by extrapolated differences of that solution. It knows no coordinates, constraints or sensitivity
  // equations.
  const double exact[3][5] = {
      {0.3576878081144154, 0.007193418707028017, -0.1296503988886102, -0.04795612471352011, 0.01011296782359956},
      {0.1060905275597423, 0.04898406007320086, -0.1376295099338519, -0.3265604004880057, -0.04000889111542977},
      {65.37390392086415, 61.044573833813, -102.3317702738958, -6.430702829040947, 11.7062994528083}};
  Mechanism mechanism = damped_pendulum();
  mechanism.problem.formulation = formulation::Index1{};
  mechanism.problem.integrator = integrator::Rk4{5e-4};
  const auto got = sensitivity::gradient(mechanism.problem, mechanism.parameters(), mechanism.over(),
                                         sensitivity::DiscreteAdjoint{});
  for (std::size_t o = 0; o < 3; ++o) {
    CAPTURE(o);
    CHECK(got.values[o] == Approx(exact[o][0]).epsilon(1e-11));
    for (std::size_t i = 0; i < 4; ++i) {
      CAPTURE(i);
      CHECK(got.derivatives[o][i] == Approx(exact[o][i + 1]).epsilon(1e-10));
    }
  }
}

TEST_CASE("damped pendulum: printed objectives and gradients of the penalty form", "[published]") {
  check_table(formulation::Penalty{1000, 1, 10}, explicit_ones,
              {{"0.3576919125", {"7.195147198e-3", "-0.1296527388", "-4.795396626e-2", "1.011266891e-2"}},
               {"0.1060970810", {"4.899075607e-2", "-0.1377625689", "-0.3265832023", "-3.999464139e-2"}},
               {"65.372372361", {"61.04226093", "-102.3260374", "-6.430634549", "11.70591173"}}});
}

TEST_CASE("damped pendulum: printed state of the DAE at the end", "[published]") {
  Mechanism mechanism = damped_pendulum();
  mechanism.problem.integrator = integrator::Rk4{5e-4};
  for (const auto& form : dae_forms) {
    CAPTURE(formulation::name_of(form));
    mechanism.problem.formulation = form;
    const auto run = simulation::evaluate(mechanism.problem, mechanism.parameters());
    CHECK(run.initial.q[0] == Approx(0.9).epsilon(1e-14));
    CHECK(run.initial.q[1] == Approx(-1.2).epsilon(1e-14));
    const integrator::Mesh& mesh = run.solution.mesh;
    const std::size_t last = mesh.size() - 1;
    CHECK(mesh.t[last] == 1);
    CHECK(matches(mesh.q_at(last)[0], "-0.67369432"));
    CHECK(matches(mesh.q_at(last)[1], "-1.34019997"));
    CHECK(matches(mesh.v_at(last)[0], "-1.19790252"));
    CHECK(matches(mesh.v_at(last)[1], "0.60216396"));
    CHECK(matches(mesh.a_at(last)[0], "4.65449288"));
    CHECK(matches(mesh.a_at(last)[1], "-0.99845812"));
    CHECK(matches(mesh.lambda_at(last)[0], "6.64219271"));
  }
}

TEST_CASE("damped pendulum: only the start's height depends on the length", "[published]") {
  // dy0/dL = L / y0 = -1.25 with x0 kept; the velocity stays zero.
  Mechanism mechanism = damped_pendulum();
  const auto start = simulation::prepare(mechanism.problem, mechanism.parameters());
  analysis::Assembly assembly(mechanism.problem.system, mechanism.problem.independent);
  const system::System& system = *mechanism.problem.system;
  for (std::size_t parameter = 0; parameter < 4; ++parameter) {
    CAPTURE(parameter);
    std::vector<double> unit(4, 0.0), dd(static_cast<std::size_t>(system.data_count()));
    unit[parameter] = 1;
    system.data_tangent(*start.data, unit.data(), dd.data());
    double dq[2], dv[2];
    assembly.tangents(0, *start.data, start.initial, 1, dd.data(), dq, dv);
    CHECK(std::abs(dq[0]) < 1e-12);
    CHECK(dq[1] == Approx(parameter == 1 ? -1.25 : 0.0).margin(1e-12));
    CHECK(std::abs(dv[0]) + std::abs(dv[1]) < 1e-12);
  }
}

TEST_CASE("damped pendulum: printed terminal values of the index-3 and index-1 adjoints", "[published]") {
  Mechanism mechanism = damped_pendulum();
  mechanism.problem.objectives = {mechanism.problem.objectives[1]};
  mechanism.problem.formulation = formulation::Index1{};
  mechanism.problem.integrator = integrator::Rk4{5e-4};
  const simulation::Problem& problem = mechanism.problem;
  const auto run = sensitivity::forward_run(problem, mechanism.parameters(), false);
  sensitivity::LinearizedMotion motion(problem, run);
  const Printed mu[] = {"-0.24163772", "0.12146692"}, mu_rate[] = {"0.36681198", "0.08616795"};
  const Printed minus_eta = "-0.35867561", gamma = "-0.03948494";
  for (const auto& make :
       {sensitivity::index1_approach1, sensitivity::index1_approach2, sensitivity::index3_second_order}) {
    sensitivity::AdjointBundle bundle(problem, run, motion.dynamics());
    motion.at(1);
    const auto equations = make(problem, motion);
    std::vector<double> y(equations->size());
    equations->begin(0, bundle, y.data());
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(matches(y[i], mu[i]));
      CHECK(matches(y[2 + i], mu_rate[i]));
    }
    if (y.size() == 4) continue;  // index-3 keeps no multipliers
    CHECK(matches(y[4], minus_eta));
    CHECK(matches(y[5], gamma));
  }
}
