// SPDX-License-Identifier: MIT
#include "model/contact/cam.hpp"

#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <utility>

#include "error.hpp"
#include "expr/rewrite.hpp"
#include "model/contact/contact.hpp"
#include "model/contact/contact_gap.hpp"
#include "model/contact/wheel_edge.hpp"
#include "model/declare.hpp"
#include "model/joint/relations.hpp"
#include "model/law/kinks.hpp"
#include "model/law/switches.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"
#include "model/signals.hpp"
#include "model/text.hpp"

namespace perilune::model {

using expr::Quantity;

namespace {

constexpr double full_turn = 2 * std::numbers::pi;

Symbol slope(Graph& graph, const Symbol& x, const Symbol& angle) {
  return {graph, expr::derivative(graph, x.in(graph), {{angle.in(graph), graph.constant(1)}})};
}

std::string fault_of_roller(const double* r) {
  return r[0] >= 0 ? "" : "radius must not be negative, got " + text_of(r[0]);
}

/// Of the profile's radius at a place around the cam.
std::string fault_of_profile(const double* R) {
  return R[0] > 0 ? "" : "the profile must be positive all around the cam, but is " + text_of(R[0]) + " m there";
}

void check_reads(const Model& model, const std::string& who, const Symbol& profile) {
  for (const NodeId id : model.graph().variables_of({profile.in(model.graph())})) {
    const expr::Variable& variable = model.graph().variable_of(id);
    if (variable.quantity == Quantity::Parameter || variable.quantity == Quantity::Argument) continue;
    throw Error(who + ": the profile cannot read '" + variable.name + "', only s.angle and parameters");
  }
}

/// Where a function of the angle changes by more than `most` within [left, right], however near one looks: left of it
/// and right of it. Nothing where it is continuous.
std::optional<std::pair<double, double>> find_jump(const std::function<double(double)>& f, double left, double right,
                                                   double most) {
  constexpr double near = 1e-9;
  double at_left = f(left), at_right = f(right);
  while (std::abs(at_right - at_left) > most) {
    if (right - left < near) return std::pair(left, right);
    const double middle = 0.5 * (left + right), there = f(middle);
    if (std::abs(there - at_left) > std::abs(at_right - there)) {
      right = middle;
      at_right = there;
    } else {
      left = middle;
      at_left = there;
    }
  }
  return std::nullopt;
}

/// Conditions, absolute values and their like may make corners anywhere, where accelerations would be infinite.
void check_smooth(Model& model, const std::string& who, const Symbol& profile) {
  constexpr int parts = 720;
  constexpr double jump = 1e-6, corner = 1e-4;  // of the radius
  AroundEdge around(model, profile);
  const auto radius = [&](double angle) { return around.value(angle); };
  const auto slope = [&](double angle) { return around.slope(angle); };
  for (int k = 0; k < parts; ++k) {
    const double left = full_turn * k / parts, right = full_turn * (k + 1) / parts, size = radius(left);
    if (const auto at = find_jump(radius, left, right, jump * size)) {
      throw Error(who + ": the profile must not jump, but does so at angle " + text_of(at->first) + " from " +
                  text_of(radius(at->first)) + " to " + text_of(radius(at->second)) +
                  " m; join its pieces by a smooth rise");
    }
    if (const auto at = find_jump(slope, left, right, corner * size)) {
      throw Error(who + ": the profile must not have a corner, but at angle " + text_of(at->first) +
                  " its slope jumps from " + text_of(slope(at->first)) + " to " + text_of(slope(at->second)) +
                  " m/rad, where the acceleration would be infinite; join its pieces smoothly");
    }
  }
}

/// It has to close after a turn without a corner. `slope`: R'.
void check_profile(Model& model, const std::string& who, const Symbol& profile, const Symbol& slope) {
  constexpr int samples = 72;
  constexpr double beside = 1e-9, closed = 1e-6;
  Graph& graph = model.graph();
  for (int k = 0; k < samples; ++k) {
    require(model, who, {at_angle(graph, profile, (k + 0.5) / samples * full_turn)}, fault_of_profile);
  }
  const auto ends = [&](const Symbol& x) {
    return present_values(model, {at_angle(graph, x, beside), at_angle(graph, x, full_turn - beside)});
  };
  const std::vector<double> R = ends(profile), bend = ends(slope);
  const double size = std::abs(R[0]);
  if (!(std::abs(R[1] - R[0]) <= closed * size)) {
    throw Error(who + ": the profile must close, but is " + text_of(R[0]) + " m at angle 0 and " + text_of(R[1]) +
                " m at 2 pi; mbs.spline with period = 2 * math.pi closes a table");
  }
  if (!(std::abs(bend[1] - bend[0]) <= 1e-4 * size)) {
    throw Error(who + ": the profile must not have a corner, but at angle 0 its slope is " + text_of(bend[0]) +
                " m/rad and at 2 pi " + text_of(bend[1]) +
                "; mbs.spline with period = 2 * math.pi closes a table smoothly");
  }
  check_smooth(model, who, profile);
}

/// Of a face. What does not turn has the axes of space.
Vector face_in_space(const Model& model, const Cam& cam) {
  return turns(cam.b) ? in_space(model, cam.b, cam.face) : cam.face;
}

/// Where b touches: all in space, with the angle phi still edge_angle().
struct CamTouch {
  Symbol gap, askew;
  Vector normal;    // from the cam to b, of unit length
  Vector from_cam;  // c(phi)
  Symbol curvature;
  Symbol distance;  // least where b touches
  Symbol fit;       // negative where b touches at more than one place
};

CamTouch cam_touch(Model& model, const Cam& cam, const Symbol& R, const Symbol& first, const Symbol& second) {
  Graph& graph = model.graph();
  const Symbol phi = edge_angle(graph);
  const Vector x = axis_of(model, cam.a, 0), y = axis_of(model, cam.a, 1);
  const Vector out = plus(times(cos(phi), x), times(sin(phi), y)),
               around = plus(times(-sin(phi), x), times(cos(phi), y));
  const Vector tangent = plus(times(first, out), times(R, around));
  const Symbol length = sqrt(R * R + first * first);
  const Vector apart = minus(position_of(model, cam.b), position_of(model, cam.a));
  CamTouch touch;
  touch.from_cam = times(R, out);
  touch.curvature = (R * R + 2.0 * first * first - R * second) / (length * length * length);
  const Vector d = minus(apart, touch.from_cam);
  if (cam.face.empty()) {
    touch.normal = times(1.0 / length, minus(times(R, out), times(first, around)));
    touch.gap = dot(d, touch.normal) - cam.radius;
    touch.askew = dot(d, tangent) / length;
    touch.distance = dot(d, d);
    touch.fit = 1.0 + cam.radius * touch.curvature;
  } else {
    touch.normal = opposite(face_in_space(model, cam));
    touch.gap = dot(d, touch.normal);
    touch.askew = dot(tangent, touch.normal) / length;
    touch.distance = touch.gap;
    touch.fit = touch.curvature * R;
  }
  return touch;
}

void check_start(Model& model, const std::string& who, const Cam& cam, const Symbol& gap, const Symbol& R) {
  const std::vector<double> start = present_values(model, {declared_value(model, gap), R});
  check_defined(who, cam.b, start[0]);
  if (std::abs(start[0]) <= 0.5 * start[1]) return;
  throw Error(who + ": \"" + cam.b.name + "\" starts " + text_of(std::abs(start[0])) + " m " +
              (start[0] > 0 ? "away from" : "deep in") + " the cam; place it where it touches");
}

void check_fit(Model& model, const std::string& who, const Cam& cam, const Symbol& fit) {
  if (present_values(model, {declared_value(model, fit)})[0] > 0) return;
  throw Error(who + (cam.face.empty()
                         ? ": the roller does not fit into the hollow of the profile where it starts; make "
                           "its radius smaller"
                         : ": the profile is hollow where the flat face starts, so that it would touch at "
                           "two places; use a roller"));
}

void add_cam_signals(Model& model, const std::string& name, const Cam& cam, const Symbol& angle,
                     const CamTouch& touch) {
  const auto push = [name](const Model& m) { return -symbol_of(m, m.signal(name + ".lambda_normal")); };
  add_signal(model, name, "normal_force", "N", push);
  const Vector at = plus(position_of(model, cam.a), touch.from_cam);
  for (std::size_t k = 0; k < at.size(); ++k) {
    const Symbol along = touch.normal[k];
    add_signal(model, name, std::string("force_") + axis_names[k], "N",
               [push, along](const Model& m) { return along * push(m); });
    add_signal(model, name, axis_names[k], "m", at[k]);
  }
  add_signal(model, name, "gap", "m", touch.gap);
  add_signal(model, name, "angle", "rad", angle);
  add_signal(model, name, "curvature", "1/m", touch.curvature);
}

}  // namespace

Symbol profile_angle(Graph& graph) {
  const Symbol phi = edge_angle(graph);
  return std::numbers::pi + atan2(-sin(phi), -cos(phi));
}

void add_cam(Model& model, const std::string& name, const Cam& cam) {
  const std::string who = "cam \"" + name + "\"";
  check_pair("cam", name, cam.a, cam.b);
  if (!has_directions(cam.a)) throw Error(who + ": \"" + cam.a.name + "\" is a point, which does not turn as a cam");
  check_reads(model, who, cam.profile);
  require(model, who, {cam.radius}, fault_of_roller);
  Graph& graph = model.graph();
  const Symbol around = edge_angle(graph);
  const Symbol first = slope(graph, cam.profile, around), second = slope(graph, first, around);
  check_profile(model, who, cam.profile, first);
  CamTouch touch = cam_touch(model, cam, cam.profile, first, second);
  const double start = nearest_angle(model, touch.distance);
  const auto at_start = [&](const Symbol& x) { return at_angle(graph, x, start); };
  check_start(model, who, cam, at_start(touch.gap), at_start(cam.profile));
  check_fit(model, who, cam, at_start(touch.fit));
  model.claim_name(name, "cam");

  const int number = model.add_coordinate(name, "angle", "rad", start, 0.0, Role::Auxiliary);
  const Symbol angle = symbol_of(model, model.coordinates()[static_cast<std::size_t>(number)].position);
  for (Symbol* x : {&touch.gap, &touch.askew, &touch.curvature, &touch.fit}) *x = at_angle(graph, *x, angle);
  for (Vector* v : {&touch.normal, &touch.from_cam}) *v = at_angle(graph, *v, angle);
  // That of the angle first: it goes on where a phase leaves the cam out. The gap does not tell the angle, at which it
  // is least.
  add_relation_element(model, name, "cam", with_watched_switches(model, name, touch.askew), "lambda_angle");
  add_relation_element(model, name, "cam", with_watched_switches(model, name, touch.gap), "lambda_normal");
  const int normal = static_cast<int>(model.multipliers().size()) - 1;
  if (!cam.guides_both_ways) model.record().pushes.insert(normal);
  // Where it is zero the equations are singular, and no run comes to the other side.
  constexpr double nearly_fits = 0.02;
  const char* misfit = cam.face.empty()
                           ? ": the roller nearly or not at all fits into the hollow of the profile, where it "
                             "would touch at two places, which is not followed; make its radius smaller"
                           : ": the profile is flat or hollow where the face touches, which would do so at two "
                             "places, which is not followed; use a roller, or a rounder profile";
  model.record().limits[watch(model, name + ".fit", touch.fit - nearly_fits)] = {normal, who + misfit};
  add_cam_signals(model, name, cam, angle, touch);
  const Symbol push = -symbol_of(model, model.multipliers()[static_cast<std::size_t>(normal)].node);
  Touching shown{name, cam.a, {cam.b}, Plane{}, {cam.radius}};
  shown.pushes = acting(model, {{plus(position_of(model, cam.a), touch.from_cam), times(push, touch.normal)}});
  shown.profile = cam.profile;
  model.record().touchings.push_back(std::make_shared<const Touching>(shown));
}

}  // namespace perilune::model
