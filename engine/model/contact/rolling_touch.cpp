// SPDX-License-Identifier: MIT
#include "model/contact/rolling_touch.hpp"

#include <cmath>

#include "error.hpp"
#include "expr/rewrite.hpp"
#include "model/body/orientation.hpp"
#include "model/contact/contact.hpp"
#include "model/contact/wheel_edge.hpp"
#include "model/joint/relations.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"

namespace perilune::model {

namespace {

constexpr double nearly_flat = 0.05;  // sine of the angle between the axis and the normal
constexpr double nearly_fits = 0.02;  // how much the gap bends along the edge, as a share of that on a plane

/// Axes of a as columns; of a point those of space.
Vector axes_below(const Model& model, const Place& a) {
  if (has_directions(a)) return orientation(model, a);
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

  Symbol reach() const { return r_.radius - r_.crown; }
  std::string wheel_of() const { return "the wheel of \"" + name_ + "\" "; }

  /// A rigid circle of the radius R - c, whose points are the centres of what is round with the radius c: from the
  /// centre to the one that is nearest to the surface, which lies towards -`up`.
  Vector to_edge(const Vector& up, RollingTouch& touch) {
    const Vector axis = in_space(model_, r_.b, r_.axis), forward = cross(axis, up);
    const Symbol margin = sqrt(dot(forward, forward) / dot(up, up)) - nearly_flat;
    check_upright(margin);
    touch.limits.push_back({"flat", margin,
                            wheel_of() + "lies nearly flat, within 3 degrees: it would touch with its face, which is "
                                         "not followed; end the motion before that"});
    touch.along = times(1.0 / ((margin + nearly_flat) * sqrt(dot(up, up))), forward);
    return times(reach(), cross(axis, touch.along));
  }

  /// A point of this circle at edge_angle() from the one towards -`up`, and how it moves with the angle.
  struct EdgePoint {
    Vector at, along;
  };
  EdgePoint around_edge(const Vector& up, RollingTouch& touch) {
    const Vector lowest = to_edge(up, touch), ahead = times(reach(), touch.along);
    const Symbol angle = edge_angle(model_.graph()), c = cos(angle), s = sin(angle);
    return {plus(times(c, lowest), times(s, ahead)), minus(times(c, ahead), times(s, lowest))};
  }

  /// What the normal says of a wheel's heading, and of the point of its edge.
  void follow_edge(const EdgePoint& edge, RollingTouch& touch) {
    const Vector across_axis = cross(in_space(model_, r_.b, r_.axis), touch.normal);
    touch.along = unit(across_axis);
    touch.askew = dot(touch.normal, edge.along) / reach();
    Graph& graph = model_.graph();
    const Symbol angle = edge_angle(graph);
    const Symbol bend{graph, expr::derivative(graph, touch.askew->in(graph), {{angle.in(graph), graph.constant(1)}})};
    touch.limits.push_back({"fit", bend - nearly_fits,
                            wheel_of() + "nearly fits the surface, or lies flat on it, so that it would touch at more "
                                         "than the one place that is followed; make the wheel smaller or the surface "
                                         "flatter, or end the motion before that"});
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
    const TerrainSwitches switches = check_contact(model_, "rolling", name_, ground);
    if (is_wheel()) return wheel_on_terrain(switches, terrain);
    const Gap gap = gap_of(model_, switches, r_.a, terrain, r_.b, ground.round);
    RollingTouch touch{gap.value, unit(gap.slope), gap.arm, {}, {}, {}, {}};
    if (is_spatial()) touch.along = bent_axis(axis_of(model_, r_.a, 0), axis_of(model_, r_.a, 2), touch.normal);
    return touch;
  }

  RollingTouch wheel_on_terrain(const TerrainSwitches& switches, const Terrain& terrain) {
    RollingTouch touch;
    const EdgePoint edge = around_edge(axis_of(model_, r_.a, 2), touch);
    const Gap gap = gap_of_sphere(model_, switches, r_.a, terrain, plus(apart_, edge.at), r_.crown);
    touch.gap = gap.value;
    touch.normal = unit(gap.slope);
    touch.arm = plus(edge.at, gap.arm);
    follow_edge(edge, touch);
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
    auto away = [&](const Vector& from_a) { return minus(from_a, times(dot(axis, from_a), axis)); };
    if (!is_wheel()) {
      RollingTouch touch = on_round(cylinder.radius, away(apart_));
      touch.along = axis;
      return touch;
    }
    RollingTouch touch;
    const Symbol side = r_.is_inside ? -1.0 : 1.0;
    const EdgePoint edge = around_edge(times(side, away(apart_)), touch);
    const Vector out = away(plus(apart_, edge.at));
    const Symbol distance = sqrt(dot(out, out));
    touch.normal = times(side / distance, out);
    touch.arm = minus(edge.at, times(r_.crown, touch.normal));
    touch.gap = side * (distance - cylinder.radius) - r_.crown;
    follow_edge(edge, touch);
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

}  // namespace

RollingTouch touch_of(Model& model, const std::string& name, const Rolling& rolling) {
  return RollingGeometry(model, name, rolling).touch();
}

}  // namespace perilune::model
