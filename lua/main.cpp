// SPDX-License-Identifier: MIT
// The executable: the stock interpreter's behaviour, plus the module `perilune`.
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "base/guard.hpp"
#include "base/interrupt.hpp"
#include "base/options.hpp"
#include "base/report.hpp"
#include "base/run_options.hpp"
#include "error.hpp"
#include "perilune.hpp"
#include "session/globals.hpp"
#include "session/launcher.hpp"
#include "session/repl.hpp"
#include "session/script_folder.hpp"

namespace perilune::lua {

namespace {

struct Session {
  Options options;
  int argc;
  const char* const* argv;
  int exit_code = 0;
  std::string reports = {};  // what was said of failures

  bool has_script() const { return options.script < argc; }
  std::string script() const { return has_script() ? argv[options.script] : ""; }
};

// Prints the report, if any, and keeps its exit code. True if all is well.
bool succeeded(Session& session, const std::optional<Report>& report) {
  if (!report) return true;
  std::fflush(stdout);
  std::fwrite(report->text.data(), 1, report->text.size(), stderr);  // it may contain zeros
  session.exit_code = exit_code(report->kind);
  session.reports += report->text;
  return false;
}

bool run_string(lua_State* L, Session& session, const std::string& code, const char* name) {
  if (luaL_loadbuffer(L, code.data(), code.size(), name) != LUA_OK) return succeeded(session, pop_report(L));
  return succeeded(session, call(L, 0, 0, session.options.warnings));
}

constexpr const char* standard_input = nullptr;

// Loads a script, or the standard input; leaves the function.
bool load_script(lua_State* L, Session& session, const char* path) {
  const int status = luaL_loadfile(L, path);
  const int reason = errno;
  if (status == LUA_OK) return true;
  const std::string name = path ? path : "standard input";
  if (status != LUA_ERRFILE) return succeeded(session, pop_report(L, name));
  lua_pop(L, 1);
  std::string text = "perilune: cannot open '" + name + "'";
  struct stat info = {};
  if (stat(name.c_str(), &info) == 0) text += std::string(": ") + std::strerror(reason);
  if (name == "help") text += "; help on something is 'perilune doc spring' here, and 'help \"spring\"' at the prompt";
  return succeeded(session, Report{Failure::script, text + "\n"});
}

bool run_file(lua_State* L, Session& session, const char* name) {
  return load_script(L, session, name) && succeeded(session, call(L, 0, 0, session.options.warnings));
}

// The table `arg`: the script has index 0, what precedes it has negative ones.
void create_arg_table(lua_State* L, const Session& session) {
  const int script = session.has_script() ? session.options.script : 0;
  lua_createtable(L, session.argc - script, script + 1);
  for (int i = 0; i < session.argc; ++i) {
    lua_pushstring(L, session.argv[i]);
    lua_rawseti(L, -2, i - script);
  }
  lua_setglobal(L, "arg");
}

bool run_initialization(lua_State* L, Session& session) {
  const char* name = "=LUA_INIT_5_4";
  const char* code = std::getenv(name + 1);
  if (!code) code = std::getenv((name = "=LUA_INIT") + 1);
  if (!code) return true;
  return code[0] == '@' ? run_file(L, session, code + 1) : run_string(L, session, code, name);
}

// "mod" or "global=mod".
bool require_library(lua_State* L, Session& session, const std::string& text) {
  const size_t equals = text.find('=');
  const std::string module = equals == text.npos ? text : text.substr(equals + 1);
  const std::string global = text.substr(0, equals);
  lua_getglobal(L, "require");
  lua_pushlstring(L, module.data(), module.size());
  if (!succeeded(session, call(L, 1, 1, session.options.warnings))) return false;
  lua_setglobal(L, global.c_str());
  return true;
}

bool run_actions(lua_State* L, Session& session) {
  for (const Options::Action& action : session.options.actions) {
    if (action.letter == 'W') lua_warning(L, "@on", 0);
    if (action.letter == 'e' && !run_string(L, session, action.text, "=(command line)")) return false;
    if (action.letter == 'l' && !require_library(L, session, action.text)) return false;
  }
  return true;
}

// Whether the script took up what the command line asked of it.
bool used_everything(Session& session) {
  try {
    run_options().require_used();
    return true;
  } catch (const Error& problem) {
    return succeeded(session, Report{Failure::script, std::string("perilune: ") + problem.what() + "\n"});
  }
}

bool run_script(lua_State* L, Session& session) {
  const std::string name = session.script();
  const bool preceded = std::strcmp(session.argv[session.options.script - 1], "--") == 0;
  if (!load_script(L, session, name == "-" && !preceded ? standard_input : name.c_str())) return false;
  // The script's arguments come from `arg`, which -e or -l may have changed.
  if (lua_getglobal(L, "arg") != LUA_TTABLE) luaL_error(L, "'arg' is not a table");
  const int table = lua_gettop(L);
  const int count = static_cast<int>(luaL_len(L, table));
  luaL_checkstack(L, count + 3, "too many arguments to script");
  for (int i = 1; i <= count; ++i) lua_rawgeti(L, table, i);
  lua_remove(L, table);
  const GuardedGlobals guard(L);
  return succeeded(session, call(L, count, 0, session.options.warnings)) && used_everything(session);
}

// A standard file that is closed stays so: the next file opened must not take its place, and get what is printed.
void occupy_standard_files() {
  int file = 0;
  while (file >= 0 && file <= STDERR_FILENO) file = open("/dev/null", O_RDONLY);
  if (file >= 0) close(file);
}

bool has_reader(int file) {
  pollfd asked{file, POLLOUT, 0};
  return poll(&asked, 1, 0) < 0 || !(asked.revents & (POLLERR | POLLHUP));
}

// What was printed has arrived, or a sentence says that it has not, and the exit code too. Where nobody reads any more
// (`| head`) there is nothing to say.
int printed(int code) {
  errno = 0;
  const bool is_complete = std::fflush(stdout) == 0 && !std::ferror(stdout);
  const int reason = errno;  // none is known where it went wrong earlier
  if (is_complete || !has_reader(STDOUT_FILENO)) return code;
  const char* why = reason ? std::strerror(reason) : "the disk may be full";
  std::fprintf(stderr, "perilune: cannot write the standard output: %s\n", why);
  return code == 0 ? 1 : code;
}

// os.exit that closes the state unless told not to: results are written and destructors run.
int leave(lua_State* L) {
  int status = EXIT_SUCCESS;
  if (lua_isboolean(L, 1)) {
    status = lua_toboolean(L, 1) ? EXIT_SUCCESS : EXIT_FAILURE;
  } else {
    status = static_cast<int>(luaL_optinteger(L, 1, EXIT_SUCCESS));
  }
  if (lua_isnoneornil(L, 2) || lua_toboolean(L, 2)) lua_close(L);
  std::exit(printed(leave_launched(status, {})));
}

void open_libraries(lua_State* L) {
  luaL_openlibs(L);
  install_interruptible_library(L);
  lua_getglobal(L, "os");
  lua_pushcfunction(L, guarded<leave>);
  lua_setfield(L, -2, "exit");
  lua_pop(L, 1);
  preload_perilune(L);
}

int run_session(lua_State* L) {
  Session& session = *static_cast<Session*>(lua_touserdata(L, 1));
  const Options& options = session.options;
  if (options.ignore_environment) {
    lua_pushboolean(L, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, "LUA_NOENV");
  }
  open_libraries(L);
  prepare_launched(L);
  create_arg_table(L, session);
  append_provided_scripts(L);
  if (!options.ignore_environment && !run_initialization(L, session)) return 0;
  if (session.has_script() && session.script() != "-") prepend_script_folder(L, session.script());
  if (!run_actions(L, session)) return 0;
  if (session.has_script() && !run_script(L, session)) return 0;
  if (options.interactive) {
    run_repl(L, options.warnings);
  } else if (!session.has_script() && !options.has_statement && !options.version) {
    if (isatty(STDIN_FILENO)) {
      run_repl(L, options.warnings);
    } else if (load_script(L, session, standard_input)) {
      const GuardedGlobals guard(L);
      succeeded(session, call(L, 0, 0, options.warnings));
    }
  }
  return 0;
}

// Calls the module with the words behind "bench". It returns what is wrong with them, if anything.
int run_bench(lua_State* L) {
  Session& session = *static_cast<Session*>(lua_touserdata(L, 1));
  open_libraries(L);
  lua_getglobal(L, "require");
  lua_pushliteral(L, "perilune.bench.command");
  if (!succeeded(session, call(L, 1, 1, false))) return 0;
  lua_getfield(L, -1, "main");
  lua_createtable(L, session.argc - 2, 0);
  for (int i = 2; i < session.argc; ++i) {
    lua_pushstring(L, session.argv[i]);
    lua_rawseti(L, -2, i - 1);
  }
  std::error_code failure;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failure);
  lua_pushstring(L, (program.parent_path() / "peers").c_str());
  if (!succeeded(session, call(L, 2, 1, false))) return 0;
  if (const char* problem = lua_tostring(L, -1)) session.exit_code = wrong_usage(problem);
  return 0;
}

// Finds what is meant for the program rather than for the script: in the plain form --param after the script, which
// stays among its arguments; for `perilune run` everything, which is taken away. Returns what is wrong.
std::string read_run_words(std::vector<std::string>& words) {
  RunOptions& options = run_options();
  options.is_run = words.size() > 1 && words[1] == "run";
  if (options.is_run) {
    words.erase(words.begin() + 1);
    if (std::string problem = take_run_options(words, options); !problem.empty()) return problem;
  }
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  const Options parsed = parse_options(static_cast<int>(words.size()), pointers.data());
  const auto script = static_cast<size_t>(parsed.script);
  if (script >= words.size()) {
    return options.is_run && !parsed.help && parsed.problem.empty() ? "run needs a script" : "";
  }
  options.script = words[script];
  options.words.assign(words.begin() + static_cast<std::ptrdiff_t>(script) + 1, words.end());
  if (!options.is_run) {
    std::vector<std::string> copy = options.words;
    take_parameters(copy, 0, options);
  }
  if (options.results.empty()) options.results = default_results(options);
  return {};
}

/// Where a launcher has started several processes: a script is run by all of them together, all else by the first
/// alone. Returns the code of a process that has nothing to do.
std::optional<int> join_others(const Session& session) {
  const Launch launched = launch();
  if (launched.is_one()) return {};
  if (!session.has_script() || session.script() == "-" || session.options.interactive || session.options.help) {
    forget_launch();
    return launched.number == 0 ? std::nullopt : std::optional<int>(0);
  }
  try {
    join_launched(launched);
  } catch (const Error& problem) {
    std::fprintf(stderr, "perilune: rank %d: %s\n", launched.number, problem.what());
    return exit_code(Failure::script);
  }
  return {};
}

/// Whoever pressed Ctrl-C does not wait until millions of objects are freed one by one: the system takes them at once.
lua_State* volatile abandoned = nullptr;

int run_in_state(Session& session, lua_CFunction what) {
  std::unique_ptr<lua_State, void (*)(lua_State*)> state(luaL_newstate(), lua_close);
  if (!state) {
    std::fputs("perilune: not enough memory for the interpreter\n", stderr);
    return 1;
  }
  lua_State* L = state.get();
  lua_pushcfunction(L, what);
  lua_pushlightuserdata(L, &session);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK) succeeded(session, pop_report(L));
  const bool is_interrupted = session.exit_code == exit_code(Failure::interrupted);
  if (is_interrupted && !session.options.interactive) abandoned = state.release();
  return leave_launched(session.exit_code, session.reports);
}

int run(int argc, const char* const* argv) {
  if (const std::optional<int> code = run_subcommand(argc, argv)) return *code;
  if (argc > 1 && std::strcmp(argv[1], "bench") == 0) {
    Session session{{}, argc, argv};
    session.options.script = argc;  // none
    if (const std::optional<int> code = join_others(session)) return *code;
    return run_in_state(session, guarded<run_bench>);
  }
  std::vector<std::string> words(argv, argv + argc);
  const std::string problem = read_run_words(words);
  if (!problem.empty()) return wrong_usage(problem);
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  pointers.push_back(nullptr);
  argc = static_cast<int>(words.size());
  argv = pointers.data();
  Session session{parse_options(argc, argv), argc, argv};
  if (!session.options.problem.empty()) return wrong_usage(session.options.problem);
  if (const std::optional<int> code = join_others(session)) return *code;
  if (session.options.help) {
    std::cout << usage();
    return 0;
  }
  if (session.options.version || session.options.version_only) std::puts(version_line().c_str());
  if (session.options.version_only) return 0;

  return run_in_state(session, guarded<run_session>);
}

/// Where the system has pages of 2 MB to give, models of hundreds of bodies are declared and compiled in half the time:
/// that of touching as many pages of 4 kB first. This reserves room to grow in, and takes no memory.
void ask_for_large_pages() {
#ifndef __SANITIZE_ADDRESS__  // which keeps books of every block, at the start of each of thousands of tests
  constexpr std::size_t room = std::size_t{256} << 20, page = 4096;
  void* block = std::malloc(room);
  if (!block) return;  // a limit on the size of processes
  const std::size_t before = page - reinterpret_cast<std::uintptr_t>(block) % page;
  madvise(static_cast<char*>(block) + before, room - 2 * page, MADV_HUGEPAGE);
  std::free(block);
#endif
}

}  // namespace

}  // namespace perilune::lua

int main(int argc, char** argv) {
  // Simulations allocate and free tens of megabytes again and again; handing them back to the system in between costs
  // more than the arithmetic.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  perilune::lua::ask_for_large_pages();
  perilune::lua::occupy_standard_files();
  // A limit on the size of files is an error of the one that writes, not the end of the process.
  std::signal(SIGXFSZ, [](int) {});
  return perilune::lua::printed(perilune::lua::run(argc, argv));
}
