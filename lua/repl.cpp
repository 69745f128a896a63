#include "repl.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>

#include "complete.hpp"
#include "guard.hpp"
#include "line_editor.hpp"
#include "pretty.hpp"
#include "report.hpp"

namespace perilune::lua {

namespace {

constexpr std::string_view short_help =
    R"(An expression prints its value, without '='; a ';' at its end silences it; '_' is the last value.
Ctrl-C stops a computation or clears the line, Ctrl-D leaves. The module is at hand as 'mbs'.
)";

int print_short_help(lua_State*) {
  std::fwrite(short_help.data(), 1, short_help.size(), stdout);
  return 0;
}

// The globals that only the interactive mode has: mbs and help.
int add_globals(lua_State* L) {
  lua_getglobal(L, "require");
  lua_pushliteral(L, "perilune");
  lua_call(L, 1, 1);
  if (lua_getglobal(L, "mbs") == LUA_TNIL) {
    lua_pushvalue(L, -2);
    lua_setglobal(L, "mbs");
  }
  lua_pop(L, 1);
  if (lua_getglobal(L, "help") == LUA_TNIL) {
    if (!lua_istable(L, -2) || lua_getfield(L, -2, "help") == LUA_TNIL) {
      lua_pushcfunction(L, guarded<print_short_help>);
    }
    lua_setglobal(L, "help");
  }
  return 0;
}

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

bool load(lua_State* L, const std::string& code) {
  return luaL_loadbuffer(L, code.data(), code.size(), "=stdin") == LUA_OK;
}

enum class Loaded { complete, incomplete, wrong };

// Leaves a function, or a syntax error's message, as the only value on the stack. An expression returns its value.
Loaded load_chunk(lua_State* L, std::string chunk) {
  // True if the message on top says that the chunk only needs more lines.
  const auto needs_more = [L] { return std::string_view(lua_tostring(L, -1)).ends_with("<eof>"); };
  lua_settop(L, 0);
  const std::string body(trimmed(chunk));
  if (body == "help") chunk = "help()";
  if (body.starts_with('=')) chunk = "return " + body.substr(1);
  if (load(L, "return " + chunk)) return Loaded::complete;
  const bool is_open_expression = needs_more();
  lua_settop(L, 0);
  if (load(L, chunk)) return Loaded::complete;
  return is_open_expression || needs_more() ? Loaded::incomplete : Loaded::wrong;
}

class Repl {
 public:
  Repl(lua_State* L, bool traceback)
      : state_(L), traceback_(traceback), reader_(make_line_reader([this](const std::string& line) {
          return completions(state_, chunk_ + "\n" + line);
        })) {}

  void run() {
    std::printf("%s\nType help for help, Ctrl-D to leave.\n", version_line().c_str());
    lua_pushcfunction(state_, guarded<add_globals>);
    complain(call(state_, 0, 0, traceback_));
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

  // Reads lines into chunk_ until they make a chunk, and loads it. The end of the input inside of a chunk is an error
  // of the chunk.
  Input read_chunk() {
    chunk_.clear();
    for (;;) {
      std::string line;
      const Input input = reader_->read(chunk_.empty() ? prompt("_PROMPT", "> ") : prompt("_PROMPT2", ">> "), line);
      if (input == Input::end && !chunk_.empty()) return Input::line;
      if (input != Input::line) return input;
      if (chunk_.empty() && trimmed(line).empty()) continue;
      chunk_ += (chunk_.empty() ? "" : "\n") + line;
      if (load_chunk(state_, chunk_) == Loaded::incomplete) continue;
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
    const std::string text = report->kind == Failure::interrupted ? "interrupted\n" : report->text;
    std::fwrite(text.data(), 1, text.size(), stderr);
  }

  lua_State* state_;
  bool traceback_;
  std::string chunk_;  // the lines of the statement that is being read
  std::unique_ptr<LineReader> reader_;
};

}  // namespace

std::string version_line() { return "Perilune " PERILUNE_VERSION " (" LUA_RELEASE ")"; }

void run_repl(lua_State* L, bool traceback) {
  lua_settop(L, 0);
  Repl(L, traceback).run();
}

}  // namespace perilune::lua
