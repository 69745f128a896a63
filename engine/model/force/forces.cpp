// SPDX-License-Identifier: MIT
#include "model/law/kinks.hpp"

#include <algorithm>

#include "error.hpp"
#include "expr/rewrite.hpp"
#include "model/declare.hpp"
#include "model/element/registry.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/place.hpp"
#include "model/place/places.hpp"
#include "model/signals.hpp"

namespace perilune::model {

using expr::Quantity;

Vector moment(const Vector& arm, const Vector& force) {
  if (arm.size() == 2) return {arm[0] * force[1] - arm[1] * force[0]};
  return cross(arm, force);
}

void GeneralizedForce::add_on_coordinate(int coordinate, const Symbol& force) { terms_[coordinate] += force; }

void GeneralizedForce::add_all(const int* coordinates, const Vector& force) {
  for (std::size_t k = 0; k < force.size(); ++k) add_on_coordinate(coordinates[k], force[k]);
}

void GeneralizedForce::add_force(const Place& on, const Vector& force) {
  const Vector q = coordinate_symbols(model_, on.coordinates);
  Vector Q(q.size(), 0.0);
  switch (on.kind) {
    case Place::Kind::Ground:
      return;
    case Place::Kind::Point:
      Q = force;
      break;
    case Place::Kind::Station:
      if (model_.dimension() == 2) StationPlace<2>::pull(q.data(), on.local.data(), force.data(), Q.data());
      if (model_.dimension() == 3) StationPlace<3>::pull(q.data(), on.local.data(), force.data(), Q.data());
      break;
    case Place::Kind::PlanarBody:
      PlanarPlace::pull(q.data(), on.local.data(), force.data(), Q.data());
      break;
    case Place::Kind::SpatialBody:
      SpatialPlace::pull(q.data(), on.local.data(), force.data(), Q.data());
      break;
    case Place::Kind::NaturalBody:
      NaturalPlace::pull(q.data(), on.local.data(), force.data(), Q.data());
      break;
  }
  add_all(on.coordinates.data(), Q);
}

void GeneralizedForce::add_torque(const Place& on, const Vector& torque) {
  switch (on.kind) {
    case Place::Kind::Ground:
      return;
    case Place::Kind::Point:
    case Place::Kind::Station: {
      if (!has_slope(model_, on)) throw Error("a torque cannot act on the point \"" + on.name + "\"");
      // A slope t turns by t x dt / |t|^2.
      const Vector t = slope_of(model_, on), on_slope = times(1.0 / dot(t, t), swept(torque, t));
      const std::size_t D = t.size();
      if (on.kind == Place::Kind::Point) add_all(&with_slope(on)[D], on_slope);
      for (std::size_t k = 0; k < on.slope.size(); ++k) {
        add_all(&on.coordinates[k * D], times(on.slope[k], on_slope));
      }
      return;
    }
    case Place::Kind::PlanarBody:
      add_on_coordinate(on.coordinates[2], torque[0]);
      return;
    case Place::Kind::SpatialBody: {
      // From omega = 2 (e0 e' - e0' e + e x e'): Q_e0 = -2 e.n, Q_e = 2 (e0 n + n x e).
      const Vector q = coordinate_symbols(model_, on.coordinates), e(q.begin() + 4, q.end()),
                   turning = cross(torque, e);
      add_on_coordinate(on.coordinates[3], -2.0 * dot(e, torque));
      for (std::size_t k = 0; k < 3; ++k) {
        add_on_coordinate(on.coordinates[4 + k], 2.0 * (q[3] * torque[k] + turning[k]));
      }
      return;
    }
    case Place::Kind::NaturalBody: {
      // From omega = (sum of a x a') / 2 over the three axes: n x a / 2 on each.
      const Vector q = coordinate_symbols(model_, on.coordinates);
      for (std::size_t j = 3; j < 12; j += 3) {
        add_all(&on.coordinates[j], times(0.5, cross(torque, {q[j], q[j + 1], q[j + 2]})));
      }
      return;
    }
  }
}

void GeneralizedForce::add_force_pair(const Place& a, const Place& b, const Vector& force) {
  add_force(b, force);
  add_force(a, opposite(force));
  if (!has_directions(a) || a.kind == Place::Kind::Ground) return;
  add_torque(a, opposite(moment(minus(position_of(model_, b), position_of(model_, a)), force)));
}

void GeneralizedForce::add_torque_pair(const Place& a, const Place& b, const Vector& torque) {
  add_torque(b, torque);
  add_torque(a, opposite(torque));
}

void GeneralizedForce::add_along(const Symbol& measure, const Symbol& force) {
  expr::Graph& graph = model_.graph();
  const NodeId node = measure.in(graph);
  for (NodeId id : graph.variables_of({node})) {
    const expr::Variable variable = graph.variable_of(id);
    if (variable.quantity == Quantity::Parameter || variable.quantity == Quantity::Time ||
        is_setting(variable.quantity)) {
      continue;
    }
    if (variable.quantity != Quantity::Position) {
      throw Error("a force along '" + graph.to_string(node, 40) + "' needs an expression of positions, but it reads '" +
                  variable.name + "'");
    }
    const NodeId slope = expr::derivative(graph, node, {{id, graph.constant(1)}});
    add_on_coordinate(variable.index, force * Symbol(graph, slope));
  }
}

void GeneralizedForce::add_along_rate(const Symbol& rate, const Symbol& force) {
  expr::Graph& graph = model_.graph();
  const NodeId node = rate.in(graph);
  for (NodeId id : graph.variables_of({node})) {
    const expr::Variable variable = graph.variable_of(id);
    if (variable.quantity != Quantity::Velocity) continue;
    const NodeId slope = expr::derivative(graph, node, {{id, graph.constant(1)}});
    add_on_coordinate(variable.index, force * Symbol(graph, slope));
  }
}

Element law_element(const Model& model, const std::string& name, const char* what, const GeneralizedForce& force) {
  check_registered_law(what);
  const std::string who = std::string(what) + " \"" + name + "\"";
  if (force.terms().empty()) throw Error(who + ": a force on ground has no effect");
  Element element{Element::Form::Law, what, name, model.record().defined_at, {}, {}, {}, {}};
  for (const auto& [coordinate, term] : force.terms()) {
    element.coordinates.push_back(coordinate);
    element.law.push_back(term.in(model.graph()));
  }
  for (NodeId id : model.graph().variables_of(element.law)) {
    const expr::Variable& variable = model.graph().variable_of(id);
    switch (variable.quantity) {
      case Quantity::Parameter:
      case Quantity::Side:
      case Quantity::Absence:
        element.data.push_back(id);
        continue;
      case Quantity::Multiplier:
        element.reads.push_back(variable.index);
        continue;
      case Quantity::Time:
      case Quantity::Argument:
        continue;
      case Quantity::Acceleration:
        element.reads_accelerations = true;
        break;
      case Quantity::Position:
      case Quantity::Velocity:
        break;
    }
    if (std::find(element.coordinates.begin(), element.coordinates.end(), variable.index) ==
        element.coordinates.end()) {
      element.coordinates.push_back(variable.index);
      element.law.push_back(model.graph().constant(0));
    }
  }
  return element;
}

void add_law(Model& model, const std::string& name, const char* what, const GeneralizedForce& force,
             const Symbol& potential) {
  Element element = law_element(model, name, what, force);  // with its complaints, before anything is declared
  element = law_element(model, name, what, with_switches(model, name, force));
  if (const NodeId stored = potential.in(model.graph()); !model.graph().is_constant(stored)) element.potential = stored;
  model.claim_name(name, what);
  model.add_element(std::move(element));
}

namespace {

void check_torque(const Model& model, const std::string& name, const Vector& torque) {
  const std::size_t turns = model.dimension() == 2 ? 1 : 3;
  if (torque.empty() || torque.size() == turns) return;
  throw Error("force \"" + name + "\": the torque needs " + std::to_string(turns) + " component" +
              (turns == 1 ? "" : "s") + " in a " + (turns == 1 ? "planar" : "spatial") + " model, not " +
              std::to_string(torque.size()));
}

}  // namespace

Symbol power_of(const Model& model, const GeneralizedForce& force) {
  Symbol power = 0.0;
  for (const auto& [coordinate, term] : force.terms()) {
    power += term * symbol_of(model, model.coordinates()[static_cast<std::size_t>(coordinate)].velocity);
  }
  return power;
}

void add_force(Model& model, const std::string& name, const Place& on, const Vector& force, const Vector& torque) {
  add_force_pair(model, name, on,
                 {Place::Kind::Ground, {}, Vector(static_cast<std::size_t>(model.dimension())), "ground", {}}, force,
                 torque);
}

void add_force_pair(Model& model, const std::string& name, const Place& on, const Place& reaction_on,
                    const Vector& force, const Vector& torque) {
  if (!force.empty()) check_dimension(model, force, "the force");
  check_torque(model, name, torque);
  for (const Place* place : {&on, &reaction_on}) {
    if (!torque.empty() && !has_directions(*place) && !has_slope(model, *place)) {
      throw Error("force \"" + name + "\": a torque cannot act on the point \"" + place->name + "\"");
    }
  }
  GeneralizedForce total(model);
  if (!force.empty()) total.add_force_pair(reaction_on, on, force);
  if (!torque.empty()) total.add_torque_pair(reaction_on, on, torque);
  add_law(model, name, "force", total);
  if (!force.empty()) model.record().connections.push_back({"force", Mark::Arrow, name, on, reaction_on});
  add_acting_signal(model, name, "power", "W", power_of(model, total));
  for (std::size_t k = 0; k < force.size(); ++k) {
    add_acting_signal(model, name, std::string("f") + axis_names[k], "N", force[k]);
  }
  for (std::size_t k = 0; k < torque.size(); ++k) {
    const std::string suffix = model.dimension() == 2 ? "torque" : std::string("t") + axis_names[k];
    add_acting_signal(model, name, suffix, "N m", torque[k]);
  }
}

}  // namespace perilune::model
