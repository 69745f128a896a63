// SPDX-License-Identifier: MIT
#include "session/repl.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

#include "base/guard.hpp"
#include "base/report.hpp"
#include "session/commands.hpp"
#include "session/complete.hpp"
#include "session/globals.hpp"
#include "session/line_editor.hpp"
#include "session/pretty.hpp"

namespace perilune::lua {

namespace {

// Prints its arguments.
int print_values(lua_State* L) {
  const int count = lua_gettop(L);
  std::string line;
  for (int i = 1; i <= count; ++i) line += (i > 1 ? "\t" : "") + pretty(L, i);
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stdout);
  return 0;
}

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

// The names that a statement "local a, b <const> = ..." or "local function f" at its begin declares.
std::vector<std::string> declared_locals(std::string_view statement) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  if (!statement.starts_with("local ")) return {};
  std::string_view rest = trimmed(statement.substr(6));
  if (rest.starts_with("function ")) rest = trimmed(rest.substr(9));
  rest = rest.substr(0, rest.find_first_of("=\n("));
  std::vector<std::string> names;
  while (!rest.empty()) {
    const std::string_view item = trimmed(rest.substr(0, rest.find(',')));
    names.emplace_back(item.substr(0, item.find_first_not_of(letters)));
    rest.remove_prefix(std::min(rest.find(','), rest.size() - 1) + 1);
  }
  return names;
}

enum class Loaded { complete, incomplete, wrong };

class Repl {
 public:
  Repl(lua_State* L, bool traceback)
      : state_(L), traceback_(traceback), reader_(make_line_reader([this](const std::string& line) {
          return completions(state_, chunk_ + "\n" + line);
        })) {
    show_typed_lines(state_, &typed_);
  }
  ~Repl() { show_typed_lines(state_, nullptr); }
  Repl(const Repl&) = delete;
  Repl& operator=(const Repl&) = delete;

  void run() {
    std::printf("%s\nType help for help, Ctrl-D to leave.\n", version_line().c_str());
    lua_pushcfunction(state_, guarded<install_commands>);
    complain(call(state_, 0, 0, traceback_));
    const GuardedGlobals guard(state_);
    Input input = Input::line;
    while ((input = read_chunk()) != Input::end) {
      if (input == Input::line) evaluate(chunk_);
      std::fflush(stdout);
    }
    lua_settop(state_, 0);
  }

 private:
  // As in the stock interpreter, the globals _PROMPT and _PROMPT2 change the prompts.
  std::string prompt(const char* global, const char* usual) {
    lua_pushglobaltable(state_);
    lua_pushstring(state_, global);
    lua_rawget(state_, -2);
    std::string text = lua_isstring(state_, -1) ? lua_tostring(state_, -1) : usual;
    lua_pop(state_, 2);
    return text;
  }

  // As if all that was typed were one file: positions in messages are those of the session.
  bool load(const std::string& code) {
    const std::string placed = std::string(static_cast<size_t>(typed_.statement) - 1, '\n') + code;
    return luaL_loadbuffer(state_, placed.data(), placed.size(), "=stdin") == LUA_OK;
  }

  // Leaves a function, or a syntax error's message, as the only value on the stack. An expression returns its value.
  Loaded load_chunk() {
    // True if the message on top says that the chunk only needs more lines.
    const auto needs_more = [this] { return std::string_view(lua_tostring(state_, -1)).ends_with("<eof>"); };
    lua_settop(state_, 0);
    std::string chunk = chunk_;
    const std::string body(trimmed(chunk));
    if (body == "help" || body == "who") chunk = body + "()";
    if (const auto name = asked_name(body)) {
      if (!name->empty()) {
        push_explanation(state_, *name);
        return Loaded::complete;
      }
      chunk = "help()";
    }
    if (body.starts_with('=')) chunk = "return " + body.substr(1);
    if (load("return " + chunk)) return Loaded::complete;
    const bool is_open_expression = needs_more();
    lua_settop(state_, 0);
    if (load(chunk)) return Loaded::complete;
    return is_open_expression || needs_more() ? Loaded::incomplete : Loaded::wrong;
  }

  // Reads lines into chunk_ until they make a chunk, and loads it. The end of the input inside of a chunk is an error
  // of the chunk.
  Input read_chunk() {
    chunk_.clear();
    for (;;) {
      std::string line;
      const Input input = reader_->read(chunk_.empty() ? prompt("_PROMPT", "> ") : prompt("_PROMPT2", ">> "), line);
      if (input == Input::end && !chunk_.empty()) return Input::line;
      if (input != Input::line) return input;
      typed_.lines.push_back(line);
      if (chunk_.empty() && trimmed(line).empty()) continue;
      if (chunk_.empty()) typed_.statement = static_cast<int>(typed_.lines.size());
      chunk_ += (chunk_.empty() ? "" : "\n") + line;
      if (load_chunk() == Loaded::incomplete) continue;
      remember(chunk_);
      return Input::line;
    }
  }

  // One entry of the history per chunk if its lines can be joined by blanks, else one per line.
  void remember(const std::string& chunk) {
    const bool can_join = chunk.find("--") == chunk.npos && chunk.find("[[") == chunk.npos &&
                          chunk.find("[=") == chunk.npos && chunk.find("\\\n") == chunk.npos;
    if (can_join) {
      std::string line = chunk;
      std::replace(line.begin(), line.end(), '\n', ' ');
      reader_->remember(line);
      return;
    }
    for (size_t begin = 0; begin < chunk.size();) {
      const size_t end = std::min(chunk.find('\n', begin), chunk.size());
      if (end > begin) reader_->remember(chunk.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  // Runs what load_chunk left on the stack.
  void evaluate(const std::string& chunk) {
    if (!lua_isfunction(state_, -1)) {
      complain(pop_report(state_));
      return;
    }
    for (const std::string& name : declared_locals(trimmed(chunk))) locals_.insert(name);
    const auto failure = call(state_, 0, LUA_MULTRET, traceback_);
    complain(failure);
    const int count = lua_gettop(state_);
    if (failure || count == 0) return;
    lua_pushglobaltable(state_);
    lua_pushliteral(state_, "_");
    lua_pushvalue(state_, 1);
    lua_rawset(state_, -3);
    lua_pop(state_, 1);
    if (trimmed(chunk).ends_with(';')) return;
    if (!lua_checkstack(state_, LUA_MINSTACK)) return;
    lua_pushcfunction(state_, guarded<print_values>);
    lua_insert(state_, 1);
    complain(call(state_, count, 0, traceback_));
  }

  void complain(const std::optional<Report>& report) {
    if (!report) return;
    std::fflush(stdout);
    const std::string text = report->kind == Failure::interrupted ? "interrupted\n" : with_advice(report->text);
    std::fwrite(text.data(), 1, text.size(), stderr);
  }

  // Scripts that are typed in line by line say "local" everywhere.
  std::string with_advice(const std::string& text) const {
    constexpr std::string_view before = "unknown global '";
    const size_t begin = text.find(before) + before.size();
    const size_t end = text.find('\'', begin);
    if (begin < before.size() || end == text.npos || text.find('\n') < end) return text;
    const std::string name = text.substr(begin, end - begin);
    if (name == "exit" || name == "quit") return text + "Ctrl-D leaves\n";
    if (!locals_.contains(name)) return text;
    return text + "'local " + name + "' lasted for its own statement only; without 'local' it stays\n";
  }

  lua_State* state_;
  bool traceback_;
  TypedLines typed_;
  std::set<std::string> locals_;  // that earlier statements declared
  std::string chunk_;             // the lines of the statement that is being read
  std::unique_ptr<LineReader> reader_;
};

}  // namespace

std::string version_line() { return "Perilune " PERILUNE_VERSION " (" LUA_RELEASE ")"; }

void run_repl(lua_State* L, bool traceback) {
  lua_settop(L, 0);
  Repl(L, traceback).run();
}

}  // namespace perilune::lua
