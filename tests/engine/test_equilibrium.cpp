// SPDX-License-Identifier: MIT
// Static equilibria against hand calculation, and the linearized motion about them.
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "analysis/equilibrium.hpp"
#include "analysis/small_motion/linearization.hpp"
#include "error.hpp"
#include "mechanisms.hpp"
#include "model/body/bodies.hpp"
#include "model/body/points.hpp"
#include "model/force/control.hpp"
#include "model/force/forces.hpp"
#include "model/force/springs.hpp"
#include "model/joint/joints.hpp"
#include "model/joint/relations.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"

using namespace perilune;
using analysis::Equilibrium;
using analysis::Linearization;
using analysis::Wanted;
using Catch::Matchers::Contains;
using expr::Symbol;
using model::Model;
using model::Place;
using model::Vector;

namespace {

constexpr double pi = std::numbers::pi, g = 9.81;
const Vector still{0.0, 0.0};

struct Rest {
  std::shared_ptr<const system::System> system;
  std::shared_ptr<const system::Data> data;
  Equilibrium found;

  explicit Rest(const Model& m, Wanted wanted = Wanted::Stable)
      : system(std::make_shared<system::System>(m)),
        data(system->make_data({})),
        found(analysis::find_equilibrium(system, data, {}, 0, wanted)) {}
  double q(std::size_t i) const { return found.state.q[i]; }
  Linearization small_motion() const { return analysis::linearize(*system, *data, 0, found.state.q, found.state.v); }
};

Linearization about_declared(const Model& m) {
  const system::System system(m);
  const auto data = system.make_data({});
  return analysis::linearize(system, *data, 0, data->initial_q, data->initial_v);
}

/// A rod of length 1, its centre in the middle, pinned at the origin, at the angle from the horizontal.
Place add_pendulum(Model& m, double angle, double mass, double inertia) {
  const Place body =
      add_planar_body(m, "rod", mass, inertia, {0.5 * std::cos(angle), 0.5 * std::sin(angle)}, angle, still, 0.0);
  add_coincidence(m, "pin", ground_place(m, still), body_place(m, body, {-0.5, 0.0}));
  return body;
}

}  // namespace

TEST_CASE("a mass hangs from its spring") {
  Model m("spring", {0, -g});
  const Place P = add_point(m, "P", {0.3, -0.4}, still, 2.0);
  const Symbol free = 1;
  add_spring(m, "s", ground_place(m, still), P, 50.0, &free, 0.0, 0.0);
  const Rest rest(m);
  CHECK(rest.q(0) == Approx(0).margin(1e-12));
  CHECK(rest.q(1) == Approx(-(1 + 2 * g / 50)).epsilon(1e-13));
  CHECK(rest.found.residual < 1e-12);
  CHECK(rest.found.stability == Equilibrium::Stability::Stable);
}

TEST_CASE("a pendulum comes to rest below its pin from any start") {
  for (double start : {-1.57, 0.0, 1.2, 1.57, pi / 2}) {  // the last is the unstable equilibrium itself
    Model m("pendulum", {0, -g});
    add_pendulum(m, start, 2.0, 0.1);
    const Rest rest(m);
    INFO("from " << start << " after " << rest.found.iterations);
    CHECK(std::sin(rest.q(2)) == Approx(-1).epsilon(1e-12));
    CHECK(rest.found.stability == Equilibrium::Stability::Stable);
    CHECK(rest.found.residual < 1e-9);
    // The pin carries the weight: Phi = r_B - 0 on the body, so that lambda_y = -(2 g).
    CHECK(rest.found.lambda[0] == Approx(0).margin(1e-9));
    CHECK(rest.found.lambda[1] == Approx(-2 * g).epsilon(1e-10));
  }
}

TEST_CASE("the nearest equilibrium may be the unstable one when that is asked for") {
  Model m("pendulum", {0, -g});
  add_pendulum(m, 1.4, 2.0, 0.1);
  const Rest rest(m, Wanted::Nearest);
  CHECK(rest.q(2) == Approx(pi / 2).epsilon(1e-10));
  CHECK(rest.found.stability == Equilibrium::Stability::Unstable);
  const Linearization small = rest.small_motion();
  REQUIRE(small.modes.size() == 2);
  CHECK(small.is_unstable());
  // J_pin theta'' = m g l theta
  CHECK(std::abs(small.modes[0].real) == Approx(std::sqrt(2 * g * 0.5 / (0.1 + 2 * 0.25))).epsilon(1e-10));
}

TEST_CASE("a rod and a spring carry a mass above their pins or below, by the start") {
  const double start = GENERATE(0.9, -0.1);
  Model m("chain", {0, -10});
  const Place P = add_point(m, "P", {0.2, start}, still, 3.0);
  const Symbol one = 1;
  add_distance(m, "left", ground_place(m, {0.0, 0.0}), P, &one);
  add_spring(m, "right", ground_place(m, {1.0, 0.0}), P, 200.0, &one, 0.0, 0.0);
  const Rest rest(m);
  // The moments of spring and weight about the left pin balance: -k (l - 1) y / l = 30 N x with l = |P - right pin|.
  const double x = rest.q(0), y = rest.q(1), l = std::hypot(x - 1, y);
  CHECK(x * x + y * y == Approx(1).epsilon(1e-13));
  CHECK(-200 * (l - 1) * y / l == Approx(30 * x).epsilon(1e-9));
  CHECK(y * start > 0);
  CHECK(rest.found.stability == Equilibrium::Stability::Stable);
}

TEST_CASE("redundant joints do not disturb an equilibrium") {
  Model m("parallel cranks", {0, -10});
  Place top[3];
  for (int k = 0; k < 3; ++k) {
    const double x = k;
    top[k] = add_point(m, "P" + std::to_string(k), {x + 0.6, 0.8}, still, 1.0);
    add_distance(m, "crank" + std::to_string(k), ground_place(m, {x, 0.0}), top[k], nullptr);
  }
  add_distance(m, "first", top[0], top[1], nullptr);
  add_distance(m, "second", top[1], top[2], nullptr);
  add_distance(m, "both", top[0], top[2], nullptr);
  const Rest rest(m);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(rest.q(2 * k) == Approx(static_cast<double>(k)).margin(1e-9));
    CHECK(rest.q(2 * k + 1) == Approx(-1).epsilon(1e-12));
  }
}

TEST_CASE("a spatial body hangs from a ball joint with its centre below") {
  Model m("ball", {0, 0, -g});
  const Place body = add_spatial_body(m, "body", 2.0, {0.1, 0.2, 0.3, 0.0, 0.0, 0.0}, {0.4, 0.1, 0.2},
                                      {1.0, 0.1, -0.2, 0.3}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0});
  add_coincidence(m, "ball", ground_place(m, {0.0, 0.0, 0.0}), body_place(m, body, {-0.3, 0.4, 0.0}));
  const Rest rest(m);
  CHECK(rest.q(0) == Approx(0).margin(1e-8));
  CHECK(rest.q(1) == Approx(0).margin(1e-8));
  CHECK(rest.q(2) == Approx(-0.5).epsilon(1e-12));
  const Linearization small = rest.small_motion();
  CHECK(small.degrees_of_freedom == 3);
  // Turning about the vertical is free; the two others swing.
  CHECK(std::hypot(small.modes[0].real, small.modes[0].imaginary) < 1e-5);
  CHECK(small.modes.back().frequency > 0.5);
}

TEST_CASE("what nothing holds has no equilibrium") {
  Model m("free fall", {0, -g});
  add_point(m, "P", {0.0, 0.0}, still, 2.0);
  CHECK_THROWS_AS(Rest(m), NumericalError);
  CHECK_THROWS_WITH(Rest(m), Contains("P.y") && Contains("19.6 N"));
}

TEST_CASE("a first-order state rests where its rate is zero") {
  // A lag z' = (P.y - z) / T lifts the mass with k z: m g = -k z in rest, z = P.y.
  Model m("lag", {0, -g});
  const Place P = add_point(m, "P", {0.0, 0.4}, still, 1.5);
  const Symbol z = add_state(m, "lag", 0.2, "m");
  set_state_rate(m, "lag", (read(m, "P.y") - z) / 0.5);
  add_force(m, "lift", P, {-20.0 * read(m, "P.x"), -40.0 * z - 30.0 * read(m, "P.vy")}, {});
  const Rest rest(m);
  CHECK(rest.q(1) == Approx(-1.5 * g / 40).epsilon(1e-12));
  CHECK(rest.found.state.v[2] == Approx(-1.5 * g / 40).epsilon(1e-12));
  const Linearization small = rest.small_motion();
  CHECK(small.states == 1);
  CHECK(small.degrees_of_freedom == 2);
  REQUIRE(small.eigenvalues.size() == 5);
  // Up and down with the lag: 1.5 s^2 + 30 s + 40 / (0.5 s + 1) = 0.
  for (const std::complex<double>& s : small.eigenvalues) {
    const std::complex<double> vertical = (1.5 * s * s + 30.0 * s) * (0.5 * s + 1.0) + 40.0,
                               across = 1.5 * s * s + 20.0;
    CHECK(std::min(std::abs(vertical), std::abs(across)) < 1e-9);
  }
}

TEST_CASE("a law that reads the integral of a state has one more eigenvalue") {
  // z' = -3 z - 2 (integral of z): s^2 + 3 s + 2 = (s + 1) (s + 2)
  Model m("filter", {0, 0});
  const Symbol z = add_state(m, "z", 0.0, "");
  set_state_rate(m, "z", -3.0 * z - 2.0 * read(m, "z.integral"));
  const Linearization small = about_declared(m);
  CHECK(small.degrees_of_freedom == 0);
  REQUIRE(small.eigenvalues.size() == 2);
  REQUIRE(small.modes.size() == 2);
  CHECK(small.modes[0].real == Approx(-1).epsilon(1e-12));
  CHECK(small.modes[1].real == Approx(-2).epsilon(1e-12));
  CHECK(small.modes[1].frequency == 0);
}

TEST_CASE("an integral controller rests without error") {
  Model m("lift", {0, -g});
  const Place P = add_point(m, "P", {0.0, 0.0}, still, 1.0);
  model::PidGains gains;
  gains.proportional = Symbol(40.0);
  gains.integral = Symbol(20.0);
  const Symbol output = add_pid(m, "ctl", 1.0 - read(m, "P.y"), gains);
  add_force(m, "lift", P, {-5.0 * read(m, "P.x"), output - 8.0 * read(m, "P.vy")}, {});
  const Rest rest(m);
  CHECK(rest.q(1) == Approx(1).epsilon(1e-12));
  CHECK(rest.found.residual < 1e-10);
}

TEST_CASE("spring and damper: frequency and damping ratio") {
  Model m("oscillator", {0, 0});
  const Place P = add_point(m, "P", {1.0, 0.0}, still, 2.0);
  const Symbol free = 1;
  add_spring(m, "s", ground_place(m, still), P, 50.0, &free, 4.0, 0.0);
  add_force(m, "guide", P, {0.0, -1e4 * read(m, "P.y")}, {});
  const Linearization small = about_declared(m);
  REQUIRE(small.modes.size() == 2);
  CHECK(small.modes[0].frequency == Approx(std::sqrt(50.0 / 2) / (2 * pi)).epsilon(1e-12));
  CHECK(small.modes[0].damping == Approx(4 / (2 * std::sqrt(50.0 * 2))).epsilon(1e-12));
  CHECK(std::abs(small.modes[0].shape[0] - 1.0) < 1e-12);
  CHECK(std::abs(small.modes[0].shape[1]) < 1e-12);
  CHECK(small.modes[1].frequency == Approx(std::sqrt(1e4 / 2) / (2 * pi)).epsilon(1e-12));
  CHECK_FALSE(small.is_unstable());
}

TEST_CASE("a physical pendulum's frequency, and the modes of a double one") {
  Model single("pendulum", {0, -g});
  add_pendulum(single, -pi / 2, 2.0, 0.1);
  CHECK(about_declared(single).modes.at(0).frequency ==
        Approx(std::sqrt(2 * g * 0.5 / (0.1 + 2 * 0.25)) / (2 * pi)).epsilon(1e-12));

  // Equal masses and lengths: omega^2 = (2 -+ sqrt 2) g / l, the lower mass moves +-sqrt 2 times the upper's angle.
  Model pair("double pendulum", {0, -g});
  const Place P = add_point(pair, "P", {0.0, -0.8}, still, 1.3), Q = add_point(pair, "Q", {0.0, -1.6}, still, 1.3);
  add_distance(pair, "upper", ground_place(pair, still), P, nullptr);
  add_distance(pair, "lower", P, Q, nullptr);
  const Linearization small = about_declared(pair);
  REQUIRE(small.modes.size() == 2);
  for (std::size_t k = 0; k < 2; ++k) {
    const double sign = k == 0 ? -1 : 1;
    CHECK(small.modes[k].frequency ==
          Approx(std::sqrt((2 + sign * std::sqrt(2.0)) * g / 0.8) / (2 * pi)).epsilon(1e-12));
    CHECK(small.modes[k].damping == Approx(0).margin(1e-12));
    const auto& shape = small.modes[k].shape;  // P.x, P.y, Q.x, Q.y
    CHECK((shape[2] / shape[0]).real() == Approx(1 - sign * std::sqrt(2.0)).epsilon(1e-10));
    CHECK(std::abs(shape[1]) < 1e-12);
  }
}

TEST_CASE("redundant joints leave the frequency of a door as it is") {
  // Hinged about a horizontal axis along y at two places: a physical pendulum.
  Model m("flap", {0, 0, -g});
  const Place flap = add_spatial_body(m, "flap", 5.0, {0.4, 0.7, 0.9, 0.0, 0.0, 0.0}, {0.0, 0.0, -0.6},
                                      {1.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0});
  const Vector y{0.0, 1.0, 0.0};
  add_joint(m, "revolute", "one", with_axis(m, ground_place(m, {0.0, -0.5, 0.0}), y),
            with_axis(m, body_place(m, flap, {0.0, -0.5, 0.6}), y));
  add_joint(m, "revolute", "two", with_axis(m, ground_place(m, {0.0, 0.5, 0.0}), y),
            with_axis(m, body_place(m, flap, {0.0, 0.5, 0.6}), y));
  const Linearization small = about_declared(m);
  REQUIRE(small.degrees_of_freedom == 1);
  CHECK(small.modes.at(0).frequency == Approx(std::sqrt(5 * g * 0.6 / (0.7 + 5 * 0.36)) / (2 * pi)).epsilon(1e-11));
}

TEST_CASE("small motions about a steady rotation") {
  // A pendulum on a shaft that turns at W, driven: hanging straight down, omega^2 = g/l - W^2 as long as that is
  // positive; the shaft is a driver, so Phi_q and its rate depend on time.
  constexpr double W = 2, l = 0.9;
  Model m("governor", {0, 0, -g});
  const Place P = add_point(m, "P", {0.0, 0.0, -l}, {0.0, 0.0, 0.0}, 1.0);
  add_distance(m, "rod", ground_place(m, {0.0, 0.0, 0.0}), P, nullptr);
  const Symbol t = read(m, "t");
  // P stays in the plane that turns: -x sin(Wt) + y cos(Wt) = 0.
  add_constraint(m, "plane", read(m, "P.y") * cos(W * t) - read(m, "P.x") * sin(W * t));
  const Linearization small = about_declared(m);
  REQUIRE(small.degrees_of_freedom == 1);
  CHECK(small.modes.at(0).frequency == Approx(std::sqrt(g / l - W * W) / (2 * pi)).epsilon(1e-11));
}

TEST_CASE("a part without mass cannot be linearized") {
  Model m("massless", {0, -g});
  const Place P = add_point(m, "P", {1.0, 0.0}, still, 0.0);
  const Symbol free = 1;
  add_spring(m, "s", ground_place(m, still), P, 50.0, &free, 0.0, 0.0);
  CHECK_THROWS_WITH(about_declared(m), Contains("no mass"));
}
