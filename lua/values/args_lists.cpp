// SPDX-License-Identifier: MIT
// The parts of Args that read lists and objects.
#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "base/suggest.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "values/args.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

using expr::Symbol;
using model::Vector;

namespace {

// The number of items, where a list with holes or other keys counts as far as it goes.
size_t length_of(lua_State* L, int index) { return lua_rawlen(L, index); }

// "{1, 0, 0, 0}", or "0" for zeros; empty if the text is neither or has another length.
std::vector<double> default_list(std::string_view text, size_t count) {
  if (text == "0") return std::vector<double>(count);
  std::vector<double> values;
  std::string part;
  for (const char c : text) {
    if (c == '{' || c == ' ') continue;
    if (c == ',' || c == '}') {
      values.push_back(std::atof(part.c_str()));
      part.clear();
    } else {
      part += c;
    }
  }
  return values.size() == count ? values : std::vector<double>();
}

}  // namespace

Vector Args::read_list(const Field& field, const std::string& label, int index, size_t count) {
  if (!lua_istable(state_, index)) {
    fail(label + " must be a list of " + std::to_string(count) + " numbers, got " + described_value(state_, index));
  }
  const size_t length = length_of(state_, index);
  Vector values;
  for (size_t i = 1; i <= length && i <= count; ++i) {
    check_interrupt();
    lua_rawgeti(state_, index, static_cast<lua_Integer>(i));
    values.push_back(read_number(field, label + "[" + std::to_string(i) + "]", lua_gettop(state_)));
    lua_pop(state_, 1);
  }
  if (length != count) {
    const bool by_dimension = field.type == Type::Vector && model_;
    const std::string why =
        by_dimension ? (engine().dimension() == 2 ? " (the model is planar)" : " (the model is spatial)") : "";
    fail(label + " must have " + std::to_string(count) + " components" + why + ", got " + std::to_string(length));
  }
  lua_pushnil(state_);
  while (lua_next(state_, index)) {
    lua_pop(state_, 1);
    if (lua_isinteger(state_, -1)) continue;
    const bool is_word = lua_type(state_, -1) == LUA_TSTRING;
    fail(label + " must be a plain list, but has " +
         (is_word ? "the field '" + std::string(lua_tostring(state_, -1)) + "'" : "a strange key"));
  }
  return values;
}

Vector Args::vector(std::string_view name, size_t count) {
  const Field& field = field_of(name);
  const int index = push(field);
  Vector result(count);
  if (!lua_isnil(state_, index) || field.required) {
    require(field, index);
    result = read_list(field, std::string(name), index, count);
    if (field.unit != unitless) check_dimension(field, std::string(name), index);  // directions may be lengths
    keep(field, index);
  } else {
    const std::vector<double> values = default_list(field.fallback, count);
    if (values.empty()) throw std::logic_error("internal error: no default for '" + std::string(name) + "'");
    lua_createtable(state_, static_cast<int>(count), 0);
    for (size_t i = 0; i < count; ++i) {
      result[i] = Symbol(values[i]);
      lua_pushnumber(state_, values[i]);
      lua_rawseti(state_, -2, static_cast<lua_Integer>(i) + 1);
    }
    keep(field, -1);
  }
  lua_settop(state_, index - 1);
  return result;
}

std::vector<double> Args::plain_list(std::string_view name, size_t least, size_t most) {
  const Field& field = field_of(name);
  const int index = push(field);
  std::vector<double> values;
  if (lua_isnil(state_, index)) {
    for (size_t count = least; count <= most && values.empty(); ++count) values = default_list(field.fallback, count);
  } else {
    const size_t length = lua_istable(state_, index) ? length_of(state_, index) : 0;
    if (length < least || length > most) {
      fail(std::string(name) + " must be a list of " + std::to_string(least) + " or " + std::to_string(most) +
           " numbers, got " + (lua_istable(state_, index) ? std::to_string(length) : described_value(state_, index)));
    }
    const Vector list = read_list(field, std::string(name), index, length);
    for (size_t i = 1; i <= list.size(); ++i) {
      lua_rawgeti(state_, index, static_cast<lua_Integer>(i));
      values.push_back(lua_tonumber(state_, -1));
      lua_pop(state_, 1);
    }
  }
  lua_settop(state_, index - 1);
  return values;
}

std::vector<Symbol> Args::inertia(std::string_view name) {
  const Field& field = field_of(name);
  const int index = push(field);
  require(field, index);
  const std::string label(name);
  std::vector<Symbol> result(6);
  const size_t length = lua_istable(state_, index) ? length_of(state_, index) : 0;
  bool rows = false;
  if (length == 3) {
    rows = lua_rawgeti(state_, index, 1) == LUA_TTABLE;
    lua_pop(state_, 1);
  }
  Field entries = field;  // products of inertia may be negative
  entries.range = Range::Finite;
  if (!lua_istable(state_, index) || (length != 3 && length != 6)) {
    fail(label + " must be {Jxx, Jyy, Jzz}, {Jxx, Jyy, Jzz, Jxy, Jxz, Jyz} or 3 rows of 3 numbers, got " +
         (lua_istable(state_, index) ? "a list of " + std::to_string(length) : described_value(state_, index)));
  }
  if (rows) {
    Symbol tensor[3][3];
    double values[3][3];
    for (size_t i = 0; i < 3; ++i) {
      lua_rawgeti(state_, index, static_cast<lua_Integer>(i) + 1);
      const Vector row = read_list(entries, label + "[" + std::to_string(i + 1) + "]", lua_gettop(state_), 3);
      for (size_t j = 0; j < 3; ++j) {
        tensor[i][j] = row[j];
        values[i][j] = model_->value(row[j].in(engine().graph()));
      }
      lua_pop(state_, 1);
    }
    for (size_t i = 0; i < 3; ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (values[i][j] != values[j][i]) fail(label + " must be symmetric");
      }
    }
    result = {tensor[0][0], tensor[1][1], tensor[2][2], tensor[0][1], tensor[0][2], tensor[1][2]};
  } else {
    const Vector values = read_list(entries, label, index, length);
    std::copy(values.begin(), values.end(), result.begin());
  }
  keep(field, index);
  lua_settop(state_, index - 1);
  return result;
}

Vector Args::axis(std::string_view name) {
  const Field& field = field_of(name);
  const int index = push(field);
  require(field, index);
  const auto dimension = static_cast<size_t>(engine().dimension());
  Vector result(dimension);
  if (lua_type(state_, index) == LUA_TSTRING) {
    const std::string letter = lua_tostring(state_, index);
    const size_t k = letter.size() == 1 ? static_cast<size_t>(letter[0] - 'x') : dimension;
    if (k >= dimension) fail_type(field, std::string(name), index);
    result[k] = Symbol(1.0);
  } else {
    if (!lua_istable(state_, index)) fail_type(field, std::string(name), index);
    result = read_list(field, std::string(name), index, dimension);
    double square = 0;
    for (const Symbol& component : result) {
      const double value = model_->value(component.in(engine().graph()));
      square += value * value;
    }
    if (!(square > 0)) fail(std::string(name) + " must not be the zero vector");
  }
  keep(field, index);
  lua_settop(state_, index - 1);
  return result;
}

size_t Args::letter(std::string_view name) {
  const std::string letter = text(name);
  if (letter != "x" && letter != "y" && letter != "z") {
    fail(std::string(name) + " must be \"x\", \"y\" or \"z\", got \"" + letter + "\"");
  }
  return static_cast<size_t>(letter[0] - 'x');
}

namespace {

std::vector<std::string> text_keys(lua_State* L, int index) {
  std::vector<std::string> keys;
  for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
    if (lua_type(L, -2) == LUA_TSTRING) keys.emplace_back(lua_tostring(L, -2));
  }
  return keys;
}

}  // namespace

std::optional<expr::Symbol> Args::entry(const Field& field, int index, const char* what) {
  lua_getfield(state_, index, what);
  std::optional<expr::Symbol> number;
  if (!lua_isnil(state_, -1)) number = read_number(field, std::string(field.name) + "." + what, lua_gettop(state_));
  lua_settop(state_, index);
  return number;
}

std::optional<model::Section> Args::section(std::string_view name) {
  const Field& field = field_of(name);
  const int index = value(name);
  if (index == 0) return std::nullopt;
  if (!lua_istable(state_, index)) fail_type(field, std::string(name), index);
  Field positive = field;
  positive.range = Range::Positive;
  const auto inner = [&](const char* what) { return entry(positive, index, what); };
  const std::optional<expr::Symbol> area = inner("area"), second_moment = inner("second_moment");
  if (!area || !second_moment) {
    fail(std::string(name) + " must be " + std::string(described(Type::Section)) + ", but has no field '" +
         (area ? "second_moment" : "area") + "'");
  }
  model::Section out{*area,
                     *second_moment,
                     inner("across"),
                     inner("fibre"),
                     inner("torsion_constant"),
                     inner("fibre_across"),
                     inner("torsion_modulus"),
                     {}};
  lua_getfield(state_, index, "shear");
  if (!lua_isnil(state_, -1)) out.shear = read_list(positive, std::string(name) + ".shear", lua_gettop(state_), 3);
  lua_settop(state_, index - 1);
  return out;
}

std::optional<model::Material> Args::material(std::string_view name) {
  const Field& field = field_of(name);
  const int index = value(name);
  if (index == 0) return std::nullopt;
  if (!lua_istable(state_, index)) fail_type(field, std::string(name), index);
  static const std::vector<std::string> known = {"young", "density", "poisson", "damping"};
  for (const std::string& key : text_keys(state_, index)) {  // a script may keep more in it, but no slip of these
    const std::string meant = closest(key, known);
    if (!meant.empty() && meant != key) {
      fail(std::string(name) + " has no field '" + key + "'" + did_you_mean(meant));
    }
  }
  Field positive = field, gentle = field, any = field;
  positive.range = Range::Positive;
  gentle.range = Range::NonNegative;
  any.range = Range::Finite;
  const std::optional<expr::Symbol> young = entry(positive, index, "young"),
                                    density = entry(positive, index, "density");
  if (!young || !density) {
    fail(std::string(name) + " must be " + std::string(described(Type::Material)) + ", but has no field '" +
         (young ? "density" : "young") + "'");
  }
  const model::Material out{*young, *density, entry(any, index, "poisson"), entry(gentle, index, "damping")};
  lua_settop(state_, index - 1);
  return out;
}

Object& Args::read_object(const Field& field, const std::string& label, int index) {
  Object* object = test_userdata<Object>(state_, index);
  const bool is_model = static_cast<bool>(test_model(state_, index));
  const bool is_vector = field.type == Type::FreeVector;
  const bool is_massive = field.type == Type::Massive;
  const bool fits = object && (is_vector       ? object->vector.has_value()
                               : object->place ? field.type == Type::Place || is_massive || object->is_body()
                                               : is_massive && (object->kind == "bar" || object->kind == "beam"));
  if (!fits) {
    const bool is_list = lua_istable(state_, index);
    const Field* on = entry_.find("on");
    const bool has_measure = on && on->type == Type::Measure;
    fail(label + " must be " + std::string(described(field.type)) + ", got " + described_value(state_, index) +
         (is_list && is_vector ? "; write m:vector { \"n\", direction = {...} }" : "") +
         (is_list && !is_vector && !is_massive ? "; write m:ground { at = {...} } for a fixed point" : "") +
         (is_model && !is_vector && !is_massive ? "; m.ground is the ground" : "") +
         (has_measure && object ? "; write on = ... for a joint" : "") +
         (has_measure && !object && test_userdata<Expression>(state_, index) ? "; write on = ... for an angle" : ""));
  }
  if (object->model != model_) {
    fail(object->title() + " belongs to " + other_title(*object->model, *model_));
  }
  try {
    object->check_present();
  } catch (const Error& error) {
    fail(label + ": " + error.what());
  }
  if (is_vector) return *object;
  const bool is_known =
      std::any_of(ends_.begin(), ends_.end(), [&label](const auto& end) { return end.first == label; });
  if (!is_known) {
    ends_.emplace_back(label, !object->place                                      ? object->name
                              : object->place->kind == model::Place::Kind::Ground ? "ground"
                                                                                  : object->place->name);
  }
  return *object;
}

Object& Args::object(std::string_view name) {
  const Field& field = field_of(name);
  const int index = push(field);
  require(field, index);
  Object& object = read_object(field, std::string(name), index);
  keep(field, index);
  lua_settop(state_, index - 1);  // the table of the call keeps it alive
  return object;
}

std::optional<model::FreeVector> Args::free_vector(std::string_view name) {
  if (!given(name)) return std::nullopt;
  return object(name).vector;
}

std::vector<Object*> Args::objects(std::string_view name) {
  const Field& field = field_of(name);
  std::vector<Object*> all{&object(name)};
  const auto first = static_cast<lua_Integer>(&field - entry_.positional.data()) + 1 + offset_;
  const auto last = static_cast<lua_Integer>(length_of(state_, table_));
  for (lua_Integer item = first + 1; item <= last; ++item) {
    lua_rawgeti(state_, table_, item);
    const int index = lua_gettop(state_);
    all.push_back(&read_object(field, std::string(name) + " [" + std::to_string(item) + "]", index));
    lua_settop(state_, index - 1);
  }
  return all;
}

std::vector<model::Place> Args::places(std::string_view name) {
  std::vector<model::Place> all;
  for (const Object* each : objects(name)) all.push_back(*each->place);
  return all;
}

}  // namespace perilune::lua
