// SPDX-License-Identifier: MIT
// Gradients of motions in closed form: the derivative comes from the formula by complex step, from no simulation.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <complex>

#include "mechanisms.hpp"
#include "model/body/points.hpp"
#include "model/force/forces.hpp"
#include "model/force/springs.hpp"
#include "model/place/places.hpp"

using namespace perilune;
using expr::Symbol;

namespace {

const sensitivity::Method methods[] = {sensitivity::FiniteDifference{1e-3, 2}, sensitivity::DiscreteDirect{},
                                       sensitivity::DiscreteAdjoint{}, sensitivity::ContinuousDirect{},
                                       sensitivity::ContinuousAdjoint{}};

constexpr double start = 0.2, end = 1.375;  // s; the span is no multiple of the fixed steps below

template <class T>
struct Oscillator {  // m x'' + c x' + k x = 0
  T delta, omega, x0, v0;
  explicit Oscillator(const std::array<T, 5>& p)
      : delta(p[1] / (2.0 * p[0])), omega(sqrt(p[2] / p[0] - delta * delta)), x0(p[3]), v0(p[4]) {}
  T x(double t) const { return exp(-delta * t) * (x0 * cos(omega * t) + (v0 + delta * x0) / omega * sin(omega * t)); }
  T v(double t) const {
    return exp(-delta * t) *
           (v0 * cos(omega * t) - (delta * v0 + (delta * delta + omega * omega) * x0) / omega * sin(omega * t));
  }
};

}  // namespace

TEST_CASE("gradients of a damped oscillator are those of its closed form", "[sensitivity]") {
  const std::array<double, 5> numbers{1.3, 2.1, 45, 0.6, -0.8};  // m, c, k, x0, v0
  Mechanism mechanism("oscillator", {0, 0});
  model::Model& m = *mechanism.model;
  const char* names[] = {"m", "c", "k", "x0", "v0"};
  std::vector<Symbol> p;
  for (std::size_t i = 0; i < 5; ++i) p.push_back(mechanism.parameter(names[i], numbers[i]));
  const Symbol length = 2.0;
  const model::Place P = add_point(m, "P", {2.0 + p[3], 0.0}, {p[4], 0.0}, p[0]);
  add_spring(m, "s", ground_place(m, {0.0, 0.0}), P, p[2], &length, p[1], 0.0);
  mechanism.compile();
  const Symbol x = mechanism.signal("P.x") - 2.0, v = mechanism.signal("P.vx"), a = mechanism.signal("P.ax");
  mechanism.terminal("x", x);
  mechanism.terminal("v", v);
  mechanism.terminal("a", a);
  mechanism.integral("integral of v", v);
  mechanism.both("work of the damper", 0.5 * p[0] * v * v + 0.5 * p[2] * x * x,
                 p[1] * v * v);  // the energy at the start
  mechanism.problem.start = start;
  mechanism.problem.end = end;

  std::array<double, 5> value{};
  std::array<std::array<double, 5>, 5> exact{};
  for (std::size_t i = 0; i < 5; ++i) {
    using Complex = std::complex<double>;
    std::array<Complex, 5> at;
    std::copy(numbers.begin(), numbers.end(), at.begin());
    at[i] += Complex(0, 1e-30);
    const Oscillator<Complex> motion(at);
    const double t = end - start;
    const Complex xe = motion.x(t), ve = motion.v(t);
    const Complex results[] = {xe, ve, -(at[1] * ve + at[2] * xe) / at[0], xe - at[3],
                               0.5 * at[0] * at[4] * at[4] + 0.5 * at[2] * at[3] * at[3]};
    for (std::size_t o = 0; o < 5; ++o) {
      value[o] = results[o].real();
      exact[o][i] = results[o].imag() / 1e-30;
    }
  }
  struct Case {
    integrator::Integrator integrator;
    double tolerance;
  };
  for (const Case& c : std::initializer_list<Case>{{integrator::Rk4{7e-4}, 1e-9},
                                                   {integrator::DormandPrince{1e-12, 1e-13}, 1e-9},
                                                   {integrator::Trapezoidal{7e-4}, 2e-4}}) {
    mechanism.problem.integrator = c.integrator;
    for (const auto& method : methods) {
      const auto got = sensitivity::gradient(mechanism.problem, mechanism.parameters(), mechanism.over(), method);
      for (std::size_t o = 0; o < 5; ++o) {
        CAPTURE(integrator::name_of(c.integrator), sensitivity::name_of(method), mechanism.problem.objectives[o]->name);
        double largest = 0;
        for (double entry : exact[o]) largest = std::max(largest, std::abs(entry));
        CHECK(got.values[o] == Approx(value[o]).margin(c.tolerance * largest));
        for (std::size_t i = 0; i < 5; ++i) {
          CAPTURE(i, got.derivatives[o][i], exact[o][i]);
          CHECK(std::abs(got.derivatives[o][i] - exact[o][i]) < c.tolerance * largest);
        }
      }
    }
  }
}

TEST_CASE("a force that depends on time: its phase counts from the start time", "[sensitivity]") {
  // m x'' = F sin(w t) from rest at t0: x' = F / (m w) (cos(w t0) - cos(w t)).
  Mechanism mechanism("forced point", {0, 0});
  const Symbol mass = mechanism.parameter("m", 0.7), F = mechanism.parameter("F", 3.0),
               w = mechanism.parameter("w", 4.0);
  const model::Place P = add_point(*mechanism.model, "P", {0.0, 0.0}, {0.0, 0.0}, mass);
  add_force(*mechanism.model, "push", P, {F * sin(w * mechanism.signal("t")), 0.0}, {});
  mechanism.compile();
  mechanism.terminal("speed", mechanism.signal("P.vx"));
  mechanism.problem.start = start;
  mechanism.problem.end = end;
  mechanism.problem.integrator = integrator::Rk4{1e-3};
  const double m = 0.7, f = 3, o = 4, swing = std::cos(o * start) - std::cos(o * end);
  const double exact[] = {-f / (m * m * o) * swing, swing / (m * o),
                          f / m * (-swing / (o * o) + (end * std::sin(o * end) - start * std::sin(o * start)) / o)};
  for (const auto& method : methods) {
    CAPTURE(sensitivity::name_of(method));
    const auto got = sensitivity::gradient(mechanism.problem, mechanism.parameters(), mechanism.over(), method);
    CHECK(got.values[0] == Approx(f / (m * o) * swing).epsilon(1e-9));
    for (std::size_t i = 0; i < 3; ++i) CHECK(got.derivatives[0][i] == Approx(exact[i]).epsilon(1e-8));
  }
}
