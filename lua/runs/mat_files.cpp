// SPDX-License-Identifier: MIT
// mbs.write_mat and mbs.read_mat: numbers from and for GNU Octave and MATLAB.
#include <algorithm>
#include <iterator>

#include "base/guard.hpp"
#include "base/input_file.hpp"
#include "base/output_file.hpp"
#include "base/table_fields.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "format/mat_file.hpp"
#include "format/utf16.hpp"
#include "poll.hpp"
#include "schema/schema.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

using format::MatVariable;

double number_at(lua_State* L, int index, const std::string& name) {
  if (lua_type(L, index) == LUA_TNUMBER) return lua_tonumber(L, index);
  throw Error("write_mat: " + name + " has " + described_value(L, index) +
              "; expected a number, a list of numbers, a list of rows of the same length, or text");
}

/// Of the table on top of the stack. Throws Error for other keys than 1, 2, ...
void require_list(lua_State* L, const std::string& name) {
  const auto size = static_cast<lua_Integer>(lua_rawlen(L, -1));
  Poll poll;
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    poll();
    lua_pop(L, 1);
    if (lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 1 && lua_tointeger(L, -1) <= size) continue;
    throw Error("write_mat: " + name + " has the key " + described_value(L, -1) +
                ", so that it is no list; give its parts names of their own");
  }
}

/// The row on top of the stack, into row i of `out`.
void read_row(lua_State* L, std::size_t i, MatVariable& out) {
  const bool is_row = lua_type(L, -1) == LUA_TTABLE;
  if (is_row) require_list(L, out.name);
  const std::size_t columns = is_row ? lua_rawlen(L, -1) : 1;
  if (i == 0) {
    out.columns = columns;
    out.values.resize(out.rows * columns);
  }
  if (columns != out.columns) throw Error("write_mat: the rows of " + out.name + " have different lengths");
  for (std::size_t j = 0; j < columns; ++j) {
    if (is_row) lua_rawgeti(L, -1, static_cast<lua_Integer>(j) + 1);
    out.values[i + j * out.rows] = number_at(L, -1, out.name);
    if (is_row) lua_pop(L, 1);
  }
}

/// From the value on top of the stack.
MatVariable variable_of(lua_State* L, const std::string& name) {
  MatVariable out{name, 1, 1, {}};
  if (lua_type(L, -1) == LUA_TSTRING) {
    std::size_t length = 0;
    const char* text = lua_tolstring(L, -1, &length);
    const std::vector<std::uint16_t> units = format::utf16_of({text, length});
    out.values.assign(units.begin(), units.end());
    out.columns = units.size();
    out.is_text = true;
  } else if (lua_type(L, -1) == LUA_TTABLE) {
    require_list(L, name);
    out.rows = lua_rawlen(L, -1);
    Poll poll;
    for (std::size_t i = 0; i < out.rows; ++i) {
      poll();
      lua_rawgeti(L, -1, static_cast<lua_Integer>(i) + 1);
      read_row(L, i, out);
      lua_pop(L, 1);
    }
  } else {
    out.values = {number_at(L, -1, name)};
  }
  return out;
}

int write_mat(lua_State* L) {
  if (lua_type(L, 1) != LUA_TSTRING)
    throw Error("write_mat: expected the name of a file, got " + described_value(L, 1));
  if (!lua_istable(L, 2)) {
    throw Error("write_mat: expected a table of names and values, got " + described_value(L, 2));
  }
  lua_settop(L, 2);
  std::vector<MatVariable> variables;
  lua_pushnil(L);
  while (lua_next(L, 2)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      throw Error("write_mat: a key is " + described_value(L, -2) + "; expected a name");
    const std::string name = lua_tostring(L, -2);
    if (format::mat_name(name) != name) {
      throw Error("write_mat: '" + name +
                  "' cannot be a name in Octave: expected a letter, then letters, digits and _, at most 63 in all");
    }
    variables.push_back(variable_of(L, name));
    lua_pop(L, 1);
  }
  std::sort(variables.begin(), variables.end(),
            [](const MatVariable& a, const MatVariable& b) { return a.name < b.name; });
  write_file(lua_tostring(L, 1), [&](std::ostream& out) { format::write_mat(variables, out); });
  return 0;
}

void push_variable(lua_State* L, const MatVariable& variable) {
  const std::size_t rows = variable.rows, columns = variable.columns;
  if (variable.is_text && rows <= 1) {
    const std::string text =
        format::utf8_of(std::vector<std::uint16_t>(variable.values.begin(), variable.values.end()));
    lua_pushlstring(L, text.data(), text.size());
  } else if (rows == 1 && columns == 1) {
    lua_pushnumber(L, variable.values[0]);
  } else if (rows == 1 || columns == 1 || variable.values.empty()) {
    push_list(L, variable.values);
  } else {
    lua_createtable(L, static_cast<int>(rows), 0);
    for (std::size_t i = 0; i < rows; ++i) {
      push_list(L, variable.values.data() + i, columns, rows);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
  }
}

int read_mat(lua_State* L) {
  if (lua_type(L, 1) != LUA_TSTRING) throw Error("read_mat: expected the name of a file, got " + described_value(L, 1));
  const std::string path = lua_tostring(L, 1);
  const std::string bytes = file_bytes("read_mat", path);
  std::vector<MatVariable> variables;
  try {
    variables = format::read_mat(bytes);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& problem) {
    throw Error("read_mat: '" + path + "': " + problem.what());
  }
  lua_createtable(L, 0, static_cast<int>(variables.size()));
  for (const MatVariable& variable : variables) {
    push_variable(L, variable);
    lua_setfield(L, -2, variable.name.c_str());
  }
  return 1;
}

constexpr std::string_view example = R"(local mbs = require "perilune"
local file = os.tmpname()
mbs.write_mat(file, { k = 120, t = { 0, 0.1, 0.2 }, A = { { 1, 2 }, { 3, 4 } }, remark = "measured" })
local data = mbs.read_mat(file)
print(data.k, data.t[2], data.A[2][1], data.remark))";

}  // namespace

std::span<const Function> mat_file_functions() {
  static const std::vector<Function> functions = {
      {.name = "mbs.write_mat",
       .signature = "mbs.write_mat(file, values)",
       .arguments = {{"file", "string", "to be written", unitless},
                     {"values", "table<string, number|table|string>", "by name", "yours"}},
       .summary = "Writes numbers, lists (as columns), matrices (lists of rows) and text to a file of level 5 that\n"
                  "`load file.mat` reads in GNU Octave and MATLAB.",
       .example = example,
       .see_also = {"mat", "read_mat"},
       .function = guarded<write_mat>},
      {.name = "mbs.read_mat",
       .signature = "mbs.read_mat(file)",
       .arguments = {{"file", "string", "to be read", unitless}},
       .returns = "table<string, number|table|string>",
       .summary = "What `save -v6 file.mat names` has written in GNU Octave, `save('file.mat', 'names', '-v6')` in\n"
                  "MATLAB: by name a number, a list for a row or a column, a list of rows, or text.",
       .example = example,
       .see_also = {"write_mat", "spline"},
       .function = guarded<read_mat>},
  };
  return functions;
}

}  // namespace perilune::lua
