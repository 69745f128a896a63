// SPDX-License-Identifier: MIT
// Declaring a model: what is refused, with which words, and what stays usable afterwards; places, axes, lengths.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "analysis/assembly.hpp"
#include "error.hpp"
#include "model/body/bodies.hpp"
#include "model/body/points.hpp"
#include "model/force/forces.hpp"
#include "model/force/springs.hpp"
#include "model/joint/joints.hpp"
#include "model/model.hpp"
#include "model/place/markers.hpp"
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

const double infinity = std::numeric_limits<double>::infinity();
const Vector still2{0.0, 0.0}, still3{0.0, 0.0, 0.0};
const std::vector<Symbol> ball{1.0, 1.0, 1.0, 0.0, 0.0, 0.0};

Place box(Model& m, const std::string& name, const Vector& at = {0.0, 0.0, 0.0},
          const std::vector<Symbol>& orientation = {1.0, 0.0, 0.0, 0.0}) {
  return add_spatial_body(m, name, 1.0, ball, at, orientation, still3, still3);
}
Place plate(Model& m, const std::string& name) { return add_planar_body(m, name, 1.0, 1.0, still2, 0.0, still2, 0.0); }

/// Values of expressions at coordinates and parameters.
std::vector<double> values(Model& m, const Vector& expressions, const std::vector<double>& q,
                           const std::vector<double>& parameters = {}) {
  std::vector<expr::NodeId> nodes;
  for (const Symbol& s : expressions) nodes.push_back(s.in(m.graph()));
  const system::Measure measure(m.graph(), nodes);
  auto work = measure.make_work();
  measure.evaluate({0, q.data(), nullptr, nullptr, nullptr, parameters.data()}, work);
  std::vector<double> out;
  for (int k = 0; k < measure.output_count(); ++k) out.push_back(measure.value(work, k));
  return out;
}

void check_near(const std::vector<double>& x, const std::vector<double>& y) {
  REQUIRE(x.size() == y.size());
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(x[i] == Approx(y[i]).epsilon(1e-14).margin(1e-14));
}

}  // namespace

TEST_CASE("a name can be taken once, by whatever came first") {
  Model m("test", {0, -9.81});
  m.record().defined_at = "arm.lua:3";
  const Place P = add_point(m, "P", {1.0, 2.0}, still2, 1.0);
  m.record().defined_at = "arm.lua:4";
  CHECK_THROWS_WITH(add_point(m, "P", {0.0, 0.0}, still2, 1.0), Contains("\"P\"") && Contains("point at arm.lua:3"));
  CHECK_THROWS_WITH(m.add_parameter("P", 1, "", 0, 2), Contains("parameter \"P\"") && Contains("taken"));
  CHECK_THROWS_WITH(add_spring(m, "P", ground_place(m, {0.0, 0.0}), P, 1.0, nullptr, 0.0, 0.0), Contains("taken"));
  CHECK_THROWS_WITH(add_force(m, "P", P, {0.0, 0.0}, {}), Contains("taken"));
  CHECK_THROWS_WITH(add_distance(m, "P", ground_place(m, {0.0, 0.0}), P, nullptr), Contains("taken"));
  CHECK(m.coordinates().size() == 2);
  CHECK(m.multipliers().empty());
  CHECK(m.elements().size() == 1);
}

TEST_CASE("a refused declaration leaves its name free") {
  Model m("test", {0, -9.81});
  const Place P = add_point(m, "P", {1.0, 2.0}, still2, 1.0);
  CHECK_THROWS(m.add_parameter("k", 5, "", 0, 1));
  CHECK(m.parameters().empty());
  CHECK_NOTHROW(m.add_parameter("k", 0.5, "", 0, 1));
  CHECK_THROWS(add_force(m, "drag", ground_place(m, {0.0, 0.0}), {1.0, 0.0}, {}));
  CHECK_FALSE(has_signal(m, "drag.fx"));
  CHECK_NOTHROW(add_force(m, "drag", P, {1.0, 0.0}, {}));
  const Symbol negative = -1.0;
  CHECK_THROWS(add_distance(m, "rod", ground_place(m, {0.0, 0.0}), P, &negative));
  CHECK_NOTHROW(add_distance(m, "rod", ground_place(m, {0.0, 0.0}), P, nullptr));
}

TEST_CASE("vectors must fit the dimension") {
  Model planar("planar", {0, -9.81}), spatial("spatial", {0, 0, -9.81});
  CHECK(planar.dimension() == 2);
  CHECK(spatial.dimension() == 3);
  CHECK_THROWS_WITH(Model("line", {1}), Contains("2 components") && Contains("not 1"));
  CHECK_THROWS_WITH(add_point(planar, "P", still3, still2, 1.0),
                    Contains("at needs 2 components") && Contains("not 3"));
  CHECK_THROWS_WITH(add_point(planar, "P", still2, still3, 1.0), Contains("velocity needs 2"));
  CHECK_THROWS_WITH(add_point(spatial, "P", still2, still3, 1.0), Contains("spatial model, not 2"));
  CHECK_THROWS_WITH(ground_place(planar, still3), Contains("2 components"));
  CHECK_THROWS_WITH(planar.set_gravity(still3), Contains("gravity needs 2"));
  CHECK_THROWS_WITH(box(planar, "b"), Contains("spatial model"));
  CHECK_THROWS_WITH(plate(spatial, "b"), Contains("planar model"));
  const Place P = add_point(planar, "P", still2, still2, 1.0);
  CHECK_THROWS_WITH(add_force(planar, "f", P, still3, {}), Contains("the force needs 2"));
  CHECK_THROWS_WITH(body_place(planar, plate(planar, "b"), still3), Contains("on a body needs 2"));
  CHECK_THROWS_WITH(planar.set_gravity(still2), Contains("before the first"));
}

TEST_CASE("inertias, orientations and torques have a fixed number of components") {
  Model m("test", {0, 0, -9.81});
  auto add = [&](const std::vector<Symbol>& inertia, const std::vector<Symbol>& orientation) {
    add_spatial_body(m, "b", 1.0, inertia, still3, orientation, still3, still3);
  };
  CHECK_THROWS_WITH(add({1.0, 1.0, 1.0}, {1.0, 0.0, 0.0, 0.0}), Contains("6 numbers") && Contains("Jxy"));
  CHECK_THROWS_WITH(add(ball, {1.0, 0.0, 0.0}), Contains("4 Euler parameters"));
  const Place b = box(m, "b");
  CHECK_THROWS_WITH(add_force(m, "f", b, still3, {1.0}), Contains("torque needs 3 components") && Contains("not 1"));
  CHECK_NOTHROW(add_force(m, "f", b, still3, {1.0, 0.0, 0.0}));
  Model planar("planar", {0, 0});
  const Place p = plate(planar, "p"), P = add_point(planar, "P", still2, still2, 1.0);
  CHECK_THROWS_WITH(add_force(planar, "f", p, still2, still3),
                    Contains("torque needs 1 component ") && Contains("not 3"));
  CHECK_THROWS_WITH(add_force(planar, "f", P, still2, {1.0}), Contains("torque cannot act on the point \"P\""));
  CHECK_THROWS_WITH(add_force(planar, "f", ground_place(planar, still2), still2, {}), Contains("ground"));
}

TEST_CASE("joints, bars and springs need two different ends, one of which moves") {
  Model m("test", {0, -9.81});
  const Place A = ground_place(m, {0.0, 0.0}), B = ground_place(m, {1.0, 0.0});
  const Place P = add_point(m, "P", {0.0, 1.0}, still2, 1.0), body = plate(m, "body");
  const Place left = body_place(m, body, {-1.0, 0.0}), right = body_place(m, body, {1.0, 0.0});
  CHECK_THROWS_WITH(add_distance(m, "d", A, B, nullptr), Contains("both ends are fixed in space"));
  CHECK_THROWS_WITH(add_spring(m, "s", A, B, 1.0, nullptr, 0.0, 0.0), Contains("spring \"s\"") && Contains("fixed"));
  CHECK_THROWS_WITH(add_coincidence(m, "j", left, right), Contains("joint \"j\"") && Contains("on \"body\""));
  CHECK_THROWS_WITH(add_distance(m, "d", P, P, nullptr), Contains("on \"P\"") && Contains("different objects"));
  CHECK_THROWS_WITH(add_bar(m, "b", left, P, 1.0, nullptr), Contains("bar \"b\"") && Contains("\"body\" is a body"));
  CHECK_THROWS_WITH(add_distance(m, "d", ground_place(m, {0.0, 1.0}), P, nullptr), Contains("must be positive"));
  for (double wrong : {0.0, -2.0, std::nan("")}) {
    const Symbol length = wrong;
    CHECK_THROWS_WITH(add_distance(m, "d", A, P, &length), Contains("must be positive"));
  }
  CHECK_THROWS_WITH(add_joint(m, "revolute", "r", with_axis(m, left, still3), with_axis(m, right, still3)),
                    Contains("an axis is for spatial models"));
  CHECK_THROWS_WITH(body_place(m, P, still2), Contains("\"P\" is a point"));
}

TEST_CASE("axes of spatial revolute joints are checked") {
  Model m("test", {0, 0, -9.81});
  const Place body = box(m, "body"), P = add_point(m, "P", still3, still3, 1.0), A = ground_place(m, still3);
  const Vector z{0.0, 0.0, 1.0};
  CHECK_THROWS_WITH(add_joint(m, "revolute", "r", with_axis(m, A, z), with_axis(m, P, z)),
                    Contains("\"P\" is a point: it has no axes"));
  CHECK_THROWS_WITH(add_joint(m, "revolute", "r", with_axis(m, A, {0.0, 1.0}), with_axis(m, body, z)),
                    Contains("axis needs 3 components"));
  CHECK_THROWS_WITH(add_joint(m, "revolute", "r", with_axis(m, A, z), with_axis(m, body, still3)),
                    Contains("zero vector"));
  CHECK(m.multipliers().size() == 1);  // of the body's Euler parameters
  CHECK_NOTHROW(add_joint(m, "revolute", "r", with_axis(m, A, z), with_axis(m, body, z)));
  CHECK(m.multipliers().size() == 7);  // and 3 + 2 of the joint, 1 of its angle
}

TEST_CASE("parameters keep to their bounds and are finite") {
  Model m("test", {0, -9.81});
  CHECK_THROWS_WITH(m.add_parameter("k", -1, "N/m", 0, 10), Contains("\"k\"") && Contains("-1") && Contains("0 to 10"));
  CHECK_THROWS_WITH(m.add_parameter("k", std::nan(""), "", -infinity, infinity), Contains("finite"));
  CHECK_THROWS_WITH(m.add_parameter("k", infinity, "", -infinity, infinity), Contains("finite"));
  CHECK_THROWS_AS(m.add_parameter("k", 1, "", 2, 0), Error);
  CHECK_THROWS_AS(m.add_parameter("k", 1, "", std::nan(""), 2), Error);
  m.record().defined_at = "arm.lua:9";
  m.add_parameter("k", 4, "N/m", 0, 10);
  CHECK_THROWS_WITH(m.set_parameter(0, 10.5), Contains("10.5"));
  CHECK(m.parameters()[0].value == 4);
  m.set_parameter(0, 10);
  CHECK(m.parameters()[0].value == 10);
  CHECK(m.parameters()[0].unit == "N/m");
  CHECK(m.parameters()[0].defined_at == "arm.lua:9");
}

TEST_CASE("a system needs something that moves, and as many parameters as declared") {
  Model m("empty", {0, -9.81});
  m.add_parameter("k", 1, "", 0, 2);
  CHECK_THROWS_WITH(system::System(m), Contains("\"empty\"") && Contains("nothing that can move"));
  add_point(m, "P", still2, still2, 1.0);
  const system::System s(m);
  CHECK_THROWS_WITH(s.make_data({}), Contains("1 parameters, not 0"));
  CHECK_THROWS_WITH(s.make_data({1, 2}), Contains("not 2"));
  CHECK(s.make_data({1})->parameters == std::vector<double>{1});
}

TEST_CASE("a datum that is not finite names its formula") {
  Model m("test", {0, -9.81});
  const Symbol k = m.add_parameter("k", 1, "", -10, 10);
  m.graph().set_origin("arm.lua:6");
  add_point(m, "P", still2, still2, sqrt(k));
  const system::System s(m);
  CHECK_NOTHROW(s.make_data({4}));
  CHECK_THROWS_AS(s.make_data({-4}), NumericalError);
  CHECK_THROWS_WITH(s.make_data({-4}), Contains("arm.lua:6: sqrt(k)"));
}

TEST_CASE("places on bodies move with them") {
  Model planar("planar", {0, 0});
  const Place p = body_place(planar, plate(planar, "p"), {0.5, -0.25});
  const double c = std::cos(0.7), s = std::sin(0.7);
  check_near(values(planar, position_of(planar, p), {2, 3, 0.7}), {2 + 0.5 * c + 0.25 * s, 3 + 0.5 * s - 0.25 * c});

  Model spatial("spatial", {0, 0, 0});
  const Place q = body_place(spatial, box(spatial, "q"), {0.5, 0.0, 2.0});
  // A turn by 120 degrees about (1, 1, 1) takes x to y, y to z, z to x.
  check_near(values(spatial, position_of(spatial, q), {1, 2, 3, 0.5, 0.5, 0.5, 0.5}), {3, 2.5, 3});
  const Place fixed = ground_place(spatial, {1.0, 2.0, 3.0});
  check_near(values(spatial, position_of(spatial, fixed), {}), {1, 2, 3});
  check_near(values(spatial, velocity_of(spatial, fixed), {}), {0, 0, 0});
}

TEST_CASE("directions are taken into the frame of a body as it was declared") {
  Model m("test", {0, 0, 0});
  const Place body = box(m, "body", {1.0, 0.0, 0.0}, {2.0, 2.0, 2.0, 2.0});  // normalized, x to y, y to z, z to x
  check_near(values(m, to_local_direction(m, body, {0.0, 1.0, 0.0}), {}), {1, 0, 0});
  check_near(values(m, to_local_direction(m, body, {1.0, 2.0, 3.0}), {}), {2, 3, 1});
  check_near(values(m, to_local_direction(m, ground_place(m, still3), {1.0, 2.0, 3.0}), {}), {1, 2, 3});
  CHECK_THROWS_WITH(to_local_direction(m, add_point(m, "P", still3, still3, 1.0), {0.0, 0.0, 1.0}), Contains("\"P\""));
}

TEST_CASE("a revolute joint lets its body turn about the axis only, whatever the axis depends on") {
  for (int aligned = 0; aligned < 3; ++aligned) {
    Model m("test", {0, 0, 0});
    Vector axis;
    for (int k = 0; k < 3; ++k) {
      axis.push_back(m.add_parameter("a" + std::to_string(k), k == aligned ? 1 : 0, "", -2, 2));
    }
    const Place body = box(m, "body");
    add_joint(m, "revolute", "hinge", with_axis(m, ground_place(m, still3), axis), with_axis(m, body, axis));
    auto system = std::make_shared<system::System>(m);
    std::vector<double> parameters(3, 0.0);
    parameters[static_cast<std::size_t>(aligned)] = 1;
    const auto data = system->make_data(parameters);
    system::Workspace w(*system);
    auto violation = [&](int about, double angle) {
      std::vector<double> q(8, 0.0), v(8, 0.0);  // the body's, and the joint's angle
      if (about == aligned) q[7] = angle;
      q[3] = std::cos(angle / 2);
      q[static_cast<std::size_t>(4 + about)] = std::sin(angle / 2);
      system->evaluate({0, q.data(), v.data(), nullptr, nullptr}, *data, w);
      double worst = 0;
      for (double x : w.phi) worst = std::isfinite(x) ? std::max(worst, std::abs(x)) : infinity;
      return worst;
    };
    INFO("axis " << aligned);
    CHECK(violation(aligned, 1.1) <= 1e-15);
    CHECK(violation((aligned + 1) % 3, 0.5) == Approx(std::sin(0.5)).epsilon(1e-12));
    CHECK(violation((aligned + 2) % 3, 0.5) == Approx(std::sin(0.5)).epsilon(1e-12));
  }
}

TEST_CASE("lengths that are not given follow the declared positions") {
  Model m("test", {0, 0});
  const Symbol x = m.add_parameter("x", 3, "m", 0, 10), angle = m.add_parameter("angle", 0.4, "rad", -3, 3);
  const Place P = add_point(m, "P", {x, 4.0}, still2, 1.0);
  const Place body = add_planar_body(m, "body", 1.0, 1.0, {1.0, 1.0}, angle, still2, 0.0);
  add_distance(m, "rod", ground_place(m, {0.0, 0.0}), P, nullptr);
  add_spring(m, "spring", ground_place(m, {1.0, 0.0}), body_place(m, body, {2.0, 0.0}), 1.0, nullptr, 0.0, 0.0);
  const system::System s(m);
  const auto data = s.make_data({3, 0.4});
  // rod = |(x, 4)|; the spring's end is at (1 + 2 cos, 1 + 2 sin): l^2 = 4 cos^2 + (1 + 2 sin)^2 = 5 + 4 sin.
  const double spring = std::sqrt(5 + 4 * std::sin(0.4));
  auto slopes = [&](const std::vector<double>& direction) {
    std::vector<double> out(static_cast<std::size_t>(s.data_count()));
    s.data_tangent(*data, direction.data(), out.data());
    return out;
  };
  // Data that depend on parameters: both lengths and the declared coordinates x and angle.
  REQUIRE(s.data_count() == 4);
  auto has = [](const std::vector<double>& list, double value) {
    return std::any_of(list.begin(), list.end(), [=](double y) { return std::abs(y - value) <= 1e-15; });
  };
  CHECK(has(data->packed, 5));
  CHECK(has(data->packed, spring));
  const auto in_x = slopes({1, 0}), in_angle = slopes({0, 1});
  CHECK(has(in_x, 0.6));
  CHECK(has(in_angle, 2 * std::cos(0.4) / spring));
  CHECK(in_x[static_cast<std::size_t>(s.initial_position_datum(0))] == 1);
  CHECK(in_angle[static_cast<std::size_t>(s.initial_position_datum(4))] == 1);
  CHECK(s.initial_position_datum(1) == -1);
  CHECK(s.initial_velocity_datum(0) == -1);
  // The transpose, accumulated onto what is there.
  std::vector<double> gradient{10, 20};
  s.data_adjoint(*data, std::vector<double>(4, 1.0).data(), gradient.data());
  CHECK(gradient[0] == Approx(10 + 1 + 0.6).epsilon(1e-15));
  CHECK(gradient[1] == Approx(20 + 1 + 2 * std::cos(0.4) / spring).epsilon(1e-15));
}
