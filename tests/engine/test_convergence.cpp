// SPDX-License-Identifier: MIT
// How fast the motion and the dense output converge.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "numbers.hpp"
#include "offered.hpp"
#include "run_check.hpp"

using namespace perilune;
using integrator::Mesh;
using integrator::Rk4;
using integrator::Trapezoidal;

namespace {

const formulation::Formulation forms[] = {formulation::Penalty{1e7, 1, 10}, formulation::Index1{},
                                          formulation::Index1{4, 4}};

/// Observed order from the errors at a step and at half of it.
double order(double error, double error_at_half) { return std::log2(error / error_at_half); }

}  // namespace

TEST_CASE("the motion converges at the integrator's order", "[integrator][order]") {
  for (const auto& form : forms) {
    const OrderCheck order(spatial_pendulum_mechanism(), form);
    order.state(Rk4{0.02}, 3.7, 4.4);
    order.state(Trapezoidal{0.01}, 1.9, 2.1);
  }
}

TEST_CASE("integrals of 1 and of the time are exact", "[integrator]") {
  Mechanism mechanism = five_bar_mechanism();
  mechanism.problem.objectives.clear();
  mechanism.integral("duration", 1.0);
  mechanism.integral("time", mechanism.signal("t"));
  mechanism.problem.start = 0.1;
  mechanism.problem.end = 0.23;  // fixed steps end with a shorter one
  for (const formulation::Formulation& form : formulations_for(mechanism)) {
    std::vector<integrator::Integrator> methods = integrators_for(form, 0.02);
    methods.push_back(integrator::Bdf{5, 0, {1e-6, 1e-7}});  // of rising order, with steps that double
    for (const integrator::Integrator& method : methods) {
      const Integration how{form, method};
      INFO(how.name());
      const std::vector<double> values = run_of(mechanism, how).values;
      CHECK(values[0] == Approx(0.13).epsilon(1e-12));
      const bool has_order_1 = std::holds_alternative<integrator::Bdf>(method) && integrator::fixed_step(method) == 0;
      if (!has_order_1) CHECK(values[1] == Approx((0.23 * 0.23 - 0.1 * 0.1) / 2).epsilon(1e-13));
    }
  }
}

namespace {

/// The mesh of a known motion, with steps of alternating size.
template <class Motion>
Mesh sample(const Motion& motion, double step) {
  Mesh mesh(1, 0);
  bool is_long = false;
  for (double t = 0; t < 1.0001; t += is_long ? 1.25 * step : 0.75 * step, is_long = !is_long) {
    const auto [q, v, a] = motion(t);
    mesh.append(t, &q, &v, &a, nullptr);
  }
  return mesh;
}

template <class Motion>
std::pair<double, double> interpolation_errors(const Motion& motion, double step) {
  const Mesh mesh = sample(motion, step);
  double q = 0, v = 0, worst_q = 0, worst_v = 0;
  std::size_t hint = 0;
  for (int i = 0; i <= 1000; ++i) {
    const double t = mesh.t.back() * i / 1000;
    mesh.interpolate(t, &q, &v, hint);
    const auto [exact_q, exact_v, exact_a] = motion(t);
    worst_q = std::max(worst_q, std::abs(q - exact_q));
    worst_v = std::max(worst_v, std::abs(v - exact_v));
  }
  return {worst_q, worst_v};
}

}  // namespace

TEST_CASE("dense output has order 6 in positions and 5 in velocities", "[integrator][order]") {
  const auto wave = [](double t) { return std::tuple(std::sin(5 * t), 5 * std::cos(5 * t), -25 * std::sin(5 * t)); };
  const auto [q, v] = interpolation_errors(wave, 0.1);
  const auto [finer_q, finer_v] = interpolation_errors(wave, 0.05);
  CHECK(order(q, finer_q) > 5.7);
  CHECK(order(q, finer_q) < 6.3);
  CHECK(order(v, finer_v) > 4.7);
  CHECK(order(v, finer_v) < 5.3);

  const auto quintic = [](double t) {
    return std::tuple(1 - t + t * t * t - 2 * std::pow(t, 5), -1 + 3 * t * t - 10 * std::pow(t, 4),
                      6 * t - 40 * t * t * t);
  };
  const auto [exact_q, exact_v] = interpolation_errors(quintic, 0.3);
  CHECK(exact_q < 1e-13);
  CHECK(exact_v < 1e-12);
}

TEST_CASE("dense output does not depend on the order of access", "[integrator]") {
  const Mesh mesh = sample([](double t) { return std::tuple(std::exp(t), std::exp(t), std::exp(t)); }, 0.1);
  double q = 0, v = 0, again_q = 0, again_v = 0;
  std::size_t moving = 0;
  for (int i = 0; i < 200; ++i) {
    const double t = mesh.t.back() * ((i * 83) % 200) / 199.0;
    std::size_t fresh = 0;
    mesh.interpolate(t, &q, &v, moving);
    mesh.interpolate(t, &again_q, &again_v, fresh);
    CHECK(q == again_q);
    CHECK(v == again_v);
  }
  mesh.interpolate(-1, &q, &v, moving);
  CHECK(q == 1);  // clamped to the mesh
  mesh.interpolate(9, &q, &v, moving);
  CHECK(q == *mesh.q_at(mesh.size() - 1));
}
