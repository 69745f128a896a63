// SPDX-License-Identifier: MIT
#include "exercise/plain.hpp"

#include <cmath>
#include <cstring>

#include "error.hpp"

namespace perilune::lua {

namespace {

constexpr int deepest = 8;
constexpr std::size_t most_values = 100'000, most_text = 1 << 20;

struct Budget {
  std::size_t values = 0, text = 0;

  void spend(std::size_t bytes) {
    text += bytes;
    if (++values > most_values || text > most_text) throw Error("the answers are too long: hand in what is asked for");
  }
};

Plain read(lua_State* L, int index, int depth, Budget& budget) {
  if (depth > deepest) throw Error("the answers have tables within tables more than 8 deep; does one contain itself?");
  luaL_checkstack(L, 4, nullptr);
  index = lua_absindex(L, index);
  budget.spend(0);
  switch (lua_type(L, index)) {
    case LUA_TNIL:
      return {};
    case LUA_TBOOLEAN:
      return {lua_toboolean(L, index) != 0};
    case LUA_TNUMBER:
      if (lua_isinteger(L, index)) return {static_cast<std::int64_t>(lua_tointeger(L, index))};
      return {lua_tonumber(L, index)};
    case LUA_TSTRING: {
      std::size_t size = 0;
      const char* text = lua_tolstring(L, index, &size);
      budget.spend(size);
      return {std::string(text, size)};
    }
    case LUA_TTABLE: {
      Plain::Items items;
      lua_pushnil(L);
      while (lua_next(L, index)) {
        Plain key = read(L, -2, depth + 1, budget);
        items.emplace_back(std::move(key), read(L, -1, depth + 1, budget));
        lua_pop(L, 1);
      }
      return {std::move(items)};
    }
    default:
      return {Plain::Opaque{luaL_typename(L, index)}};
  }
}

// A letter for the type, then 8 bytes of value or length, then the content.
template <class T>
void put(std::string& out, char letter, T number) {
  static_assert(sizeof number == 8);
  char bytes[8];
  std::memcpy(bytes, &number, 8);
  out.push_back(letter);
  out.append(bytes, 8);
}

void put(std::string& out, const Plain& value) {
  if (std::holds_alternative<std::monostate>(value.value)) put(out, 'n', std::int64_t{0});
  if (const auto* b = std::get_if<bool>(&value.value)) put(out, 'b', std::int64_t{*b});
  if (const auto* i = std::get_if<std::int64_t>(&value.value)) put(out, 'i', *i);
  if (const auto* d = std::get_if<double>(&value.value)) put(out, 'd', *d);
  if (const auto* s = std::get_if<std::string>(&value.value)) {
    put(out, 's', static_cast<std::int64_t>(s->size()));
    out += *s;
  }
  if (const auto* opaque = std::get_if<Plain::Opaque>(&value.value)) {
    put(out, 'o', static_cast<std::int64_t>(opaque->type.size()));
    out += opaque->type;
  }
  if (const auto* items = std::get_if<Plain::Items>(&value.value)) {
    put(out, 't', static_cast<std::int64_t>(items->size()));
    for (const auto& [key, item] : *items) {
      put(out, key);
      put(out, item);
    }
  }
}

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  Plain value(int depth = 0) {
    if (depth > 4 * deepest) fail();
    const char letter = take(1)[0];
    const char* bytes = take(8);
    std::int64_t number = 0;
    std::memcpy(&number, bytes, 8);
    switch (letter) {
      case 'n':
        return {};
      case 'b':
        return {number != 0};
      case 'i':
        return {number};
      case 'd': {
        double real = 0;
        std::memcpy(&real, bytes, 8);
        return {real};
      }
      case 's':
        return {text(number)};
      case 'o':
        return {Plain::Opaque{text(number)}};
      case 't':
        return table(number, depth);
      default:
        fail();
    }
  }

  bool at_end() const { return position_ == text_.size(); }
  [[noreturn]] static void fail() { throw Error("the answers did not arrive whole"); }

 private:
  const char* take(std::size_t count) {
    if (count > text_.size() - position_) fail();
    position_ += count;
    return text_.data() + position_ - count;
  }

  std::string text(std::int64_t size) {
    if (size < 0) fail();
    return {take(static_cast<std::size_t>(size)), static_cast<std::size_t>(size)};
  }

  Plain table(std::int64_t count, int depth) {
    Plain::Items items;
    for (std::int64_t i = 0; i < count; ++i) {
      Plain key = value(depth + 1);
      items.emplace_back(std::move(key), value(depth + 1));
    }
    return {std::move(items)};
  }

  const std::string& text_;
  std::size_t position_ = 0;
};

}  // namespace

Plain read_plain(lua_State* L, int index) {
  Budget budget;
  return read(L, index, 0, budget);
}

void push_plain(lua_State* L, const Plain& value) {
  luaL_checkstack(L, 4, nullptr);
  if (std::holds_alternative<std::monostate>(value.value)) lua_pushnil(L);
  if (const auto* b = std::get_if<bool>(&value.value)) lua_pushboolean(L, *b);
  if (const auto* i = std::get_if<std::int64_t>(&value.value)) lua_pushinteger(L, *i);
  if (const auto* d = std::get_if<double>(&value.value)) lua_pushnumber(L, *d);
  if (const auto* s = std::get_if<std::string>(&value.value)) lua_pushlstring(L, s->data(), s->size());
  if (const auto* opaque = std::get_if<Plain::Opaque>(&value.value)) {
    lua_createtable(L, 0, 1);
    lua_pushlstring(L, opaque->type.data(), opaque->type.size());
    lua_setfield(L, -2, "type");
    luaL_newmetatable(L, "perilune.opaque");
    lua_setmetatable(L, -2);
  }
  if (const auto* items = std::get_if<Plain::Items>(&value.value)) {
    lua_newtable(L);
    for (const auto& [key, item] : *items) {
      const auto* real = std::get_if<double>(&key.value);
      if (std::holds_alternative<std::monostate>(key.value) || (real && *real != *real)) continue;
      push_plain(L, key);
      push_plain(L, item);
      lua_rawset(L, -3);
    }
  }
}

double number_of(const Plain& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value.value)) return static_cast<double>(*integer);
  const auto* real = std::get_if<double>(&value.value);
  return real ? *real : NAN;
}

std::string encode(const Plain& value) {
  std::string text;
  put(text, value);
  return text;
}

Plain decode(const std::string& text) {
  Reader reader(text);
  Plain value = reader.value();
  if (!reader.at_end()) Reader::fail();
  return value;
}

}  // namespace perilune::lua
