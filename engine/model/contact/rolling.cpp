// SPDX-License-Identifier: MIT
#include "model/contact/rolling.hpp"

#include <cmath>

#include "error.hpp"
#include "model/body/orientation.hpp"
#include "model/contact/contact.hpp"
#include "model/contact/rolling_touch.hpp"
#include "model/contact/wheel_edge.hpp"
#include "model/declare.hpp"
#include "model/joint/relations.hpp"
#include "model/law/switches.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"
#include "model/signals.hpp"
#include "model/text.hpp"

namespace perilune::model {

using expr::Quantity;

namespace {

std::string fault_of_radii(const double* v) {
  if (!(v[0] > 0)) return "radius must be positive, got " + text_of(v[0]);
  return v[1] >= 0 ? "" : "crown must not be negative, got " + text_of(v[1]);
}

std::string fault_of_narrow(const double* v) {
  if (v[1] < v[0]) return "";
  return "here the crown must be less than the radius " + text_of(v[0]) + ", got " + text_of(v[1]) +
         "; without axis it is a ball";
}

std::string fault_of_crown(const double* v) {
  return v[0] > 0 ? "" : "a crown that is a parameter must be positive on a terrain, got " + text_of(v[0]);
}

std::string fault_of_round(const double* v) {
  return v[0] > 0 ? "" : "the radius of what it rolls on must be positive, got " + text_of(v[0]);
}

std::string fault_of_hollow(const double* v) {
  if (v[0] > v[1]) return "";
  return "inside a radius of " + text_of(v[0]) + " m nothing of the radius " + text_of(v[1]) + " m can roll";
}

void check_rolling(Model& model, const std::string& who, const Rolling& r) {
  if (!turns(r.b)) {
    throw Error(who + ": what rolls is the second object, a body, and \"" + r.b.name + "\" does not turn");
  }
  const bool on_ball = std::holds_alternative<Ball>(r.surface), is_wheel = !r.axis.empty();
  if (!on_ball && !has_directions(r.a)) {
    throw Error(who + ": \"" + r.a.name + "\" is a point and has no axes for a surface; give ball = its radius");
  }
  if (model.dimension() == 2) {
    if (is_wheel) throw Error(who + ": in the plane every wheel turns about z; leave 'axis' out");
    if (!r.spins) throw Error(who + ": in the plane nothing turns about the normal; leave 'spin' out");
    if (std::holds_alternative<Cylinder>(r.surface)) throw Error(who + ": in the plane a circle is ball = its radius");
  }
}

void require_radii(Model& model, const std::string& who, const Rolling& r) {
  require(model, who, {r.radius, r.crown}, fault_of_radii);
  const bool on_terrain = std::holds_alternative<Terrain>(r.surface);
  if (!r.axis.empty() && (on_terrain || std::holds_alternative<Cylinder>(r.surface))) {
    require(model, who, {r.radius, r.crown}, fault_of_narrow);
    if (on_terrain && !r.crown.is_number()) require(model, who, {r.crown}, fault_of_crown);
  }
  const Symbol* round = nullptr;
  if (const Ball* ball = std::get_if<Ball>(&r.surface)) round = &ball->radius;
  if (const Cylinder* cylinder = std::get_if<Cylinder>(&r.surface)) round = &cylinder->radius;
  if (!round) return;
  require(model, who, {*round}, fault_of_round);
  if (r.is_inside) require(model, who, {*round, r.radius}, fault_of_hollow);
}

void check_terrain_at_rest(const Model& model, const std::string& who, const Rolling& r) {
  const Terrain* terrain = std::get_if<Terrain>(&r.surface);
  if (!terrain) return;
  for (const NodeId id : model.graph().variables_of({terrain->height.in(model.graph())})) {
    if (model.graph().variable_of(id).quantity != Quantity::Time) continue;
    throw Error(who +
                ": the height of the terrain reads the time, but what rolls has to know how all of the ground "
                "moves; put a terrain at rest on a body that moves");
  }
}

void check_touching_start(const Model& model, const std::string& who, const Rolling& r, const Symbol& gap) {
  const std::vector<double> start = present_values(model, {declared_value(model, gap), r.radius});
  check_defined(who, r.b, start[0]);
  if (std::abs(start[0]) <= 0.5 * start[1]) return;
  throw Error(who + ": \"" + r.b.name + "\" starts " + text_of(std::abs(start[0])) + " m " +
              (start[0] > 0 ? "away from" : "deep in") + " the surface; place it where it touches");
}

/// Of a body that is one in the plane, else nothing that turns.
Symbol angle_of(const Model& model, const Place& place) {
  if (place.kind != Place::Kind::PlanarBody) return 0.0;
  return symbol_of(model, model.coordinates()[static_cast<std::size_t>(place.coordinates[2])].position);
}

/// The way along a line or a circle, less that by which what rolls has turned. On a circle the direction of the line of
/// centres is a coordinate, which counts full turns.
Symbol planar_way(Model& model, const std::string& name, const Rolling& r) {
  const Vector apart = minus(position_of(model, r.b), position_of(model, r.a));
  const Symbol angle_a = angle_of(model, r.a), angle_b = angle_of(model, r.b);
  const Ball* ball = std::get_if<Ball>(&r.surface);
  if (!ball) return dot(axis_of(model, r.a, 0), apart) + r.radius * (angle_b - angle_a);
  const Vector start = minus(initial_position(model, r.b), initial_position(model, r.a));
  const int turn = model.add_coordinate(name, "direction", "rad", atan2(start[1], start[0]), 0.0, Role::Auxiliary);
  const Symbol direction = symbol_of(model, model.coordinates()[static_cast<std::size_t>(turn)].position);
  add_relation_element(model, name, "rolling", cos(direction) * apart[1] - sin(direction) * apart[0], "lambda_turn");
  if (r.is_inside) return (ball->radius - r.radius) * direction + r.radius * angle_b - ball->radius * angle_a;
  return ball->radius * angle_a + r.radius * angle_b - (ball->radius + r.radius) * direction;
}

void note_for_pictures(Model& model, const std::string& name, const Rolling& r, Push push) {
  const Vector axis = model.dimension() == 2 ? Vector{0.0, 0.0, 1.0} : r.axis;
  Touching touching{name, r.a, {r.b}, Plane{}, {r.radius}, acting(model, {std::move(push)}), axis};
  if (const Terrain* terrain = std::get_if<Terrain>(&r.surface)) touching.surface = *terrain;
  if (const Ball* ball = std::get_if<Ball>(&r.surface)) touching.surface = *ball;
  touching.hides_surface = r.is_inside || std::holds_alternative<Cylinder>(r.surface);
  model.record().touchings.push_back(std::make_shared<const Touching>(touching));
}

/// The angle becomes a coordinate that follows from the others.
void settle_edge(Model& model, const std::string& name, double start, RollingTouch& touch) {
  const int number = model.add_coordinate(name, "edge_angle", "rad", start, 0.0, Role::Auxiliary);
  const Symbol angle = symbol_of(model, model.coordinates()[static_cast<std::size_t>(number)].position);
  Graph& graph = model.graph();
  touch.gap = at_angle(graph, touch.gap, angle);
  touch.askew = at_angle(graph, *touch.askew, angle);
  for (Vector* v : {&touch.normal, &touch.arm, &touch.along, &touch.across}) *v = at_angle(graph, *v, angle);
  for (WheelLimit& limit : touch.limits) limit.function = at_angle(graph, limit.function, angle);
}

}  // namespace

void add_rolling(Model& model, const std::string& name, const Rolling& rolling) {
  const std::string who = "rolling \"" + name + "\"";
  check_pair("rolling", name, rolling.a, rolling.b);
  check_rolling(model, who, rolling);
  check_terrain_at_rest(model, who, rolling);
  require_radii(model, who, rolling);
  RollingTouch touch = touch_of(model, name, rolling);
  double angle = 0;
  if (touch.askew) angle = nearest_angle(model, touch.gap);
  check_touching_start(model, who, rolling, at_angle(model.graph(), touch.gap, angle));
  model.claim_name(name, "rolling");
  if (touch.askew) settle_edge(model, name, angle, touch);

  const Place &a = rolling.a, &b = rolling.b;
  const Vector arm_of_a = plus(minus(position_of(model, b), position_of(model, a)), touch.arm);
  const Vector ground_moves = velocity_at(model, a, arm_of_a);
  const Vector slip = minus(velocity_at(model, b, touch.arm), ground_moves);
  add_relation_element(model, name, "rolling", touch.gap, "lambda_normal");
  const int normal = static_cast<int>(model.multipliers().size()) - 1;
  model.record().pushes.insert(normal);
  for (const WheelLimit& limit : touch.limits) {
    model.record().limits[watch(model, name + "." + limit.name, limit.function)] = {normal, limit.warning};
  }
  if (touch.askew) add_relation_element(model, name, "rolling", *touch.askew, "lambda_edge");
  const bool is_planar = model.dimension() == 2;
  if (is_planar && !std::holds_alternative<Terrain>(rolling.surface)) {
    const Symbol way = planar_way(model, name, rolling);
    add_relation_element(model, name, "rolling", way - declared_value(model, way), "lambda_along");
  } else {
    add_velocity_relation_element(model, name, "rolling", dot(touch.along, slip), "lambda_along");
  }
  if (!is_planar) add_velocity_relation_element(model, name, "rolling", dot(touch.across, slip), "lambda_across");
  if (!rolling.spins) {
    const Vector spin =
        turns(a) ? minus(angular_velocity(model, b), angular_velocity(model, a)) : angular_velocity(model, b);
    add_velocity_relation_element(model, name, "rolling", dot(touch.normal, spin), "lambda_spin");
  }

  const auto push = [name](const Model& m, const char* row) {
    return -symbol_of(m, m.signal(name + ".lambda_" + row));
  };
  add_signal(model, name, "normal_force", "N", [push](const Model& m) { return push(m, "normal"); });
  const bool is_wheel = is_planar || !rolling.axis.empty();
  if (is_wheel) {
    add_signal(model, name, "longitudinal_force", "N", [push](const Model& m) { return push(m, "along"); });
    add_signal(model, name, "speed", "m/s", dot(touch.along, minus(velocity_of(model, b), ground_moves)));
  }
  if (is_wheel && !is_planar) {
    add_signal(model, name, "lateral_force", "N", [push](const Model& m) { return push(m, "across"); });
  }
  if (!rolling.spins) add_signal(model, name, "spin_torque", "N m", [push](const Model& m) { return push(m, "spin"); });
  const Vector at = plus(position_of(model, b), touch.arm);
  Vector force = plus(times(push(model, "normal"), touch.normal), times(push(model, "along"), touch.along));
  if (!is_planar) force = plus(force, times(push(model, "across"), touch.across));
  note_for_pictures(model, name, rolling, {at, std::move(force)});
  for (std::size_t k = 0; k < at.size(); ++k) {
    const Symbol along = touch.along[k], across = is_planar ? Symbol(0.0) : touch.across[k];
    add_signal(model, name, std::string("friction_") + axis_names[k], "N", [push, along, across](const Model& m) {
      const Symbol forward = along * push(m, "along");
      return m.dimension() == 2 ? forward : forward + across * push(m, "across");
    });
    add_signal(model, name, axis_names[k], "m", at[k]);
  }
}

}  // namespace perilune::model
