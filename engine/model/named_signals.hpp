// SPDX-License-Identifier: MIT
// Signals that the user defines, and what files and pictures show of signals and expressions.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

/// A curve or a column: its name, its unit (empty: none known), and its values in that unit.
struct ShownSignal {
  std::string name, unit;
  NodeId node;
};

/// Throws Error when there is none of this name.
ShownSignal shown_signal(const Model& model, const std::string& name);
std::vector<ShownSignal> shown_signals(const Model& model, const std::vector<std::string>& names);
/// An expression in SI units, to be shown in `unit`; empty: in that which the expression has, where it follows from it.
/// Throws Error where the unit is not known (unit.hpp) or not that of the expression, and where the expression
/// is multiplied by the unit's number already, as in degrees of an angle that is in degrees. `hides_number`: a number 1
/// was a factor of it, of which nothing is left, and which may have any unit.
ShownSignal shown_expression(const Model& model, const std::string& name, const Symbol& value, const std::string& unit,
                             bool hides_number = false);

/// A signal without an owner, whose value is in SI units as that of any other; `unit` is how it is shown. Throws Error
/// as the above, and where the name is taken. Energies, momenta and drifts of the whole model grow with it: where
/// `value` reads them as they are now and they have changed since, Model::signal throws Error.
void add_named_signal(Model& model, const std::string& name, const Symbol& value, const std::string& unit,
                      bool hides_number = false);
/// Whether it was declared by add_named_signal.
bool is_named_signal(const Model& model, const std::string& name);

/// The name of a signal that has this value, of those that the user defined if there are any; empty for none.
std::string signal_of(const Model& model, NodeId value);

}  // namespace perilune::model
