// SPDX-License-Identifier: MIT
#include "model/force/clutch.hpp"

#include <utility>

#include "model/force/control.hpp"
#include "model/joint/relations.hpp"
#include "model/law/kinks.hpp"
#include "model/law/switches.hpp"
#include "model/signals.hpp"

namespace perilune::model {

void add_one_way_clutch(Model& model, const std::string& name, const Symbol& angle, const Symbol& stiffness,
                        const Symbol& damping) {
  constexpr const char* what = "one-way clutch";
  const Symbol rate = rate_of(model, angle);
  GeneralizedForce trial(model);
  trial.add_along(angle, -damping * rate);
  (void)law_element(model, name, what, trial);  // complains before a coordinate is declared
  model.claim_name(name, what);
  const int state = model.add_coordinate(name, "wind_up", "rad", 0.0, 0.0, Role::State);
  const Symbol wind_up = symbol_of(model, model.coordinates().back().velocity);
  const Symbol held = stiffness * wind_up + damping * rate, quickness = stiffness / damping;
  const Symbol engaged = is_negative(model, name + ".engages", -held);
  const Symbol torque = Symbol::where(engaged, held, 0.0);
  const Symbol winds = Symbol::where(engaged, rate, -(quickness * wind_up));
  const Symbol grown = angle - declared_value(model, angle);
  GeneralizedForce force(model);
  force.add_along(angle, -torque);
  Element element = law_element(model, name, what, with_switches(model, name, force));
  element.potential = (0.5 * stiffness * wind_up * wind_up).in(model.graph());
  model.add_element(std::move(element));
  // Statics cannot know how an engaged clutch came to be wound.
  add_state_law(model, name, state, Symbol::where(in_statics(model), quickness * (grown - wind_up), winds));
  add_acting_signal(model, name, "torque", "N m", torque);
  add_signal(model, name, "wind_up", "rad", wind_up);
  add_acting_signal(model, name, "dissipation", "W", torque * rate - stiffness * wind_up * winds);
}

}  // namespace perilune::model
