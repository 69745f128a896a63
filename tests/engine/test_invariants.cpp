// SPDX-License-Identifier: MIT
// What mechanics promises whatever the method: energy, momentum, drift, time reversal, and motions in closed form.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "mechanisms.hpp"
#include "model/body/bodies.hpp"
#include "model/body/points.hpp"
#include "model/force/springs.hpp"
#include "model/joint/joints.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"

using namespace perilune;
using expr::Symbol;
using integrator::DormandPrince;
using integrator::Mesh;
using integrator::Rk4;
using integrator::Trapezoidal;
using model::Place;

namespace {

simulation::Evaluation simulate(Mechanism& mechanism, const integrator::Integrator& method, double end,
                                const formulation::Formulation& form = formulation::Index1{}) {
  if (!mechanism.problem.system) mechanism.compile();
  mechanism.problem.integrator = method;
  mechanism.problem.formulation = form;
  mechanism.problem.end = end;
  auto run = simulation::evaluate(mechanism.problem, mechanism.parameters());
  REQUIRE(run.solution.status == integrator::Status::Completed);
  return run;
}

/// A signal at every mesh point.
std::vector<double> history(Mechanism& mechanism, const simulation::Evaluation& run, const Symbol& signal) {
  const system::Measure measure(mechanism.model->graph(), {signal.in(mechanism.model->graph())});
  std::vector<double> work = measure.make_work(), values;
  const Mesh& mesh = run.solution.mesh;
  for (std::size_t k = 0; k < mesh.size(); ++k) {
    measure.evaluate(
        {mesh.t[k], mesh.q_at(k), mesh.v_at(k), mesh.a_at(k), mesh.lambda_at(k), run.data->parameters.data()}, work);
    values.push_back(measure.value(work, 0));
  }
  return values;
}

double largest_deviation(const std::vector<double>& values) {
  double worst = 0;
  for (double x : values) worst = std::max(worst, std::abs(x - values.front()));
  return worst;
}

/// Two bars in a chain and a spring; nothing dissipates.
Mechanism conservative_chain() {
  Mechanism mechanism("chain", {0, -9.81});
  model::Model& m = *mechanism.model;
  const Place A = ground_place(m, {0.0, 0.0});
  const Place P = add_point(m, "P", {0.8, -0.6}, {0.6, 0.8}, 0.2);
  const Place Q = add_point(m, "Q", {1.6, -0.3}, {0.6, 0.8}, 0.3);
  add_bar(m, "b1", A, P, 1.0, nullptr);
  add_bar(m, "b2", P, Q, 0.7, nullptr);
  const Symbol free = 1.2;
  add_spring(m, "s", ground_place(m, {2.0, 0.5}), Q, 30.0, &free, 0.0, 0.0);
  return mechanism;
}

Mechanism free_top() {
  Mechanism mechanism("top", {0, 0, -9.81});
  add_spatial_body(*mechanism.model, "B", 2.0, {0.3, 0.5, 0.75, 0.04, -0.03, 0.02}, {0.1, -0.2, 0.3},
                   {0.8, 0.4, -0.3, 0.2}, {1.0, 2.0, 3.0}, {0.3, 4.0, 0.5});
  return mechanism;
}

/// Angular momentum in space about the centre of mass, from the definition: A J omega'.
std::vector<Symbol> angular_momentum(Mechanism& mechanism) {
  const double J[3][3] = {{0.3, 0.04, -0.03}, {0.04, 0.5, 0.02}, {-0.03, 0.02, 0.75}};
  const Symbol e0 = mechanism.signal("B.e0"), e1 = mechanism.signal("B.e1"), e2 = mechanism.signal("B.e2"),
               e3 = mechanism.signal("B.e3");
  const Symbol w[3] = {mechanism.signal("B.omega_x"), mechanism.signal("B.omega_y"), mechanism.signal("B.omega_z")};
  const Symbol A[3][3] = {{e0 * e0 + e1 * e1 - e2 * e2 - e3 * e3, 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)},
                          {2 * (e1 * e2 + e0 * e3), e0 * e0 - e1 * e1 + e2 * e2 - e3 * e3, 2 * (e2 * e3 - e0 * e1)},
                          {2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), e0 * e0 - e1 * e1 - e2 * e2 + e3 * e3}};
  std::vector<Symbol> out;
  for (const auto& row : A) {
    Symbol sum = 0.0;
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) sum += row[j] * J[j][k] * w[k];
    }
    out.push_back(sum);
  }
  return out;
}

}  // namespace

TEST_CASE("energy is conserved to the integrator's order", "[invariant]") {
  auto change = [](const integrator::Integrator& method) {
    Mechanism mechanism = conservative_chain();
    const auto run = simulate(mechanism, method, 1);
    return largest_deviation(history(mechanism, run, mechanism.signal("energy.total")));
  };
  const double rk4 = std::log2(change(Rk4{0.01}) / change(Rk4{0.005}));
  CHECK(rk4 > 3.5);
  CHECK(rk4 < 5.5);  // dissipation of RK4 is one order smaller than its error
  const double trapezoidal = std::log2(change(Trapezoidal{0.01}) / change(Trapezoidal{0.005}));
  CHECK(trapezoidal > 1.9);
  CHECK(trapezoidal < 2.1);
  CHECK(change(DormandPrince{1e-10, 1e-12}) < 1e-7);
  Mechanism mechanism = conservative_chain();
  const auto run = simulate(mechanism, Rk4{0.01}, 1);
  CHECK(largest_deviation(history(mechanism, run, mechanism.signal("energy.kinetic"))) > 1);  // it does move
}

TEST_CASE("energies of a point and a body have their textbook values", "[invariant]") {
  Mechanism mechanism("energies", {0, -9.81});
  add_point(*mechanism.model, "P", {1.0, 2.0}, {3.0, 4.0}, 0.5);
  add_planar_body(*mechanism.model, "B", 2.0, 0.3, {0.0, -1.0}, 0.7, {1.0, 0.0}, 5.0);
  const auto run = simulate(mechanism, Rk4{0.01}, 0.01);
  CHECK(history(mechanism, run, mechanism.signal("energy.kinetic"))[0] ==
        Approx(0.5 * 0.5 * 25 + 0.5 * 2 * 1 + 0.5 * 0.3 * 25).epsilon(1e-14));
  CHECK(history(mechanism, run, mechanism.signal("energy.potential"))[0] ==
        Approx(9.81 * (0.5 * 2 - 2 * 1)).epsilon(1e-14));
}

TEST_CASE("a free spatial body: momentum, angular momentum, energy, Euler parameters", "[invariant]") {
  for (const auto& form : std::initializer_list<formulation::Formulation>{
           formulation::Penalty{1e9, 1, 10}, formulation::Index1{}, formulation::Index1{5, 5}}) {
    CAPTURE(formulation::name_of(form));
    Mechanism mechanism = free_top();
    const auto run = simulate(mechanism, DormandPrince{1e-12, 1e-13}, 2, form);
    const Mesh& mesh = run.solution.mesh;
    // The centre of mass falls on a parabola.
    const std::size_t last = mesh.size() - 1;
    CHECK(mesh.q_at(last)[0] == Approx(0.1 + 2).epsilon(1e-11));
    CHECK(mesh.q_at(last)[1] == Approx(-0.2 + 4).epsilon(1e-11));
    CHECK(mesh.q_at(last)[2] == Approx(0.3 + 6 - 0.5 * 9.81 * 4).epsilon(1e-11));
    CHECK(mesh.v_at(last)[2] == Approx(3 - 9.81 * 2).epsilon(1e-11));
    for (const Symbol& component : angular_momentum(mechanism)) {
      const auto values = history(mechanism, run, component);
      CHECK(std::abs(values.front()) > 0.1);
      CHECK(largest_deviation(values) < 1e-9);
    }
    CHECK(largest_deviation(history(mechanism, run, mechanism.signal("energy.total"))) < 1e-9);
    const auto norm = history(mechanism, run, mechanism.signal("constraint.drift"));
    CHECK(*std::max_element(norm.begin(), norm.end()) < 1e-10);
    // It tumbles: rotation about the middle axis is unstable.
    CHECK(largest_deviation(history(mechanism, run, mechanism.signal("B.omega_y"))) > 4);
  }
}

TEST_CASE("the plain index-1 form drifts, Baumgarte's stabilization bounds the drift", "[invariant]") {
  auto drift = [](const formulation::Formulation& form, double end) {
    Mechanism mechanism = conservative_chain();
    const auto run = simulate(mechanism, Rk4{0.02}, end, form);
    const auto values = history(mechanism, run, mechanism.signal("constraint.drift"));
    return *std::max_element(values.begin(), values.end());
  };
  const double early = drift(formulation::Index1{}, 2), late = drift(formulation::Index1{}, 16);
  CHECK(late > 5 * early);
  const double stable_early = drift(formulation::Index1{10, 10}, 2),
               stable_late = drift(formulation::Index1{10, 10}, 16);
  CHECK(stable_late < 5 * stable_early);
  CHECK(stable_late < 0.05 * late);
  CHECK(drift(formulation::Penalty{1e9, 1, 10}, 16) < 0.05 * late);
}

TEST_CASE("the trapezoidal rule is reversible in time", "[invariant]") {
  Mechanism mechanism = conservative_chain();
  auto forward = simulate(mechanism, Trapezoidal{0.01}, 0.5);
  const Mesh& there = forward.solution.mesh;
  const std::size_t last = there.size() - 1;
  // Back with reversed velocities: the same equations, as no force depends on velocity or time.
  const auto motion = formulation::make_motion(mechanism.problem.system, forward.data, formulation::Index1{});
  std::vector<double> q(there.q_at(last), there.q_at(last) + there.n), v(there.v_at(last), there.v_at(last) + there.n);
  for (double& x : v) x = -x;
  integrator::Options options;
  options.end = 0.5;
  auto return_error = [&](const integrator::Integrator& method) {
    const auto back = integrator::integrate(*motion, q.data(), v.data(), formulation::Index1{}, method, options);
    REQUIRE(back.mesh.size() == there.size());
    double worst = 0;
    for (int i = 0; i < there.n; ++i) {
      worst = std::max(worst, std::abs(back.mesh.q_at(last)[i] - there.q_at(0)[i]));
      worst = std::max(worst, std::abs(back.mesh.v_at(last)[i] + there.v_at(0)[i]));
    }
    return worst;
  };
  CHECK(return_error(Trapezoidal{0.01}) < 1e-10);
  CHECK(return_error(Rk4{0.01}) > 1e-10);  // another rule does not find back
}

TEST_CASE("a point falls freely", "[invariant]") {
  Mechanism mechanism("fall", {0, 0, -9.81});
  add_point(*mechanism.model, "P", {1.0, 2.0, 3.0}, {0.5, -1.0, 2.0}, 0.7);
  for (const auto& method :
       std::initializer_list<integrator::Integrator>{Rk4{0.1}, DormandPrince{}, Trapezoidal{0.1}}) {
    CAPTURE(integrator::name_of(method));
    const auto run = simulate(mechanism, method, 1.25);  // a last step of half the length
    const Mesh& mesh = run.solution.mesh;
    for (std::size_t k = 0; k < mesh.size(); ++k) {
      const double t = mesh.t[k];
      CHECK(mesh.q_at(k)[0] == Approx(1 + 0.5 * t).epsilon(1e-13));
      CHECK(mesh.q_at(k)[1] == Approx(2 - t).margin(1e-13));
      CHECK(mesh.q_at(k)[2] == Approx(3 + 2 * t - 0.5 * 9.81 * t * t).margin(1e-12));
    }
    CHECK(mesh.t.back() == 1.25);
  }
}

namespace {

/// First time at which coordinate i changes sign from + to -, by bisection on the dense output.
double crossing(const Mesh& mesh, std::size_t i) {
  std::vector<double> q(static_cast<std::size_t>(mesh.n)), v(q);
  std::size_t k = 0, hint = 0;
  while (!(mesh.q_at(k)[i] > 0 && mesh.q_at(k + 1)[i] <= 0)) ++k;
  double low = mesh.t[k], high = mesh.t[k + 1];
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (low + high) / 2;
    mesh.interpolate(middle, q.data(), v.data(), hint);
    (q[i] > 0 ? low : high) = middle;
  }
  return low;
}

}  // namespace

TEST_CASE("pendulums swing in the time of the elliptic integral", "[invariant]") {
  const double amplitude = 2.0, length = 0.8, g = 9.81;  // rad, m, m/s^2
  const double x = length * std::sin(amplitude), y = -length * std::cos(amplitude);
  const double k = std::sin(amplitude / 2);
  SECTION("a point on a massless rod") {
    Mechanism mechanism("pendulum", {0, -g});
    model::Model& m = *mechanism.model;
    add_distance(m, "rod", ground_place(m, {0.0, 0.0}), add_point(m, "P", {x, y}, {0.0, 0.0}, 1.7), nullptr);
    const double quarter = std::sqrt(length / g) * std::comp_ellint_1(k);
    CHECK(crossing(simulate(mechanism, DormandPrince{1e-12, 1e-13}, 2).solution.mesh, 0) ==
          Approx(quarter).epsilon(1e-10));
  }
  SECTION("a uniform bar of points: two thirds of its length") {
    Mechanism mechanism("bar pendulum", {0, -g});
    model::Model& m = *mechanism.model;
    add_bar(m, "bar", ground_place(m, {0.0, 0.0}), add_point(m, "P", {x, y}, {0.0, 0.0}, 0.0), 1.7, nullptr);
    const double quarter = std::sqrt(2.0 / 3 * length / g) * std::comp_ellint_1(k);
    CHECK(crossing(simulate(mechanism, DormandPrince{1e-12, 1e-13}, 2).solution.mesh, 0) ==
          Approx(quarter).epsilon(1e-10));
  }
  SECTION("a planar body on a revolute joint: reduced length L + J / (m L)") {
    Mechanism mechanism("body pendulum", {0, -g});
    model::Model& m = *mechanism.model;
    const Place body = add_planar_body(m, "B", 1.7, 0.4, {x, y}, amplitude, {0.0, 0.0}, 0.0);
    add_coincidence(m, "pin", ground_place(m, {0.0, 0.0}), body_place(m, body, {0.0, length}));
    const double quarter = std::sqrt((length + 0.4 / (1.7 * length)) / g) * std::comp_ellint_1(k);
    CHECK(crossing(simulate(mechanism, DormandPrince{1e-12, 1e-13}, 2).solution.mesh, 2) ==
          Approx(quarter).epsilon(1e-10));
  }
  SECTION("a spatial body on a revolute joint with a horizontal axis") {
    Mechanism mechanism("spatial body pendulum", {0, 0, -g});
    model::Model& m = *mechanism.model;
    const Place body = add_spatial_body(m, "B", 1.7, {0.2, 0.4, 0.3, 0.0, 0.0, 0.0}, {-x, 0.3, y},
                                        {std::cos(amplitude / 2), 0.0, std::sin(amplitude / 2), 0.0}, {0.0, 0.0, 0.0},
                                        {0.0, 0.0, 0.0});
    add_joint(m, "revolute", "hinge", with_axis(m, ground_place(m, {0.0, 0.3, 0.0}), {0.0, 2.0, 0.0}),
              with_axis(m, body_place(m, body, {0.0, 0.0, length}), {0.0, 1.0, 0.0}));
    const double quarter = std::sqrt((length + 0.4 / (1.7 * length)) / g) * std::comp_ellint_1(k);
    const auto run = simulate(mechanism, DormandPrince{1e-12, 1e-13}, 2);
    CHECK(run.initial.moved < 1e-15);
    CHECK(crossing(run.solution.mesh, 5) == Approx(quarter).epsilon(1e-10));  // e2 = sin(angle / 2)
  }
}

TEST_CASE("a damped spring-mass oscillator follows its closed form", "[invariant]") {
  // Along x: m x'' + c x' + k (x - l0) = 0 with the spring's length x.
  const double mass = 1.3, k = 45, c = 2.1, l0 = 1.5, x0 = 0.6, v0 = -0.8;
  Mechanism mechanism("oscillator", {0, 0});
  model::Model& m = *mechanism.model;
  const Symbol free = l0;
  add_spring(m, "s", ground_place(m, {0.0, 0.0}), add_point(m, "P", {l0 + x0, 0.0}, {v0, 0.0}, mass), k, &free, c, 0.0);
  const auto run = simulate(mechanism, DormandPrince{1e-12, 1e-13}, 3);
  const double delta = c / (2 * mass), omega = std::sqrt(k / mass - delta * delta);
  auto exact = [&](double t) {
    return std::exp(-delta * t) * (x0 * std::cos(omega * t) + (v0 + delta * x0) / omega * std::sin(omega * t));
  };
  const auto length = history(mechanism, run, mechanism.signal("s.length"));
  const auto force = history(mechanism, run, mechanism.signal("s.force"));
  const Mesh& mesh = run.solution.mesh;
  for (std::size_t i = 0; i < mesh.size(); ++i) {
    CHECK(length[i] - l0 == Approx(exact(mesh.t[i])).margin(1e-10));
    CHECK(mesh.a_at(i)[0] == Approx(-force[i] / mass).margin(1e-12));
  }
}

TEST_CASE("redundant constraints leave the penalty motion as it is", "[invariant]") {
  // The same rod twice halves the multiplier; the plain index-1 form is singular.
  auto pendulum = [](int rods) {
    Mechanism mechanism("pendulum", {0, -9.81});
    model::Model& m = *mechanism.model;
    const Place O = ground_place(m, {0.0, 0.0}), P = add_point(m, "P", {0.8, -0.6}, {0.0, 0.0}, 1.0);
    for (int k = 0; k < rods; ++k) add_distance(m, "rod" + std::to_string(k), O, P, nullptr);
    mechanism.compile();
    return mechanism;
  };
  Mechanism one = pendulum(1), two = pendulum(2);
  const auto single = simulate(one, Rk4{0.005}, 1, formulation::Penalty{2e6, 1, 10});
  const auto twin = simulate(two, Rk4{0.005}, 1, formulation::Penalty{1e6, 1, 10});
  const Mesh &a = single.solution.mesh, &b = twin.solution.mesh;
  for (std::size_t k = 0; k < a.size(); ++k) {
    CHECK(b.q_at(k)[0] == Approx(a.q_at(k)[0]).margin(1e-9));
    CHECK(b.q_at(k)[1] == Approx(a.q_at(k)[1]).margin(1e-9));
    CHECK(2 * b.lambda_at(k)[1] == Approx(a.lambda_at(k)[0]).margin(1e-6));
  }
  two.problem.formulation = formulation::Index1{};
  CHECK_THROWS(simulation::evaluate(two.problem, {}));
}
