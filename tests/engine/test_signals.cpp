// SPDX-License-Identifier: MIT
// Signals by name, against formulas worked out by hand.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "error.hpp"
#include "model/body/bodies.hpp"
#include "model/body/points.hpp"
#include "model/force/springs.hpp"
#include "model/joint/joints.hpp"
#include "model/model.hpp"
#include "model/place/places.hpp"
#include "model/signals.hpp"
#include "system/measure.hpp"
#include "system/system.hpp"

using namespace perilune;
using Catch::Matchers::Contains;
using expr::Symbol;
using model::Model;
using model::Place;
using model::Vector;

namespace {

/// A point of a motion with its arrays.
struct Motion {
  double t = 0;
  std::vector<double> q, v, a, lambda, parameters;
  system::MotionPoint at() const { return {t, q.data(), v.data(), a.data(), lambda.data(), parameters.data()}; }
};

double value(Model& m, const std::string& signal, const Motion& motion) {
  const system::Measure measure(m.graph(), {m.signal(signal)});
  auto work = measure.make_work();
  measure.evaluate(motion.at(), work);
  return measure.value(work, 0);
}

struct Planar {
  Model m{"test", {0.5, -9.81}};
  Symbol k = m.add_parameter("k", 40, "N/m", 0, 100);
  Place P = add_point(m, "P", {1.0, 2.0}, {0.0, 0.0}, 3.0);
  Place Q = add_point(m, "Q", {4.0, 6.0}, {0.0, 0.0}, 0.0);
  Place body = add_planar_body(m, "body", 2.0, 0.7, {5.0, 5.0}, 0.3, {0.0, 0.0}, 0.0);
  Motion motion{0.25,
                {1.1, 2.2, 4.1, 5.9, 5.2, 4.8, 0.3},
                {0.4, -0.3, 0.2, 0.1, -0.6, 0.5, 1.2},
                {1, 2, 3, 4, 5, 6, 7},
                {11, 12, 13, 14},
                {40}};
  Planar() {
    const Symbol free = 4.5, length = 4.8;
    add_bar(m, "bar", P, Q, 1.2, &length);
    add_spring(m, "spring", P, body_place(m, body, {0.5, 0.0}), k, &free, 0.6, 0.9);
    add_coincidence(m, "pin", Q, body_place(m, body, {-1.0, 0.2}));
  }
};

}  // namespace

TEST_CASE("signals: coordinates, their rates and accelerations, multipliers, time") {
  Planar test;
  const std::vector<std::pair<const char*, double>> expected{
      {"t", 0.25},          {"P.x", 1.1},        {"P.y", 2.2},        {"P.vx", 0.4},     {"P.vy", -0.3},
      {"P.ax", 1},          {"P.ay", 2},         {"Q.x", 4.1},        {"body.x", 5.2},   {"body.vy", 0.5},
      {"body.ay", 6},       {"body.angle", 0.3}, {"body.omega", 1.2}, {"body.alpha", 7}, {"bar.lambda", 11},
      {"pin.lambda_x", 12}, {"pin.lambda_y", 13}};
  for (const auto& [name, number] : expected) {
    INFO(name);
    CHECK(value(test.m, name, test.motion) == number);
  }
  CHECK(signal_unit(test.m, "P.vx") == "m/s");
  CHECK(signal_unit(test.m, "body.alpha") == "rad/s^2");
  CHECK(signal_unit(test.m, "spring.force") == "N");
}

TEST_CASE("signals: lengths, rates and forces") {
  Planar test;
  const double dx = 4.1 - 1.1, dy = 5.9 - 2.2, bar = std::hypot(dx, dy);
  CHECK(value(test.m, "bar.length", test.motion) == Approx(bar).epsilon(1e-15));
  CHECK(value(test.m, "bar.rate", test.motion) == Approx((dx * (0.2 - 0.4) + dy * (0.1 + 0.3)) / bar).epsilon(1e-14));
  // The spring's end on the body: (x + cos / 2, y + sin / 2), moving with v + omega x r.
  const double c = 0.5 * std::cos(0.3), s = 0.5 * std::sin(0.3);
  const double ux = 5.2 + c - 1.1, uy = 4.8 + s - 2.2, wx = -0.6 - 1.2 * s - 0.4, wy = 0.5 + 1.2 * c + 0.3;
  const double length = std::hypot(ux, uy), rate = (ux * wx + uy * wy) / length;
  CHECK(value(test.m, "spring.length", test.motion) == Approx(length).epsilon(1e-14));
  CHECK(value(test.m, "spring.rate", test.motion) == Approx(rate).epsilon(1e-14));
  CHECK(value(test.m, "spring.force", test.motion) == Approx(40 * (length - 4.5) + 0.6 * rate + 0.9).epsilon(1e-14));
}

TEST_CASE("signals: energies and drifts") {
  Planar test;
  // A uniform bar: m/6 (va.va + va.vb + vb.vb).
  const double kinetic = 0.5 * 3 * (0.16 + 0.09) + 1.2 / 6 * (0.25 + 0.4 * 0.2 - 0.3 * 0.1 + 0.05) +
                         0.5 * 2 * (0.36 + 0.25) + 0.5 * 0.7 * 1.44;
  CHECK(value(test.m, "energy.kinetic", test.motion) == Approx(kinetic).epsilon(1e-14));
  const double stretch = value(test.m, "spring.length", test.motion) - 4.5;
  const double potential = -3 * (0.5 * 1.1 - 9.81 * 2.2) - 1.2 / 2 * (0.5 * (1.1 + 4.1) - 9.81 * (2.2 + 5.9)) -
                           2 * (0.5 * 5.2 - 9.81 * 4.8) + 0.5 * 40 * stretch * stretch;
  CHECK(value(test.m, "energy.potential", test.motion) == Approx(potential).epsilon(1e-14));
  CHECK(value(test.m, "energy.total", test.motion) == Approx(kinetic + potential).epsilon(1e-14));
  const double dx = 3.0, dy = 3.7, c = std::cos(0.3), s = std::sin(0.3);
  const double px = 5.2 - c - 0.2 * s - 4.1, py = 4.8 - s + 0.2 * c - 5.9;
  const double bar = dx * dx + dy * dy - 4.8 * 4.8;
  CHECK(value(test.m, "constraint.drift", test.motion) ==
        Approx(std::sqrt(bar * bar + px * px + py * py)).epsilon(1e-14));
  const double bar_rate = 2 * (dx * -0.2 + dy * 0.4);
  const double vx = -0.6 + 1.2 * (s - 0.2 * c) - 0.2, vy = 0.5 + 1.2 * (-c - 0.2 * s) - 0.1;
  CHECK(value(test.m, "constraint.velocity_drift", test.motion) ==
        Approx(std::sqrt(bar_rate * bar_rate + vx * vx + vy * vy)).epsilon(1e-14));
}

TEST_CASE("signals: spatial bodies") {
  Model m("test", {0, 0, -9.81});
  add_spatial_body(m, "b", 2.0, {0.4, 0.5, 0.6, 0.01, 0.02, 0.03}, {1.0, 2.0, 3.0}, {3.0, 1.0, -2.0, 0.5},
                   {0.1, 0.2, 0.3}, {0.7, -0.4, 0.9});
  CHECK(has_signal(m, "b.e3"));
  CHECK(has_signal(m, "b.lambda"));
  const system::System s(m);
  const auto data = s.make_data({});
  // The declared Euler parameters are normalized, and their rates give the declared angular velocity (body frame).
  double norm = 0, product = 0;
  for (std::size_t i = 3; i < 7; ++i) {
    norm += data->initial_q[i] * data->initial_q[i];
    product += data->initial_q[i] * data->initial_v[i];
  }
  CHECK(norm == Approx(1).epsilon(1e-15));
  CHECK(std::abs(product) <= 1e-15);
  CHECK(data->initial_q[3] / data->initial_q[6] == Approx(6).epsilon(1e-14));
  Motion motion{0, data->initial_q, data->initial_v, std::vector<double>(7, 0.0), {0}, {}};
  CHECK(value(m, "b.omega_x", motion) == Approx(0.7).epsilon(1e-14));
  CHECK(value(m, "b.omega_y", motion) == Approx(-0.4).epsilon(1e-14));
  CHECK(value(m, "b.omega_z", motion) == Approx(0.9).epsilon(1e-14));
  const double x = 0.7, y = -0.4, z = 0.9;
  const double spin = 0.4 * x * x + 0.5 * y * y + 0.6 * z * z + 2 * (0.01 * x * y + 0.02 * x * z + 0.03 * y * z);
  CHECK(value(m, "energy.kinetic", motion) == Approx(0.01 + 0.04 + 0.09 + 0.5 * spin).epsilon(1e-14));
  CHECK(value(m, "energy.potential", motion) == Approx(2 * 9.81 * 3).epsilon(1e-14));
}

TEST_CASE("signals: energies and drifts count what is declared later") {
  Model m("test", {0, -10});
  add_point(m, "P", {0.0, 2.0}, {0.0, 0.0}, 3.0);
  Motion motion{0, {0, 2, 0, 5}, {1, 0, 0, 2}, {}, {}, {}};
  CHECK(value(m, "energy.total", motion) == Approx(1.5 + 60));
  add_point(m, "Q", {0.0, 5.0}, {0.0, 0.0}, 1.0);
  CHECK(value(m, "energy.total", motion) == Approx(1.5 + 60 + 2 + 50));
}

TEST_CASE("signals: parameters stay parameters") {
  Planar test;
  const system::Measure measure(test.m.graph(), {test.m.signal("spring.force")});
  CHECK(measure.reads(expr::Quantity::Parameter));
  CHECK_FALSE(measure.reads(expr::Quantity::Acceleration));
  auto work = measure.make_work();
  measure.evaluate(test.motion.at(), work);
  std::vector<double> q(7, 0.0), v(7, 0.0), a(7, 0.0), lambda(4, 0.0), parameters{5};
  measure.add_gradient(work, 0, 2, {q.data(), v.data(), a.data(), lambda.data(), parameters.data()});
  const double stretch = value(test.m, "spring.length", test.motion) - 4.5;
  CHECK(parameters[0] == Approx(5 + 2 * stretch).epsilon(1e-14));
  // Along v, a spring pulls back with c times the direction of its line: unit components.
  CHECK(std::hypot(v[0], v[1]) == Approx(2 * 0.6).epsilon(1e-14));
  CHECK(std::all_of(a.begin(), a.end(), [](double x) { return x == 0; }));
}

TEST_CASE("signals: names, units and what there is not") {
  Planar test;
  const std::vector<std::string> names = signal_names(test.m);
  CHECK(std::is_sorted(names.begin(), names.end()));
  for (const std::string& name : names) CHECK_NOTHROW(test.m.signal(name));
  CHECK(std::count(names.begin(), names.end(), "energy.total") == 1);
  CHECK_THROWS_WITH(test.m.signal("P.z"), Contains("'P.z'"));
  CHECK_THROWS_AS(signal_unit(test.m, "nothing"), Error);
  CHECK_FALSE(has_signal(test.m, "k"));
}
