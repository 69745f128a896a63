// SPDX-License-Identifier: MIT
// First-order states and controllers against closed forms.
#include <catch2/catch.hpp>
#include <cmath>
#include <complex>

#include "error.hpp"
#include "mechanisms.hpp"
#include "model/body/points.hpp"
#include "model/force/control.hpp"
#include "model/force/forces.hpp"
#include "model/signals.hpp"

using namespace perilune;
using Catch::Matchers::Contains;
using expr::Symbol;

namespace {

using Complex = std::complex<double>;

const sensitivity::Method methods[] = {sensitivity::FiniteDifference{1e-3, 2}, sensitivity::DiscreteDirect{},
                                       sensitivity::DiscreteAdjoint{}, sensitivity::ContinuousDirect{},
                                       sensitivity::ContinuousAdjoint{}};

/// Values and gradients of all objectives by every method against functions of the parameters, differentiated by
/// complex step.
void check_closed_forms(Mechanism& mechanism, const std::vector<Complex (*)(const std::vector<Complex>&)>& forms,
                        double tolerance) {
  const std::vector<double> p = mechanism.parameters();
  REQUIRE(forms.size() == mechanism.problem.objectives.size());
  for (const auto& method : methods) {
    const auto got = sensitivity::gradient(mechanism.problem, p, mechanism.over(), method);
    for (std::size_t o = 0; o < forms.size(); ++o) {
      CAPTURE(sensitivity::name_of(method), mechanism.problem.objectives[o]->name);
      std::vector<Complex> at(p.begin(), p.end());
      CHECK(got.values[o] == Approx(forms[o](at).real()).epsilon(tolerance));
      for (std::size_t i = 0; i < p.size(); ++i) {
        CAPTURE(i);
        at[i] += Complex(0, 1e-30);
        CHECK(got.derivatives[o][i] == Approx(forms[o](at).imag() / 1e-30).epsilon(tolerance).margin(tolerance));
        at[i] = p[i];
      }
    }
  }
}

constexpr double end = 0.9;

Complex lag_value(const std::vector<Complex>& p) { return p[1] + (p[2] - p[1]) * std::exp(-end / p[0]); }
Complex lag_integral(const std::vector<Complex>& p) {
  return p[1] * end + (p[2] - p[1]) * p[0] * (1.0 - std::exp(-end / p[0]));
}
Complex lag_rate(const std::vector<Complex>& p) { return (p[1] - lag_value(p)) / p[0]; }

// m v' = kp (r - v) + ki (integral of r - v): e'' + kp/m e' + ki/m e = 0 with e = r, e' = -kp r / m at the start.
Complex pi_speed(const std::vector<Complex>& p) {
  const Complex m = p[0], kp = p[1], ki = p[2], r = p[3];
  const Complex decay = kp / (2.0 * m), omega = std::sqrt(ki / m - decay * decay);
  const Complex slope = -kp * r / m;
  return r - std::exp(-decay * end) * (r * std::cos(omega * end) + (slope + decay * r) / omega * std::sin(omega * end));
}

// m x'' = kp (r - x) - kd x' from rest at 0.
Complex pd_place(const std::vector<Complex>& p) {
  const Complex m = p[0], kp = p[1], kd = p[2], r = p[3];
  const Complex decay = kd / (2.0 * m), omega = std::sqrt(kp / m - decay * decay);
  return r * (1.0 - std::exp(-decay * end) * (std::cos(omega * end) + decay / omega * std::sin(omega * end)));
}

// The filter of the rate of e = sin(w t): T D' = w cos(w t) - D, D(0) = 0.
Complex filtered(const std::vector<Complex>& p) {
  const Complex T = p[0], w = p[1], scale = w / (1.0 + T * T * w * w);
  return scale * (std::cos(w * end) + T * w * std::sin(w * end) - std::exp(-end / T));
}

}  // namespace

TEST_CASE("state: the step response of a first-order lag", "[state]") {
  Mechanism mechanism("lag", {0, 0});
  const Symbol T = mechanism.parameter("T", 0.4), u = mechanism.parameter("u", 2.0),
               z0 = mechanism.parameter("z0", 0.3);
  const Symbol z = add_state(*mechanism.model, "z", z0, "N");
  set_state_rate(*mechanism.model, "z", (u - z) / T);
  mechanism.compile();
  mechanism.problem.end = end;
  mechanism.problem.integrator = integrator::Rk4{1e-3};
  mechanism.terminal("value", mechanism.signal("z.value"));
  mechanism.terminal("position", mechanism.signal("z.integral"));
  mechanism.integral("integral", mechanism.signal("z.value"));
  mechanism.terminal("rate", mechanism.signal("z.rate"));
  check_closed_forms(mechanism, {lag_value, lag_integral, lag_integral, lag_rate}, 1e-9);
  CHECK(signal_unit(*mechanism.model, "z.rate") == "N/s");
  CHECK(signal_unit(*mechanism.model, "z.integral") == "N s");
}

TEST_CASE("state: two that read each other, with every formulation and integrator", "[state]") {
  // z1' = w z2, z2' = -w z1: a circle.
  for (const formulation::Formulation& form :
       std::initializer_list<formulation::Formulation>{formulation::Penalty{1e9, 1, 10}, formulation::Index1{}}) {
    for (const integrator::Integrator& method : {integrator::Integrator(integrator::Rk4{1e-3}),
                                                 integrator::Integrator(integrator::DormandPrince{1e-11, 1e-12}),
                                                 integrator::Integrator(integrator::Trapezoidal{2e-4})}) {
      Mechanism mechanism("circle", {0, 0});
      const Symbol w = mechanism.parameter("w", 3.0);
      const Symbol z1 = add_state(*mechanism.model, "z1", 1.0, ""), z2 = add_state(*mechanism.model, "z2", 0.0, "");
      set_state_rate(*mechanism.model, "z1", w * z2);
      set_state_rate(*mechanism.model, "z2", -w * z1);
      mechanism.compile();
      mechanism.problem.end = end;
      mechanism.problem.formulation = form;
      mechanism.problem.integrator = method;
      mechanism.terminal("z1", z1);
      mechanism.terminal("z2", z2);
      const auto got = sensitivity::gradient(mechanism.problem, {3.0}, {0}, sensitivity::DiscreteAdjoint{});
      const double tolerance = integrator::name_of(method) == std::string("trapezoidal") ? 1e-6 : 1e-9;
      CAPTURE(formulation::name_of(form), integrator::name_of(method));
      CHECK(got.values[0] == Approx(std::cos(3 * end)).epsilon(tolerance));
      CHECK(got.values[1] == Approx(-std::sin(3 * end)).epsilon(tolerance));
      CHECK(got.derivatives[0][0] == Approx(-end * std::sin(3 * end)).epsilon(tolerance));
      CHECK(got.derivatives[1][0] == Approx(-end * std::cos(3 * end)).epsilon(tolerance));
    }
  }
}

TEST_CASE("state: its inertia is no mass, and it must have a rate", "[state]") {
  model::Model m("states", {0, 0});
  add_state(m, "z", 5.0, "");
  CHECK_THROWS_WITH(system::System(m), Contains("state \"z\" has no rate"));
  add_state(m, "z", 4.0, "");  // again, since it waits for its rate
  set_state_rate(m, "z", 1.0);
  CHECK(m.graph().to_string(m.signal("energy.kinetic")) == "0");
  CHECK_THROWS_WITH(set_state_rate(m, "z", 1.0), Contains("has its rate already"));
  CHECK_THROWS_WITH(set_state_rate(m, "y", 1.0), Contains("there is no state \"y\""));
  CHECK_THROWS_WITH(add_state(m, "z", 4.0, ""), Contains("the name is taken"));
  const system::System s(m);
  CHECK(s.make_data({})->initial_v[0] == 4);
}

TEST_CASE("controller: PI control of a mass's speed", "[state]") {
  Mechanism mechanism("cruise", {0, 0});
  const Symbol mass = mechanism.parameter("m", 1.5), kp = mechanism.parameter("kp", 2.0),
               ki = mechanism.parameter("ki", 9.0), r = mechanism.parameter("r", 0.8);
  const model::Place P = add_point(*mechanism.model, "P", {0.0, 0.0}, {0.0, 0.0}, mass);
  add_pid(*mechanism.model, "ctl", r - mechanism.signal("P.vx"), {kp, ki, 0.0, nullptr});
  add_force(*mechanism.model, "drive", P, {mechanism.signal("ctl.output"), 0.0}, {});
  mechanism.compile();
  mechanism.problem.end = end;
  mechanism.problem.integrator = integrator::Rk4{1e-3};
  mechanism.terminal("speed", mechanism.signal("P.vx"));
  check_closed_forms(mechanism, {pi_speed}, 1e-9);
  CHECK_THROWS_WITH(add_pid(*mechanism.model, "no", r - mechanism.signal("P.vx"), {kp, ki, 1.0, nullptr}),
                    Contains("reads 'P.vx'"));
}

TEST_CASE("controller: PD control of a mass's place, the rate from the expression itself", "[state]") {
  Mechanism mechanism("place", {0, 0});
  const Symbol mass = mechanism.parameter("m", 1.5), kp = mechanism.parameter("kp", 20.0),
               kd = mechanism.parameter("kd", 3.0), r = mechanism.parameter("r", 0.8);
  const model::Place P = add_point(*mechanism.model, "P", {0.0, 0.0}, {0.0, 0.0}, mass);
  add_pid(*mechanism.model, "ctl", r - mechanism.signal("P.x"), {kp, 0.0, kd, nullptr});
  add_force(*mechanism.model, "drive", P, {mechanism.signal("ctl.output"), 0.0}, {});
  mechanism.compile();
  mechanism.problem.end = end;
  mechanism.problem.integrator = integrator::Rk4{1e-3};
  mechanism.terminal("place", mechanism.signal("P.x"));
  check_closed_forms(mechanism, {pd_place}, 1e-9);
}

TEST_CASE("controller: the filter of the derivative", "[state]") {
  Mechanism mechanism("filter", {0, 0});
  const Symbol T = mechanism.parameter("T", 0.2), w = mechanism.parameter("w", 4.0);
  add_pid(*mechanism.model, "ctl", sin(w * mechanism.signal("t")), {0.0, 0.0, 1.0, &T});
  mechanism.compile();
  mechanism.problem.end = end;
  mechanism.problem.integrator = integrator::Rk4{1e-3};
  mechanism.terminal("output", mechanism.signal("ctl.output"));
  check_closed_forms(mechanism, {filtered}, 1e-9);
}

TEST_CASE("the rate of an expression follows time, positions and states", "[state]") {
  Mechanism mechanism("rates", {0, 0});
  model::Model& m = *mechanism.model;
  add_point(m, "P", {1.0, 2.0}, {0.3, 0.0}, 1.0);
  const Symbol z = add_state(m, "z", 1.0, "");
  CHECK_THROWS_WITH(rate_of(m, z), Contains("reads 'z.value'"));
  set_state_rate(m, "z", 2.0 * z);
  const Symbol t = mechanism.signal("t"), x = mechanism.signal("P.x");
  CHECK(m.graph().to_string(rate_of(m, t * x).in(m.graph())) == "P.x + t * P.vx");
  CHECK(m.graph().to_string(rate_of(m, z).in(m.graph())) == "2 * z.value");
}
