// SPDX-License-Identifier: MIT
// mbs.read_csv: numbers from loggers and spreadsheets.
#include "base/guard.hpp"
#include "base/input_file.hpp"
#include "base/table_fields.hpp"
#include "error.hpp"
#include "format/csv_reader.hpp"
#include "poll.hpp"
#include "schema/schema.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

constexpr const char* units_key = "units";

int read_csv(lua_State* L) {
  if (lua_type(L, 1) != LUA_TSTRING) throw Error("read_csv: expected the name of a file, got " + described_value(L, 1));
  const std::string path = lua_tostring(L, 1);
  const std::string bytes = file_bytes("read_csv", path);
  format::Table table;
  try {
    table = format::read_csv(bytes);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& problem) {
    throw Error("read_csv: '" + path + "': " + problem.what());
  }
  lua_createtable(L, 0, static_cast<int>(table.columns.size()) + 1);
  lua_newtable(L);
  for (const format::Column& column : table.columns) {
    if (column.name == units_key) {
      throw Error("read_csv: '" + path + "': a column is named \"units\", which is where the units are returned; " +
                  "give it another name");
    }
    if (!column.unit.empty()) set_text(L, column.name.c_str(), column.unit);
    push_list(L, column.values);
    lua_setfield(L, -3, column.name.c_str());
  }
  lua_setfield(L, -2, units_key);
  return 1;
}

}  // namespace

std::span<const Function> csv_file_functions() {
  static const std::vector<Function> functions = {
      {.name = "mbs.read_csv",
       .signature = "mbs.read_csv(file)",
       .arguments = {{"file", "string", "to be read", unitless}},
       .returns = "table<string, number[]>",
       .summary = "The columns of a table of numbers by name, as run:csv, loggers and spreadsheets write it: a first\n"
                  "line of names, with units as in `angle [rad]`, which come back in the field units. Cells are\n"
                  "separated by commas, semicolons or tabs; an empty one is NaN.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { \"throw\", gravity = {0, -9.81} }\n"
                  "local P = m:point { \"P\", at = {0, 0}, velocity = {3, 5}, mass = 1 }\n"
                  "local file = os.tmpname()\n"
                  "m:simulate { t = 1 }:csv(file, \"P.y\")\n"
                  "local data = mbs.read_csv(file)\n"
                  "print(#data.t, data[\"P.y\"][1], data.units[\"P.y\"])",
       .see_also = {"csv", "read_mat", "fit"},
       .function = guarded<read_csv>},
  };
  return functions;
}

}  // namespace perilune::lua
