// SPDX-License-Identifier: MIT
// The parts of Args that read solids: mass properties, and what pictures show.
#include <algorithm>

#include "base/userdata.hpp"
#include "error.hpp"
#include "values/args.hpp"

namespace perilune::lua {

// Of the table of a solid: none where it has no shape.
std::vector<model::Shape> Args::read_shape(const std::string& label, int index) {
  lua_getfield(state_, index, "shape");
  std::vector<model::Shape> shapes;
  if (const SolidShape* shape = test_userdata<SolidShape>(state_, -1)) {
    if (!model_) model_ = shape->model;
    if (shape->model && shape->model != model_) fail(label + ".shape belongs to another model");
    shapes = shape->shapes;
  } else if (!lua_isnil(state_, -1)) {
    fail(label + ".shape must be the shape of a solid such as mbs.box, got " + described_value(state_, -1));
  }
  lua_pop(state_, 1);
  return shapes;
}

std::vector<model::Shape> Args::shapes(std::string_view name) {
  const Field& field = field_of(name);
  const int index = push(field);
  if (!lua_istable(state_, index)) fail_type(field, std::string(name), index);
  std::vector<model::Shape> shapes;
  const auto count = static_cast<lua_Integer>(lua_rawlen(state_, index));
  for (lua_Integer k = count > 0 ? 1 : 0; k <= count; ++k) {
    check_interrupt();
    std::string label{name};
    if (k > 0) {
      lua_rawgeti(state_, index, k);
      label += "[" + std::to_string(k) + "]";
    }
    std::vector<model::Shape> more;
    if (lua_istable(state_, -1)) more = read_shape(label, lua_gettop(state_));
    if (more.empty()) {
      fail(label + " must be a solid such as mbs.box { size = {0.2, 0.1, 0.1} } or mbs.mesh { \"part.stl\" }, got " +
           described_value(state_, -1));
    }
    shapes.insert(shapes.end(), more.begin(), more.end());
    lua_settop(state_, index);
  }
  keep(field, index);
  lua_settop(state_, index - 1);
  return shapes;
}

model::Solid Args::read_solid(const Field& field, const std::string& label, int index) {
  if (!lua_istable(state_, index)) fail_type(field, std::string(field.name), index);
  Field entries = field;
  const auto inner = [&](const char* what) {
    lua_getfield(state_, index, what);
    if (lua_isnil(state_, -1)) {
      lua_getfield(state_, index, "shape");
      if (test_userdata<SolidShape>(state_, -1)) {
        fail(label + " has no " + what + ", as it was given neither mass nor density: so it is for pictures alone");
      }
      fail(label + " must be " + std::string(described(Type::Solid)) + ", but has no field '" + what + "'");
    }
    return lua_gettop(state_);
  };
  model::Solid solid;
  entries.range = Range::Positive;
  solid.mass = read_number(entries, label + ".mass", inner("mass"));
  entries.range = Range::Finite;
  solid.center_of_mass = read_list(entries, label + ".center_of_mass", inner("center_of_mass"), 3);
  solid.inertia = read_list(entries, label + ".inertia", inner("inertia"), 6);
  solid.shapes = read_shape(label, index);
  lua_settop(state_, index);
  return solid;
}

model::Solid Args::solid(std::string_view name) {
  const Field& field = field_of(name);
  const int index = push(field);
  require(field, index);
  model::Solid solid = read_solid(field, std::string(name), index);
  for (const char* what : {"mass", "center_of_mass", "inertia"}) {  // what can be asked of the object
    lua_getfield(state_, index, what);
    copy_list(state_);
    lua_setfield(state_, properties_, what);
  }
  lua_settop(state_, index - 1);
  return solid;
}

std::vector<model::Solid> Args::solids(std::string_view name) {
  const Field& field = field_of(name);
  lua_settop(state_, push(field) - 1);  // a field of the schema has to be read
  const auto first = static_cast<lua_Integer>(&field - entry_.positional.data()) + 1 + offset_;
  const auto last = static_cast<lua_Integer>(lua_rawlen(state_, table_));
  std::vector<model::Solid> all;
  if (last >= first) all.reserve(static_cast<std::size_t>(last - first) + 1);
  for (lua_Integer item = first; item <= last; ++item) {
    check_interrupt();
    lua_rawgeti(state_, table_, item);
    const int index = lua_gettop(state_);
    all.push_back(read_solid(field, std::string(name) + " [" + std::to_string(item) + "]", index));
    lua_settop(state_, index - 1);
  }
  if (all.empty()) fail_missing(name);
  return all;
}

}  // namespace perilune::lua
