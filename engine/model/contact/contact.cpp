// SPDX-License-Identifier: MIT
#include "model/contact/contact.hpp"

#include <algorithm>
#include <cmath>

#include "error.hpp"
#include "expr/rewrite.hpp"
#include "model/body/orientation.hpp"
#include "model/declare.hpp"
#include "model/force/control.hpp"
#include "model/friction/bristles.hpp"
#include "model/joint/relations.hpp"
#include "model/law/kinks.hpp"
#include "model/law/switches.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/places.hpp"
#include "model/signals.hpp"
#include "model/text.hpp"

namespace perilune::model {

bool turns(const Place& place) { return has_directions(place) && place.kind != Place::Kind::Ground; }

namespace {

/// Axes that the anchors of a are kept along: its own, or for a point those of space.
Vector axes_of(const Model& model, const Place& a) {
  if (has_directions(a)) return orientation(model, a);
  return model.dimension() == 2 ? Vector{1.0, 0.0, 0.0, 1.0} : Vector{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
}

/// start: gap and radius in the declared configuration.
void check_start(const std::string& who, const Place& b, const std::vector<double>& start) {
  check_defined(who, b, start[0]);
  const double allowed = start[1] > 0 ? start[1] : 0.1;
  if (start[0] >= -allowed) return;
  throw Error(who + ": \"" + b.name + "\" starts " + text_of(-start[0]) +
              " m deep in the surface; it must start above it, or resting on it");
}

}  // namespace

Vector velocity_at(const Model& model, const Place& place, const Vector& arm) {
  const Vector velocity = velocity_of(model, place);
  return turns(place) ? plus(velocity, swept(angular_velocity(model, place), arm)) : velocity;
}

namespace {

/// Radius of the sphere that touches a plane as these two touch each other.
Symbol common_radius(const Contact& contact) {
  const Ball* ball = std::get_if<Ball>(&contact.surface);
  const Symbol& radius = contact.round.radius;
  return ball ? radius * ball->radius / (radius + ball->radius) : radius;
}

Symbol stiffness_of(const Contact& contact) {
  if (!contact.normal.modulus) return contact.normal.stiffness;
  return 4.0 / 3.0 * *contact.normal.modulus * sqrt(common_radius(contact));
}

struct NormalForce {
  Symbol total, elastic, potential;
  Symbol pushes = 0.0;  // a condition: total > 0
};

/// K d^n, also a little above the surface, where a switch is still held: straight on, or 0 where there is no power.
Symbol elastic_force(const NormalLaw& law, const Symbol& stiffness, const Symbol& gap) {
  if (law.exponent.is_number() && law.exponent.number() == 1) return -(stiffness * gap);
  const Symbol is_below = less(gap, 0.0);
  const Symbol depth = Symbol::where(is_below, -gap, 1.0);  // powers of it have finite slopes of all orders
  return Symbol::where(is_below, stiffness * pow(depth, law.exponent), 0.0);
}

bool is_number(const Symbol& x, double value) { return x.is_number() && x.number() == value; }
bool is_zero(const Symbol& x) { return is_number(x, 0); }
bool is_one(const Symbol& x) { return is_number(x, 1); }

NormalForce normal_force(Model& model, const std::string& name, const NormalLaw& law, const Symbol& stiffness,
                         const Gap& from_surface, const Symbol& gap_rate) {
  const Symbol gap = from_surface.value, depth = -gap, rate = -gap_rate;
  const Symbol touches = is_negative(model, name + ".gap", from_surface.least ? max(gap, *from_surface.least) : gap);
  const Symbol elastic = elastic_force(law, stiffness, gap), growth = 1.0 + 1.5 * law.dissipation * rate;
  const LawSwitches switches(model, name, touches);
  Symbol damping = law.damping;
  if (!is_zero(damping) && !is_one(law.restitution)) {
    damping *= Symbol::where(switches.is_negative("compression", gap_rate), 1.0, law.restitution);
  }
  if (!is_zero(damping) && law.width) {
    const Symbol is_deep = switches.is_negative("width", *law.width - depth);
    damping *= Symbol::where(is_deep, 1.0, depth / *law.width);
  }
  const Symbol total = elastic * growth + damping * rate;
  NormalForce force{0.0, Symbol::where(touches, elastic, 0.0),
                    Symbol::where(touches, elastic * depth / (law.exponent + 1.0), 0.0), touches};
  if (!is_zero(law.dissipation) || !is_zero(law.damping)) {
    // Contact ends early where damping would pull. Without a damper that is where the growth vanishes: the force itself
    // is zero on the surface too.
    const Symbol pull = is_zero(law.damping) ? -growth : -total;
    force.pushes = Symbol::where(touches, switches.is_negative("normal_force", pull), 0.0);
  }
  force.total = Symbol::where(force.pushes, total, 0.0);
  return force;
}

/// What the surface does to one place of b, and what follows from it.
struct Touch {
  Vector arm, arm_of_a;  // from the two places to the point of contact, in space
  Symbol rate;           // of the gap
  Vector slip;           // tangential velocity of b against a, in space
  NormalForce normal;
  Vector friction;  // on b, in space; empty without
  Symbol dissipation = 0.0, stored = 0.0;
  Vector stretch, stretch_rates;  // of static friction: along the axes of space, and of a

  /// On b.
  Vector force(const Gap& gap) const {
    const Vector push = times(normal.total, gap.slope);
    return friction.empty() ? push : plus(push, friction);
  }
};

Vector tangential(const Vector& normal, const Vector& v) { return minus(v, times(dot(normal, v), normal)); }

Touch touch_of(Model& model, const std::string& name, const Contact& contact, const Place& b, const Gap& gap) {
  Touch touch;
  const Vector normal = unit(gap.slope);
  touch.arm = gap.arm;
  touch.arm_of_a = plus(minus(position_of(model, b), position_of(model, contact.a)), touch.arm);
  const Vector apart = minus(velocity_at(model, b, touch.arm), velocity_at(model, contact.a, touch.arm_of_a));
  touch.rate = dot(gap.slope, apart) + gap.drift;
  touch.slip = tangential(normal, apart);
  touch.normal = normal_force(model, name, contact.normal, stiffness_of(contact), gap, touch.rate);
  touch.dissipation = (touch.normal.elastic - touch.normal.total) * touch.rate;
  return touch;
}

void slide(Model& model, const std::string& name, Touch& touch, const SlipLaw& law) {
  const Symbol c =
      law.coefficient(dot(touch.slip, touch.slip), touch.normal.total, LawSwitches(model, name, touch.normal.pushes));
  touch.friction = times(-(law.needs_load ? c : Symbol::where(touch.normal.pushes, c, 0.0)), touch.slip);
  touch.dissipation -= dot(touch.friction, touch.slip);
}

/// An arm in space that is fixed to the body of the place, as it was declared to be.
Vector carried(Model& model, const Place& place, const Vector& arm) {
  auto declared = [&](const Vector& v) {
    Vector out;
    for (const Symbol& x : v) out.push_back(declared_value(model, x));
    return out;
  };
  if (!turns(place)) return declared(arm);
  const Vector axes = orientation(model, place);
  return out_of_axes(axes, declared(into_axes(axes, arm)));
}

/// How far the points of b and a have moved apart along the surface that touched, or nearly so, as declared.
Vector moved_apart(Model& model, const Contact& contact, const Place& b, const Touch& touch, const Vector& normal) {
  const Vector of_b = plus(position_of(model, b), carried(model, b, touch.arm));
  const Vector of_a = plus(position_of(model, contact.a), carried(model, contact.a, touch.arm_of_a));
  return tangential(normal, minus(of_b, of_a));
}

/// The stretch of the spring to the anchor is a state along these axes: with the pull p = K s + D s' on the surface,
/// s' = (p - K s) / D is the slip where the anchor holds, and less where it slides; out of contact s dies away. In
/// statics, where nothing slips, s is the way `moved` from where the anchor would be.
void hold(Model& model, const std::string& name, Touch& touch, const StaticFriction& law, const Vector& normal,
          const Vector& stretch, const Vector& axes, const Vector& moved) {
  touch.stretch = out_of_axes(axes, stretch);
  const Vector pull = plus(times(law.stiffness, tangential(normal, touch.stretch)), times(law.damping, touch.slip));
  Symbol share = touch.normal.pushes;
  if (law.coefficient) {
    const Symbol limit = *law.coefficient * touch.normal.total, square = dot(pull, pull);
    const Symbol slides = LawSwitches(model, name, share).is_negative("friction", limit * limit - square);
    constexpr double nothing = 1e-100;  // N^2: where it just touches there is neither a limit nor a pull
    share = Symbol::where(slides, limit / sqrt(Symbol::where(slides, square + nothing, 1.0)), share);
  }
  touch.friction = times(-share, pull);
  const Vector rates = times(-1.0 / law.damping, plus(touch.friction, times(law.stiffness, touch.stretch)));
  const Symbol is_static = in_statics(model), quickness = law.stiffness / law.damping;
  for (std::size_t k = 0; k < rates.size(); ++k) {
    touch.stretch_rates.push_back(Symbol::where(is_static, quickness * (moved[k] - touch.stretch[k]), rates[k]));
  }
  touch.stretch_rates = into_axes(axes, touch.stretch_rates);
  touch.stored = 0.5 * law.stiffness * dot(touch.stretch, touch.stretch);
  touch.dissipation -= dot(touch.friction, touch.slip) + law.stiffness * dot(touch.stretch, rates);
}

/// The bend of bristles is a state along the same axes, and dies away out of contact.
Symbol bend(Model& model, const std::string& name, Touch& touch, const BristleLaw& law, const Vector& normal,
            const Vector& bends, const Vector& axes, const Vector& moved, const std::optional<Symbol>& dwell) {
  touch.stretch = out_of_axes(axes, bends);
  const LawSwitches switches(model, name, touch.normal.pushes);
  const BristlePoint at{touch.slip, tangential(normal, touch.stretch), touch.normal.total, dwell, switches};
  const Bristles bristles = bristles_of(model, law, at, touch.stretch, touch.normal.pushes, moved);
  touch.friction = bristles.force;
  touch.stretch_rates = into_axes(axes, bristles.laws);
  touch.stored = 0.5 * law.stiffness * dot(touch.stretch, touch.stretch);
  touch.dissipation -= dot(touch.friction, touch.slip) + law.stiffness * dot(touch.stretch, bristles.rates);
  return bristles.dwelling;
}

std::string fault_of_contact(const double* v) {
  if (!(v[0] > 0)) return "stiffness must be positive, got " + text_of(v[0]);
  return v[1] >= 0 ? "" : "radius must not be negative, got " + text_of(v[1]);
}

std::string fault_of_edge(const double* v) {
  return v[0] >= 0 ? "" : "an edge of the box must not be negative, got " + text_of(v[0]);
}

std::string fault_of_semi_axis(const double* v) {
  return v[0] > 0 ? "" : "semi_axes must be positive, got " + text_of(v[0]);
}

Symbol least_radius(const Round& round) {
  if (round.semi_axes.empty()) return round.radius;
  Symbol least = round.semi_axes[0];
  for (const Symbol& s : round.semi_axes) least = min(least, s);
  return least;
}

/// Over the places of a contact.
struct Totals {
  GeneralizedForce force;
  std::optional<Symbol> gap;  // the least
  Symbol normal = 0.0, dissipation = 0.0, stored = 0.0;
  Vector friction;

  void add(const Contact& contact, const Place& b, const Touch& touch, const Gap& gap_of_b) {
    const Vector on_b = touch.force(gap_of_b);
    force.add_force(b, on_b);
    // The normal force of a sphere passes through its centre.
    const Vector& turning = contact.round.semi_axes.empty() ? touch.friction : on_b;
    if (turns(b) && !turning.empty()) force.add_torque(b, moment(touch.arm, turning));
    force.add_force(contact.a, opposite(on_b));
    if (turns(contact.a)) force.add_torque(contact.a, opposite(moment(touch.arm_of_a, on_b)));
    gap = gap ? min(*gap, gap_of_b.value) : gap_of_b.value;
    normal += touch.normal.total;
    dissipation += touch.dissipation;
    stored += touch.normal.potential + touch.stored;
    friction = friction.empty() ? touch.friction : plus(friction, touch.friction);
  }
};

}  // namespace

void add_contact(Model& model, const std::string& name, const Contact& contact) {
  const std::string who = "contact \"" + name + "\"";
  const TerrainSwitches switches = check_contact(model, "contact", name, contact);
  if (contact.normal.modulus && !(present_values(model, {common_radius(contact)})[0] > 0)) {
    throw Error(who + ": a modulus gives a stiffness to spheres only; give a radius, or the stiffness itself");
  }
  std::vector<Gap> gaps;
  for (const Place& b : contact.b) {
    check_pair("contact", name, contact.a, b);
    gaps.push_back(gap_of(model, switches, contact.a, contact.surface, b, contact.round));
    check_start(who, b, present_values(model, {declared_value(model, gaps.back().value), least_radius(contact.round)}));
  }
  require(model, who, {stiffness_of(contact), contact.round.radius}, fault_of_contact);
  for (const Symbol& s : contact.round.semi_axes) require(model, who, {s}, fault_of_semi_axis);
  if (const Box* box = std::get_if<Box>(&contact.surface)) {
    for (const Symbol& edge : box->edges) require(model, who, {edge}, fault_of_edge);
  }
  require(model, who, contact.checks);
  model.claim_name(name, "contact");

  Totals total{GeneralizedForce(model), {}, 0.0, 0.0, 0.0, {}};
  Touch touch;
  std::vector<Push> pushes;
  for (std::size_t i = 0; i < contact.b.size(); ++i) {
    touch = touch_of(model, name, contact, contact.b[i], gaps[i]);
    if (const SlipLaw* law = std::get_if<SlipLaw>(&contact.friction)) slide(model, name, touch, *law);
    const StaticFriction* anchor = std::get_if<StaticFriction>(&contact.friction);
    const BristleLaw* bristles = std::get_if<BristleLaw>(&contact.friction);
    if (anchor || bristles) {
      const std::string number = contact.b.size() == 1 ? std::string() : std::to_string(i + 1);
      const int first = static_cast<int>(model.coordinates().size());
      for (int k = 0; k < model.dimension(); ++k)
        model.add_coordinate(name, "stretch" + number + "_" + axis_names[k], "m", 0.0, 0.0, Role::State);
      const Vector states = velocity_symbols(model, consecutive(first, model.dimension())),
                   normal = unit(gaps[i].slope), axes = axes_of(model, contact.a),
                   moved = moved_apart(model, contact, contact.b[i], touch, normal);
      Vector rates;
      if (anchor) {
        hold(model, name, touch, *anchor, normal, states, axes, moved);
        rates = touch.stretch_rates;
      } else {
        std::optional<Symbol> dwell;
        if (bristles->has_dwell) {
          const int state = model.add_coordinate(name, "dwell" + number, "", 0.0, 1.0, Role::State);
          dwell = symbol_of(model, model.coordinates()[static_cast<std::size_t>(state)].velocity);
          add_signal(model, name, "dwell" + number, "", *dwell);
        }
        const Symbol dwelling = bend(model, name, touch, *bristles, normal, states, axes, moved, dwell);
        rates = touch.stretch_rates;
        if (dwell) rates.push_back(dwelling);
      }
      for (std::size_t k = 0; k < rates.size(); ++k) {
        add_state_law(model, name, first + static_cast<int>(k), rates[k]);
        model.record().anchors.push_back(first + static_cast<int>(k));
      }
    }
    total.add(contact, contact.b[i], touch, gaps[i]);
    pushes.push_back({plus(position_of(model, contact.b[i]), touch.arm), touch.force(gaps[i])});
  }
  Element element = law_element(model, name, "contact", total.force);
  element.potential = total.stored.in(model.graph());
  model.add_element(std::move(element));
  model.record().touchings.push_back(std::make_shared<const Touching>(
      Touching{name, contact.a, contact.b, contact.surface, contact.round, acting(model, std::move(pushes))}));
  if (std::holds_alternative<Box>(contact.surface)) {
    // A plate has another side, to which the force pushes whoever is past its middle.
    const Symbol pressed = *total.gap + 0.5 * contact.round.radius;
    const int number = static_cast<int>(model.elements().size()) - 1;
    model.record().limits[watch(model, name + ".depth", pressed)] = {
        -1,
        who +
            " is pressed in by more than half of the radius, from where it may be pushed through to the other side; "
            "what follows is not what happens: give it a stiffer normal law",
        number};
  }

  add_signal(model, name, "gap", "m", *total.gap);
  auto add = [&](const std::string& signal, const char* unit, const Symbol& x) {
    add_acting_signal(model, name, signal, unit, x);
  };
  auto add_vector = [&](const std::string& signal, const char* unit, const Vector& v) {
    for (std::size_t k = 0; k < v.size(); ++k) add(signal + "_" + axis_names[k], unit, v[k]);
  };
  add("normal_force", "N", total.normal);
  add("dissipation", "W", total.dissipation);
  add_vector("friction", "N", total.friction);
  if (contact.b.size() > 1) return;
  for (std::size_t k = 0; k < touch.slip.size(); ++k) {
    add_signal(model, name, std::string("slip_") + axis_names[k], "m/s", touch.slip[k]);
  }
  add_vector("stretch", "m", touch.stretch);
}

}  // namespace perilune::model
