// SPDX-License-Identifier: MIT
#include "studies/mode_page.hpp"

#include <algorithm>
#include <sstream>

#include "base/guard.hpp"
#include "base/table_fields.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "runs/experiment.hpp"
#include "runs/run.hpp"

namespace perilune::lua {

namespace {

constexpr const char* motion_key = "small motion";  // in the metatable
constexpr std::size_t most_unasked = 6;

int linearization_text(lua_State* L) {
  require_table(L);
  lua_getfield(L, 1, "text");
  return 1;
}

std::size_t mode_at(lua_State* L, const SmallMotion& motion, int index) {
  const std::size_t count = motion.found.modes.size();
  if (!lua_isinteger(L, index)) {
    throw Error("animate: a mode is a whole number, or a list of them, got " + described_value(L, index));
  }
  const lua_Integer number = lua_tointeger(L, index);
  if (number < 1 || number > static_cast<lua_Integer>(count)) {
    throw Error("animate: there is no mode " + std::to_string(number) + "; the linearization has " +
                (count == 1 ? std::string("one, which is mode 1") : std::to_string(count) + ", from 1 on"));
  }
  return static_cast<std::size_t>(number - 1);
}

std::vector<std::size_t> modes_at(lua_State* L, const SmallMotion& motion, int index) {
  std::vector<std::size_t> out;
  if (lua_isnil(L, index)) {
    for (std::size_t k = 0; k < std::min(motion.found.modes.size(), most_unasked); ++k) out.push_back(k);
    if (out.empty()) throw Error("animate: there are no modes, as the mechanism has no freedom");
    return out;
  }
  if (!lua_istable(L, index)) return {mode_at(L, motion, index)};
  for (lua_Integer k = 1; lua_rawgeti(L, index, k) != LUA_TNIL; ++k) {
    const std::size_t mode = mode_at(L, motion, lua_gettop(L));
    if (std::find(out.begin(), out.end(), mode) != out.end()) {
      throw Error("animate: mode " + std::to_string(mode + 1) + " is in the list twice");
    }
    out.push_back(mode);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  if (out.empty()) throw Error("animate: the list of modes is empty");
  return out;
}

int animate(lua_State* L) {
  lua_settop(L, 3);
  const SmallMotion* motion = nullptr;
  if (lua_istable(L, 1) && lua_getmetatable(L, 1)) {
    lua_pushstring(L, motion_key);
    lua_rawget(L, -2);
    motion = test_userdata<SmallMotion>(L, -1);
  }
  if (!motion) {
    throw Error("animate is a method of what m:linearize returns: write small:animate(file, mode) with a colon");
  }
  const std::string path = check_path(L, "animate");
  std::ostringstream page;  // complete before the file is touched
  output::write_mode_page(motion->state, motion->found, modes_at(L, *motion, 3), page);
  write_moving_page(path, page.str());
  return 0;
}

}  // namespace

void keep_for_animation(lua_State* L, SmallMotion motion) {
  lua_createtable(L, 0, 4);
  lua_pushcfunction(L, guarded<linearization_text>);
  lua_setfield(L, -2, "__tostring");
  lua_pushstring(L, "perilune.modes");
  lua_setfield(L, -2, "__name");
  push_methods(L, "linearization");
  lua_setfield(L, -2, "__index");
  push_metatable<SmallMotion>(L, "small_motion");
  lua_pop(L, 1);
  push_userdata(L, "small_motion", std::move(motion));
  lua_setfield(L, -2, motion_key);
  lua_setmetatable(L, -2);
}

std::span<const Function> linearization_functions() {
  static const std::vector<Function> functions = {
      {.name = "linearization:animate",
       .signature = "linearization:animate(file, modes)",
       .arguments = {{"file", "string", "to be written", unitless},
                     {"modes", "number | number[]", "which; the first six at most", unitless}},
       .summary =
           "Writes a page as run:view does, in which the mechanism, bodies and beams, swings in a mode of what\n"
           "m:linearize returned, about its position, which is grey: what moves most moves by a tenth of the\n"
           "mechanism's size. Parts that move with different phases do so. Of several modes one is chosen on the\n"
           "page; a table has their frequencies and damping ratios. Modes that do not oscillate are shown to both\n"
           "sides. Beams are coloured by how far they move.",
       .example =
           "local mbs = require \"perilune\"\n"
           "local m = mbs.model { \"cantilever\", gravity = {0, 0} }\n"
           "local arm = m:beam { \"arm\", from = {0, 0}, to = {1, 0}, elements = 6, young = 7e10, density = 2700,\n"
           "  section = mbs.rectangular_section { width = 0.02 } }\n"
           "m:clamp { arm.first, m.ground }\n"
           "m:linearize {}:animate(os.tmpname(), {1, 2, 3})",
       .see_also = {"linearize", "view", "sketch"},
       .function = guarded<animate>}};
  return functions;
}

}  // namespace perilune::lua
