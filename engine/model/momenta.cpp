// SPDX-License-Identifier: MIT
#include "model/momenta.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "error.hpp"
#include "model/declare.hpp"
#include "model/element/registry.hpp"
#include "model/force/law.hpp"
#include "model/law/symbolic.hpp"
#include "model/signals.hpp"

namespace perilune::model {

namespace {

/// What a coordinate with mass is to a motion of all space.
struct Part {
  enum class Kind { Place, Direction, Turn, EulerParameter };
  Kind kind;
  int axis = 0;  // of space; number of the parameter
};

/// By what the coordinate is called after its owner: x, of a place where it is a length; u_x or slope_x; angle; e0.
Part part_of(const Coordinate& coordinate) {
  const std::string_view what = std::string_view(coordinate.name).substr(coordinate.name.rfind('.') + 1);
  const auto axis = [](char letter) { return letter >= 'x' && letter <= 'z' ? letter - 'x' : -1; };
  if (what.size() == 1 && axis(what[0]) >= 0) {
    return {coordinate.unit == "m" ? Part::Kind::Place : Part::Kind::Direction, axis(what[0])};
  }
  if (what == "angle") return {Part::Kind::Turn};
  if (what.size() == 2 && what[0] == 'e') return {Part::Kind::EulerParameter, what[1] - '0'};
  if (what.size() > 2 && what[what.size() - 2] == '_' && axis(what.back()) >= 0) {
    return {Part::Kind::Direction, axis(what.back())};
  }
  throw Error("the coordinate " + coordinate.name + " has a mass, but no known part in momenta");
}

/// A vector of space with the momentum of its components, or four Euler parameters; (q, p) by axis or number.
struct Vector4 {
  std::array<Symbol, 4> q{0.0, 0.0, 0.0, 0.0}, p{0.0, 0.0, 0.0, 0.0};
};

/// The turn of a vector by omega changes it by omega x q, Euler parameters by (-omega.e, e0 omega + omega x e) / 2.
void add_turn(const Vector4& of, bool is_euler, Vector& out) {
  const int first = is_euler ? 1 : 0;
  const double weight = is_euler ? 0.5 : 1;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t axis = out.size() == 1 ? 2 : i;  // z alone in the plane
    const auto at = [&](std::size_t k) { return static_cast<std::size_t>(first) + k % 3; };
    out[i] += weight * (of.q[at(axis + 1)] * of.p[at(axis + 2)] - of.q[at(axis + 2)] * of.p[at(axis + 1)]);
    if (is_euler) out[i] += weight * (of.q[0] * of.p[at(axis)] - of.q[at(axis)] * of.p[0]);
  }
}

/// Of coordinates that stand side by side, as those of a vector do.
void add_angular(const Model& model, const Element& element, const Vector& p, Vector& out) {
  Vector4 own;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Coordinate& coordinate = model.coordinates()[static_cast<std::size_t>(element.coordinates[i])];
    const Part part = part_of(coordinate);
    if (part.kind == Part::Kind::Turn) {
      out.front() += p[i];
      continue;
    }
    const bool is_euler = part.kind == Part::Kind::EulerParameter;
    const auto k = static_cast<std::size_t>(part.axis);
    own.q[k] = symbol_of(model, coordinate.position);
    own.p[k] = p[i];
    if (part.axis < (is_euler ? 3 : model.dimension() - 1)) continue;
    add_turn(own, is_euler, out);
    own = {};
  }
}

/// A bar with one end fixed in space has momentum there, too, though no coordinates. Its last data are that end.
bool has_fixed_end(const Element& element) { return element.type.starts_with("bar/ground-"); }

/// p: of this end.
void add_fixed_end(const Model& model, const Element& element, const Vector& p, Vector* linear, Vector* angular) {
  Vector4 end;
  for (std::size_t k = 0; k < p.size(); ++k) {
    end.p[k] = p[k];
    end.q[k] = symbol_of(model, element.data[element.data.size() - p.size() + k]);
    if (linear) (*linear)[k] += end.p[k];
  }
  if (angular) add_turn(end, false, *angular);
}

/// The consistent mass m / 6 (2 1; 1 2): the fixed end's momentum is half of that of the free one.
Vector of_resting_end(const Vector& p) { return times(0.5, p); }

bool counts(const Element& element, const Members& of) { return of.empty() || of.contains(element.name); }

bool is_massive(const Element& element) {
  return !is_expression(element) && !is_inertia_of_state(element) && kernel_of(element.type).has_mass();
}

/// M v of an element with mass, for these velocities of its coordinates.
Vector momenta_of(const Model& model, const Element& element, const Vector& v) {
  const Kernel& kernel = kernel_of(element.type);
  Vector q, d;
  for (int c : element.coordinates) {
    q.push_back(symbol_of(model, model.coordinates()[static_cast<std::size_t>(c)].position));
  }
  for (const NodeId id : element.data) d.push_back(symbol_of(model, id));
  const Vector zero(q.size(), 0.0);
  // The residual is linear in the accelerations, so it gives M v without a second statement of the mass.
  Vector p = kernel.symbolic_residual(q, zero, v, {}, symbol_of(model, model.time()), d);
  const Vector resting = kernel.symbolic_residual(q, zero, zero, {}, symbol_of(model, model.time()), d);
  for (std::size_t i = 0; i < p.size(); ++i) p[i] -= resting[i];
  return p;
}

/// M v of an element that all of space takes with it along an axis, at unit speed: its mass, and first moments. Of a
/// bar with a fixed end this is what the free end has, and the other has the same.
Vector carried(const Model& model, const Element& element, int axis) {
  Vector v;
  for (int c : element.coordinates) {
    const Part part = part_of(model.coordinates()[static_cast<std::size_t>(c)]);
    v.emplace_back(part.kind == Part::Kind::Place && part.axis == axis ? 1.0 : 0.0);
  }
  const Vector p = momenta_of(model, element, v);
  return has_fixed_end(element) ? times(1.5, p) : p;  // half of the mass; a third where the other end rests
}

}  // namespace

Vector element_momenta(const Model& model, const Element& element) {
  if (!is_massive(element)) return {};
  Vector v;
  for (int c : element.coordinates) {
    v.push_back(symbol_of(model, model.coordinates()[static_cast<std::size_t>(c)].velocity));
  }
  return momenta_of(model, element, v);
}

Symbol mass_of(const Model& model, const Members& of) {
  Symbol mass = 0.0;
  for (const Element& element : model.elements()) {
    if (!counts(element, of) || !is_massive(element)) continue;
    const Vector p = carried(model, element, 0);
    for (std::size_t i = 0; i < p.size(); ++i) {
      const Part part = part_of(model.coordinates()[static_cast<std::size_t>(element.coordinates[i])]);
      if (part.kind == Part::Kind::Place && part.axis == 0) mass += has_fixed_end(element) ? 2.0 * p[i] : p[i];
    }
  }
  return mass;
}

Vector center_of_mass(const Model& model, const Members& of) {
  // Carried along an axis e, the angular momentum about the origin is m c x e.
  const auto moment = [&](int axis) {
    Vector out(model.dimension() == 2 ? 1 : 3, 0.0);
    for (const Element& element : model.elements()) {
      if (!counts(element, of) || !is_massive(element)) continue;
      const Vector p = carried(model, element, axis);
      add_angular(model, element, p, out);
      if (has_fixed_end(element)) add_fixed_end(model, element, p, nullptr, &out);
    }
    return out;
  };
  const Symbol mass = mass_of(model, of);
  const Vector along_x = moment(0), along_y = moment(1);
  if (model.dimension() == 2) return {along_y[0] / mass, -along_x[0] / mass};
  return {along_y[2] / mass, -along_x[2] / mass, along_x[1] / mass};
}

Symbol kinetic_energy(const Model& model, const Members& of) {
  Symbol total = 0.0;
  for (const Element& element : model.elements()) {
    if (!counts(element, of)) continue;
    const Vector p = element_momenta(model, element);
    for (std::size_t i = 0; i < p.size(); ++i) {
      const auto c = static_cast<std::size_t>(element.coordinates[i]);
      total += 0.5 * symbol_of(model, model.coordinates()[c].velocity) * p[i];
    }
  }
  return total;
}

void add_group_signals(Model& model, const std::string& name, const Members& of) {
  for (const std::string& member : of) {
    const bool has_mass = std::any_of(model.elements().begin(), model.elements().end(), [&](const Element& element) {
      return element.name == member && is_massive(element);
    });
    if (!has_mass) throw Error("group \"" + name + "\": \"" + member + "\" has no mass");
  }
  require(model, "group \"" + name + "\"", {mass_of(model, of)}, [](const double* mass) {
    return *mass > 0 ? std::string() : "all its members together have no mass, and so no centre of mass";
  });
  constexpr const char* axes[] = {"x", "y", "z"};
  add_signal(model, name, "mass", "kg", [of](const Model& m) { return mass_of(m, of); });
  add_signal(model, name, "kinetic_energy", "J", [of](const Model& m) { return kinetic_energy(m, of); });
  for (std::size_t k = 0; k < static_cast<std::size_t>(model.dimension()); ++k) {
    const std::string axis = axes[k];
    add_signal(model, name, "com_" + axis, "m", [of, k](const Model& m) { return center_of_mass(m, of)[k]; });
    add_signal(model, name, "com_v" + axis, "m/s",
               [of, k](const Model& m) { return linear_momentum(m, of)[k] / mass_of(m, of); });
    add_signal(model, name, "momentum_" + axis, "N s", [of, k](const Model& m) { return linear_momentum(m, of)[k]; });
  }
  const std::size_t turns = model.dimension() == 2 ? 1 : 3;
  for (std::size_t k = 0; k < turns; ++k) {
    add_signal(model, name, turns == 1 ? "angular_momentum" : std::string("angular_momentum_") + axes[k], "N m s",
               [of, k](const Model& m) { return angular_momentum(m, of)[k]; });
  }
}

Vector linear_momentum(const Model& model, const Members& of) {
  Vector out(static_cast<std::size_t>(model.dimension()), 0.0);
  for (const Element& element : model.elements()) {
    if (!counts(element, of)) continue;
    const Vector p = element_momenta(model, element);
    for (std::size_t i = 0; i < p.size(); ++i) {
      const Part part = part_of(model.coordinates()[static_cast<std::size_t>(element.coordinates[i])]);
      if (part.kind == Part::Kind::Place) out[static_cast<std::size_t>(part.axis)] += p[i];
    }
    if (!p.empty() && has_fixed_end(element)) add_fixed_end(model, element, of_resting_end(p), &out, nullptr);
  }
  return out;
}

Vector angular_momentum(const Model& model, const Members& of) {
  Vector out(model.dimension() == 2 ? 1 : 3, 0.0);
  for (const Element& element : model.elements()) {
    if (!counts(element, of)) continue;
    const Vector p = element_momenta(model, element);
    add_angular(model, element, p, out);
    if (!p.empty() && has_fixed_end(element)) add_fixed_end(model, element, of_resting_end(p), nullptr, &out);
  }
  return out;
}

}  // namespace perilune::model
