// SPDX-License-Identifier: MIT
// What methods of runs share: reading their arguments.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runs/experiment.hpp"
#include "schema/schema.hpp"

namespace perilune::lua {

/// The run that the method was called on. Throws Error, explaining the colon.
const RunHandle& check_run(lua_State* L, const char* method);
/// The argument, the name of a file. Throws Error if it is something else.
std::string check_path(lua_State* L, const char* method);
/// The model that has the signal: as it was when the run was made, or as it is, for signals that the user has defined
/// since. Throws Error with a suggestion where neither has it.
model::Model& model_with_signal(const RunHandle& run, const std::string& name);
/// The signal's name or an expression at the stack index, as a node of the run's model, in SI units. Throws Error.
expr::NodeId check_signal(lua_State* L, const RunHandle& run, int index);
/// What to show, at the stack index: a name, an expression, or { "name", expression, unit = ... }. Throws Error.
model::ShownSignal shown_signal_at(lua_State* L, const RunHandle& run, int index);
/// Throws Error where two that differ have one name.
void check_names(const std::vector<model::ShownSignal>& signals);
/// From the stack index on, with different names.
std::vector<model::ShownSignal> shown_signals_from(lua_State* L, const RunHandle& run, int first);

/// Prints the plot by io.write: braille with colours where the terminal has them, ASCII where TERM is dumb.
void print_plot(lua_State* L, const format::Table& table, const std::string& title);

/// Writes a page that output::write_view_page made, and says on the standard error where it has no motion.
void write_moving_page(const std::string& path, const std::string& page);

/// An example of what runs offer, as help shows it.
std::string_view run_example();
/// The methods that write and plot signals.
std::span<const Function> run_output_functions();
/// The methods that look at beams.
std::span<const Function> beam_envelope_functions();

}  // namespace perilune::lua
