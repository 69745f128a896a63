// SPDX-License-Identifier: MIT
#include "session/complete.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "base/guard.hpp"
#include "perilune.hpp"
#include "session/locals.hpp"
#include "words/words.hpp"

namespace perilune::lua {

namespace {

constexpr int most_metatables = 8;

constexpr std::array<std::string_view, 22> keywords = {
    "and", "break", "do",  "else", "elseif", "end",    "false",  "for",  "function", "goto",  "if",
    "in",  "local", "nil", "not",  "or",     "repeat", "return", "then", "true",     "until", "while"};

// A part of a word such as "math.floor" or "m:spring".
bool is_name_part(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == ':';
}

// Pushes what the value on top has by __index: that table, or else the methods of an object whose __index is a
// function.
bool push_members(lua_State* L) {
  const int type = luaL_getmetafield(L, -1, "__index");
  if (type == LUA_TNIL) return false;
  if (type != LUA_TFUNCTION) return true;
  lua_pop(L, 1);
  return luaL_getmetafield(L, -1, "methods") != LUA_TNIL;
}

// Replaces the value on top by its field, looking through __index tables and objects of the module; nil if it takes
// more than that.
void raw_field(lua_State* L, std::string_view name) {
  if (!member_names(L, -1).empty()) {
    lua_getfield(L, -1, std::string(name).c_str());
    lua_remove(L, -2);
    return;
  }
  for (int i = 0; i < most_metatables; ++i) {
    if (lua_istable(L, -1)) {
      lua_pushlstring(L, name.data(), name.size());
      lua_rawget(L, -2);
      if (!lua_isnil(L, -1)) break;
      lua_pop(L, 1);
    }
    if (!push_members(L)) {
      lua_pushnil(L);
      break;
    }
    lua_remove(L, -2);
  }
  lua_remove(L, -2);
}

// Adds the fields of the value on top, and pops it.
void collect(lua_State* L, std::string_view beginning, bool only_functions, std::set<std::string>& names) {
  if (!only_functions) {
    for (const std::string& name : member_names(L, -1)) {
      if (name.starts_with(beginning)) names.insert(name);
    }
  }
  const bool has_fields = !names.empty();  // of an object: its methods follow a colon
  for (int i = 0; i < most_metatables && !has_fields; ++i) {
    if (lua_istable(L, -1)) {
      lua_pushnil(L);
      while (lua_next(L, -2)) {
        const bool fits = !only_functions || lua_isfunction(L, -1);
        lua_pop(L, 1);
        if (!fits || lua_type(L, -1) != LUA_TSTRING) continue;
        const std::string_view name = lua_tostring(L, -1);
        if (name.starts_with(beginning)) names.emplace(name);
      }
    }
    if (!push_members(L)) break;
    lua_remove(L, -2);
  }
  lua_pop(L, 1);
}

std::string_view last_word(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0 && is_name_part(text[begin - 1])) --begin;
  return text.substr(begin);
}

std::string_view without_blanks(std::string_view text) { return text.substr(0, text.find_last_not_of(" \t\n") + 1); }

// What the end of a text is in the middle of.
struct Context {
  std::vector<size_t> open;                       // positions of the brackets that are not closed
  size_t string_begins = std::string_view::npos;  // after the quote
  char last = 0;                                  // neither blank nor part of a comment or string
  bool in_string() const { return string_begins != std::string_view::npos; }
};

Context context_of(std::string_view text) {
  Context found;
  for (size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (text.substr(k).starts_with("--")) {
      k = std::min(text.find('\n', k), text.size());
      continue;
    }
    if (c != ' ' && c != '\t' && c != '\n') found.last = c;
    if (c == '"' || c == '\'') {
      const size_t begin = k + 1;
      for (++k; k < text.size() && text[k] != c; ++k) k += text[k] == '\\';
      if (k >= text.size()) found.string_begins = begin;
    } else if (c == '{' || c == '(' || c == '[') {
      found.open.push_back(k);
    } else if ((c == '}' || c == ')' || c == ']') && !found.open.empty()) {
      found.open.pop_back();
    }
  }
  return found;
}

// The name before the bracket, looking through a parenthesis: "m:spring" of "m:spring({".
std::string_view called_at(std::string_view text, size_t bracket) {
  std::string_view call = without_blanks(text.substr(0, bracket));
  if (call.ends_with('(')) call = without_blanks(call.substr(0, call.size() - 1));
  return last_word(call);
}

// Fields that can stand where the word does.
std::vector<std::string> fields_at(std::string_view text, std::string_view word) {
  const std::string_view before = text.substr(0, text.size() - word.size());
  const Context context = context_of(before);
  if (context.open.empty() || before[context.open.back()] != '{') return {};
  if (context.last != '{' && context.last != ',') return {};  // the middle of an item
  std::vector<std::string> fields;
  for (const std::string& field : constructor_fields(called_at(before, context.open.back()))) {
    if (field.starts_with(word)) fields.push_back(field);
  }
  std::sort(fields.begin(), fields.end());
  if (fields.size() == 1) fields[0] += " = ";
  return fields;
}

// Files whose path begins so: the names of the last part, folders with a slash.
Completion files_at(std::string_view path, char quote) {
  namespace fs = std::filesystem;
  const size_t slash = path.rfind('/');
  const std::string_view beginning = slash == path.npos ? path : path.substr(slash + 1);
  const fs::path folder = slash == path.npos ? fs::path(".") : fs::path(path.substr(0, slash + 1));
  Completion found{beginning.size(), {}};
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
    std::string name = entry->path().filename().string();
    if (!name.starts_with(beginning) || (name[0] == '.' && beginning.empty())) continue;
    std::error_code ignored;
    if (entry->is_directory(ignored)) name += '/';
    found.names.push_back(std::move(name));
  }
  std::sort(found.names.begin(), found.names.end());
  if (found.names.size() == 1 && found.names[0].back() != '/') found.names[0] += quote;
  return found;
}

// True if the string is the first argument of a method that writes a file.
bool names_a_file(std::string_view before, std::string_view method) {
  static constexpr std::array<std::string_view, 4> writers = {"csv", "json", "svg", "view"};
  if (std::find(writers.begin(), writers.end(), method) == writers.end()) return false;
  return without_blanks(before).ends_with('(') || last_word(without_blanks(before)).ends_with(method);
}

// Of words of mechanics there are too many to list all of them where nothing is typed.
std::vector<std::string> topics_at(std::string_view typed) {
  std::vector<std::string> names = help_topics();
  for (const Word* word : all_words()) {
    for (const std::string_view name : names_of(*word)) {
      if (!typed.empty()) names.emplace_back(name);
    }
  }
  return names;
}

// What the string that begins after `before` can be, in a call of a method of the module's objects or of help.
std::vector<std::string> string_candidates(lua_State* L, std::string_view before, std::string_view typed) {
  std::vector<std::string_view> calls{last_word(without_blanks(before))};
  Context context = context_of(before);
  for (; !context.open.empty(); context.open.pop_back()) calls.push_back(called_at(before, context.open.back()));
  for (const std::string_view call : calls) {
    const size_t separator = call.find_last_of(".:");
    const std::string_view name = call.substr(separator + 1);  // npos + 1 is 0
    if (name == "help" || name == "apropos") return topics_at(typed);
    if (separator == call.npos || call[separator] != ':') continue;
    if (names_a_file(before, name)) return {};
    push_path(L, call.substr(0, separator));
    std::vector<std::string> names = signal_names(L, -1);
    lua_pop(L, 1);
    if (!names.empty()) return names;
  }
  return {};
}

Completion in_string(lua_State* L, std::string_view text, size_t begin) {
  const std::string_view typed = text.substr(begin);
  Completion found{typed.size(), {}};
  for (std::string& name : string_candidates(L, text.substr(0, begin - 1), typed)) {
    if (name.starts_with(typed)) found.names.push_back(std::move(name));
  }
  std::sort(found.names.begin(), found.names.end());
  if (found.names.empty()) return files_at(typed, text[begin - 1]);
  if (found.names.size() == 1) found.names[0] += text[begin - 1];
  return found;
}

Completion names_at(lua_State* L, std::string_view word) {
  const size_t separator = word.find_last_of(".:");
  const std::string_view beginning = word.substr(separator + 1);
  const bool is_method = separator != word.npos && word[separator] == ':';
  push_path(L, word.substr(0, separator == word.npos ? 0 : separator));
  std::set<std::string> names;
  collect(L, beginning, is_method, names);
  if (separator == word.npos) {
    for (const std::string& name : session_locals(L)) {
      if (name.starts_with(beginning)) names.insert(name);
    }
  }
  if (separator == word.npos && !beginning.empty()) {
    for (const std::string_view keyword : keywords) {
      if (keyword.starts_with(beginning)) names.emplace(keyword);
    }
  }
  return {beginning.size(), {names.begin(), names.end()}};
}

int complete(lua_State* L) {
  const std::string_view text = *static_cast<const std::string_view*>(lua_touserdata(L, 1));
  Completion& found = *static_cast<Completion*>(lua_touserdata(L, 2));
  const Context context = context_of(text);
  if (context.in_string()) {
    found = in_string(L, text, context.string_begins);
    return 0;
  }
  constexpr std::string_view asking = "help ";  // without quotes
  const std::string_view statement = text.substr(std::min(text.find_first_not_of(" \t\n"), text.size()));
  if (statement.starts_with(asking) && statement.size() > asking.size()) {
    const std::string_view typed = statement.substr(asking.size());
    found = {typed.size(), {}};
    for (std::string& name : topics_at(typed)) {
      if (name.starts_with(typed)) found.names.push_back(std::move(name));
    }
    std::sort(found.names.begin(), found.names.end());
    if (!found.names.empty()) return 0;
  }
  const std::string_view word = last_word(text);
  found = {word.size(), fields_at(text, word)};
  if (found.names.empty()) found = names_at(L, word);
  return 0;
}

}  // namespace

void push_path(lua_State* L, std::string_view path) {
  lua_pushglobaltable(L);
  for (bool is_first = true; !path.empty(); is_first = false) {
    const size_t end = path.find_first_of(".:");
    if (is_first && push_session_local(L, path.substr(0, end))) {
      lua_remove(L, -2);
    } else {
      raw_field(L, path.substr(0, end));
    }
    path.remove_prefix(end == path.npos ? path.size() : end + 1);
  }
}

Completion completions(lua_State* L, std::string_view text) {
  Completion found;
  lua_pushcfunction(L, guarded<complete>);
  lua_pushlightuserdata(L, &text);
  lua_pushlightuserdata(L, &found);
  if (lua_pcall(L, 2, 0, 0) != LUA_OK) lua_pop(L, 1);
  return found;
}

}  // namespace perilune::lua
