// SPDX-License-Identifier: MIT
#include "runs/derivative_text.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "base/table_fields.hpp"
#include "base/text_columns.hpp"

namespace perilune::lua {

namespace {

std::vector<std::string> texts(lua_State* L, const char* field) {
  std::vector<std::string> list;
  if (lua_getfield(L, 1, field) == LUA_TTABLE) {
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TSTRING; ++i) {
      list.emplace_back(lua_tostring(L, -1));
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return list;
}

// The numbers of the list on top, which is popped.
std::vector<double> numbers(lua_State* L) {
  std::vector<double> list;
  if (lua_istable(L, -1)) {
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TNUMBER; ++i) {
      list.push_back(lua_tonumber(L, -1));
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return list;
}

std::string slope_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.8g", value);
  return text;
}

std::string label(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " [" + unit + "]";
}

// "objective = 1.2" with what else the first line says.
std::string heading(lua_State* L, const std::string& what) {
  lua_getfield(L, 1, "objective");
  lua_getfield(L, 1, "value");
  std::string text = what + " of " + (lua_isstring(L, -2) ? lua_tostring(L, -2) : "objective") + " = ";
  text += slope_text(lua_tonumber(L, -1));
  if (lua_getfield(L, 1, "method") == LUA_TSTRING) text += std::string(" by ") + lua_tostring(L, -1);
  lua_settop(L, 1);
  return text;
}

}  // namespace

void set_parameter_names(lua_State* L, const model::Model& engine, const std::vector<int>& over) {
  std::vector<std::string> names, units;
  for (const int number : over) {
    const model::Parameter& parameter = engine.parameters()[static_cast<size_t>(number)];
    names.push_back(parameter.name);
    units.push_back(parameter.unit);
  }
  set_names(L, "parameters", names);
  set_names(L, "units", units);
}

int gradient_pretty(lua_State* L) {
  require_table(L);
  const std::vector<std::string> names = texts(L, "parameters");
  std::vector<std::string> units = texts(L, "units");
  units.resize(names.size());
  lua_getfield(L, 1, "gradient");
  const std::vector<double> slope = numbers(L);
  TextRows rows;
  for (size_t k = 0; k < std::min(names.size(), slope.size()); ++k) {
    rows.push_back({"d/d" + names[k], slope_text(slope[k]), units[k].empty() ? "" : "per " + units[k]});
  }
  const std::string text = heading(L, "gradient") + aligned(rows) + warning_lines(L);
  lua_pushlstring(L, text.data(), text.size());
  return 1;
}

int hessian_pretty(lua_State* L) {
  require_table(L);
  const std::vector<std::string> names = texts(L, "parameters");
  std::vector<std::string> units = texts(L, "units");
  const size_t count = names.size();
  units.resize(count);
  std::vector<std::vector<double>> columns;
  const bool is_product = lua_getfield(L, 1, "product") == LUA_TTABLE;
  if (is_product) {
    columns.push_back(numbers(L));
  } else {
    lua_pop(L, 1);
    const bool is_matrix = lua_getfield(L, 1, "matrix") == LUA_TTABLE;
    for (size_t k = 0; is_matrix && k < count; ++k) {
      lua_rawgeti(L, -1, static_cast<lua_Integer>(k) + 1);
      columns.push_back(numbers(L));
    }
  }
  TextRows rows{{""}};
  if (is_product) {
    rows[0].emplace_back("product with the direction");
  } else {
    rows[0].insert(rows[0].end(), names.begin(), names.end());
  }
  for (size_t i = 0; i < count; ++i) {
    rows.push_back({label(names[i], units[i])});
    for (const auto& column : columns) rows.back().push_back(i < column.size() ? slope_text(column[i]) : "");
  }
  const std::string text = heading(L, "second derivatives") + aligned(rows);
  lua_pushlstring(L, text.data(), text.size());
  return 1;
}

}  // namespace perilune::lua
