// SPDX-License-Identifier: MIT
// Protected calls, and what the user sees of an error that nobody caught:
//   script.lua:12: body "lower": unknown field 'mas' (did you mean 'mass'?)
//      12 |   local b2 = m:body { "lower", mas = 1 }
//   fields of body: name, mass, com, ...
//   called from script.lua:40
#pragma once
#include <lua.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/guard.hpp"

namespace perilune::lua {

struct Report {
  Failure kind = Failure::script;
  std::string text;    // one or more lines, each with its newline
  int typed_line = 0;  // at which the outermost function was, of the lines of the interactive mode; 0 for other errors
};

/// Calls the function below its `arguments` on the stack; leaves `results` values, or nothing when it reports a
/// failure. SIGINT is handled meanwhile. With `traceback` the report has all frames.
std::optional<Report> call(lua_State* L, int arguments, int results, bool traceback);

/// The lines of the interactive mode, which are one chunk "stdin" to the user: shown in reports like those of a file.
struct TypedLines {
  std::vector<std::string> lines;
  int statement = 1;  // line at which the statement that runs begins
};
/// Reports show these from now on; nullptr for none.
void show_typed_lines(lua_State* L, const TypedLines* typed);

/// Pops an error message (of a failed load, say) and makes it a report. `file`: the script that was to be read, if any.
Report pop_report(lua_State* L, const std::string& file = {});

}  // namespace perilune::lua
