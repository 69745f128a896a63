// SPDX-License-Identifier: MIT
// What surfaces and what touches them must be for a contact.
#include <algorithm>
#include <cmath>

#include "error.hpp"
#include "model/body/orientation.hpp"
#include "model/contact/contact.hpp"
#include "model/joint/relations.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/places.hpp"
#include "model/text.hpp"

namespace perilune::model {

using expr::Quantity;

void check_defined(const std::string& who, const Place& b, double distance) {
  if (std::isfinite(distance)) return;
  const char* what = std::isnan(distance) ? "not a number" : "infinite";
  throw Error(who + ": the distance of \"" + b.name + "\" from the surface is " + what +
              " at the start\nthe height of a terrain must be a number wherever something may touch it");
}

namespace {

/// otherwise: what helps where a corner is to stay one.
void check_terrain(const std::string& who, const TerrainFaults& faults, bool touches_at_a_point,
                   const std::string& otherwise) {
  if (!faults.jump && (!faults.corner || touches_at_a_point)) return;
  const TerrainFault& fault = faults.jump ? *faults.jump : *faults.corner;
  const double rounded = std::round(fault.at * 1e9) * 1e-9;
  const std::string at = std::string(" at ") + axis_names[fault.coordinate] + " = " + text_of(rounded);
  if (faults.jump) {
    throw Error(who + ": the height of the terrain jumps by " + text_of(fault.size) + " m" + at +
                "\na jump has no normal; make it a steep slope, as with mbs.smoothstep");
  }
  throw Error(who + ": the slope of the terrain jumps by " + text_of(fault.size) + at +
              "\nwhat is round touches a corner on both sides or on its tip, and has one point of contact here; round "
              "it\n(mbs.softplus for a maximum, mbs.sabs for an absolute value, mbs.spline), " +
              otherwise);
}

}  // namespace

TerrainSwitches check_contact(Model& model, const char* what, const std::string& name, const Contact& contact) {
  const std::string who = std::string(what) + " \"" + name + "\"";
  if (contact.b.empty()) throw Error(who + ": it needs a place that touches the surface");
  for (const Place& b : contact.b) {
    if (contact.round.semi_axes.empty() || has_directions(b)) continue;
    throw Error(who + ": \"" + b.name + "\" is a point and has no axes for an ellipsoid; give a radius");
  }
  if (!std::holds_alternative<Ball>(contact.surface) && !has_directions(contact.a)) {
    throw Error(who + ": \"" + contact.a.name +
                "\" is a point and has no axes for a surface; as a ball it needs a radius");
  }
  if (std::holds_alternative<Box>(contact.surface)) {
    if (!contact.round.semi_axes.empty()) {
      throw Error(who + ": a box is touched by spheres, not by ellipsoids; give a radius");
    }
    if (is_point(contact.round)) {
      throw Error(who +
                  ": a point does not know which side of an edge it is on; give a radius, of a sphere that touches "
                  "the box");
    }
  }
  TerrainSwitches switches{name};
  if (const Terrain* terrain = std::get_if<Terrain>(&contact.surface)) {
    std::vector<NodeId> own;
    for (int k = 0; k < model.dimension() - 1; ++k) own.push_back(terrain_variable(model.graph(), k).in(model.graph()));
    for (NodeId id : model.graph().variables_of({terrain->height.in(model.graph())})) {
      const Quantity quantity = model.graph().variable_of(id).quantity;
      if (quantity == Quantity::Parameter || quantity == Quantity::Time) continue;
      if (std::find(own.begin(), own.end(), id) != own.end()) continue;
      throw Error(who + ": the height of the terrain cannot read '" + model.graph().variable_of(id).name +
                  "', only the place's own coordinates, time and parameters");
    }
    for (const Place& b : contact.b) {
      Vector plan =
          into_axes(orientation(model, contact.a), minus(position_of(model, b), position_of(model, contact.a)));
      plan.pop_back();
      for (Symbol& x : plan) x = declared_value(model, x);
      const TerrainFaults faults = faults_of_terrain(model, *terrain, present_values(model, plan));
      const bool is_tire = std::string(what) == "tire";
      check_terrain(who, faults, terrain->is_vertical || is_point(contact.round),
                    is_tire ? "or make the tire vertical" : "or declare a plane for each side of a valley");
      switches.at_corners |= faults.corner.has_value();
      switches.in_time |= faults.in_time;
    }
  }
  return switches;
}

}  // namespace perilune::model
