// SPDX-License-Identifier: MIT
// User laws as elements: their blocks in a system, their derivatives, what they may read.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <set>

#include "error.hpp"
#include "mechanisms.hpp"
#include "model/body/bodies.hpp"
#include "model/body/points.hpp"
#include "model/element/element_check.hpp"
#include "model/force/forces.hpp"
#include "model/force/law.hpp"
#include "model/force/springs.hpp"
#include "model/joint/joints.hpp"
#include "model/joint/relations.hpp"
#include "model/place/places.hpp"
#include "system/system.hpp"

using namespace perilune;
using Catch::Matchers::Contains;
using expr::Symbol;
using model::ElementBlocks;
using model::Kinematics;
using model::LawKernel;
using model::Model;
using model::Place;
using model::Vector;

namespace {

/// Laws of several kinds on a planar body and two points; the forces also read what they do not act on.
struct Planar {
  Model m{"test", {0, 0}};
  Symbol k = m.add_parameter("k", 3, "", 0, 10), c = m.add_parameter("c", 0.4, "", 0, 10);
  Place P = add_point(m, "P", {1.0, 2.0}, {0.0, 0.0}, 1.0);
  Place Q = add_point(m, "Q", {3.0, 1.0}, {0.0, 0.0}, 1.0);
  Place body = add_planar_body(m, "body", 1.0, 1.0, {0.0, 0.0}, 0.0, {0.0, 0.0}, 0.0);

  Symbol read(const char* name) { return {m.graph(), m.signal(name)}; }
  Symbol time() { return {m.graph(), m.time()}; }
  void add_all() {
    add_force(m, "pull", P, {k * (read("Q.x") - read("P.x")) * read("body.angle"), -c * read("P.vy") * read("P.vy")},
              {});
    add_force(m, "push", body_place(m, body, {0.3, -0.2}), {sin(time()) * read("Q.vx"), k * c},
              {c * read("body.omega")});
    add_force(m, "constant", Q, {1.0, 0.0}, {});
  }
};

Model& law_model(Planar& test) {
  test.add_all();
  return test.m;
}

struct State {
  std::vector<double> q, v, a, parameters;
  State(int n, unsigned seed, std::vector<double> p) : parameters(std::move(p)) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(-1.5, 1.5);
    for (int i = 0; i < n; ++i) {
      q.push_back(any(random));
      v.push_back(any(random));
      a.push_back(any(random));
    }
  }
};

std::size_t count(int n) { return static_cast<std::size_t>(n); }

void check_near(const std::vector<double>& x, const std::vector<double>& y, double tolerance, const char* what) {
  REQUIRE(x.size() == y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    INFO(what << "[" << i << "]");
    CHECK(std::abs(x[i] - y[i]) <= tolerance * std::max(1.0, std::abs(y[i])));
  }
}

}  // namespace

TEST_CASE("laws: the kernel agrees with automatic differentiation and complex step") {
  Planar test;
  Model& m = law_model(test);
  int laws = 0;
  for (const model::Element& element : m.elements()) {
    if (element.form != model::Element::Form::Law) continue;
    ++laws;
    const LawKernel kernel(m, element);
    const int n = kernel.coordinate_count(), d = kernel.data_count();
    REQUIRE(count(n) == element.coordinates.size());
    for (unsigned seed = 1; seed <= 10; ++seed) {
      INFO(element.name << ", seed " << seed);
      const State s(n, seed, {3, 0.4, 0});  // and no shift of time
      std::vector<double> data(s.parameters.begin(), s.parameters.begin() + d);
      const Kinematics at{0.7, s.q.data(), s.v.data(), s.a.data(), nullptr};
      const ElementBlocks ad = kernel.by_automatic_differentiation(at, data.data());
      const ElementBlocks step = kernel.by_complex_step(at, data.data());
      // Through the interface of a system, added to what is there, with data of which the first is constant.
      model::Batch batch;
      batch.count = 1;
      for (int i = 0; i < n; ++i) batch.coordinates.push_back(i);
      for (int i = 0; i < n * n; ++i) batch.nn.push_back(i);
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < d; ++j) batch.nd.push_back(j == 0 ? -1 : i * d + j);
      }
      batch.is_active = {1};
      std::vector<double> force(count(n), 1.0), stiffness(count(n * n), 2.0), damping(count(n * n), 3.0),
          in_data(count(n * d), 4.0), scratch(kernel.scratch_size());
      model::Blocks blocks;
      blocks.force = force.data();
      blocks.stiffness = stiffness.data();
      blocks.damping = damping.data();
      blocks.residual_data = in_data.data();
      blocks.scratch = scratch.data();
      kernel.evaluate(batch, at, data.data(), blocks);
      kernel.linearize(batch, at, data.data(), blocks, true);
      auto minus = [](std::vector<double> x, double y) {
        for (double& value : x) value -= y;
        return x;
      };
      check_near(minus(force, 1), ad.force, 1e-14, "force");
      check_near(minus(stiffness, 2), ad.stiffness, 1e-14, "stiffness");
      check_near(minus(damping, 3), ad.damping, 1e-14, "damping");
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < d; ++j) {
          CHECK(in_data[count(i * d + j)] - 4 ==
                Approx(j == 0 ? 0.0 : ad.residual_data[count(i * d + j)]).epsilon(1e-14).margin(1e-14));
        }
      }
      check_near(step.stiffness, ad.stiffness, 1e-13, "stiffness");
      check_near(step.damping, ad.damping, 1e-13, "damping");
      check_near(step.residual_data, ad.residual_data, 1e-13, "residual_data");
      CHECK(ad.mass == std::vector<double>(count(n * n), 0.0));
    }
  }
  CHECK(laws == 3);
}

TEST_CASE("laws: forces and their derivatives in a system, by hand") {
  Planar test;
  const system::System s(law_model(test));
  const auto data = s.make_data({3, 0.4});
  const State x(7, 99, {});
  system::Workspace w(s);
  const Kinematics at{0.7, x.q.data(), x.v.data(), x.a.data(), nullptr};
  s.evaluate(at, *data, w);
  const double angle = x.q[6], sine = std::sin(0.7);
  const double rx = 0.3 * std::cos(angle) + 0.2 * std::sin(angle), ry = 0.3 * std::sin(angle) - 0.2 * std::cos(angle);
  const double fx = sine * x.v[2], fy = 1.2;
  const std::vector<double> expected{3 * (x.q[2] - x.q[0]) * angle,   -0.4 * x.v[1] * x.v[1], 1, 0, fx, fy,
                                     rx * fy - ry * fx + 0.4 * x.v[6]};
  check_near({w.force.begin(), w.force.end()}, expected, 1e-14, "force");

  s.linearize(at, *data, w, true);
  auto stiffness = [&](int i, int j) { return w.stiffness[count(s.nn().slot(i, j))]; };
  auto damping = [&](int i, int j) { return w.damping[count(s.nn().slot(i, j))]; };
  // r = M a - Q; the masses are constant.
  CHECK(stiffness(0, 0) == Approx(3 * angle).epsilon(1e-14));
  CHECK(stiffness(0, 2) == Approx(-3 * angle).epsilon(1e-14));
  CHECK(stiffness(0, 6) == Approx(-3 * (x.q[2] - x.q[0])).epsilon(1e-14));
  CHECK(stiffness(6, 6) == Approx(ry * fy + rx * fx).epsilon(1e-13));
  CHECK(damping(1, 1) == Approx(0.8 * x.v[1]).epsilon(1e-14));
  CHECK(damping(4, 2) == Approx(-sine).epsilon(1e-14));
  CHECK(damping(6, 2) == Approx(ry * sine).epsilon(1e-14));
  CHECK(damping(6, 6) == Approx(-0.4).epsilon(1e-14));
  REQUIRE(s.data_count() == 3);
  REQUIRE(s.time_datum() == 2);
  CHECK(w.residual_data[count(s.nd().slot(4, 2))] == Approx(-std::cos(0.7) * x.v[2]).epsilon(1e-14));
  for (int datum = 0; datum < 2; ++datum) {
    // Which datum is k: the one on which the first force depends.
    const double in_first = w.residual_data[count(s.nd().slot(0, datum))];
    std::vector<double> direction(3, 1.0);
    s.data_tangent(*data, std::vector<double>{1, 0}.data(), direction.data());
    CHECK(direction[2] == 0);
    const bool is_k = direction[count(datum)] == 1;
    CHECK(in_first == Approx(is_k ? -(x.q[2] - x.q[0]) * angle : 0.0).epsilon(1e-14));
    CHECK(w.residual_data[count(s.nd().slot(5, datum))] == Approx(is_k ? -0.4 : -3.0).epsilon(1e-14));
  }
}

TEST_CASE("laws: a torque in space on a spatial body does the work of its angular velocity") {
  Model m("test", {0, 0, 0});
  const Place body = add_spatial_body(m, "b", 1.0, {1.0, 2.0, 3.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0},
                                      {1.0, 0.3, -0.2, 0.5}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0});
  const Place tip = body_place(m, body, {0.4, -0.3, 0.2});
  add_force(m, "f", tip, {1.5, -0.7, 0.6}, {0.2, 0.9, -0.5});
  const system::System s(m);
  const auto data = s.make_data({});
  std::vector<double> q = data->initial_q, v(7);
  const double p[4] = {q[3], q[4], q[5], q[6]}, w_space[3] = {0.3, -0.8, 1.1};
  // p' = (0, omega) p / 2 with the quaternion product, omega in space.
  v[0] = 0.25, v[1] = -0.5, v[2] = 0.75;
  v[3] = -0.5 * (w_space[0] * p[1] + w_space[1] * p[2] + w_space[2] * p[3]);
  v[4] = 0.5 * (w_space[0] * p[0] + w_space[1] * p[3] - w_space[2] * p[2]);
  v[5] = 0.5 * (w_space[1] * p[0] + w_space[2] * p[1] - w_space[0] * p[3]);
  v[6] = 0.5 * (w_space[2] * p[0] + w_space[0] * p[2] - w_space[1] * p[1]);
  system::Workspace w(s);
  // At rest the forces stand alone, without gyroscopic terms.
  const std::vector<double> still(7, 0.0);
  s.evaluate({0, q.data(), still.data(), nullptr, nullptr}, *data, w);
  double power = 0;
  for (std::size_t i = 0; i < 7; ++i) power += w.force[i] * v[i];
  // Power by hand: F . (v + omega x r) + T . omega, with r turned by the quaternion.
  const double l[3] = {0.4, -0.3, 0.2};
  double t[3], r[3];
  for (int k = 0; k < 3; ++k) t[k] = 2 * (p[1 + (k + 1) % 3] * l[(k + 2) % 3] - p[1 + (k + 2) % 3] * l[(k + 1) % 3]);
  for (int k = 0; k < 3; ++k) {
    r[k] = l[k] + p[0] * t[k] + p[1 + (k + 1) % 3] * t[(k + 2) % 3] - p[1 + (k + 2) % 3] * t[(k + 1) % 3];
  }
  const double F[3] = {1.5, -0.7, 0.6}, T[3] = {0.2, 0.9, -0.5};
  double expected = 0;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    expected += F[k] * (v[count(k)] + w_space[i] * r[j] - w_space[j] * r[i]) + T[k] * w_space[k];
  }
  CHECK(power == Approx(expected).epsilon(1e-13));
}

TEST_CASE("laws: accelerations and multipliers are read with their derivatives") {
  const Mechanism mechanism = rubbing_crank_mechanism();
  std::set<std::string> families;
  for (const model::ElementCheck& check : model::check_elements(*mechanism.model, 3)) {
    INFO(check.element << ", " << check.family);
    CHECK(check.difference <= 1e-11 * check.size + 1e-13);
    if (check.size > 0) families.insert(check.family);
  }
  CHECK(families.contains("force_acceleration"));
  CHECK(families.contains("force_multiplier"));
}

TEST_CASE("laws: those of constraints cannot read what follows from them") {
  Planar test;
  CHECK_THROWS_WITH(add_constraint(test.m, "still", test.read("Q.ax")), Contains("'Q.ax'"));
}

TEST_CASE("laws: a force that is not finite is blamed on its law") {
  Planar test;
  test.m.record().defined_at = "arm.lua:12";
  add_force(test.m, "inverse", test.P, {1.0 / test.read("P.x"), 0.0}, {});
  const system::System s(test.m);
  const auto data = s.make_data({3, 0.4});
  std::vector<double> q{0, 1, 2, 3, 4, 5, 6}, v(7, 0.0);
  const std::string cause = s.explain_failure({0, q.data(), v.data(), nullptr, nullptr}, *data);
  CHECK_THAT(cause, Contains("\"inverse\"") && Contains("arm.lua:12") && Contains("not a finite number"));
  q[0] = 1;
  CHECK(s.explain_failure({0, q.data(), v.data(), nullptr, nullptr}, *data).empty());
  q[3] = std::nan("");
  CHECK_THAT(s.explain_failure({0, q.data(), v.data(), nullptr, nullptr}, *data), Contains("Q.y"));
}

TEST_CASE("laws: signals of a force are its components") {
  Planar test;
  add_force(test.m, "drag", test.P, {-2.0 * test.read("P.vx"), test.k}, {});
  CHECK(test.m.graph().to_string(test.m.signal("drag.fx")) == "-2 * P.vx");
  CHECK(test.m.graph().to_string(test.m.signal("drag.fy")) == "k");
}

TEST_CASE("a failure is blamed on the element, not on a neighbour at the same point") {
  Model m("test", {0, 0});
  const Place P = add_point(m, "P", {1.0, 0.0}, {0.0, 0.0}, 1.0), Q = add_point(m, "Q", {2.0, 0.0}, {0.0, 0.0}, 1.0),
              R = add_point(m, "R", {3.0, 0.0}, {0.0, 0.0}, 1.0);
  add_spring(m, "left", P, Q, 1.0, nullptr, 0.0, 0.0);
  add_spring(m, "right", Q, R, 1.0, nullptr, 0.0, 0.0);
  const system::System s(m);
  const auto data = s.make_data({});
  const std::vector<double> v(6, 0.0), collapsed{1, 0, 2, 0, 2, 0}, apart{1, 0, 2, 0, 3, 0};
  CHECK_THAT(s.explain_failure({0, collapsed.data(), v.data(), nullptr, nullptr}, *data), Contains("\"right\""));
  CHECK(s.explain_failure({0, apart.data(), v.data(), nullptr, nullptr}, *data).empty());
}
