// SPDX-License-Identifier: MIT
// What pictures know of a model: poses, places and shapes in numbers, and how numbers travel.
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "format/base64.hpp"
#include "model/body/bodies.hpp"
#include "model/body/natural_bodies.hpp"
#include "model/body/points.hpp"
#include "model/body/solids.hpp"
#include "model/contact/contact.hpp"
#include "model/contact/tire.hpp"
#include "model/force/forces.hpp"
#include "model/force/springs.hpp"
#include "model/joint/joints.hpp"
#include "model/place/places.hpp"
#include "output/scene/scene.hpp"

using namespace perilune;
using model::Place;
using model::Vector;

namespace {

void check(const output::Triple& got, const output::Triple& expected) {
  for (std::size_t k = 0; k < 3; ++k) CHECK(got[k] == Approx(expected[k]).margin(1e-14));
}

const std::vector<model::Symbol> unit_inertia{1.0, 1.0, 1.0, 0.0, 0.0, 0.0};

}  // namespace

TEST_CASE("base64 is that of RFC 4648") {
  CHECK(format::base64("") == "");
  CHECK(format::base64("f") == "Zg==");
  CHECK(format::base64("fo") == "Zm8=");
  CHECK(format::base64("foo") == "Zm9v");
  CHECK(format::base64("foobar") == "Zm9vYmFy");
  CHECK(format::base64_of(std::vector<std::int16_t>{1, -1}) == "AQD//w==");
}

TEST_CASE("a planar scene has places at the parameters of the run, markers turned, y upwards") {
  model::Model m("scene", {0.0, -9.81});
  const model::Symbol length = m.add_parameter("L", 1, "m", 0, 10);
  const Place arm = add_planar_body(m, "arm", 1.0, 1.0, {0.0, 0.0}, 0.0, {0.0, 0.0}, 0.0);
  Place tip = body_place(m, arm, {length, 0.0});
  tip.axes = {std::numbers::pi / 2};
  add_joint(m, "revolute", "pin", ground_place(m, {3.0, 4.0}), tip);
  const output::Scene scene(m, {2.0});
  CHECK(scene.is_planar());
  check(scene.up(), {0, 1, 0});
  REQUIRE(scene.connections().size() == 1);
  const output::SceneConnection& pin = scene.connections()[0];
  CHECK(pin.kind == "revolute");
  CHECK(pin.a.frame == -1);
  const double q[] = {3, 2, std::numbers::pi / 2};
  check(scene.place(pin.a, q), {3, 4, 0});
  check(scene.place(pin.b, q), {3, 4, 0});
  REQUIRE(pin.b.axes);
  check(scene.pose(pin.b.frame, q).direction({(*pin.b.axes)[0], (*pin.b.axes)[3], (*pin.b.axes)[6]}), {-1, 0, 0});
}

TEST_CASE("the scene says by marks how connections look, so that pictures need no names of joints") {
  using model::Mark;
  model::Model m("plane", {0.0, -9.81}), space("space", {0.0, 0.0, -9.81});
  const Vector still{0.0, 0.0}, rest{0.0, 0.0, 0.0};
  const Place O = ground_place(m, still), P = add_point(m, "P", {1.0, 0.0}, still, 1.0);
  add_coincidence(m, "pin", O, P);
  add_bar(m, "bar", O, P, 1.0, nullptr);
  add_distance(m, "rod", O, P, nullptr);
  add_spring(m, "spring", O, P, 1.0, nullptr, 0.0, 0.0);
  add_force(m, "pull", P, {1.0, 0.0}, {});
  const Place top = add_spatial_body(space, "top", 1.0, unit_inertia, rest, {1.0, 0.0, 0.0, 0.0}, rest, rest);
  add_coincidence(space, "ball", ground_place(space, rest), top);
  const model::Symbol lead = 0.1;
  add_joint(space, "screw", "nut", ground_place(space, rest), top, &lead);
  add_joint(space, "parallel_axes", "upright", ground_place(space, rest), top);
  std::vector<Mark> marks;
  for (const model::Model* one : {&m, &space}) {
    for (const model::Connection& connection : one->record().connections) marks.push_back(connection.mark);
  }
  CHECK(marks ==
        std::vector<Mark>{Mark::Pin, Mark::Bar, Mark::Rod, Mark::Coil, Mark::Arrow, Mark::Ball, Mark::Nut, Mark::None});
  CHECK(output::Scene(space, {}).connections()[1].mark == Mark::Nut);
  CHECK(std::string(name_of(Mark::None)) == "none");
  CHECK(std::string(name_of(Mark::Arrow)) == "arrow");
}

TEST_CASE("the pose of a body that shares coordinates is made of these") {
  model::Model m("scene", {0.0, 0.0, 0.0});
  const Vector zero{0.0, 0.0, 0.0};
  const Place P = add_point(m, "P", zero, zero, 1.0);
  const model::FreeVector n = add_vector(m, "n", {0.0, 0.0, 1.0}, zero);
  add_natural_body(m, "a", 1.0, unit_inertia, {.position = P, .axes = {{{}, n, {}}}});
  const output::Scene scene(m, {});
  // r, n, and the axes u = x and w = y of a, of which n = z is the axis v: a is turned about x by -90 degrees.
  const std::vector<double> q{1, 2, 3, 0, 0, 1, 1, 0, 0, 0, -1, 0};
  check(scene.pose(0, q.data()).position, {1, 2, 3});
  check(scene.pose(1, q.data()).position, {1, 2, 3});
  check(scene.pose(1, q.data()).direction({0, 1, 0}), {0, 0, 1});
  check(scene.pose(1, q.data()).direction({0, 0, 1}), {0, -1, 0});
  check(scene.pose(1, q.data()).point({0, 0, 2}), {1, 0, 3});
}

TEST_CASE("all kinds of spatial bodies have the same pose for the same rotation, half turns included") {
  model::Model m("scene", {0.0, 0.0, 0.0});
  const Vector at{0.0, 0.0, 0.0};
  add_spatial_body(m, "euler", 1.0, unit_inertia, at, {1.0, 0.0, 0.0, 0.0}, at, at);
  add_natural_body(m, "natural", 1.0, unit_inertia, {at, {1.0, 0.0, 0.0, 0.0}, at, at});
  const output::Scene scene(m, {});
  check(scene.up(), {0, 0, 1});
  for (const auto& [axis, angle] :
       {std::pair{0, 0.7}, {1, 2.9}, {2, -3.0}, {0, std::numbers::pi}, {1, std::numbers::pi}, {2, std::numbers::pi}}) {
    std::vector<double> q(19);
    q[3] = std::cos(angle / 2);
    q[static_cast<std::size_t>(4 + axis)] = std::sin(angle / 2);
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    double* columns = q.data() + 10;
    columns[3 * axis + axis] = 1;
    columns[3 * next + next] = columns[3 * last + last] = std::cos(angle);
    columns[3 * next + last] = std::sin(angle);
    columns[3 * last + next] = -std::sin(angle);
    for (const output::Triple& local : {output::Triple{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 2, 3}}) {
      check(scene.pose(0, q.data()).direction(local), scene.pose(1, q.data()).direction(local));
    }
    output::Triple direction{}, expected{};
    direction[static_cast<std::size_t>(next)] = 1;
    expected[static_cast<std::size_t>(next)] = std::cos(angle);
    expected[static_cast<std::size_t>(last)] = std::sin(angle);
    check(scene.pose(1, q.data()).direction(direction), expected);
  }
}

TEST_CASE("solids keep their shapes where they are placed and put together") {
  model::Model m("scene", {0.0, 0.0, -9.81});
  const double half = std::sqrt(0.5);
  const model::Solid part =
      model::placed(model::cylinder(1.0, 0.1, 0.05, 2.0, 0), {1.0, 2.0, 3.0}, {half, 0.0, 0.0, half});
  const model::Solid whole = model::assembly({part, model::sphere(1.0, 0.3)});
  const Place body = add_spatial_body(m, "b", whole.mass, whole.inertia, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0},
                                      {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0});
  set_shapes(m, body, whole.shapes);
  const output::Scene scene(m, {});
  const std::vector<output::SceneShape>& shapes = scene.frames()[0].shapes;
  REQUIRE(shapes.size() == 2);
  CHECK(shapes[0].size == std::vector<double>{0.1, 0.05, 2.0});
  check(shapes[0].at, {1, 2, 3});
  check({shapes[0].axes[2], shapes[0].axes[5], shapes[0].axes[8]},
        {0, 1, 0});  // its own axis: x, a quarter turn about z
  CHECK(shapes[1].size == std::vector<double>{0.3});
}

TEST_CASE("contacts and tires have surfaces as wide as what moves over them, and rounds with their semi-axes") {
  model::Model m("scene", {0.0, 0.0, -9.81});
  const Vector at{0.0, 0.0, 1.0}, zero{0.0, 0.0, 0.0};
  const model::Symbol r = m.add_parameter("r", 0.5, "m", 0, 10);
  const Place body = add_spatial_body(m, "egg", 1.0, unit_inertia, at, {1.0, 0.0, 0.0, 0.0}, zero, zero);
  const model::Symbol x = model::terrain_variable(m.graph(), 0), y = model::terrain_variable(m.graph(), 1);
  model::Contact contact{ground_place(m, {1.0, 2.0, -1.0}), {body}, {}, model::Terrain{0.1 * x - r * y}, {}, {}};
  contact.round.semi_axes = {r, 0.3, 0.2};
  contact.normal.stiffness = 1e4;
  add_contact(m, "slope", contact);
  contact.round = {0.1};
  add_contact(m, "again", contact);  // on the same surface
  contact.surface = model::Ball{0.4};
  contact.a = ground_place(m, {5.0, 0.0, 0.0});
  add_contact(m, "ball", contact);
  model::Tire tire;
  tire.ground = ground_place(m, {0.0, 0.0, 0.0});
  tire.wheel = body;
  tire.axis = {0.0, 1.0, 0.0};
  tire.radius = 0.6;
  tire.stiffness = 1e4;
  add_tire(m, "tire", tire);

  const output::Scene scene(m, {0.25});
  REQUIRE(scene.rounds().size() == 5);
  CHECK(scene.rounds()[0].name == "slope");
  CHECK(scene.rounds()[0].frame == 0);
  CHECK(scene.rounds()[0].axes == std::array<double, 9>{0.25, 0, 0, 0, 0.3, 0, 0, 0, 0.2});
  CHECK(scene.rounds()[2].frame == -1);  // the ball, before what touches it
  CHECK(scene.rounds()[2].axes == std::array<double, 9>{0.4, 0, 0, 0, 0.4, 0, 0, 0, 0.4});
  CHECK(scene.rounds()[4].is_wheel);
  CHECK(std::abs(scene.rounds()[4].axes[5]) == Approx(0.15 * 0.6));  // along y

  const std::vector<std::vector<double>> motion{{0, 0, 1, 1, 0, 0, 0}, {4, 1, 1, 1, 0, 0, 0}};
  const std::vector<output::ScenePatch> patches = scene.patches(motion);
  REQUIRE(patches.size() == 2);
  CHECK(patches[0].name == "slope");
  double low = 10, high = -10;
  for (const output::Triple& p : patches[0].points) {
    low = std::min(low, p[0]);
    high = std::max(high, p[0]);
    CHECK(p[2] == Approx(-1 + 0.1 * (p[0] - 1) - 0.25 * (p[1] - 2)).margin(1e-13));
  }
  CHECK((low < 0 && low > -1.5));
  CHECK((high > 4 && high < 5.5));
  REQUIRE(patches[1].points.size() == 4);
  for (const output::Triple& p : patches[1].points) CHECK(p[2] == 0);
}
