// Kinks and jumps of laws as switches of the model, so that adaptive runs end steps there.
#pragma once
#include "model/forces.hpp"

namespace perilune::model {

/// The same forces, with a switch for every condition, sign, absolute value, minimum and maximum in them that the
/// motion can change. A law keeps its form while a switch is held; where it may not be continued beyond it, as a root
/// of what changes its sign there, it decides itself, and the switch only says when. `name` is that of the law.
GeneralizedForce with_switches(Model& model, const std::string& name, const GeneralizedForce& force);
/// The same of a constraint.
Symbol with_switches(Model& model, const std::string& name, const Symbol& constraint);

}  // namespace perilune::model
