// SPDX-License-Identifier: MIT
#include "session/repl.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/guard.hpp"
#include "base/report.hpp"
#include "session/block.hpp"
#include "session/commands.hpp"
#include "session/complete.hpp"
#include "session/globals.hpp"
#include "session/line_editor.hpp"
#include "session/locals.hpp"
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
      : state_(L), traceback_(traceback), locals_(L), reader_(make_line_reader([this](const std::string& line) {
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
  bool parse(const std::string& code) {
    const std::string placed = std::string(static_cast<size_t>(typed_.statement) - 1, '\n') + code;
    return luaL_loadbuffer(state_, placed.data(), placed.size(), "=stdin") == LUA_OK;
  }

  // Leaves a function, or a syntax error's message, as the only value on the stack. An expression returns its value.
  Loaded load_chunk() {
    // True if the message on top says that the chunk only needs more lines.
    const auto needs_more = [this] {
      const std::string_view message = lua_tostring(state_, -1), text = chunk_;
      const bool goes_on =
          !message.ends_with("unfinished string near <eof>") || text.ends_with('\\') || trimmed(text).ends_with("\\z");
      return message.ends_with("<eof>") && goes_on;
    };
    lua_settop(state_, 0);
    std::string chunk = chunk_;
    if (chunk.starts_with("#!")) chunk.replace(0, 2, "--");  // of a script that is pasted
    const std::string body(trimmed(chunk));
    note_.clear();
    if (body == "help" || body == "who") {
      note_ = how_to_reach(state_, body);
      if (note_.empty()) chunk = body + "()";
    }
    if (const auto name = asked_name(body)) {
      if (name->empty()) {
        push_command(state_, "help");
      } else {
        push_explanation(state_, *name);
      }
      return Loaded::complete;
    }
    if (push_hidden_command(state_, body)) return Loaded::complete;
    if (body.starts_with('=')) chunk = "return " + body.substr(1);
    block_ = read_block(chunk);
    // The last statement may be an expression, which is none to Lua, and a call has values, too.
    bool is_open_expression = false;
    if (!block_.statements.empty() && block_.statements.back().kind == Statement::Kind::value) {
      std::string returning = chunk;
      if (parse(returning.insert(block_.statements.back().begin, "return "))) return loaded(chunk, true);
      is_open_expression = needs_more();
      lua_settop(state_, 0);
    }
    if (parse(chunk)) return loaded(chunk, false);
    return is_open_expression || needs_more() ? Loaded::incomplete : Loaded::wrong;
  }

  // What the parser takes may still assign to what the session has declared constant.
  Loaded loaded(const std::string& chunk, bool is_value) {
    lua_settop(state_, 0);
    return locals_.load(chunk, block_, is_value, typed_.statement) ? Loaded::complete : Loaded::wrong;
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
    // Below the function: what the globals stand for to which the block assigns.
    const Block block = std::exchange(block_, {});
    std::vector<std::pair<std::string, int>> assigned;
    for (const Statement& statement : block.statements) {
      for (const std::string& name : statement.assigned) assigned.emplace_back(name, statement.line);
    }
    luaL_checkstack(state_, static_cast<int>(assigned.size()) + LUA_MINSTACK, nullptr);
    for (const auto& variable : assigned) push_variable(state_, variable.first);
    lua_rotate(state_, 1, static_cast<int>(assigned.size()));
    const auto failure = call(state_, 0, LUA_MULTRET, traceback_);
    complain(failure);
    if (failure) complain_of_rest(block, assigned, failure->typed_line - typed_.statement);
    for (size_t k = 0; k < assigned.size(); ++k) lua_remove(state_, 1);
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
    std::fflush(stdout);
    std::fputs(note_.c_str(), stderr);
  }

  void complain(const std::optional<Report>& report) {
    if (!report) return;
    std::fflush(stdout);
    const std::string text =
        report->kind == Failure::interrupted ? "interrupted\n" : with_advice(as_of_script(report->text));
    std::fwrite(text.data(), 1, text.size(), stderr);
  }

  // To its user the session is a script: what is local to it is no upvalue, and no function has its chunks.
  std::string as_of_script(std::string text) {
    const std::string chunk = "in function <stdin:" + std::to_string(typed_.statement) + ">";
    if (const size_t found = text.rfind(chunk); found != text.npos) text.replace(found, chunk.size(), "in main chunk");
    constexpr std::string_view upvalue = "(upvalue '";
    const size_t found = text.find(upvalue);
    if (found == text.npos) return text;
    const size_t name = found + upvalue.size();
    if (!push_session_local(state_, std::string_view(text).substr(name, text.find('\'', name) - name))) return text;
    lua_pop(state_, 1);
    return text.replace(found, upvalue.size(), "(local '");
  }

  // What a block that failed at a line, from 0 on, has left undone. What its names stood for before is at the bottom
  // of the stack: those that stand for the same have got no value, but where an earlier statement gave it.
  void complain_of_rest(const Block& block, const std::vector<std::pair<std::string, int>>& assigned, int failed) {
    const auto& statements = block.statements;
    const auto rest =
        std::find_if(statements.begin(), statements.end(), [&](const auto& one) { return one.line > failed; });
    if (rest == statements.end() || failed < 0) return;
    const int undone = rest == statements.begin() ? 0 : std::prev(rest)->line;
    std::set<std::string> seen = locals_.reached();
    std::string list;
    const auto add = [&](const std::string& name) {
      if (seen.insert(name).second) list += (list.empty() ? "" : ", ") + name;
    };
    size_t k = 0;
    for (const Statement& statement : statements) {
      for (const auto& local : statement.locals) add(local.name);
      for (; k < assigned.size() && assigned[k].second == statement.line; ++k) {
        push_variable(state_, assigned[k].first);
        const bool is_same = lua_rawequal(state_, -1, static_cast<int>(k) + 1);
        lua_pop(state_, 1);
        if (is_same && statement.line >= undone) add(assigned[k].first);
      }
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
  std::string note_;   // that follows its value
  Block block_;        // the same, where it is loaded as statements
  SessionLocals locals_;
  std::unique_ptr<LineReader> reader_;
};

}  // namespace

std::string version_line() { return "Perilune " PERILUNE_VERSION " (" LUA_RELEASE ")"; }

void run_repl(lua_State* L, bool traceback) {
  lua_settop(L, 0);
  Repl(L, traceback).run();
}

}  // namespace perilune::lua
