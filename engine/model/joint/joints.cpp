// SPDX-License-Identifier: MIT
#include "model/joint/joints.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "error.hpp"
#include "model/declare.hpp"
#include "model/joint/joint_kinds.hpp"
#include "model/joint/relations.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/markers.hpp"
#include "model/place/places.hpp"
#include "model/signals.hpp"

namespace perilune::model {

void check_pair(const char* what, const std::string& name, const Place& a, const Place& b) {
  const std::string who = std::string(what) + " \"" + name + "\": ";
  if (a.kind == Place::Kind::Ground && b.kind == Place::Kind::Ground) {
    throw Error(who + "both ends are fixed in space; one must be a point or a body");
  }
  if (is_same_object(a, b) && a.kind == Place::Kind::Station) {
    throw Error(who + "both ends are on the same element of beam \"" + a.name +
                "\"; give it more elements, or nodes there by nodes_at");
  }
  if (is_same_object(a, b)) {
    throw Error(who + "both ends are on \"" + a.name + "\"; they must be on different objects");
  }
}

namespace {

std::vector<Symbol> joined(std::initializer_list<const Vector*> parts) {
  std::vector<Symbol> all;
  for (const Vector* part : parts) all.insert(all.end(), part->begin(), part->end());
  return all;
}

/// Of a planar marker in its body's frame.
Symbol own_angle(const Place& marker) { return marker.axes.empty() ? Symbol(0.0) : marker.axes[0]; }

/// The registry has constraints on directions with the kinds in this order.
bool stands_first(const Place& a, const Place& b) { return a.kind <= b.kind; }

void add_direction_element(Model& model, const std::string& kind, const std::string& name, const Place& a,
                           const Place& b, int multiplier, const std::vector<Symbol>& data,
                           const std::vector<int>& more = {}) {
  std::vector<int> own;
  for (const Place* p : {&a, &b}) {
    own.insert(own.end(), p->coordinates.begin(), p->coordinates.end());
  }
  own.insert(own.end(), more.begin(), more.end());
  add_element(model, kind + "/" + kind_name(a.kind) + "-" + kind_name(b.kind) + "/" + std::to_string(model.dimension()),
              name, own, {multiplier}, data);
}

void add_dot1_element(Model& model, const std::string& name, int multiplier, const Place& a, const Vector& on_a,
                      const Place& b, const Vector& on_b, const Symbol& cosine) {
  const Vector c{cosine};
  const bool in_order = stands_first(a, b);
  add_direction_element(model, "dot1", name, in_order ? a : b, in_order ? b : a, multiplier,
                        in_order ? joined({&on_a, &on_b, &c}) : joined({&on_b, &on_a, &c}));
}

/// Returns the multiplier of theta_B - theta_A = constant.
NodeId add_equal_angle(Model& model, const std::string& name, int multiplier, const Place& a, const Place& b) {
  // The markers' axes agree, whatever full turns their angles were declared with.
  const double apart = present_values(model, {initial_angle(model, b) - initial_angle(model, a)})[0];
  const double turns = 2 * std::numbers::pi * std::round(apart / (2 * std::numbers::pi));
  const Symbol difference = own_angle(a) - own_angle(b) + turns;  // theta_B - theta_A of the bodies
  const bool in_order = stands_first(a, b);
  add_direction_element(model, "equal_angle", name, in_order ? a : b, in_order ? b : a, multiplier,
                        {in_order ? difference : -difference});
  const Symbol lambda = symbol_of(model, model.multipliers()[static_cast<std::size_t>(multiplier)].node);
  return (in_order ? lambda : -lambda).in(model.graph());
}

// ---- what can be read of a joint ----

void add_planar_angle_signals(Model& model, const std::string& name, const Place& a, const Place& b) {
  if (!has_directions(a) || !has_directions(b)) return;
  auto angle_of = [&model](const Place& p) {
    if (p.kind == Place::Kind::Ground) return own_angle(p);
    return symbol_of(model, model.coordinates()[static_cast<std::size_t>(p.coordinates[2])].position) + own_angle(p);
  };
  const Symbol angle = angle_of(b) - angle_of(a);
  add_signal(model, name, "angle", "rad", angle);
  add_signal(model, name, "omega", "rad/s", [angle](const Model& m) { return time_derivative(m, angle); });
}

void add_turn_coordinate(Model& model, const std::string& name, const Place& a, const Place& b) {
  const bool in_order = stands_first(a, b);
  const Place &first = in_order ? a : b, &second = in_order ? b : a;
  const Vector f = local_axis(model, first, 0), g = local_axis(model, first, 1), h = local_axis(model, second, 0);
  const Vector f0 = initial_axis(model, first, 0), g0 = initial_axis(model, first, 1),
               h0 = initial_axis(model, second, 0);
  const Symbol start = atan2(dot(h0, g0), dot(h0, f0));
  // The element has the angle of its second place about the z axis of the first: with the ends exchanged, its opposite
  // about a's, unless the axes were declared in opposite directions.
  const int turn = model.add_coordinate(name, in_order ? "angle" : "angle_of_a", "rad", start, 0.0, Role::Auxiliary);
  const auto at = static_cast<std::size_t>(turn);
  const double sign =
      in_order || present_values(model, {dot(initial_axis(model, a, 2), initial_axis(model, b, 2))})[0] < 0 ? 1 : -1;
  add_signal(model, name, "angle", "rad", sign * symbol_of(model, model.coordinates()[at].position));
  add_signal(model, name, "omega", "rad/s", sign * symbol_of(model, model.coordinates()[at].velocity));
  add_direction_element(model, "turn", name, first, second, model.add_multiplier(name, "lambda_turn"),
                        joined({&f, &g, &h}), {turn});
}

void add_displacement_signals(Model& model, const std::string& name, const Place& a, const Place& b, int along) {
  add_signal(model, name, "displacement", "m", [a, b, along](const Model& m) {
    return dot(axis_of(m, a, along), minus(position_of(m, b), position_of(m, a)));
  });
  add_signal(model, name, "speed", "m/s",
             [name](const Model& m) { return time_derivative(m, symbol_of(m, m.signal(name + ".displacement"))); });
}

/// How a joint's constraints enter its reaction.
struct Reaction {
  struct Term {
    NodeId multiplier;
    Vector on_a, on_b;  // dot-1: local directions f, g; dot-2: f; empty otherwise
  };
  Place a, b;
  std::vector<Term> dot1, dot2;
  std::vector<NodeId> coincidence;
  NodeId equal_angle = expr::no_node;
  double sign = 1;  // of the coincidence: 1 for r_B - r_A
  NodeId thread = expr::no_node;
  Symbol advance{};  // of a thread, per radian
};

// With Phi_q^T lambda on the left of the equations of motion, a constraint does the work -lambda dPhi. For the virtual
// displacement dr_B and rotation dphi_B of B: dPhi = dr_B for a coincidence, f.dr_B for dot-2, dphi_B.(g x f) for
// dot-1, z_A.dr_B - advance z_A.dphi_B for a thread.

Vector reaction_force(const Model& model, const Reaction& reaction) {
  Vector force(static_cast<std::size_t>(model.dimension()), 0.0);
  for (std::size_t k = 0; k < reaction.coincidence.size(); ++k) {
    force[k] = -reaction.sign * symbol_of(model, reaction.coincidence[k]);
  }
  for (const Reaction::Term& term : reaction.dot2) {
    const Vector f = in_space(model, reaction.a, term.on_a);
    for (std::size_t k = 0; k < force.size(); ++k) force[k] -= symbol_of(model, term.multiplier) * f[k];
  }
  if (reaction.thread != expr::no_node) {
    force = minus(force, times(symbol_of(model, reaction.thread), axis_of(model, reaction.a, 2)));
  }
  return force;
}

Vector reaction_torque(const Model& model, const Reaction& reaction) {
  if (model.dimension() == 2) {
    return {reaction.equal_angle == expr::no_node ? Symbol(0.0) : -symbol_of(model, reaction.equal_angle)};
  }
  Vector torque(3, 0.0);
  for (const Reaction::Term& term : reaction.dot1) {
    const Vector turn = cross(in_space(model, reaction.a, term.on_a), in_space(model, reaction.b, term.on_b));
    for (std::size_t k = 0; k < 3; ++k) torque[k] += symbol_of(model, term.multiplier) * turn[k];
  }
  if (reaction.thread != expr::no_node) {
    const Symbol push = reaction.advance * symbol_of(model, reaction.thread);
    torque = plus(torque, times(push, axis_of(model, reaction.a, 2)));
  }
  return torque;
}

void add_reaction_signals(Model& model, const std::string& name, const Reaction& of) {
  const auto reaction = std::make_shared<const Reaction>(of);  // one for all signals: models have many
  // Components along a's axes; a point has none, so there they are those of space.
  auto along = [reaction](const Model& m, const Vector& v, int k) {
    if (!has_directions(reaction->a)) return v[static_cast<std::size_t>(k)];
    return dot(axis_of(m, reaction->a, k), v);
  };
  for (int k = 0; k < model.dimension(); ++k) {
    const std::string suffix = std::string("_") + axis_names[k];
    add_signal(model, name, "force" + suffix, "N",
               [reaction, along, k](const Model& m) { return along(m, reaction_force(m, *reaction), k); });
    if (model.dimension() == 2) continue;
    add_signal(model, name, "torque" + suffix, "N m",
               [reaction, along, k](const Model& m) { return along(m, reaction_torque(m, *reaction), k); });
  }
  if (model.dimension() == 2) {
    add_signal(model, name, "torque", "N m", [reaction](const Model& m) { return reaction_torque(m, *reaction)[0]; });
  }
}

/// Returns the multiplier.
NodeId add_thread(Model& model, const std::string& name, const Symbol& advance) {
  const Symbol displacement = symbol_of(model, model.signal(name + ".displacement")),
               angle = symbol_of(model, model.signal(name + ".angle"));
  const Symbol value = displacement - advance * angle;
  add_relation_element(model, name, "screw", value - declared_value(model, value));
  return model.multipliers().back().node;
}

}  // namespace

void add_distance(Model& model, const std::string& name, const Place& a, const Place& b, const Symbol* length) {
  check_pair("distance", name, a, b);
  Symbol declared;
  if (!length) {
    const Vector u = minus(initial_position(model, b), initial_position(model, a));
    declared = sqrt(dot(u, u));
    length = &declared;
  }
  const NodeId node = length->in(model.graph());
  if (model.graph().is_constant(node) && !(model.graph().constant_value(node) > 0)) {
    throw Error("distance \"" + name + "\": the length must be positive; are both ends at the same place?");
  }
  model.claim_name(name, "distance");
  model.record().connections.push_back({"distance", Mark::Rod, name, a, b});
  add_length_signals(model, name, a, b);
  const int multiplier = model.add_multiplier(name, "lambda");
  // Phi = u.u - L^2 pushes B with -2 lambda u: the pull between the ends is 2 lambda |u|.
  add_signal(model, name, "force", "N", [name, multiplier](const Model& m) {
    return 2.0 * symbol_of(m, m.multipliers()[static_cast<std::size_t>(multiplier)].node) *
           symbol_of(m, m.signal(name + ".length"));
  });
  add_two_place_element(model, "distance", name, a, b, {multiplier}, {*length});
}

void add_coincidence(Model& model, const std::string& name, const Place& a, const Place& b) {
  check_pair("joint", name, a, b);
  model.claim_name(name, "joint");
  model.record().connections.push_back({"coincidence", model.dimension() == 2 ? Mark::Pin : Mark::Ball, name, a, b});
  std::vector<int> multipliers;
  for (int k = 0; k < model.dimension(); ++k)
    multipliers.push_back(model.add_multiplier(name, std::string("lambda_") + axis_names[k]));
  add_two_place_element(model, "coincidence", name, a, b, multipliers, {});
}

void add_joint(Model& model, const std::string& kind, const std::string& name, const Place& a, const Place& b,
               const Symbol* lead) {
  const std::string who = kind + " \"" + name + "\"";
  const JointKind* joint = find_joint_kind(kind);
  if (!joint || !joint->recipe(model.dimension())) throw Error(who + ": " + no_such_joint(model.dimension()));
  const JointRecipe& r = *joint->recipe(model.dimension());
  if (r.thread != (lead != nullptr)) throw Error(who + (r.thread ? ": it needs a lead" : ": it has no lead"));
  check_pair(kind.c_str(), name, a, b);
  const bool turns_b = !r.dot1.empty() || r.no_twist || r.equal_angle, needs_a = turns_b || !r.dot2.empty();
  for (const Place* p : {&a, &b}) {
    if (!has_directions(*p) && (p == &a ? needs_a : turns_b)) {
      throw Error(who + ": \"" + p->name + "\" is a point and has no axes; it takes a body or a marker there");
    }
  }
  for (int k : r.agreeing) {
    if (present_values(model, {dot(initial_axis(model, a, k), initial_axis(model, b, k))})[0] > 0) continue;
    throw Error(who + ": the " + axis_names[k] + " axes of the two markers are a right angle or more apart as " +
                "declared; turn a marker or a body so that they nearly agree");
  }
  if (r.no_twist) {
    // 2 (e0^2 - e3^2): negative where the branch e0 = 0 of e0 e3 = 0 is nearer.
    const Symbol nearness = dot(initial_axis(model, a, 0), initial_axis(model, b, 0)) +
                            dot(initial_axis(model, a, 1), initial_axis(model, b, 1));
    if (!(present_values(model, {nearness})[0] > 0)) {
      throw Error(who +
                  ": the two markers are twisted by a right angle or more about their z axes as declared; turn a " +
                  "marker or a body so that their x axes nearly agree");
    }
  }
  model.claim_name(name, "joint");
  model.record().connections.push_back({kind, joint->mark, name, a, b});
  Reaction reaction{a, b, {}, {}, {}};
  auto multiplier = [&](const std::string& suffix) { return model.add_multiplier(name, "lambda_" + suffix); };
  auto node_of = [&](int k) { return model.multipliers()[static_cast<std::size_t>(k)].node; };
  if (r.coincidence) {
    std::vector<int> own;
    for (int k = 0; k < model.dimension(); ++k) own.push_back(multiplier(axis_names[k]));
    for (int k : own) reaction.coincidence.push_back(node_of(k));
    reaction.sign = add_two_place_element(model, "coincidence", name, a, b, own, {}) ? 1 : -1;
  }
  int number = 0;
  for (const auto& [on_a, on_b] : r.dot1) {
    const int k = multiplier("axis" + std::to_string(++number));
    const Vector f = local_axis(model, a, on_a), g = local_axis(model, b, on_b);
    reaction.dot1.push_back({node_of(k), f, g});
    add_dot1_element(model, name, k, a, f, b, g, 0.0);
  }
  number = 0;
  for (int on_a : r.dot2) {
    const int k = multiplier("slide" + std::to_string(++number));
    const Vector f = local_axis(model, a, on_a), none{0.0};
    reaction.dot2.push_back({node_of(k), f, {}});
    add_direction_element(model, "dot2", name, a, b, k, joined({&a.local, &b.local, &f, &none}));
  }
  if (r.equal_angle) reaction.equal_angle = add_equal_angle(model, name, multiplier("angle"), a, b);
  if (r.no_twist) {
    add_relation_element(
        model, name, kind.c_str(),
        dot(axis_of(model, a, 0), axis_of(model, b, 1)) - dot(axis_of(model, a, 1), axis_of(model, b, 0)));
    const NodeId lambda = model.multipliers().back().node;
    reaction.dot1.push_back({lambda, local_axis(model, a, 0), local_axis(model, b, 1)});
    reaction.dot1.push_back({lambda, opposite(local_axis(model, a, 1)), local_axis(model, b, 0)});
  }
  if (r.angle && model.dimension() == 2) add_planar_angle_signals(model, name, a, b);
  if (r.angle && model.dimension() == 3) add_turn_coordinate(model, name, a, b);
  if (r.displacement) add_displacement_signals(model, name, a, b, model.dimension() == 2 ? 0 : 2);
  if (r.thread) {
    reaction.advance = *lead * (0.5 / std::numbers::pi);
    reaction.thread = add_thread(model, name, reaction.advance);
  }
  add_reaction_signals(model, name, reaction);
}

void add_dot1(Model& model, const std::string& name, const Place& a, const Vector& on_a, const Place& b,
              const Vector& on_b, const Symbol& cosine) {
  check_pair("dot1", name, a, b);
  if (model.dimension() == 2) throw Error("dot1 \"" + name + "\": directions of bodies are for spatial models");
  model.claim_name(name, "dot1");
  const int k = model.add_multiplier(name, "lambda");
  add_dot1_element(model, name, k, a, on_a, b, on_b, cosine);
  add_reaction_signals(model, name, {a, b, {{model.multipliers().back().node, on_a, on_b}}, {}, {}});
}

void add_dot2(Model& model, const std::string& name, const Place& a, const Vector& on_a, const Place& b,
              const Symbol& distance) {
  check_pair("dot2", name, a, b);
  model.claim_name(name, "dot2");
  const int k = model.add_multiplier(name, "lambda");
  const Vector c{distance};
  add_direction_element(model, "dot2", name, a, b, k, joined({&a.local, &b.local, &on_a, &c}));
  add_reaction_signals(model, name, {a, b, {}, {{model.multipliers().back().node, on_a, {}}}, {}});
}

}  // namespace perilune::model
