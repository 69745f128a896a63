// SPDX-License-Identifier: MIT
#include "model/joint/given_velocities.hpp"

#include "error.hpp"
#include "model/contact/contact.hpp"
#include "model/declare.hpp"
#include "model/joint/relations.hpp"
#include "model/law/kinks.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"
#include "model/signals.hpp"

namespace perilune::model {

void add_knife_edge(Model& model, const std::string& name, const Place& a, const Place& b, const Vector& axis) {
  const std::string who = "knife_edge \"" + name + "\"";
  check_pair("knife_edge", name, a, b);
  if (!turns(b)) throw Error(who + ": \"" + b.name + "\" does not turn and has no edge; b must be a body");
  const bool is_planar = model.dimension() == 2;
  if (!is_planar && !has_directions(a)) {
    throw Error(who + ": \"" + a.name + "\" is a point and has no axes for a plane; take the ground or a body");
  }
  const Vector edge = in_space(model, b, axis);
  Vector across, along;
  if (is_planar) {
    along = unit(edge);
    across = {-along[1], along[0]};
  } else {
    const Vector normal = axis_of(model, a, 2), sideways = cross(normal, edge);
    if (!(present_values(model, {declared_value(model, dot(sideways, sideways) / dot(edge, edge))})[0] > 1e-12)) {
      throw Error(who + ": the edge is normal to the plane of \"" + a.name +
                  "\", so that it has no sides; lay it down");
    }
    across = unit(sideways);
    along = cross(across, normal);
  }
  model.claim_name(name, "knife_edge");
  const Vector below = velocity_at(model, a, minus(position_of(model, b), position_of(model, a)));
  const Vector slip = minus(velocity_of(model, b), below);
  add_velocity_relation_element(model, name, "knife_edge", dot(across, slip));
  const NodeId multiplier = model.multipliers().back().node;
  add_signal(model, name, "lateral_force", "N", [multiplier](const Model& m) { return -symbol_of(m, multiplier); });
  add_signal(model, name, "speed", "m/s", dot(along, slip));
}

void add_speed_driver(Model& model, const std::string& name, const Symbol& what, const Symbol& law) {
  const std::string who = "driver \"" + name + "\"";
  bool reads_position = false;
  for (NodeId id : model.graph().variables_of({what.in(model.graph())})) {
    const expr::Variable& variable = model.graph().variable_of(id);
    reads_position = reads_position || variable.quantity == expr::Quantity::Position;
    if (variable.quantity == expr::Quantity::Position || variable.quantity == expr::Quantity::Parameter ||
        variable.quantity == expr::Quantity::Time) {
      continue;
    }
    throw Error(who + ": velocity prescribes the rate of an expression of positions, which cannot read '" +
                variable.name + "'");
  }
  if (!reads_position) throw Error(who + ": what it prescribes does not depend on any coordinate");
  for (NodeId id : model.graph().variables_of({law.in(model.graph())})) {
    const expr::Quantity quantity = model.graph().variable_of(id).quantity;
    if (quantity == expr::Quantity::Time || quantity == expr::Quantity::Parameter ||
        quantity == expr::Quantity::Absence) {
      continue;
    }
    throw Error(who + ": its velocity cannot read '" + model.graph().variable_of(id).name +
                "', only time and parameters; for a relation of velocities use m:constraint");
  }
  model.claim_name(name, "driver");
  const Symbol rate = time_derivative(model, what);
  add_velocity_relation_element(model, name, "driver", with_switches(model, name, rate - law));
  const NodeId multiplier = model.multipliers().back().node;
  add_signal(model, name, "force", "", -symbol_of(model, multiplier));
  add_signal(model, name, "power", "W", -(symbol_of(model, multiplier) * rate));
}

}  // namespace perilune::model
