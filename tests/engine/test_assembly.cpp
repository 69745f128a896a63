// SPDX-License-Identifier: MIT
// Consistent initial states: what assembly keeps, moves and refuses.
#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/assembly.hpp"
#include "error.hpp"
#include "model/body/bodies.hpp"
#include "model/body/points.hpp"
#include "model/joint/joints.hpp"
#include "model/joint/relations.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"
#include "system/last_layout.hpp"

using namespace perilune;
using analysis::Assembly;
using analysis::ConsistentState;
using Catch::Matchers::Contains;
using expr::Symbol;
using model::Model;
using model::Place;
using model::Vector;

namespace {

struct Assembled {
  std::shared_ptr<const system::System> system;
  std::shared_ptr<const system::Data> data;
  ConsistentState state;

  explicit Assembled(const Model& m, const std::vector<int>& independent = {}, double t = 0)
      : system(std::make_shared<system::System>(m)) {
    std::vector<double> parameters;
    for (const model::Parameter& p : m.parameters()) parameters.push_back(p.value);
    data = system->make_data(parameters);
    state = Assembly(system, independent).solve(t, *data);
  }
  /// Largest violation of the constraints and of their rates.
  double violation() const {
    system::Workspace w(*system);
    system->evaluate({0, state.q.data(), state.v.data(), nullptr, nullptr}, *data, w);
    double worst = 0;
    for (double x : w.phi) worst = std::max(worst, std::abs(x));
    for (double x : w.phi_rate) worst = std::max(worst, std::abs(x));
    return worst;
  }
};

const Vector still{0.0, 0.0};

void add_length(Model& m, const char* name, const Place& a, const Place& b, double length) {
  const Symbol L = length;
  add_distance(m, name, a, b, &L);
}

}  // namespace

TEST_CASE("a consistent declaration is left alone") {
  Model m("four-bar", {0, -9.81});
  const Place A = ground_place(m, {0.0, 0.0}), D = ground_place(m, {3.0, 0.0});
  const Place B = add_point(m, "B", {0.1, 0.9}, {-0.9, 0.1}, 1.0);
  const Place C = add_point(m, "C", {2.7, 1.3}, still, 1.0);
  add_distance(m, "crank", A, B, nullptr);
  add_distance(m, "rocker", D, C, nullptr);
  const Assembled result(m);
  CHECK(result.state.q == std::vector<double>{0.1, 0.9, 2.7, 1.3});
  CHECK(result.state.moved == 0);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(result.state.v[i] == Approx(std::vector<double>{-0.9, 0.1, 0, 0}[i]).margin(1e-14));
  }
  CHECK(result.violation() <= 1e-14);
}

TEST_CASE("runs that follow each other with one system make the layout of their matrix once") {
  const auto compiled = [] {
    Model m("pendulum", {0, -9.81});
    add_distance(m, "rod", ground_place(m, {0.0, 0.0}), add_point(m, "P", {1.0, 0.0}, still, 1.0), nullptr);
    return std::make_shared<const system::System>(m);
  };
  system::LastLayout last;
  int made = 0;
  const auto ask = [&](const std::shared_ptr<const system::System>& system, const std::vector<int>& coordinates) {
    return last.of(system, coordinates, [&] {
      ++made;
      return std::make_shared<const linalg::MatrixLayout>(system->nn());
    });
  };
  std::shared_ptr<const system::System> first = compiled();
  const auto layout = ask(first, {});
  CHECK(ask(first, {}) == layout);
  CHECK(made == 1);
  ask(first, {1});
  CHECK(made == 2);
  ask(compiled(), {1});
  CHECK(made == 3);
  // Wherever the next system stands in memory, it is not the one that is gone.
  ask(compiled(), {1});
  CHECK(made == 4);
}

TEST_CASE("a model without constraints starts as declared") {
  Model m("free", {0, 0});
  add_point(m, "P", {1.0, 2.0}, {3.0, 4.0}, 1.0);
  const Assembled result(m);
  CHECK(result.state.q == std::vector<double>{1, 2});
  CHECK(result.state.v == std::vector<double>{3, 4});
}

TEST_CASE("the nearest point of a circle lies towards the declared one") {
  for (const auto& [x, y] : std::vector<std::pair<double, double>>{{3, 4}, {0.3, 0.4}, {-0.06, 0.08}, {-30, -40}}) {
    Model m("circle", {0, 0});
    const Place O = ground_place(m, {0.0, 0.0}), P = add_point(m, "P", {x, y}, {1.0, 0.0}, 1.0);
    add_length(m, "rod", O, P, 2);
    const Assembled result(m);
    const double r = std::hypot(x, y), c = x / r, s = y / r;
    INFO("from " << x << ", " << y);
    CHECK(result.state.q[0] == Approx(2 * c).epsilon(1e-13));
    CHECK(result.state.q[1] == Approx(2 * s).epsilon(1e-13));
    // What is left of the velocity is its part along the circle.
    CHECK(result.state.v[0] == Approx(s * s).epsilon(1e-12));
    CHECK(result.state.v[1] == Approx(-s * c).epsilon(1e-12));
    CHECK(result.state.moved == Approx(std::max(std::abs(x - 2 * c), std::abs(y - 2 * s))).epsilon(1e-12));
  }
}

TEST_CASE("the nearest configuration is a stationary point of the distance") {
  // A triangle of bars whose corners are declared at random: q - q_d is normal to every motion the bars allow.
  Model m("triangle", {0, 0});
  const Place P = add_point(m, "P", {0.1, -0.2}, {0.3, 0.1}, 1.0), Q = add_point(m, "Q", {1.3, 0.2}, still, 1.0),
              R = add_point(m, "R", {0.4, 1.1}, {0.0, -0.5}, 1.0);
  add_length(m, "PQ", P, Q, 1);
  add_length(m, "QR", Q, R, 1.1);
  add_length(m, "RP", R, P, 0.9);
  const Assembled result(m);
  CHECK(result.violation() <= 1e-13);
  const std::vector<double>&q = result.state.q, declared = result.data->initial_q;
  double shift_x = 0, shift_y = 0, turn = 0, spin = 0;
  for (std::size_t k = 0; k < 6; k += 2) {
    const double dx = q[k] - declared[k], dy = q[k + 1] - declared[k + 1];
    shift_x += dx;
    shift_y += dy;
    turn += q[k] * dy - q[k + 1] * dx;
    const double wx = result.state.v[k] - result.data->initial_v[k],
                 wy = result.state.v[k + 1] - result.data->initial_v[k + 1];
    spin += q[k] * wy - q[k + 1] * wx;
  }
  CHECK(std::abs(shift_x) <= 1e-12);
  CHECK(std::abs(shift_y) <= 1e-12);
  CHECK(std::abs(turn) <= 1e-12);
  CHECK(std::abs(spin) <= 1e-12);
  CHECK(result.state.moved > 0.01);
}

TEST_CASE("the largest move is that of the state that is returned") {
  Model m("arm", {0, 0});
  const Place O = ground_place(m, {0.0, 0.0}), P = add_point(m, "P", {1.4, 0.3}, still, 1.0),
              Q = add_point(m, "Q", {2.9, -0.7}, still, 1.0);
  add_length(m, "upper", O, P, 1);
  add_length(m, "lower", P, Q, 1);
  const Assembled result(m);
  double moved = 0;
  for (std::size_t i = 0; i < 4; ++i) moved = std::max(moved, std::abs(result.state.q[i] - result.data->initial_q[i]));
  CHECK(result.state.moved == moved);
  CHECK(moved > 0.1);
}

TEST_CASE("chosen coordinates keep their declared values") {
  Model m("slider", {0, 0});
  const Place O = ground_place(m, {0.0, 0.0}), P = add_point(m, "P", {0.6, 0.5}, {0.25, 7.0}, 1.0);
  add_length(m, "rod", O, P, 1);
  const Assembled result(m, {0});
  CHECK(result.state.q[0] == 0.6);
  CHECK(result.state.q[1] == Approx(0.8).epsilon(1e-14));
  CHECK(result.state.v[0] == Approx(0.25).epsilon(1e-12));
  CHECK(result.state.v[1] == Approx(-0.25 * 0.6 / 0.8).epsilon(1e-12));
}

TEST_CASE("a spatial body's Euler parameters are normalized and its joint closed") {
  Model m("pendulum", {0, 0, -9.81});
  const Place body = add_spatial_body(m, "body", 1.0, {0.1, 0.2, 0.3, 0.0, 0.0, 0.0}, {0.9, 0.2, -0.1},
                                      {1.0, 0.2, 0.1, -0.3}, {0.0, 0.0, 0.0}, {0.0, 0.0, 2.0});
  add_joint(m, "revolute", "pin", with_axis(m, ground_place(m, {0.0, 0.0, 0.0}), {0.0, 1.0, 1.0}),
            with_axis(m, body_place(m, body, {-1.0, 0.0, 0.0}), {0.0, 1.0, 0.8}));
  const Assembled result(m);
  const std::vector<double>& q = result.state.q;
  CHECK(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6] == Approx(1).epsilon(1e-13));
  CHECK(result.violation() <= 1e-12);
  CHECK(result.state.moved > 0.01);
}

TEST_CASE("redundant constraints that agree are assembled") {
  Model m("parallel cranks", {0, 0});
  Place ground[3], top[3];
  for (int k = 0; k < 3; ++k) {
    const double x = k;
    ground[k] = ground_place(m, {x, 0.0});
    top[k] = add_point(m, "P" + std::to_string(k), {x + 0.55, 0.9}, {k == 0 ? 0.4 : 0.0, 0.0}, 1.0);
    add_length(m, ("crank" + std::to_string(k)).c_str(), ground[k], top[k], 1);
  }
  add_length(m, "first", top[0], top[1], 1);
  add_length(m, "second", top[1], top[2], 1);
  add_length(m, "both", top[0], top[2], 2);
  const Assembled result(m);
  CHECK(result.violation() <= 1e-12);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(result.state.q[2 * k] - static_cast<double>(k) == Approx(result.state.q[0]).epsilon(1e-9));
  }
}

TEST_CASE("a mechanism that cannot be assembled names the constraint and the gap") {
  Model m("too far", {0, 0});
  const Place A = ground_place(m, {0.0, 0.0}), B = ground_place(m, {5.0, 0.0});
  const Place P = add_point(m, "P", {1.0, 1.0}, still, 1.0);
  m.record().defined_at = "bridge.lua:4";
  add_length(m, "left", A, P, 1);
  m.record().defined_at = "bridge.lua:5";
  add_length(m, "right", P, B, 2);
  CHECK_THROWS_AS(Assembled(m), NumericalError);
  CHECK_THROWS_WITH(Assembled(m),
                    Contains("\"left\", defined at bridge.lua:4") || Contains("\"right\", defined at bridge.lua:5"));
  CHECK_THROWS_WITH(Assembled(m), Contains("cannot be assembled") && Contains("check its lengths"));
}

TEST_CASE("independent coordinates that the constraints contradict are refused") {
  Model m("rod", {0, 0});
  const Place O = ground_place(m, {0.0, 0.0}), P = add_point(m, "P", {0.9, 0.9}, still, 1.0);
  add_length(m, "rod", O, P, 1);
  CHECK_THROWS_AS(Assembled(m, {0, 1}), NumericalError);
  // Out of the rod's reach.
  Model far("rod", {0, 0});
  const Place Q = add_point(far, "Q", {1.5, 0.1}, still, 1.0);
  add_length(far, "rod", ground_place(far, {0.0, 0.0}), Q, 1);
  CHECK_THROWS_WITH(Assembled(far, {0}), Contains("\"rod\""));
}

TEST_CASE("wrong independent coordinates are errors") {
  Model m("rod", {0, 0});
  const Place O = ground_place(m, {0.0, 0.0}), P = add_point(m, "P", {1.0, 0.0}, still, 1.0);
  add_distance(m, "rod", O, P, nullptr);
  CHECK_THROWS_WITH(Assembled(m, {2}), Contains("coordinate"));
  CHECK_THROWS_WITH(Assembled(m, {-1}), Contains("coordinate"));
  CHECK_THROWS_WITH(Assembled(m, {1, 1}), Contains("P.y") && Contains("twice"));
}

TEST_CASE("small mechanisms are assembled to their own precision") {
  for (double size : {1e-4, 1.0, 1e4}) {
    Model m("rod", {0, 0});
    const Place O = ground_place(m, {0.0, 0.0}),
                P = add_point(m, "P", {0.6 * size, 0.8 * size * (1 + 1e-6)}, still, 1.0);
    add_length(m, "rod", O, P, size);
    const Assembled result(m);
    INFO("size " << size);
    CHECK(std::hypot(result.state.q[0], result.state.q[1]) == Approx(size).epsilon(1e-14));
  }
}

TEST_CASE("of several closed positions the declared start chooses") {
  // A four-bar from rough guesses: the joint C above the line BD (open) or below it (crossed).
  for (const auto& [guess, is_open] : std::vector<std::pair<double, bool>>{{1.6, true}, {-1.1, false}}) {
    Model m("four-bar", {0, 0});
    const Place A = ground_place(m, {0.0, 0.0}), D = ground_place(m, {2.0, 0.0});
    const Place B = add_point(m, "B", {0.6, 0.9}, still, 1.0), C = add_point(m, "C", {2.4, guess}, still, 1.0);
    add_length(m, "crank", A, B, 1);
    add_length(m, "coupler", B, C, 2);
    add_length(m, "rocker", C, D, 1.5);
    const Assembled result(m, {0});
    INFO("C declared at height " << guess);
    CHECK(result.state.q[0] == 0.6);
    CHECK(result.state.q[1] == Approx(0.8).epsilon(1e-13));
    // The two intersections of the circles about B (radius 2) and D (radius 1.5).
    const double dx = 2 - 0.6, dy = -0.8, d = std::hypot(dx, dy), along = (d * d + 4 - 2.25) / (2 * d),
                 across = std::sqrt(4 - along * along) * (is_open ? 1 : -1);
    CHECK(result.state.q[2] == Approx(0.6 + (along * dx - across * dy) / d).epsilon(1e-12));
    CHECK(result.state.q[3] == Approx(0.8 + (along * dy + across * dx) / d).epsilon(1e-12));
  }
}

TEST_CASE("very rough guesses are assembled") {
  // A closed chain of four planar bodies, all declared in one heap.
  Model m("heap", {0, 0});
  const Place ground = ground_place(m, {0.0, 0.0});
  Place body[3];
  for (int k = 0; k < 3; ++k) {
    body[k] = add_planar_body(m, "b" + std::to_string(k), 1.0, 0.1, {0.1 * k, 0.05}, 0.3 * k, still, 0.0);
  }
  add_coincidence(m, "A", ground, body_place(m, body[0], {-0.5, 0.0}));
  add_coincidence(m, "B", body_place(m, body[0], {0.5, 0.0}), body_place(m, body[1], {-1.0, 0.0}));
  add_coincidence(m, "C", body_place(m, body[1], {1.0, 0.0}), body_place(m, body[2], {-0.75, 0.0}));
  add_coincidence(m, "D", body_place(m, body[2], {0.75, 0.0}), ground_place(m, {2.0, 0.0}));
  const Assembled result(m);
  CHECK(result.violation() <= 1e-12);
}

TEST_CASE("from the centre of a circle no direction leads to it") {
  Model m("circle", {0, 0});
  const Place P = add_point(m, "P", {0.0, 0.0}, still, 1.0), O = ground_place(m, {0.0, 0.0});
  add_length(m, "rod", O, P, 1);
  CHECK_THROWS_AS(Assembled(m), NumericalError);
  CHECK_THROWS_WITH(Assembled(m), Contains("\"rod\""));
}

TEST_CASE("a declared position far off is not taken to the farthest point instead of the nearest") {
  // Inside a parabola: straight below is the locally farthest point.
  Model m("parabola", {0, 0});
  add_point(m, "P", {0.1, 5.0}, still, 1.0);
  const Symbol x(m.graph(), m.signal("P.x")), y(m.graph(), m.signal("P.y"));
  add_constraint(m, "bowl", y - x * x);
  const Assembled result(m);
  const double at = result.state.q[0];
  CHECK(result.state.q[1] == Approx(at * at).epsilon(1e-13));
  CHECK(at > 1);  // of the three stationary points the one near 2.1
  CHECK(2 * (at - 0.1) + 4 * at * (at * at - 5) == Approx(0).margin(1e-11));
}

TEST_CASE("the gap that stays open is a length") {
  Model m("too far", {0, 0});
  const Place A = ground_place(m, {0.0, 0.0}), P = add_point(m, "P", {1.0, 1.0}, still, 1.0);
  add_length(m, "left", A, P, 1);
  add_coincidence(m, "fixed", ground_place(m, {4.0, 0.0}), P);
  // The rod and the pin share what is missing: 3 m from the rod's reach to the pin.
  CHECK_THROWS_WITH(Assembled(m), Contains("\"left\" and \"fixed\" contradict each other") ||
                                      Contains("\"fixed\" and \"left\" contradict each other"));
  CHECK_THROWS_WITH(Assembled(m), Contains(" m; check"));
}

TEST_CASE("a joint's angle follows the bodies and does not hold them") {
  // The same hinge with and without the coordinate that counts its angle, from a declaration that must be moved.
  const Vector z{0.0, 0.0, 1.0}, origin{0.0, 0.0, 0.0}, pin{-0.5, 0.0, 0.0};
  const auto add_body = [&](Model& m) {
    return add_spatial_body(m, "body", 1.0, {0.1, 0.2, 0.3, 0.0, 0.0, 0.0}, {0.3, 0.6, 0.2}, {1.0, 0.1, 0.0, 0.3},
                            origin, {0.2, 0.1, 1.0});
  };
  Model counted("counted", {0, 0, 0}), plain("plain", {0, 0, 0});
  const Place a = add_body(counted), b = add_body(plain);
  add_joint(counted, "revolute", "pin", ground_place(counted, origin), body_place(counted, a, pin));
  add_coincidence(plain, "pin", ground_place(plain, origin), body_place(plain, b, pin));
  add_dot1(plain, "x", ground_place(plain, origin), {1.0, 0.0, 0.0}, body_place(plain, b, pin), z, 0.0);
  add_dot1(plain, "y", ground_place(plain, origin), {0.0, 1.0, 0.0}, body_place(plain, b, pin), z, 0.0);
  const Assembled with(counted), without(plain);
  REQUIRE(with.state.q.size() == 8);
  REQUIRE(with.system->role(7) == model::Role::Auxiliary);
  for (std::size_t i = 0; i < 7; ++i) {
    CHECK(with.state.q[i] == Approx(without.state.q[i]).margin(1e-11));
    CHECK(with.state.v[i] == Approx(without.state.v[i]).margin(1e-10));
  }
  CHECK(with.violation() <= 1e-12);
  CHECK(with.state.moved == Approx(without.state.moved).epsilon(1e-9));
}
