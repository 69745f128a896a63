// SPDX-License-Identifier: MIT
// Trees, loops, depth and components of mechanisms whose graphs are known.
#include <catch2/catch.hpp>

#include "mechanisms.hpp"
#include "model/body/bodies.hpp"
#include "model/body/natural_bodies.hpp"
#include "model/body/points.hpp"
#include "model/force/springs.hpp"
#include "model/joint/joints.hpp"
#include "model/joint/relations.hpp"
#include "model/place/places.hpp"
#include "model/topology.hpp"

using namespace perilune;
using expr::Symbol;
using model::Model;
using model::Place;
using model::Topology;
using model::Vector;

namespace {

const Vector still{0.0, 0.0};

Place rod(Model& m, const std::string& name, double x = 0) {
  return add_planar_body(m, name, 1.0, 0.1, {x, 0.0}, 0.0, still, 0.0);
}

void hinge(Model& m, const std::string& name, const Place& a, const Place& b) { add_joint(m, "revolute", name, a, b); }

const Topology::Node& node(const Topology& topology, const std::string& name) {
  for (const Topology::Node& one : topology.nodes) {
    if (one.name == name) return one;
  }
  FAIL("there is no node " << name);
  return topology.nodes[0];
}

const Topology::Tie& tie(const Topology& topology, const std::string& name) {
  for (const Topology::Tie& one : topology.ties) {
    if (one.name == name) return one;
  }
  FAIL("there is no tie " << name);
  return topology.ties[0];
}

}  // namespace

TEST_CASE("a four-bar has one loop, which the joint that was declared last closes") {
  Model m("four-bar", {0, -9.81});
  const Place ground = ground_place(m, {0.0, 0.0});
  const Place crank = rod(m, "crank"), coupler = rod(m, "coupler", 1), rocker = rod(m, "rocker", 2);
  hinge(m, "A", ground, crank);
  hinge(m, "C", coupler, rocker);  // leads on only when the coupler has been reached
  hinge(m, "B", crank, coupler);
  hinge(m, "D", rocker, ground);
  const Topology topology = topology_of(m);
  CHECK(topology.link_count() == 4);
  CHECK(topology.loop_count() == 1);
  CHECK(tie(topology, "D").closes_loop);
  CHECK(topology.depth() == 3);
  CHECK(topology.nodes[static_cast<std::size_t>(node(topology, "rocker").parent)].name == "coupler");
  REQUIRE(topology.components.size() == 1);
  CHECK_FALSE(topology.components[0].floats);
  CHECK(text_of(topology) == "topology: 3 bodies and points, 4 links, 1 loop, depth 3");
}

TEST_CASE("drivers, gears and threads are no links: they close no loops") {
  // A slider-crank (one loop) with a motor, a wheel that a gear turns, a rack that it moves, a bead on the rack.
  const Mechanism mechanism = driven_linkage_mechanism();
  const Topology topology = topology_of(*mechanism.model);
  CHECK(topology.link_count() == 7);
  CHECK(topology.loop_count() == 1);
  CHECK_FALSE(tie(topology, "motor").is_link);
  CHECK(tie(topology, "motor").nodes == std::vector<int>{0, 1});  // the ground and the crank
  CHECK(tie(topology, "gear").nodes == std::vector<int>{1, 4});   // it reads the angles of the crank and the wheel
  CHECK(topology.components.size() == 1);                         // the gear and the rack tie all together

  const Mechanism spatial = spatial_joints_mechanism();
  const Topology joints = topology_of(*spatial.model);
  CHECK(tie(joints, "thread").is_link);
  CHECK(tie(joints, "thread").nodes.size() == 2);
  CHECK(node(joints, "blade").depth == 2);
  CHECK(node(joints, "rod").parent != Topology::none);

  // A joint's angle in space is a coordinate of the joint, so a gear belongs to all that the joints tie.
  Model m("gear", {0, 0, -9.81});
  const Vector rest{0.0, 0.0, 0.0};
  for (const char* name : {"one", "two"}) {
    const Place wheel = add_spatial_body(m, std::string(name) + "_wheel", 1.0, {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}, rest,
                                         {1.0, 0.0, 0.0, 0.0}, rest, rest);
    hinge(m, name, ground_place(m, rest), wheel);
  }
  CHECK(topology_of(m).components.size() == 2);
  add_coupling(m, "gear", {m.graph(), m.signal("one.angle")}, {m.graph(), m.signal("two.angle")}, -2.0);
  CHECK(tie(topology_of(m), "gear").nodes == std::vector<int>{0, 1, 2});
  CHECK(topology_of(m).components.size() == 1);
}

TEST_CASE("a chain is as deep as it has links, in whatever order they were declared") {
  Model m("chain", {0, -9.81});
  const int count = 40;
  std::vector<Place> links;
  for (int k = 0; k < count; ++k) links.push_back(rod(m, "rod" + std::to_string(k), k));
  for (int k = count - 1; k > 0; --k) {
    hinge(m, "hinge" + std::to_string(k), links[static_cast<std::size_t>(k)], links[static_cast<std::size_t>(k - 1)]);
  }
  hinge(m, "top", ground_place(m, {0.0, 0.0}), links[0]);
  const Topology topology = topology_of(m);
  CHECK(topology.depth() == count);
  CHECK(topology.loop_count() == 0);
  CHECK(topology.link_count() == count);
  CHECK(topology.components.size() == 1);
}

TEST_CASE("pendulums are components of their own, and what nothing holds floats") {
  Model m("apart", {0, -9.81});
  const Place ground = ground_place(m, {0.0, 0.0});
  const Place left = rod(m, "left"), right = rod(m, "right", 1), a = rod(m, "a", 2), b = rod(m, "b", 3);
  hinge(m, "one", ground, left);
  hinge(m, "two", ground, right);
  hinge(m, "flight", a, b);
  add_spring(m, "spring", left, right, 10.0, nullptr, 0.0, 0.0);  // a force is no tie
  const Topology topology = topology_of(m);
  REQUIRE(topology.components.size() == 3);
  CHECK_FALSE(topology.components[0].floats);
  CHECK_FALSE(topology.components[1].floats);
  CHECK(topology.components[2].floats);
  CHECK(topology.components[2].nodes == std::vector<int>{3, 4});
  CHECK(node(topology, "a").parent == Topology::none);
  CHECK(node(topology, "b").depth == 1);
  CHECK(topology.loop_count() == 0);
  CHECK(text_of(topology) ==
        "topology: 4 bodies and points, 3 links, 0 loops, depth 1, 3 components, 1 of them floating");

  const auto angle = [&](const char* name) { return Symbol(m.graph(), m.signal(name)); };
  add_coupling(m, "gear", angle("one.angle"), angle("two.angle"), -1.0);
  CHECK(topology_of(m).components.size() == 2);
}

TEST_CASE("what a body shares ties it to the body or point that had it, once for each") {
  Model m("sharing", {0, 0, -9.81});
  const Vector zero{0.0, 0.0, 0.0}, J{1.0, 1.0, 1.0, 0.0, 0.0, 0.0};
  const Place P = add_point(m, "P", zero, zero, 0.0);
  const Place a = add_natural_body(m, "a", 1.0, J, {.position = P});
  const Place b = add_natural_body(m, "b", 1.0, J, {.position = P, .axes = {{{}, {}, axis_of_natural(a, 2)}}});
  add_natural_body(m, "c", 1.0, J, {.at = zero, .axes = {{axis_of_natural(b, 0), {}, {}}}});
  Topology topology = topology_of(m);
  CHECK(tie(topology, "a").nodes == std::vector<int>{1, 2});
  CHECK(tie(topology, "b").nodes == std::vector<int>{2, 3});
  CHECK(tie(topology, "c").nodes == std::vector<int>{3, 4});
  CHECK(topology.link_count() == 3);
  CHECK(topology.loop_count() == 0);
  REQUIRE(topology.components.size() == 1);
  CHECK(topology.components[0].floats);

  // Joints belong to the bodies of which they read what no other has, and else to that of which they read most.
  add_joint(m, "spherical", "pin", ground_place(m, {0.0, 0.0, 1.0}), body_place(m, a, {0.0, 0.0, 1.0}));
  add_distance(m, "rod", body_place(m, a, {1.0, 0.0, 0.0}), body_place(m, b, {0.0, 1.0, 0.0}), nullptr);
  add_distance(m, "string", ground_place(m, {1.0, 0.0, 0.0}), P, nullptr);
  topology = topology_of(m);
  CHECK(tie(topology, "pin").nodes == std::vector<int>{0, 2});
  CHECK(tie(topology, "rod").nodes == std::vector<int>{2, 3});
  CHECK(tie(topology, "string").nodes == std::vector<int>{0, 1});
  CHECK(tie(topology, "rod").closes_loop);
  CHECK(topology.loop_count() == 2);
  CHECK_FALSE(topology.components[0].floats);
}
