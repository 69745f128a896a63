// SPDX-License-Identifier: MIT
#include "values/args.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/suggest.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "values/expression.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

using expr::Symbol;
using model::Vector;

namespace {

std::optional<double> parsed(std::string_view text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string ordinal(lua_Integer number) { return "item [" + std::to_string(number) + "]"; }

}  // namespace

Args::Args(lua_State* L) : state_(L), entry_(*static_cast<const Constructor*>(lua_touserdata(L, lua_upvalueindex(1)))) {
  const bool is_method = entry_.name.find(':') != entry_.name.npos;
  table_ = is_method ? 2 : 1;
  if (is_method) model_ = check_self(L, entry_.name);
  refuse_in_law(std::string(entry_.name));
  const bool needs_nothing = entry_.naming == Naming::None && entry_.positional.empty();
  if (lua_isnoneornil(L, table_) && (!is_method || needs_nothing)) {
    lua_settop(L, table_ - 1);
    lua_newtable(L);
  }
  if (!lua_istable(L, table_) || lua_gettop(L) > table_) {
    const std::string own = is_method ? "m:" + std::string(entry_.short_name()) : std::string(entry_.name);
    const std::string form = own + " { " + (entry_.naming == Naming::None ? "..." : "\"name\", ...") + " }";
    throw Error(std::string(entry_.short_name()) + " is called with one table, as in " + form +
                (lua_istable(L, table_) || lua_isnone(L, table_) ? "" : "; got " + described_value(L, table_)) +
                "\nmore: help \"" + std::string(entry_.object) + "\"");
  }
  lua_newtable(L);
  properties_ = lua_gettop(L);
  if (entry_.naming != Naming::None) {
    if (lua_rawgeti(L, table_, 1) == LUA_TSTRING) offset_ = 1;
    if (lua_getfield(L, table_, "name") != LUA_TNIL) {
      if (offset_ == 1) fail("the name is given twice: as the first item and as a field");
      if (lua_type(L, -1) != LUA_TSTRING) fail("the name must be a string, got " + described_value(L, -1));
      name_ = lua_tostring(L, -1);
    } else if (offset_ == 1) {
      name_ = lua_tostring(L, -2);
    } else if (entry_.naming == Naming::Required) {
      if (!lua_isnil(L, -2)) fail("the name must be a string, got " + described_value(L, -2));
      fail("the name is missing; it is the first item, as in " + std::string(entry_.short_name()) +
           " { \"name\", ... }");
    }
    const bool named = offset_ == 1 || !lua_isnil(L, -1);
    lua_pop(L, 2);
    // Parameters have no signals, so that the paths of numbers in files, such as "arm.pos.x", can be their names.
    const bool may_have_dots = entry_.name == "model:param";
    if (named && (name_.empty() || name_.find_first_of(may_have_dots ? "\"\n" : ".\"\n") != name_.npos)) {
      fail(may_have_dots ? "a name must not be empty and must not contain quotes"
                         : "a name must not be empty and must not contain '.' or quotes");
    }
  }
  if (model_) {
    mark_position();
    if (const ModelData::Declared* other = name_.empty() ? nullptr : model_->find(name_)) {
      fail("the name is taken by the " + other->kind + " defined at " + other->defined_at);
    }
  }
  check_keys();
}

void Args::mark_position() const {
  const std::string position = script_line(state_);
  engine().record().defined_at = position;
  engine().graph().set_origin(position);
}

void Args::adopt(const ModelPtr& model) {
  if (model_) return;
  model_ = model;
  mark_position();
}

void Args::check_keys() {
  const auto listed = static_cast<lua_Integer>(entry_.positional.size()) + offset_;
  std::string unknown;  // the first in alphabetical order: the same message in every run
  lua_pushnil(state_);
  while (lua_next(state_, table_)) {
    lua_pop(state_, 1);
    if (lua_type(state_, -1) == LUA_TSTRING) {
      const std::string key = lua_tostring(state_, -1);
      const bool known = entry_.find(key) || (key == "name" && entry_.naming != Naming::None);
      if (!known && (unknown.empty() || key < unknown)) unknown = key;
    } else if (!lua_isinteger(state_, -1)) {
      fail("a field is named by " + described_value(state_, -1) + "; expected a word");
    } else if (const lua_Integer item = lua_tointeger(state_, -1); item < 1 || (item > listed && !entry_.repeats)) {
      lua_rawgeti(state_, table_, item);
      const bool has_names_only = entry_.positional.empty() && !entry_.fields.empty();
      const std::string advice =
          has_names_only ? "; write " + std::string(entry_.fields.front().name) + " = ..., all fields have names" : "";
      fail("unexpected " + ordinal(item) + ", " + described_value(state_, -1) + advice);
    }
  }
  if (unknown.empty()) return;
  const std::vector<std::string_view> names = entry_.field_names();
  if (unknown == "maximize" && entry_.find("minimize")) {  // the nearest word is the wrong one
    fail("there is no maximize here; give minimize = -x, whose values have the opposite sign");
  }
  fail("unknown field '" + unknown + "'" + did_you_mean(closest(unknown, names)) + "\nfields of " +
       std::string(entry_.object) + ": " + entry_.field_list() + "      more: help \"" + std::string(entry_.object) +
       "\"");
}

void Args::fail(const std::string& problem) const { throw Error(title() + ": " + problem); }

std::string Args::title() const {
  const std::string object(entry_.object);
  return name_.empty() ? object : object + " \"" + name_ + "\"";
}

const std::string& Args::name() {
  if (name_.empty() && model_) name_ = model_->make_name(entry_.object);
  return name_;
}

const Field& Args::field_of(std::string_view field) const {
  const Field* found = entry_.find(field);
  if (!found) {
    throw std::logic_error("internal error: " + std::string(entry_.name) + " reads the field '" + std::string(field) +
                           "', which its schema lacks");
  }
  return *found;
}

int Args::push(const Field& field) {
  read_.emplace(field.name);
  luaL_checkstack(state_, LUA_MINSTACK, "too many fields");
  lua_pushlstring(state_, field.name.data(), field.name.size());
  lua_rawget(state_, table_);
  const Field* first = entry_.positional.data();
  if (first && &field >= first && &field < first + entry_.positional.size()) {
    const auto item = static_cast<lua_Integer>(&field - first) + 1 + offset_;
    lua_rawgeti(state_, table_, item);
    if (!lua_isnil(state_, -1) && !lua_isnil(state_, -2)) {
      fail(std::string(field.name) + " is given twice: as " + ordinal(item) + " and as a field");
    }
    if (lua_isnil(state_, -1)) {
      lua_pop(state_, 1);
    } else {
      lua_remove(state_, -2);
    }
  }
  return lua_gettop(state_);
}

bool Args::given(std::string_view field) {
  const bool given = !lua_isnil(state_, push(field_of(field)));
  lua_pop(state_, 1);
  return given;
}

void Args::require(const Field& field, int index) const {
  if (lua_isnil(state_, index)) fail_missing(field.name);
}

void Args::fail_missing(std::string_view name) const {
  const Field& field = field_of(name);
  const std::string unit = field.unit.empty() || field.unit == unitless ? "" : ", " + std::string(field.unit);
  fail(std::string(field.name) + " is missing (" + std::string(described(field.type)) + unit + ")\nfields of " +
       std::string(entry_.object) + ": " + entry_.field_list() + "      more: help \"" + std::string(entry_.object) +
       "\"");
}

void Args::fail_type(const Field& field, const std::string& label, int index) const {
  const bool component = label != field.name;
  const Object* object = test_userdata<Object>(state_, index);
  const bool has_nodes = object && object->kind == "beam" && !component;
  const bool measures = object && (field.type == Type::Integrand || field.type == Type::Measure);
  const std::vector<std::string> signals = measures ? own_signals(*object) : std::vector<std::string>();
  fail(label + " must be " + (component ? "a number" : std::string(described(field.type))) + ", got " +
       described_value(state_, index) +
       (has_nodes
            ? "; its nodes are places: .first, .last and .nodes[k], and so is any :point { share } of a slender one"
            : "") +
       (signals.empty() ? "" : "; its signals can stand there, such as " + object->name + "." + signals.front()));
}

void Args::keep(const Field& field, int index) {
  lua_pushvalue(state_, index);
  copy_list(state_);
  lua_setfield(state_, properties_, std::string(field.name).c_str());
}

void Args::keep_default(const Field& field, double value) {
  lua_pushnumber(state_, value);
  lua_setfield(state_, properties_, std::string(field.name).c_str());
}

Symbol Args::read_number(const Field& field, const std::string& label, int index) {
  double value = 0;
  Symbol result;
  if (lua_type(state_, index) == LUA_TNUMBER) {
    value = lua_tonumber(state_, index);
    result = Symbol(value);
  } else if (const Expression* expression = test_userdata<Expression>(state_, index)) {
    if (!model_) model_ = expression->model;
    if (expression->model != model_) {
      fail(label + " uses " + described_value(state_, index) + " of " + other_title(*expression->model, *model_));
    }
    expr::Graph& graph = engine().graph();
    if (const expr::NodeId read = model_->state_dependence(expression->node); read != expr::no_node) {
      fail(label + " must not depend on the state, but reads " + graph.to_string(read) +
           "; use a force law for what changes during motion");
    }
    value = model_->value(expression->node);
    result = Symbol(graph, expression->node);
  } else {
    fail_type(field, label, index);
  }
  if (const char* wrong = range_fault(field.range, value)) {
    const Expression* expression = test_userdata<Expression>(state_, index);
    fail(label + " " + wrong + ", got " + (expression ? engine().graph().to_string(expression->node) + " = " : "") +
         number_text(value));
  }
  return result;
}

double Args::value_of(const Symbol& number) const {
  expr::Graph numbers;  // where nothing symbolic was given
  return model_ ? model_->value(number.in(engine().graph())) : numbers.constant_value(number.in(numbers));
}

std::optional<Symbol> Args::optional_number(std::string_view name) {
  const Field& field = field_of(name);
  const int index = push(field);
  std::optional<Symbol> result;
  if (!lua_isnil(state_, index)) {
    result = read_number(field, std::string(name), index);
    check_dimension(field, std::string(name), index);
    keep(field, index);
  } else if (field.required) {
    require(field, index);
  } else if (const auto value = parsed(field.fallback)) {
    result = Symbol(*value);
    keep_default(field, *value);
  }
  lua_settop(state_, index - 1);
  return result;
}

Symbol Args::number(std::string_view field) {
  const std::optional<Symbol> value = optional_number(field);
  if (!value) {
    throw std::logic_error("internal error: the field '" + std::string(field) + "' of " + std::string(entry_.name) +
                           " has no default");
  }
  return *value;
}

double Args::plain_number(std::string_view name) {
  const Field& field = field_of(name);
  const int index = push(field);
  double value = 0;
  if (lua_isnil(state_, index) && !field.required) {
    const auto fallback = parsed(field.fallback);
    if (!fallback) throw std::logic_error("internal error: no default for '" + std::string(name) + "'");
    value = *fallback;
    keep_default(field, value);
  } else {
    require(field, index);
    if (lua_type(state_, index) != LUA_TNUMBER) fail_type(field, std::string(name), index);
    read_number(field, std::string(name), index);
    value = lua_tonumber(state_, index);
    keep(field, index);
  }
  lua_settop(state_, index - 1);
  return value;
}

double Args::whole_number(std::string_view name, double most) {
  const double value = plain_number(name);
  if (value != std::floor(value)) fail(std::string(name) + " must be an integer, got " + number_text(value));
  if (std::fabs(value) > most) {
    fail(std::string(name) + " must be an integer " + (value > 0 ? "of at most " : "of at least -") +
         std::to_string(static_cast<long long>(most)) + ", got " + number_text(value));
  }
  return value;
}

int Args::integer(std::string_view name) {
  return static_cast<int>(whole_number(name, std::numeric_limits<int>::max()));
}

std::uint64_t Args::seed(std::string_view name) {
  constexpr double exact = 9007199254740991;  // beyond it two seeds may be one number
  const double value = whole_number(name, exact);
  if (value < 0) fail(std::string(name) + " must not be negative, got " + number_text(value));
  return static_cast<std::uint64_t>(value);
}

std::string Args::text(std::string_view name) {
  const Field& field = field_of(name);
  const int index = push(field);
  std::string result(field.fallback);
  if (!lua_isnil(state_, index) || field.required) {
    require(field, index);
    if (lua_type(state_, index) != LUA_TSTRING) fail_type(field, std::string(name), index);
    result = lua_tostring(state_, index);
    keep(field, index);
  }
  lua_settop(state_, index - 1);
  return result;
}

bool Args::boolean(std::string_view name) {
  const Field& field = field_of(name);
  const int index = push(field);
  bool result = field.fallback == "true";
  if (!lua_isnil(state_, index)) {
    if (!lua_isboolean(state_, index)) fail_type(field, std::string(name), index);
    result = lua_toboolean(state_, index);
    keep(field, index);
  }
  lua_settop(state_, index - 1);
  return result;
}

int Args::value(std::string_view name) {
  const Field& field = field_of(name);
  const int index = push(field);
  if (!lua_isnil(state_, index)) return index;
  if (field.required) require(field, index);
  lua_pop(state_, 1);
  return 0;
}

void Args::fail_value(std::string_view name, int index) const { fail_type(field_of(name), std::string(name), index); }

int Args::function(std::string_view name) {
  const Field& field = field_of(name);
  const int index = value(name);
  if (index == 0) return 0;
  if (!lua_isfunction(state_, index)) fail_type(field, std::string(name), index);
  keep(field, index);
  return index;
}

void Args::check_all_read() const {
  for (const auto* list : {&entry_.positional, &entry_.fields}) {
    for (const Field& field : *list) {
      if (read_.contains(field.name)) continue;
      throw std::logic_error("internal error: " + std::string(entry_.name) + " never reads the field '" +
                             std::string(field.name) + "' of its schema");
    }
  }
}

Object& Args::finish(std::optional<model::Place> place) {
  check_all_read();
  if (!model_) throw std::logic_error("internal error: " + std::string(entry_.name) + " has no model");
  const std::string own_name = name(), position = script_line(state_);
  // A marker's place keeps the name of its body.
  if (place && place->kind == model::Place::Kind::Ground) place->name = own_name;
  ModelData& data = *model_;
  ModelData::Declared declared{std::string(entry_.object), own_name, position};
  for (const auto& [field, end] : ends_) declared.ends.push_back(end);
  data.declare(std::move(declared));
  Object& object = push_object(state_, {model_, std::string(entry_.object), own_name, position, std::move(place)});
  lua_pushvalue(state_, properties_);
  lua_setiuservalue(state_, -2, 1);
  remember(state_, model_, own_name);
  return object;
}

}  // namespace perilune::lua
