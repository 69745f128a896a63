// SPDX-License-Identifier: MIT
#include "session.hpp"

#include <cstdlib>
#include <iostream>
#include <lua.hpp>
#include <memory>

#include "base/guard.hpp"
#include "base/interrupt.hpp"
#include "base/report.hpp"
#include "base/run_options.hpp"
#include "optimize/job_file.hpp"
#include "optimize/job_lines.hpp"
#include "perilune.hpp"
#include "session/globals.hpp"
#include "session/script_folder.hpp"

namespace perilune::fuzz {

namespace {

using namespace perilune::lua;

// What os.exit raises: no script catches it by mistake, since it says so itself.
constexpr const char* exit_text = "fuzz: the script called os.exit";
int exit_status = 0;
bool exit_called = false;

int leave(lua_State* L) {
  exit_status = lua_isboolean(L, 1) ? !lua_toboolean(L, 1) : static_cast<int>(luaL_optinteger(L, 1, 0));
  exit_called = true;
  return luaL_error(L, exit_text);
}

int no_process(lua_State* L) { return luaL_error(L, "processes cannot be started here"); }

int temporary_name(lua_State* L) {
  static int count = 0;
  lua_pushfstring(L, "temporary.%d", ++count);
  return 1;
}

// The interpreter's own loops in C hear of no interrupt: what takes them seconds is refused as what takes them hours
// is.
int short_repetition(lua_State* L) {
  constexpr double most = 1e8;
  const double count = luaL_checknumber(L, 2);
  if (count * static_cast<double>(1 + lua_rawlen(L, 1) + lua_rawlen(L, 3)) > most) {
    return luaL_error(L, "resulting string too large");
  }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 1);
  return 1;
}

int merge(lua_State* L) {
  const std::string path = luaL_checkstring(L, 1);
  const optimize::Merged merged = optimize::merge_jobs({{path, optimize::read_lines(path)}});
  for (const std::string& line : merged.lines) std::cout << line << '\n';
  std::cout.flush();
  return 0;
}

void replace(lua_State* L, const char* library, const char* name, lua_CFunction function) {
  lua_getglobal(L, library);
  lua_pushcfunction(L, function);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

struct Job {
  const std::string& script;
  const std::string& name;
  Outcome outcome = {};
};

int run_protected(lua_State* L) {
  Job& job = *static_cast<Job*>(lua_touserdata(L, 1));
  luaL_openlibs(L);
  install_interruptible_library(L);
  replace(L, "os", "exit", leave);
  replace(L, "os", "execute", no_process);
  replace(L, "os", "tmpname", temporary_name);
  replace(L, "io", "popen", no_process);
  lua_getglobal(L, "string");
  lua_getfield(L, -1, "rep");
  lua_pushcclosure(L, short_repetition, 1);
  lua_setfield(L, -2, "rep");
  lua_pop(L, 1);
  lua_pushcfunction(L, guarded<merge>);
  lua_setglobal(L, "merge");
  preload_perilune(L);
  append_provided_scripts(L);
  lua_newtable(L);
  lua_setglobal(L, "arg");
  const std::string chunk = "@" + job.name;
  std::optional<Report> report;
  if (luaL_loadbufferx(L, job.script.data(), job.script.size(), chunk.c_str(), "t") != LUA_OK) {
    report = pop_report(L, job.name);
  } else {
    const GuardedGlobals guard(L);
    report = call(L, 0, 0, false);
  }
  if (report) {
    job.outcome.report = report->text;
    job.outcome.exit_code = exit_code(report->kind);
  }
  return 0;
}

}  // namespace

Outcome run_script(const std::string& script, const std::string& name) {
  exit_called = false;
  run_options() = RunOptions{};
  run_options().script = name;
  run_options().is_run = true;
  if (script.find(jobs_file) != script.npos) run_options().results = jobs_file;
  Job job{script, name};
  const std::unique_ptr<lua_State, void (*)(lua_State*)> state(luaL_newstate(), lua_close);
  if (!state) return {1, false, "perilune: not enough memory for the interpreter\n"};
  lua_State* L = state.get();
  lua_pushcfunction(L, guarded<run_protected>);
  lua_pushlightuserdata(L, &job);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK) {
    const Report report = pop_report(L);
    job.outcome = {exit_code(report.kind), false, report.text};
  }
  if (exit_called) job.outcome = {exit_status, true, {}};
  return job.outcome;
}

}  // namespace perilune::fuzz
