// SPDX-License-Identifier: MIT
// Kinks and jumps of laws as switches of the model, so that adaptive runs end steps there.
#pragma once
#include <functional>
#include <optional>

#include "model/force/forces.hpp"

namespace perilune::model {

/// Switches of an element's own law. They matter while it acts, which is a condition; else they never change.
class LawSwitches {
 public:
  LawSwitches(Model& model, std::string element, Symbol acts)
      : model_(model), element_(std::move(element)), acts_(std::move(acts)) {}
  /// Whether a function of the motion is negative, 0 or 1: the switch "element.what".
  Symbol is_negative(const std::string& what, const Symbol& function) const;
  /// The same where the law decides itself, and the switch only says when: for what a motion comes to and stays at, so
  /// that the time of its crossing is one of rounding, and for laws that cannot be held beyond it for long.
  Symbol is_watched_negative(const std::string& what, const Symbol& function) const;

 private:
  Model& model_;
  std::string element_;
  Symbol acts_;
};

/// The same forces, with a switch for every condition, sign, absolute value, minimum and maximum in them that the
/// motion can change, and for every angle of two lengths that can come to half a turn. A law keeps its form while a
/// switch is held; where it may not be continued beyond it, as a root of what changes its sign there, it decides
/// itself, and the switch only says when. `name` is that of the law.
GeneralizedForce with_switches(Model& model, const std::string& name, const GeneralizedForce& force);
/// The same of a constraint.
Symbol with_switches(Model& model, const std::string& name, const Symbol& constraint);
/// The same where it always decides itself, and the switches only say when: of what repeats itself, whose conditions on
/// an angle jump back with each turn.
Symbol with_watched_switches(Model& model, const std::string& name, const Symbol& constraint);
/// What changes its sign at a kink of an expression of other variables, as a function of the motion; nothing where the
/// kink is to stay as it is.
using InMotion = std::function<std::optional<Symbol>(const Symbol&)>;
/// The same of such an expression.
Symbol with_switches(Model& model, const std::string& name, const Symbol& x, const InMotion& in_motion);

}  // namespace perilune::model
