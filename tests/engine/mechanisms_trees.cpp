// SPDX-License-Identifier: MIT
#include <random>
#include <set>

#include "mechanisms.hpp"
#include "model/body/bodies.hpp"
#include "model/force/springs.hpp"
#include "model/joint/joint_kinds.hpp"
#include "model/joint/joints.hpp"
#include "model/joint/relations.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"

using namespace perilune;
using namespace perilune::model;

Mechanism tree_mechanism() {
  Mechanism mechanism("tree", {0.5, 0.3, -9.81});
  Model& m = *mechanism.model;
  const Symbol mass = mechanism.parameter("mass", 0.8, "kg"), reach = mechanism.parameter("reach", 0.3, "m"),
               k = mechanism.parameter("k", 12, "N/m"), spin = mechanism.parameter("spin", 2.0, "rad/s");
  const Vector still{0.0, 0.0, 0.0};
  const Vector turning{0.0, 0.0, spin};
  // All turn with the rotor about z at the start.
  auto body = [&](const char* name, const Symbol& of, const Vector& at, const Vector& centre) {
    return add_spatial_body(m, name, of, {0.02, 0.03, 0.025 + 0.01 * reach, 0.001, 0.002, -0.001}, at,
                            {1.0, 0.0, 0.0, 0.0}, {-spin * at[1], spin * at[0], 0.0}, turning, centre);
  };
  const Place rotor = body("rotor", 1.5, {0.0, 0.0, 0.0}, {0.02, 0.0, 0.01});
  const Place cart = body("cart", mass, {0.4 + reach, 0.1, 0.0}, {0.0, 0.03, 0.02});
  const Place plate = body("plate", 0.4, {0.4 + reach, 0.1, 0.2}, {});
  const Place bob = body("bob", 0.3 * mass, {0.5 + reach, 0.1, -0.3}, {0.01, 0.02, 0.0});
  const Place bolt = body("bolt", 0.5, {-0.3, 0.0, 0.3}, {0.0, 0.02, 0.0});
  const Place flap = body("flap", 0.2, {-0.3, 0.2, 0.3}, {});
  const Place ground = ground_place(m, {0.0, 0.0, 0.0});
  auto at = [&](const Place& on, const Vector& where, const Vector& axis) {
    return attach(m, on, where, with_axis(m, ground, axis).axes);
  };
  auto join = [&](const char* kind, const char* name, const Place& a, const Place& b, const Vector& where,
                  const Vector& axis) { add_joint(m, kind, name, at(a, where, axis), at(b, where, axis)); };
  join("revolute", "bearing", ground, rotor, {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0});
  join("translational", "rail", cart, rotor, {0.1, 0.1, 0.0}, {1.0, 0.0, 0.0});
  join("weld", "clamp", cart, plate, {0.4, 0.1, 0.1}, {0.0, 1.0, 0.0});
  join("spherical", "socket", bob, cart, {0.4 + reach, 0.1, 0.0}, {0.0, 0.0, 1.0});
  join("cylindrical", "sleeve", rotor, bolt, {-0.3, 0.0, 0.2}, {0.0, 0.0, -1.0});
  join("revolute", "pin", flap, bolt, {-0.3, 0.1, 0.3}, {1.0, 0.0, 0.0});
  add_spring(m, "s1", body_place(m, rotor, {0.0, 0.0, 0.1}), body_place(m, cart, still), k, nullptr, 0.6, 0.0);
  add_spring(m, "s2", body_place(m, rotor, {-0.3, 0.1, 0.0}), body_place(m, bolt, {0.0, 0.1, 0.0}), 3.0 * k, nullptr,
             0.4, 0.0);
  add_spring(m, "s3", body_place(m, flap, {0.0, 0.1, 0.0}), ground_place(m, {0.0, 0.0, 0.7}), 0.5 * k, nullptr, 0.3,
             0.0);
  mechanism.compile();
  mechanism.problem.end = 0.3;
  auto s = [&](const char* name) { return mechanism.signal(name); };
  mechanism.both("motion", s("bob.x") * s("cart.e3"), s("flap.y") * s("bolt.z") + s("plate.vx") * s("bob.omega_x"));
  mechanism.both("accelerations", 0.1 * s("bob.az"), 0.01 * s("flap.ax") * s("bolt.alpha_z"));
  mechanism.both("reactions", 0.1 * s("socket.lambda_z") + 0.1 * s("rail.force_z"),
                 0.1 * s("clamp.torque_x") + 0.1 * s("sleeve.force_x") + s("pin.torque_y"));
  return mechanism;
}

std::vector<std::string> joints_of_trees(int dimension) {
  // Those that leave more than a tree's joint says, or that no recursion knows.
  static const std::set<std::string, std::less<>> others{"constant_velocity", "point_on_line", "point_on_plane",
                                                         "parallel_axes", "perpendicular_axes"};
  std::vector<std::string> names;
  for (const JointKind& kind : joint_kinds()) {
    if (kind.recipe(dimension) && !others.contains(kind.name)) names.emplace_back(kind.name);
  }
  return names;
}

namespace {

Mechanism random_mechanism(int dimension, unsigned seed, bool has_drivers, int loops, const std::string& only) {
  const bool is_planar = dimension == 2;
  Mechanism mechanism("random tree",
                      is_planar ? std::vector<double>{0.4, -9.81} : std::vector<double>{0.5, 0.3, -9.81});
  Model& m = *mechanism.model;
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> any(-1, 1);
  const auto one_of = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  const Symbol mass = mechanism.parameter("mass", 0.8, "kg"), reach = mechanism.parameter("reach", 0.3, "m"),
               k = mechanism.parameter("k", 12, "N/m"), swing = mechanism.parameter("swing", 0.2);
  const Symbol more = reach - 0.3;
  if (!is_planar) m.set_gravity({0.5, 0.3 + more, -9.81 + 2.0 * more});
  const Place ground = ground_place(m, Vector(static_cast<std::size_t>(dimension), 0.0));
  const auto somewhere = [&](double size) {
    Vector out;
    for (int i = 0; i < dimension; ++i) out.emplace_back(size * any(random));
    return out;
  };
  const auto direction = [&] {
    Vector out = somewhere(1);
    out[0] = out[0] + 1.5;  // never zero
    return out;
  };
  std::vector<Place> bodies;
  std::string hinge;
  const std::vector<std::string> kinds = joints_of_trees(dimension);
  const Symbol t(m.graph(), m.time());
  for (std::size_t i = 0; i < 2 * kinds.size(); ++i) {
    const std::string number = std::to_string(i), joint = "j" + number;
    const Vector at = somewhere(1);
    Vector centre = one_of(2) == 0 ? Vector{} : somewhere(0.05);
    for (Symbol& each : centre) each = each + 0.1 * more;
    bodies.push_back(
        is_planar
            ? add_planar_body(m, "b" + number, mass, 0.02 + 0.01 * reach, at, any(random), {0.0, 0.0}, 0.0, centre)
            : add_spatial_body(m, "b" + number, mass,
                               {0.02, 0.03, 0.025 + 0.01 * reach, 0.001 + 0.004 * more, 0.002, -0.001 - 0.002 * more},
                               at, {1.0 + any(random) / 2, any(random), any(random), any(random)}, {0.0, 0.0, 0.0},
                               {0.0, 0.0, 0.0}, centre));
    if (i == 5) continue;  // which floats
    const Place body = bodies.back(), parent = i == 0 || one_of(5) == 0 ? ground : bodies[one_of(i)];
    const std::string& kind = only.empty() ? kinds[(i + seed) % kinds.size()] : only;
    const Vector where = somewhere(1), axis = direction();
    const std::vector<Symbol> axes = is_planar ? std::vector<Symbol>{any(random)} : with_axis(m, ground, axis).axes;
    Place a = attach(m, parent, where, axes), b = attach(m, body, where, axes);
    if (kind == "universal") {
      const Vector other = direction();
      b = attach(m, body, where, with_axis(m, ground, cross(axis, other)).axes);
    }
    if (one_of(2) == 0) std::swap(a, b);
    const Symbol lead = 0.5 * reach;
    add_joint(m, kind, joint, a, b, kind == "screw" ? &lead : nullptr);
    if (kind == "revolute") hinge = joint;
    if (!has_drivers || one_of(2) == 0) continue;
    const Symbol law = swing * sin((2.0 + 0.1 * static_cast<double>(i)) * t);
    if (kind == "revolute" || kind == "screw" || (kind == "cylindrical" && one_of(2) == 0)) {
      const Symbol angle = read(m, joint + ".angle");
      add_driver(m, "angle" + number, angle, law + declared_value(m, angle));
    }
    if (kind == "translational" || (kind == "cylindrical" && one_of(2) == 0)) {
      add_driver(m, "way" + number, read(m, joint + ".displacement"), law);
    }
  }
  for (std::size_t i = 1; i < bodies.size(); i += 2) {
    add_spring(m, "s" + std::to_string(i), body_place(m, bodies[i], somewhere(0.1)), ground_place(m, somewhere(1)), k,
               nullptr, 0.3, 0.1);
  }
  const std::vector<std::string> closing =
      is_planar ? std::vector<std::string>{"revolute", "distance", "point_on_line", "translational", "distance"}
                : std::vector<std::string>{"revolute", "distance", "spherical", "cylindrical", "universal"};
  for (int i = 0; i < loops; ++i) {
    const std::string kind = closing[(static_cast<unsigned>(i) + seed) % 5], name = "loop" + std::to_string(i);
    const std::size_t one = one_of(bodies.size()), other = (one + 1 + one_of(bodies.size() - 1)) % bodies.size();
    if (kind == "distance") {
      add_distance(m, name, body_place(m, bodies[one], somewhere(0.2)), body_place(m, bodies[other], somewhere(0.2)),
                   nullptr);
      continue;
    }
    const Vector where = somewhere(1), axis = direction();
    const double angle = is_planar ? any(random) : 0;
    const auto axes = [&](const Vector& along) {
      return is_planar ? std::vector<Symbol>{angle} : with_axis(m, ground, along).axes;
    };
    const Place a = attach(m, bodies[one], where, axes(axis)),
                b = attach(m, bodies[other], where, axes(kind == "universal" ? cross(axis, direction()) : axis));
    add_joint(m, kind, name, a, b, nullptr);
    if (kind != "revolute") continue;
    const Symbol two = read(m, name + ".angle"), first = read(m, hinge + ".angle");
    add_constraint(m, "gear", first - 2.0 * two - declared_value(m, first) + 2.0 * declared_value(m, two));
    Resistance resistance;
    resistance.elastic = 3.0 * two;
    resistance.potential = 1.5 * two * two;
    add_torsion_spring(m, "twist", two, resistance);
  }
  mechanism.compile();
  mechanism.problem.end = 0.3;
  auto signal = [&](const char* name) { return mechanism.signal(name); };
  mechanism.both("motion", signal("b4.x") * signal("b2.y"), signal("b1.vx") + signal("b3.y"));
  mechanism.both("accelerations", 0.1 * signal("b4.ax"), 0.01 * signal("b2.ay") * signal("b5.x"));
  mechanism.both("reactions", 0.1 * signal("j1.force_x"), 0.1 * signal("j3.force_y"));
  return mechanism;
}

}  // namespace

Mechanism random_tree_mechanism(int dimension, unsigned seed, bool has_drivers, const std::string& only) {
  return random_mechanism(dimension, seed, has_drivers, 0, only);
}

Mechanism random_loops_mechanism(int dimension, unsigned seed, bool has_drivers) {
  return random_mechanism(dimension, seed, has_drivers, dimension, {});
}
