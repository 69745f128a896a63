// SPDX-License-Identifier: MIT
// Lua values without behaviour: what passes between the process of a student's script and that of the checks. They are
// read without any metamethod, so nothing that a script made runs on the other side.
#pragma once
#include <cstdint>
#include <lua.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace perilune::lua {

struct Plain {
  /// Functions, userdata and coroutines: only what they are is known.
  struct Opaque {
    std::string type;
  };
  struct Item;
  using Items = std::vector<Item>;
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Opaque, Items> value;
};

/// A key of a table and what it has there.
struct Plain::Item {
  Item(Plain k, Plain v) : key(std::move(k)), value(std::move(v)) {}
  Plain key, value;
};

/// Throws Error if a table is nested more than 8 deep or there are more than 100,000 values or 1 MiB of text.
Plain read_plain(lua_State* L, int index);
/// Pushes one value; an opaque one as a table { type = ... } with the registry's metatable "perilune.opaque".
void push_plain(lua_State* L, const Plain& value);

/// What the value is as a number; NaN if it is none.
double number_of(const Plain& value);

std::string encode(const Plain& value);
/// Throws Error if the text is not what `encode` writes.
Plain decode(const std::string& text);

}  // namespace perilune::lua
