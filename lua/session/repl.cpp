// SPDX-License-Identifier: MIT
#include "session/repl.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/guard.hpp"
#include "base/report.hpp"
#include "session/block.hpp"
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

// How the parser's message goes on before the name.
constexpr std::string_view assigns_constant = "attempt to assign to const variable '";

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
    if (push_hidden_command(state_, body)) return Loaded::complete;
    if (body.starts_with('=')) chunk = "return " + body.substr(1);
    block_ = {};
    if (load("return " + chunk)) return keeps_constants("return " + chunk);
    const bool is_open_expression = needs_more();
    lua_settop(state_, 0);
    block_ = read_block(chunk);
    if (load(block_.code)) return keeps_constants(chunk);
    if (const auto ended = with_last_value(chunk)) return keeps_constants(*ended);
    return is_open_expression || needs_more() ? Loaded::incomplete : Loaded::wrong;
  }

  // What is pasted may end in an expression, which is no statement to Lua: then the chunk that returns its value, and
  // its function in place of the message on the stack.
  std::optional<std::string> with_last_value(const std::string& chunk) {
    constexpr int longest_expression = 100;  // lines; a long text with an error in it is not parsed for each of its own
    if (!is_pasted_) return std::nullopt;
    size_t end = chunk.size();
    for (int k = 0; k < longest_expression && end > 0; ++k) {
      const size_t line_break = chunk.rfind('\n', end - 1);
      if (line_break == chunk.npos) break;
      end = line_break;
      if (!compiles(read_block(chunk.substr(0, end)).code)) continue;
      const std::string ended = chunk.substr(0, end + 1) + "return " + chunk.substr(end + 1);
      Block block = read_block(ended);
      if (!compiles(block.code)) continue;
      block_ = std::move(block);
      lua_settop(state_, 0);
      load(block_.code);
      return ended;
    }
    return std::nullopt;
  }

  bool compiles(const std::string& code) {
    const bool is_loaded = load(code);
    lua_pop(state_, 1);
    return is_loaded;
  }

  // Globals have no constants, so the parser is asked what it would say to the code as it was typed, below what the
  // session has declared constant. Its message takes the place of the function on the stack.
  Loaded keeps_constants(const std::string& code) {
    std::string declarations;
    for (const std::string& name : constants_) {
      if (code.find(name) != code.npos) declarations += "local " + name + " <const> = nil; ";
    }
    if (!load(declarations + code) &&
        std::string_view(lua_tostring(state_, -1)).find(assigns_constant) != std::string_view::npos) {
      lua_replace(state_, 1);
      return Loaded::wrong;
    }
    lua_settop(state_, 1);
    return Loaded::complete;
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
      is_pasted_ = line.find('\n') != line.npos;
      const auto first = static_cast<int>(typed_.lines.size()) + 1;
      for (size_t begin = 0; begin <= line.size();) {  // what was pasted has several
        const size_t end = std::min(line.find('\n', begin), line.size());
        typed_.lines.push_back(line.substr(begin, end - begin));
        begin = end + 1;
      }
      if (chunk_.empty() && trimmed(line).empty()) continue;
      if (chunk_.empty()) typed_.statement = first;
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
    const Block block = std::exchange(block_, {});
    // Below the function: what the names of the block stand for.
    luaL_checkstack(state_, static_cast<int>(block.assigned.size()) + LUA_MINSTACK, nullptr);
    for (const Assigned& variable : block.assigned) push_global(variable.name);
    lua_rotate(state_, 1, static_cast<int>(block.assigned.size()));
    const auto failure = call(state_, 0, LUA_MULTRET, traceback_);
    complain(failure);
    int undone = std::numeric_limits<int>::max();
    if (failure) {
      const int failed = failed_line(failure->text);
      undone = begin_of_failed(block, failed);
      complain_of_rest(block, undone, failed);
    }
    for (const Assigned& variable : block.assigned) {
      if (variable.line >= undone || variable.kind == Assigned::Kind::global) continue;
      constants_.erase(variable.name);
      if (variable.kind == Assigned::Kind::constant) constants_.insert(variable.name);
    }
    for (size_t k = 0; k < block.assigned.size(); ++k) lua_remove(state_, 1);
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

  void push_global(const std::string& name) {
    lua_pushglobaltable(state_);
    lua_pushlstring(state_, name.data(), name.size());
    lua_rawget(state_, -2);
    lua_remove(state_, -2);
  }

  // The line, from 0 on. Functions of the block stand above their calls: the last line named is that of the top level.
  int failed_line(const std::string& text) const {
    constexpr std::string_view before = "stdin:";
    int line = 0;
    for (size_t at = text.find(before); at != text.npos; at = text.find(before, at + 1)) {
      line = std::max(line, std::atoi(text.c_str() + at + before.size()) - typed_.statement);
    }
    return line;
  }

  // The line at which the statement begins that holds the failed one: what stands before and behind it is Lua.
  int begin_of_failed(const Block& block, int failed) {
    for (auto start = block.starts.rbegin(); start != block.starts.rend(); ++start) {
      if (*start > failed) continue;
      size_t at = 0;
      for (int line = 0; line < *start; ++line) at = block.code.find('\n', at) + 1;
      if (compiles(block.code.substr(0, at)) && compiles(block.code.substr(at))) return *start;
    }
    return 0;
  }

  // What a block that failed has left undone, from the begin of a statement on. What its names stood for before is at
  // the bottom of the stack: those that stand for the same have got no value, but where an earlier line gave it.
  void complain_of_rest(const Block& block, int undone, int failed) {
    const bool has_rest =
        std::any_of(block.starts.begin(), block.starts.end(), [&](int start) { return start > failed; });
    if (!has_rest) return;
    std::string list;
    std::set<std::string> seen;
    for (size_t k = 0; k < block.assigned.size(); ++k) {
      const auto& [name, line, kind] = block.assigned[k];
      push_global(name);
      const bool is_same = lua_rawequal(state_, -1, static_cast<int>(k) + 1);
      lua_pop(state_, 1);
      if (seen.insert(name).second && is_same && line >= undone) list += (list.empty() ? "" : ", ") + name;
    }
    std::fputs("the rest of the block was not run", stderr);
    std::fputs((list.empty() ? "\n" : "; it gave no value to " + list + "\n").c_str(), stderr);
  }

  std::string with_advice(const std::string& text) const {
    if (const size_t found = text.find(assigns_constant); found != text.npos) {
      const size_t name = found + assigns_constant.size();
      return text + "'local " + text.substr(name, text.find('\'', name) - name) + "' declares it anew\n";
    }
    constexpr std::string_view before = "unknown global '";
    const size_t begin = text.find(before) + before.size();
    const size_t end = text.find('\'', begin);
    if (begin < before.size() || end == text.npos || text.find('\n') < end) return text;
    const std::string name = text.substr(begin, end - begin);
    if (name == "exit" || name == "quit") return text + "Ctrl-D leaves\n";
    return text;
  }

  lua_State* state_;
  bool traceback_;
  TypedLines typed_;
  std::string chunk_;  // the lines of the statement that is being read
  Block block_;        // the same, where it is loaded as statements
  bool is_pasted_ = false;
  std::set<std::string> constants_;  // what is local <const> at the top level
  std::unique_ptr<LineReader> reader_;
};

}  // namespace

std::string version_line() { return "Perilune " PERILUNE_VERSION " (" LUA_RELEASE ")"; }

void run_repl(lua_State* L, bool traceback) {
  lua_settop(L, 0);
  Repl(L, traceback).run();
}

}  // namespace perilune::lua
