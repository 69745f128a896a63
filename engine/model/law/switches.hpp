// SPDX-License-Identifier: MIT
// Switches: where laws change their form, by which adaptive runs end steps there.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

/// A switch of this name: 1 where `function` is negative, else 0, as a condition for Symbol::where. Adaptive runs
/// hold it throughout a step and end steps where the function changes its sign; so both forms of the law are to make
/// sense a little beyond. All who ask for the same function get the same switch.
Symbol is_negative(Model& model, const std::string& name, const Symbol& function);
/// Adaptive runs end steps where `function` changes its sign, and laws decide themselves. Returns the switch's number.
int watch(Model& model, const std::string& name, const Symbol& function);
/// This law or integrand has too many conditions for switches; runs warn of it.
void leave_unfollowed(Model& model, const std::string& name);
/// 1 while static equilibrium is sought, else 0, as a condition for Symbol::where: a switch that only statics throws.
Symbol in_statics(Model& model);
/// The integrand of an objective, with switches for its kinks and jumps. They matter in runs that ask for it.
Symbol integrand(Model& model, const std::string& objective, const Symbol& x);
/// Those that decide about the value of some nodes, directly or by others, or that watch what does.
std::vector<int> switches_of(const Model& model, const std::vector<NodeId>& nodes);

}  // namespace perilune::model
