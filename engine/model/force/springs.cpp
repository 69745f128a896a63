// SPDX-License-Identifier: MIT
#include "model/force/springs.hpp"

#include "error.hpp"
#include "model/contact/resistance.hpp"
#include "model/declare.hpp"
#include "model/force/control.hpp"
#include "model/force/forces.hpp"
#include "model/law/switches.hpp"
#include "model/law/symbolic.hpp"
#include "model/place/places.hpp"
#include "model/signals.hpp"

namespace perilune::model {

Symbol polynomial(const Vector& coefficients, const Symbol& x) {
  Symbol sum = 0.0;
  for (std::size_t i = coefficients.size(); i-- > 0;) sum = (sum + coefficients[i]) * x;
  return sum;
}

Symbol polynomial_integral(const Vector& coefficients, const Symbol& x) {
  Vector divided;
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    divided.push_back(coefficients[i] / static_cast<double>(i + 2));
  }
  return polynomial(divided, x) * x;
}

Resistance Characteristic::resistance(const Symbol& stretch, const Symbol& rate) const {
  Resistance r{polynomial(stiffness, stretch), polynomial(damping, rate), 0.0, polynomial_integral(stiffness, stretch)};
  if (spring_curve) {
    r.elastic += (*spring_curve)(stretch);
    r.potential += spring_curve->integral(stretch) - spring_curve->integral(0.0);
  }
  if (damper_curve) r.viscous += (*damper_curve)(rate);
  return r;
}

namespace {

void add_resistance_signals(Model& model, const std::string& name, const char* force, const char* unit,
                            const Symbol& rate, const Resistance& resistance) {
  add_acting_signal(model, name, force, unit, resistance.elastic + resistance.viscous + resistance.actuator);
  add_acting_signal(model, name, "dissipation", "W", resistance.viscous * rate);
  add_acting_signal(model, name, "power", "W", -(resistance.elastic + resistance.viscous + resistance.actuator) * rate);
}

}  // namespace

void add_torsion_spring(Model& model, const std::string& name, const Symbol& angle, const Resistance& resistance,
                        bool turns) {
  const Symbol rate = rate_of(model, angle);
  GeneralizedForce force(model);
  force.add_along(angle, -(resistance.elastic + resistance.viscous + resistance.actuator));
  add_law(model, name, "torsion spring", force, resistance.potential);
  add_signal(model, name, "angle", turns ? "rad" : "m", angle);
  add_signal(model, name, "rate", turns ? "rad/s" : "m/s", rate);
  add_resistance_signals(model, name, "torque", turns ? "N m" : "N", rate, resistance);
}

namespace {

/// How deep a stop is pressed counts: value, its slope and integral with respect to the penetration d.
struct Depth {
  Symbol value, slope, integral;
};

/// A sharp stop has a kink where it is met, and with damping a jump: that is an event of this name.
Depth depth(Model& model, const std::string& event, const Symbol& d, const Symbol* width) {
  if (!width) {
    const Symbol touches = is_negative(model, event, -d), value = Symbol::where(touches, d, 0.0);
    return {value, Symbol::where(touches, 1.0, 0.0), 0.5 * value * value};
  }
  const Symbol w = *width, u = min(max(d / w, 0.0), 1.0), beyond = max(d - w, 0.0);
  return {w * u * u * u * (1.0 - 0.5 * u) + beyond, u * u * (3.0 - 2.0 * u),
          w * w * u * u * u * u * (0.25 - 0.1 * u) + 0.5 * beyond * (w + beyond)};
}

}  // namespace

void add_bump_stop(Model& model, const std::string& name, const Symbol& measure, const BumpStop& stop) {
  if (!stop.lower && !stop.upper) throw Error("bump stop \"" + name + "\": it needs a lower or an upper limit");
  const Symbol rate = rate_of(model, measure);
  Resistance resistance;
  for (const bool is_upper : {false, true}) {
    const Symbol* limit = is_upper ? stop.upper : stop.lower;
    if (!limit) continue;
    const Depth pressed = depth(model, name + (is_upper ? ".upper" : ".lower"),
                                is_upper ? measure - *limit : *limit - measure, stop.width);
    resistance.elastic += (is_upper ? stop.stiffness : -stop.stiffness) * pressed.value;
    resistance.viscous += stop.damping * pressed.slope * rate;
    resistance.potential += stop.stiffness * pressed.integral;
  }
  GeneralizedForce force(model);
  force.add_along(measure, -(resistance.elastic + resistance.viscous));
  add_law(model, name, "bump stop", force, resistance.potential);
  add_resistance_signals(model, name, "force", "", rate, resistance);
}

namespace {

bool is_nothing(const Symbol& x) { return x.is_number() && x.number() == 0; }

/// The pull along the line from a to b.
GeneralizedForce pull_of(Model& model, const Place& a, const Place& b, const Symbol& pull) {
  const Symbol scale = pull / length_of(model, a, b);
  Vector towards_b;
  for (const Symbol& x : minus(position_of(model, b), position_of(model, a))) towards_b.push_back(scale * x);
  GeneralizedForce force(model);
  force.add_force(a, towards_b);
  force.add_force(b, opposite(towards_b));
  return force;
}

/// What pictures and labels call it.
const char* kind_of_spring(const Symbol& stiffness, const Symbol& damping, const Resistance& more) {
  const bool springs = !is_nothing(stiffness) || !is_nothing(more.elastic);
  const bool damps = !is_nothing(damping) || !is_nothing(more.viscous);
  if (springs) return damps ? "spring-damper" : "spring";
  return damps ? "damper" : "actuator";
}

}  // namespace

void add_spring(Model& model, const std::string& name, const Place& a, const Place& b, const Symbol& stiffness,
                const Symbol* free_length, const Symbol& damping, const Symbol& force, const Resistance& more) {
  check_pair("spring", name, a, b);
  Symbol declared;
  if (!free_length) {
    const Vector u = minus(initial_position(model, b), initial_position(model, a));
    declared = sqrt(dot(u, u));
    free_length = &declared;
  }
  const Symbol pull = more.elastic + more.viscous + more.actuator;
  if (is_nothing(pull)) {
    model.claim_name(name, "spring");
  } else {
    add_law(model, name, "spring", pull_of(model, a, b, pull), more.potential);
  }
  model.record().connections.push_back({kind_of_spring(stiffness, damping, more), Mark::Coil, name, a, b});
  add_length_signals(model, name, a, b);
  const Symbol l0 = *free_length, viscous = more.viscous;
  add_acting_signal(model, name, "force", "N", [=](const Model& m) {
    return stiffness * (symbol_of(m, m.signal(name + ".length")) - l0) +
           damping * symbol_of(m, m.signal(name + ".rate")) + force + pull;
  });
  add_acting_signal(model, name, "dissipation", "W", [=](const Model& m) {
    const Symbol rate = symbol_of(m, m.signal(name + ".rate"));
    return damping * rate * rate + viscous * rate;
  });
  add_acting_signal(model, name, "power", "W", [=](const Model& m) {
    return -(symbol_of(m, m.signal(name + ".force")) * symbol_of(m, m.signal(name + ".rate")));
  });
  const bool is_linear = !is_nothing(stiffness) || !is_nothing(damping) || !is_nothing(force);
  if (!is_linear && !is_nothing(pull)) return;
  add_two_place_element(model, "spring", name, a, b, {}, {stiffness, l0, damping, force});
}

}  // namespace perilune::model
