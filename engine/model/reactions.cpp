// SPDX-License-Identifier: MIT
#include "model/reactions.hpp"

#include <algorithm>

#include "error.hpp"
#include "model/declare.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"
#include "model/signals.hpp"

namespace perilune::model {

namespace {

const Connection& connection_of(const Model& model, const std::string& who, const std::string& joint) {
  const std::vector<Connection>& all = model.record().connections;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Connection& c) { return c.name == joint; });
  if (found != all.end() && has_signal(model, joint + ".force_x")) return *found;
  throw Error(who + ": \"" + joint +
              "\" is no joint with a reaction at a place; revolute, spherical, translational, weld and their like "
              "have one");
}

}  // namespace

void add_reaction(Model& model, const std::string& name, const std::string& joint, const Place& on, const Place* axes) {
  const std::string who = "reaction \"" + name + "\"";
  const Connection& connection = connection_of(model, who, joint);
  const Place a = connection.a, b = connection.b;
  const bool is_on_b = is_same_object(on, b);
  if (!is_on_b && !is_same_object(on, a)) {
    throw Error(who + ": \"" + joint + "\" does not act on \"" + on.name + "\", but between \"" + a.name + "\" and \"" +
                b.name + "\"");
  }
  const int dimension = model.dimension();
  // The signals of the joint are what acts on b, along the axes of a.
  const auto in_space_of = [&](const std::string& what) {
    Vector out(static_cast<std::size_t>(dimension), 0.0);
    for (int k = 0; k < dimension; ++k) {
      const Symbol part = symbol_of(model, model.signal(joint + "." + what + "_" + axis_names[k]));
      Vector along(out.size(), 0.0);
      along[static_cast<std::size_t>(k)] = 1.0;
      if (has_directions(a)) along = axis_of(model, a, k);
      out = plus(out, times(part, along));
    }
    return out;
  };
  const auto shown = [&](const Vector& v, int k) {
    if (!axes || !has_directions(*axes)) return v[static_cast<std::size_t>(k)];
    return dot(axis_of(model, *axes, k), v);
  };
  model.claim_name(name, "reaction");
  Vector force = in_space_of("force");
  if (!is_on_b) force = opposite(force);
  for (int k = 0; k < dimension; ++k) {
    add_signal(model, name, std::string("force_") + axis_names[k], "N", shown(force, k));
  }
  const Vector arm = minus(position_of(model, b), position_of(model, a));  // from where it acts on a
  if (dimension == 2) {
    Symbol torque = symbol_of(model, model.signal(joint + ".torque"));
    if (!is_on_b) torque = arm[0] * force[1] - arm[1] * force[0] - torque;
    add_signal(model, name, "torque", "N m", torque);
    return;
  }
  Vector torque = in_space_of("torque");
  if (!is_on_b) torque = minus(cross(arm, force), torque);
  for (int k = 0; k < 3; ++k) {
    add_signal(model, name, std::string("torque_") + axis_names[k], "N m", shown(torque, k));
  }
}

}  // namespace perilune::model
