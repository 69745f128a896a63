// SPDX-License-Identifier: MIT
#include "base/report.hpp"

#include <charconv>
#include <cstdio>
#include <fstream>
#include <string_view>
#include <vector>

#include "base/file_access.hpp"
#include "base/interrupt.hpp"

namespace perilune::lua {

namespace {

constexpr size_t most_callers = 6;
constexpr size_t widest_line = 200;

const char typed_key = 0;  // its address is the key in the registry

const TypedLines* typed_lines(lua_State* L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &typed_key);
  const auto* typed = static_cast<const TypedLines*>(lua_touserdata(L, -1));
  lua_pop(L, 1);
  return typed;
}

struct Frame {
  std::string chunk;  // as in messages
  std::string file;   // empty if the chunk is not a file
  int line = 0;

  std::string position() const { return chunk + ":" + std::to_string(line) + ":"; }
  bool operator==(const Frame&) const = default;
};

// What the message handler sees while the stack of the error still exists.
struct Capture {
  std::vector<Frame> frames;  // Lua functions, innermost first
  bool wants_traceback = false;
  std::string traceback;
};

bool has_level(lua_State* L, int level) {
  lua_Debug frame;
  return lua_getstack(L, level, &frame);
}

// The number of levels on the stack. Reaching a level costs time in proportion to it, so none is tried in vain.
int stack_depth(lua_State* L) {
  int low = 0;
  int high = 1;
  while (has_level(L, high)) {
    low = high;
    high *= 2;
  }
  while (low + 1 < high) {
    const int middle = low + (high - low) / 2;
    (has_level(L, middle) ? low : high) = middle;
  }
  return high;
}

// The innermost and the outermost Lua functions; a stack that overflowed has 200,000 of them.
std::vector<Frame> lua_frames(lua_State* L) {
  constexpr int most_inner = 100;
  constexpr int most_outer = 20;
  std::vector<Frame> frames;
  lua_Debug frame;
  const int depth = stack_depth(L);
  for (int level = 1; level < depth; ++level) {
    if (level == most_inner && depth > most_inner + most_outer) level = depth - most_outer;
    lua_getstack(L, level, &frame);
    lua_getinfo(L, "Sl", &frame);
    if (frame.currentline <= 0) continue;
    frames.push_back({frame.short_src, frame.source[0] == '@' ? frame.source + 1 : "", frame.currentline});
  }
  return frames;
}

// Any error value as text.
void push_message(lua_State* L, int index) {
  if (lua_isstring(L, index)) {
    lua_pushvalue(L, index);
    lua_tostring(L, -1);
  } else if (luaL_callmeta(L, index, "__tostring")) {
    if (lua_type(L, -1) == LUA_TSTRING) return;
    lua_pop(L, 1);
    lua_pushliteral(L, "(error object: its __tostring returned no string)");
  } else {
    lua_pushfstring(L, "(error object is a %s value)", luaL_typename(L, index));
  }
}

int handle_error(lua_State* L) {
  auto* capture = static_cast<Capture*>(lua_touserdata(L, lua_upvalueindex(1)));
  lua_settop(L, 1);
  capture->frames = lua_frames(L);
  if (capture->wants_traceback) {
    luaL_traceback(L, L, nullptr, 1);
    capture->traceback = lua_tostring(L, -1);
  }
  push_message(L, 1);
  return 1;
}

// The "file:12:" that a message begins with.
std::optional<Frame> leading_position(std::string_view message) {
  const std::string_view first = message.substr(0, message.find('\n'));
  for (size_t colon = first.find(':'); colon != first.npos; colon = first.find(':', colon + 1)) {
    int line = 0;
    const char* end = first.data() + first.size();
    const auto [rest, failure] = std::from_chars(first.data() + colon + 1, end, line);
    if (colon > 0 && failure == std::errc() && rest != end && *rest == ':') {
      return Frame{std::string(first.substr(0, colon)), {}, line};
    }
  }
  return std::nullopt;
}

bool is_typed(const Frame& frame, const TypedLines* typed) {
  return typed && frame.chunk == "stdin" && frame.line >= 1 && frame.line <= static_cast<int>(typed->lines.size());
}

// "   12 | text\n", or nothing if the file has no such line.
std::string source_line(const Frame& frame, const TypedLines* typed) {
  std::string text;
  if (is_typed(frame, typed)) {
    text = typed->lines[static_cast<std::size_t>(frame.line) - 1];
  } else {
    // A script may give its chunks and errors any name.
    if (!may_read(frame.file)) return {};
    std::ifstream file(frame.file);
    for (int i = 0; i < frame.line; ++i) {
      if (!std::getline(file, text)) return {};
    }
  }
  if (!text.empty() && text.back() == '\r') text.pop_back();
  if (text.size() > widest_line) text.resize(widest_line);
  char number[16];
  std::snprintf(number, sizeof number, "%5d | ", frame.line);
  return number + text + "\n";
}

// The lines "called from script.lua:40" for functions in files, without the line of the error itself, repetitions
// folded.
std::string callers(const std::vector<Frame>& frames, size_t first, const std::optional<Frame>& where,
                    const TypedLines* typed) {
  const bool has_lines = typed && typed->statement < static_cast<int>(typed->lines.size());
  std::string text;
  size_t shown = 0;
  for (size_t i = first; i < frames.size();) {
    size_t next = i + 1;
    while (next < frames.size() && frames[next] == frames[i]) ++next;
    const bool same_line = where && frames[i].line == where->line && frames[i].chunk == where->chunk;
    // Of a statement on one line it goes without saying that it called.
    const bool is_shown =
        is_typed(frames[i], typed) ? frames[i].line < typed->statement || has_lines : !frames[i].file.empty();
    if (is_shown && (!same_line || next - i > 1)) {
      if (shown++ == most_callers) return text + "... (the option -W shows all)\n";
      text += "called from " + frames[i].chunk + ":" + std::to_string(frames[i].line);
      if (next - i > 1) text += " (repeatedly)";
      text += "\n";
    }
    i = next;
  }
  return text;
}

// `require` hides the position of a syntax error in a second line.
std::string without_loader(const std::string& message) {
  const size_t begin = message.find("':\n\t");
  if (!message.starts_with("error loading module '") || begin == message.npos) return message;
  return message.substr(begin + 4);
}

// What other languages have, where the parser stumbles on it: its own words for it, from the line of the error.
std::string in_lua(std::string_view message, std::string_view line) {
  if (message.find("'then' expected near '='") != message.npos ||
      message.find("'do' expected near '='") != message.npos) {
    return "equality is '==' in Lua\n";
  }
  struct Foreign {
    std::string_view near, text, advice;
  };
  static constexpr Foreign list[] = {{"!", "!=", "'~=' means unequal in Lua"},
                                     {"!", "!", "'not' negates in Lua"},
                                     {"&", "&&", "Lua has 'and' in place of '&&'"},
                                     {"|", "||", "Lua has 'or' in place of '||'"},
                                     {"+", "++", "Lua has no '++': write x = x + 1"},
                                     {"+", "+=", "Lua has no '+=': write x = x + 1"},
                                     {"-", "-=", "Lua has no '-=': write x = x - 1"},
                                     {"*", "*=", "Lua has no '*=': write x = x * 2"},
                                     {"/", "/=", "Lua has no '/=': write x = x / 2; '~=' means unequal"},
                                     {"*", "**", "a power is x ^ 2 in Lua"},
                                     {"//", "//", "comments begin with '--' in Lua"}};
  for (const auto& [near, text, advice] : list) {
    const bool is_near = message.ends_with("near '" + std::string(near) + "'");
    if (is_near && line.find(text) != line.npos) return std::string(advice) + "\n";
  }
  return {};
}

Report compose(lua_State* L, const std::string& raised, const Capture& capture, const std::string& file) {
  Report report;
  report.kind = failure_of(L, raised);
  const TypedLines* typed = typed_lines(L);
  const std::string message = without_loader(raised);
  std::optional<Frame> where = leading_position(message);
  size_t outer = 0;  // the first frame that called the one of the error
  for (size_t i = 0; i < capture.frames.size(); ++i) {
    if (!message.starts_with(capture.frames[i].position())) continue;
    where = capture.frames[i];
    outer = i + 1;
    break;
  }
  if (where && where->file.empty()) {
    // Not on the stack (a syntax error, an error inside a coroutine): long names are shortened to "...end/of/it.lua".
    const std::string_view chunk = where->chunk;
    const bool is_file = chunk.starts_with("...") && file.ends_with(chunk.substr(3));
    if (outer == 0) where->file = is_file ? file : where->chunk;
  }
  if (!capture.frames.empty() && is_typed(capture.frames.back(), typed)) report.typed_line = capture.frames.back().line;
  const size_t newline = message.find('\n');
  report.text = (where ? "" : "perilune: ") + message.substr(0, newline) + "\n";
  const bool has_source = where && (!where->file.empty() || is_typed(*where, typed));
  if (has_source && report.kind != Failure::interrupted) {
    const std::string source = source_line(*where, typed);
    report.text += source + in_lua(message.substr(0, newline), source);
  }
  if (newline != message.npos) report.text += message.substr(newline + 1) + "\n";
  report.text += capture.wants_traceback ? capture.traceback + "\n" : callers(capture.frames, outer, where, typed);
  return report;
}

std::string pop_string(lua_State* L) {
  push_message(L, lua_gettop(L));
  size_t size = 0;
  const char* text = lua_tolstring(L, -1, &size);
  std::string result(text, size);
  lua_pop(L, 2);
  return result;
}

}  // namespace

std::optional<Report> call(lua_State* L, int arguments, int results, bool traceback) {
  Capture capture;
  capture.wants_traceback = traceback;
  const int function = lua_gettop(L) - arguments;
  lua_pushlightuserdata(L, &capture);
  lua_pushcclosure(L, guarded<handle_error>, 1);
  lua_insert(L, function);
  bool interrupted = false;
  int status = LUA_OK;
  {
    const InterruptScope scope(L);
    status = lua_pcall(L, arguments, results, function);
    interrupted = interrupt_pending();
  }
  lua_remove(L, function);
  if (status == LUA_OK && !interrupted) return std::nullopt;
  if (status == LUA_OK) {  // asked to stop in the last call of the script
    lua_settop(L, function - 1);
    return Report{Failure::interrupted, "perilune: interrupted\n"};
  }
  if (capture.traceback.empty()) capture.wants_traceback = false;
  Report report = compose(L, pop_string(L), capture, {});
  if (interrupted) report.kind = Failure::interrupted;
  return report;
}

void show_typed_lines(lua_State* L, const TypedLines* typed) {
  lua_pushlightuserdata(L, const_cast<TypedLines*>(typed));
  lua_rawsetp(L, LUA_REGISTRYINDEX, &typed_key);
}

Report pop_report(lua_State* L, const std::string& file) { return compose(L, pop_string(L), Capture{}, file); }

}  // namespace perilune::lua
