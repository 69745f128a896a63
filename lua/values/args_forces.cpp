// SPDX-License-Identifier: MIT
// The parts of Args that read what forces are given by: coefficients, matrices, curves, measured expressions.
#include "base/userdata.hpp"
#include "error.hpp"
#include "model/signals.hpp"
#include "values/args.hpp"
#include "values/spline.hpp"

namespace perilune::lua {

using expr::Symbol;
using model::Vector;

Vector Args::read_whole_list(const Field& field, int index) {
  return read_list(field, std::string(field.name), index, lua_istable(state_, index) ? lua_rawlen(state_, index) : 0);
}

std::vector<double> Args::numbers(std::string_view name) {
  const Field& field = field_of(name);
  const int index = push(field);
  require(field, index);
  if (!lua_istable(state_, index)) fail_type(field, std::string(name), index);
  std::vector<double> values;
  for (const Symbol& s : read_whole_list(field, index)) {
    if (!s.is_number()) fail(std::string(name) + " must be a list of plain numbers");
    values.push_back(s.number());
  }
  keep(field, index);
  lua_settop(state_, index - 1);
  return values;
}

Vector Args::ordinates(std::string_view name) {
  const Field& field = field_of(name);
  const int index = push(field);
  require(field, index);
  if (!lua_istable(state_, index)) fail_type(field, std::string(name), index);
  Vector values = read_whole_list(field, index);
  keep(field, index);
  lua_settop(state_, index - 1);
  return values;
}

std::vector<Vector> Args::rows(std::string_view name) {
  const Field& field = field_of(name);
  const int index = push(field);
  require(field, index);
  if (!lua_istable(state_, index)) fail_type(field, std::string(name), index);
  std::vector<Vector> rows;
  for (size_t i = 1; i <= lua_rawlen(state_, index); ++i) {
    const std::string label = std::string(name) + "[" + std::to_string(i) + "]";
    if (lua_rawgeti(state_, index, static_cast<lua_Integer>(i)) != LUA_TTABLE) {
      fail(label + " must be a list of numbers, got " + described_value(state_, -1));
    }
    rows.push_back(read_list(field, label, lua_gettop(state_), lua_rawlen(state_, -1)));
    lua_pop(state_, 1);
  }
  keep(field, index);
  lua_settop(state_, index - 1);
  return rows;
}

Vector Args::polynomial(std::string_view name) {
  const Field& field = field_of(name);
  const int index = push(field);
  Vector coefficients;
  if (lua_istable(state_, index)) {
    Field entries = field;  // of a polynomial any coefficient may be negative
    entries.range = Range::Finite;
    coefficients = read_whole_list(entries, index);
    if (coefficients.empty()) fail(std::string(name) + " is an empty list; a polynomial needs a coefficient");
    keep(field, index);
  } else if (!lua_isnil(state_, index)) {
    coefficients = {read_number(field, std::string(name), index)};
    check_dimension(field, std::string(name), index);
    keep(field, index);
  } else if (field.fallback == "0") {
    keep_default(field, 0);
  }
  lua_settop(state_, index - 1);
  return coefficients;
}

Vector Args::matrix(std::string_view name, size_t size) {
  const Field& field = field_of(name);
  const int index = push(field);
  Vector entries(size * size);
  if (!lua_isnil(state_, index) || field.required) {
    require(field, index);
    const std::string label(name);
    if (!lua_istable(state_, index)) fail_type(field, label, index);
    const bool has_rows = lua_rawgeti(state_, index, 1) == LUA_TTABLE;
    lua_pop(state_, 1);
    if (!has_rows) {
      const Vector diagonal = read_list(field, label, index, size);
      for (size_t i = 0; i < size; ++i) entries[i * size + i] = diagonal[i];
    } else {
      if (lua_rawlen(state_, index) != size) {
        fail(label + " must have " + std::to_string(size) + " rows, got " + std::to_string(lua_rawlen(state_, index)));
      }
      for (size_t i = 0; i < size; ++i) {
        lua_rawgeti(state_, index, static_cast<lua_Integer>(i) + 1);
        const Vector row = read_list(field, label + "[" + std::to_string(i + 1) + "]", lua_gettop(state_), size);
        std::copy(row.begin(), row.end(), entries.begin() + static_cast<std::ptrdiff_t>(i * size));
        lua_pop(state_, 1);
      }
    }
    keep(field, index);
  }
  lua_settop(state_, index - 1);
  return entries;
}

Symbol Args::measure(std::string_view name, const std::vector<std::string_view>& signals) {
  const Field& field = field_of(name);
  const int index = push(field);
  require(field, index);
  std::optional<Symbol> result;
  if (const Expression* expression = test_userdata<Expression>(state_, index)) {
    if (expression->model != model_) fail(std::string(name) + " uses an expression of another model");
    result = Symbol(engine().graph(), expression->node);
    count_as_signal(field, expression->node);
  } else if (const Object* object = test_userdata<Object>(state_, index); object && object->model == model_) {
    object->check_present();
    for (std::string_view signal : signals) {
      const std::string full = object->name + "." + std::string(signal);
      if (result || !has_signal(engine(), full)) continue;
      result = Symbol(engine().graph(), engine().signal(full));
      count_in(field.unit, engine().record().signals.find(full)->second.unit);
    }
  }
  if (!result) fail_type(field, std::string(name), index);
  keep(field, index);
  lua_settop(state_, index - 1);
  return *result;
}

std::vector<Symbol> Args::measures(std::string_view name) {
  const Field& field = field_of(name);
  const int index = push(field);
  require(field, index);
  if (!lua_istable(state_, index)) fail_type(field, std::string(name), index);
  std::vector<Symbol> result;
  for (lua_Integer i = 1; lua_rawgeti(state_, index, i) != LUA_TNIL; ++i) {
    check_interrupt();
    const std::string label = std::string(name) + "[" + std::to_string(i) + "]";
    const Expression* expression = test_userdata<Expression>(state_, -1);
    if (!expression) {
      fail(label + " must be an expression of signals such as P1.x, got " +
           described_value(state_, lua_gettop(state_)));
    }
    if (expression->model != model_) fail(label + " is an expression of another model");
    result.emplace_back(engine().graph(), expression->node);
    lua_pop(state_, 1);
  }
  const auto length = static_cast<std::size_t>(lua_rawlen(state_, index));
  if (result.empty() || result.size() != length) fail_type(field, std::string(name), index);
  keep(field, index);
  lua_settop(state_, index - 1);
  return result;
}

const expr::Spline* Args::curve(std::string_view name) {
  const Field& field = field_of(name);
  const int index = push(field);
  const expr::Spline* result = nullptr;
  if (!lua_isnil(state_, index)) {
    const SplineHandle* handle = test_userdata<SplineHandle>(state_, index);
    if (!handle) fail_type(field, std::string(name), index);
    if (handle->model && handle->model != model_) {
      fail(std::string(name) + ": the ordinates of the spline are expressions of another model");
    }
    if (handle->spline.is_periodic()) {
      fail(std::string(name) + ": a spline with a period is no curve of a spring or damper, whose energy would jump; " +
           "laws of m:force and m:torque may read it");
    }
    result = &handle->spline;
    keep(field, index);
  }
  lua_settop(state_, index - 1);  // the table of the call keeps it alive
  return result;
}

bool Args::is_function(std::string_view name) {
  const bool result = lua_isfunction(state_, push(field_of(name)));
  lua_pop(state_, 1);
  return result;
}

}  // namespace perilune::lua
