// SPDX-License-Identifier: MIT
// The signals of a model: everything that can be measured, as expressions of coordinates, time and parameters.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

bool has_signal(const Model& model, const std::string& name);
std::vector<std::string> signal_names(const Model& model);
/// Of one object, without its name: "force_x".
std::vector<std::string> signals_of(const Model& model, const std::string& owner);
/// Throws Error when there is none of this name.
const std::string& signal_unit(const Model& model, const std::string& name);

/// Named owner.what. `make` gives the expression for a model that has the signal, the one it was declared in or a
/// snapshot of it.
void add_signal(Model& model, const std::string& owner, const std::string& what, const std::string& unit,
                std::function<Symbol(const Model&)> make);
void add_signal(Model& model, const std::string& owner, const std::string& what, const std::string& unit,
                const Symbol& value);
/// x, and zero in phases of a motion that leave the element out; its number in the model.
Symbol while_acting(const Model& model, std::size_t element, const Symbol& x);
/// What the element of the owner's name does, as its force. What it measures goes on where it is left out.
void add_acting_signal(Model& model, const std::string& owner, const std::string& what, const std::string& unit,
                       std::function<Symbol(const Model&)> make);
void add_acting_signal(Model& model, const std::string& owner, const std::string& what, const std::string& unit,
                       const Symbol& value);
/// owner.what of this unit, owner.vwhat and owner.awhat.
void add_coordinate_signals(Model& model, const std::string& owner, int coordinate, const std::string& what,
                            const std::string& unit);
/// name.length and name.rate.
void add_length_signals(Model& model, const std::string& name, const Place& a, const Place& b);
/// Time, energies, and how far constraints are from zero: every model has them.
void add_model_signals(Model& model);

}  // namespace perilune::model
