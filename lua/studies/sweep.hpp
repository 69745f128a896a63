// SPDX-License-Identifier: MIT
// What mbs.sweep returns: a table of rows that prints, plots and can be written.
#pragma once
#include <lua.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "optimize/sweep.hpp"

namespace perilune::lua {

struct SweepResult {
  struct Quantity {
    std::string name, unit;
  };
  std::string model;
  std::vector<Quantity> parameters;
  std::vector<std::string> objectives;
  std::size_t jobs = 0;                 // of the whole design
  std::vector<optimize::Trial> trials;  // those that are done, in the order of their jobs
};

/// Pushes the table.
void push_sweep(lua_State* L, SweepResult result);
/// The sweep that the method was called on. Throws Error, explaining the colon.
const SweepResult& check_sweep(lua_State* L, const char* method);
/// "k [N/m]"
std::string labelled(const SweepResult::Quantity& quantity);

/// A whole script, for the pages of help.
std::string_view sweep_example();

}  // namespace perilune::lua
