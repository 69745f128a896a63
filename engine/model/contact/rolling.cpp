// SPDX-License-Identifier: MIT
#include "model/contact/rolling.hpp"

#include <cmath>

#include "error.hpp"
#include "model/body/orientation.hpp"
#include "model/contact/contact.hpp"
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

constexpr double nearly_flat = 0.05;  // sine of the angle between the axis and the normal

/// Where what rolls touches, and along what it must not slip. All vectors in space.
struct RollingTouch {
  Symbol gap;
  Vector normal;         // of unit length, from the surface towards what rolls
  Vector arm;            // from the place of b to the point that touches
  Vector along, across;  // of unit length, tangential; along is where a wheel heads. Across is empty in the plane
};

std::string fault_of_radii(const double* v) {
  if (!(v[0] > 0)) return "radius must be positive, got " + text_of(v[0]);
  return v[1] >= 0 ? "" : "crown must not be negative, got " + text_of(v[1]);
}

std::string fault_of_round(const double* v) {
  return v[0] > 0 ? "" : "the radius of what it rolls on must be positive, got " + text_of(v[0]);
}

std::string fault_of_hollow(const double* v) {
  if (v[0] > v[1]) return "";
  return "inside a radius of " + text_of(v[0]) + " m nothing of the radius " + text_of(v[1]) + " m can roll";
}

/// Axes of a as columns; of a point those of space.
Vector axes_below(const Model& model, const Place& a) {
  if (a.kind != Place::Kind::Point) return orientation(model, a);
  return {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
}

/// The x axis of a frame turned the shortest way from z to the normal: defined but where these are opposite.
Vector bent_axis(const Vector& x, const Vector& z, const Vector& normal) {
  return minus(x, times(dot(normal, x) / (1.0 + dot(normal, z)), plus(normal, z)));
}

class RollingGeometry {
 public:
  RollingGeometry(Model& model, std::string name, const Rolling& rolling)
      : model_(model),
        name_(std::move(name)),
        r_(rolling),
        apart_(minus(position_of(model, rolling.b), position_of(model, rolling.a))) {}

  RollingTouch touch() {
    RollingTouch touch = on_surface();
    if (model_.dimension() == 2) touch.along = {touch.normal[1], -touch.normal[0]};
    if (model_.dimension() == 3) touch.across = cross(touch.normal, touch.along);
    return touch;
  }

 private:
  bool is_wheel() const { return !r_.axis.empty(); }
  bool is_spatial() const { return model_.dimension() == 3; }

  RollingTouch on_surface() {
    if (std::holds_alternative<Terrain>(r_.surface)) return on_terrain();
    if (const Ball* ball = std::get_if<Ball>(&r_.surface)) return on_ball(*ball);
    if (const Cylinder* cylinder = std::get_if<Cylinder>(&r_.surface)) return on_cylinder(*cylinder);
    return on_plane();
  }

  /// A rigid circle of the radius R - c, whose points are the centres of what is round with the radius c: from the
  /// centre to the one that is nearest to the surface, which lies towards -`up`.
  Vector to_edge(const Vector& up, RollingTouch& touch) {
    const Vector axis = in_space(model_, r_.b, r_.axis), forward = cross(axis, up);
    const Symbol margin = sqrt(dot(forward, forward) / dot(up, up)) - nearly_flat;
    check_upright(margin);
    // The rows read the margin itself, by which runs know that it matters.
    model_.record().wheels.emplace(watch(model_, name_ + ".flat", margin), name_);
    touch.along = times(1.0 / ((margin + nearly_flat) * sqrt(dot(up, up))), forward);
    return times(r_.radius - r_.crown, cross(axis, touch.along));
  }

  [[noreturn]] void fail_at_centre() const {
    throw Error("rolling \"" + name_ + "\": \"" + r_.b.name +
                "\" starts in the centre of what it rolls on; place it where it touches");
  }

  void check_upright(const Symbol& margin) {
    if (present_values(model_, {declared_value(model_, margin)})[0] + nearly_flat > 1e-6) return;
    throw Error("rolling \"" + name_ + "\": the axis of \"" + r_.b.name +
                "\" is normal to the surface, so that the wheel lies flat and touches all around; raise it");
  }

  RollingTouch on_plane() {
    RollingTouch touch;
    touch.normal = axis_of(model_, r_.a, model_.dimension() - 1);
    touch.arm = times(-r_.radius, touch.normal);
    if (is_wheel()) {
      touch.arm = minus(to_edge(touch.normal, touch), times(r_.crown, touch.normal));
    } else {
      touch.along = axis_of(model_, r_.a, 0);
    }
    touch.gap = dot(touch.normal, plus(apart_, touch.arm));
    return touch;
  }

  RollingTouch on_terrain() {
    const Terrain& terrain = std::get<Terrain>(r_.surface);
    Contact ground;
    ground.a = r_.a;
    ground.b = {r_.b};
    ground.surface = terrain;
    ground.round.radius = r_.radius;
    const Gap gap = gap_of(model_, check_contact(model_, "rolling", name_, ground), r_.a, terrain, r_.b, ground.round);
    RollingTouch touch{gap.value, unit(gap.slope), gap.arm, {}, {}};
    if (is_spatial()) touch.along = bent_axis(axis_of(model_, r_.a, 0), axis_of(model_, r_.a, 2), touch.normal);
    return touch;
  }

  /// On a circle, ball or cylinder of this radius, whose nearest centre is `out` away from b's place.
  RollingTouch on_round(const Symbol& radius, const Vector& out) {
    const Symbol side = r_.is_inside ? -1.0 : 1.0;
    RollingTouch touch;
    Vector edge(out.size(), 0.0);  // from b's place to the centre of what is round there
    if (is_wheel()) edge = to_edge(times(side, out), touch);
    const Vector centre = plus(out, edge);
    const Symbol distance = sqrt(dot(centre, centre)), own = is_wheel() ? r_.crown : r_.radius;
    touch.normal = times(side / distance, centre);
    touch.arm = minus(edge, times(own, touch.normal));
    touch.gap = side * (distance - radius) - own;
    return touch;
  }

  RollingTouch on_ball(const Ball& ball) {
    RollingTouch touch = on_round(ball.radius, apart_);
    if (is_spatial() && !is_wheel()) touch.along = along_ball(touch.normal);
    return touch;
  }

  RollingTouch on_cylinder(const Cylinder& cylinder) {
    const Vector axis = axis_of(model_, r_.a, 2);
    RollingTouch touch = on_round(cylinder.radius, minus(apart_, times(dot(axis, apart_), axis)));
    touch.along = axis;
    return touch;
  }

  /// A direction that turns as little as the normal does against where it is declared, as seen from a.
  Vector along_ball(const Vector& normal) {
    const Vector axes = axes_below(model_, r_.a);
    Vector declared;
    for (const Symbol& x : into_axes(axes, normal)) declared.push_back(declared_value(model_, x));
    Vector start;  // any fixed direction will do, so that parameters need not change it
    for (const double x : present_values(model_, declared)) start.push_back(x);
    if (!std::isfinite(start[0].number())) fail_at_centre();
    const Place frame = with_axis(model_, ground_place(model_, {0.0, 0.0, 0.0}), start);
    return bent_axis(out_of_axes(axes, local_axis(model_, frame, 0)), out_of_axes(axes, start), normal);
  }

  Model& model_;
  std::string name_;
  const Rolling& r_;
  Vector apart_;  // from a's place to b's
};

void check_rolling(Model& model, const std::string& who, const Rolling& r) {
  if (!turns(r.b)) {
    throw Error(who + ": what rolls is the second object, a body, and \"" + r.b.name + "\" does not turn");
  }
  const bool on_ball = std::holds_alternative<Ball>(r.surface), is_wheel = !r.axis.empty();
  if (!on_ball && r.a.kind == Place::Kind::Point) {
    throw Error(who + ": \"" + r.a.name + "\" is a point and has no axes for a surface; give ball = its radius");
  }
  if (model.dimension() == 2) {
    if (is_wheel) throw Error(who + ": in the plane every wheel turns about z; leave 'axis' out");
    if (!r.spins) throw Error(who + ": in the plane nothing turns about the normal; leave 'spin' out");
    if (std::holds_alternative<Cylinder>(r.surface)) throw Error(who + ": in the plane a circle is ball = its radius");
  }
  if (!is_wheel) return;
  if (std::holds_alternative<Terrain>(r.surface)) {
    throw Error(who +
                ": on a terrain a ball rolls, a wheel with an axis only on planes and balls; leave 'axis' out, "
                "or take m:tire");
  }
  if (std::holds_alternative<Cylinder>(r.surface)) {
    throw Error(who + ": on a cylinder a ball rolls, a wheel with an axis only on planes and balls; leave 'axis' out");
  }
}

void require_radii(Model& model, const std::string& who, const Rolling& r) {
  require(model, who, {r.radius, r.crown}, fault_of_radii);
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
  return symbol_of(model, model.coordinates()[static_cast<std::size_t>(place.first_coordinate) + 2].position);
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

void note_for_pictures(Model& model, const std::string& name, const Rolling& r) {
  Touching touching{name, r.a, {r.b}, Plane{}, {r.radius}, r.axis};
  if (const Terrain* terrain = std::get_if<Terrain>(&r.surface)) touching.surface = *terrain;
  if (const Ball* ball = std::get_if<Ball>(&r.surface)) touching.surface = *ball;
  touching.hides_surface = r.is_inside || std::holds_alternative<Cylinder>(r.surface);
  model.record().touchings.push_back(std::make_shared<const Touching>(touching));
}

}  // namespace

void add_rolling(Model& model, const std::string& name, const Rolling& rolling) {
  const std::string who = "rolling \"" + name + "\"";
  check_pair("rolling", name, rolling.a, rolling.b);
  check_rolling(model, who, rolling);
  check_terrain_at_rest(model, who, rolling);
  require_radii(model, who, rolling);
  const RollingTouch touch = RollingGeometry(model, name, rolling).touch();
  check_touching_start(model, who, rolling, touch.gap);
  model.claim_name(name, "rolling");

  const Place &a = rolling.a, &b = rolling.b;
  note_for_pictures(model, name, rolling);
  const Vector arm_of_a = plus(minus(position_of(model, b), position_of(model, a)), touch.arm);
  const Vector ground_moves = velocity_at(model, a, arm_of_a);
  const Vector slip = minus(velocity_at(model, b, touch.arm), ground_moves);
  add_relation_element(model, name, "rolling", touch.gap, "lambda_normal");
  model.record().pushes.insert(static_cast<int>(model.multipliers().size()) - 1);
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
