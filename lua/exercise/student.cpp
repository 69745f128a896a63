// SPDX-License-Identifier: MIT
#include "exercise/student.hpp"

#include <unistd.h>

#include "base/file_access.hpp"
#include "base/guard.hpp"
#include "base/report.hpp"
#include "base/suggest.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "exercise/sandbox.hpp"
#include "runs/experiment.hpp"
#include "runs/run.hpp"
#include "session/globals.hpp"

namespace perilune::lua {

namespace {

// Errors may be as long as a script likes.
constexpr std::size_t longest_problem = 4000;

Plain text_of(const std::string& text) { return {text.substr(0, longest_problem)}; }

Plain::Items one(const char* key, Plain value) { return {{text_of(key), std::move(value)}}; }

// Fields are read raw everywhere: what a script returns may have metamethods.
int raw_field(lua_State* L, int table, const char* key) {
  table = lua_absindex(L, table);
  lua_pushstring(L, key);
  return lua_rawget(L, table);
}

std::string raw_text(lua_State* L, int table, const char* key) {
  std::string text = raw_field(L, table, key) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  lua_pop(L, 1);
  return text;
}

std::vector<double> numbers(lua_State* L, int table, const char* key) {
  std::vector<double> values;
  if (raw_field(L, table, key) == LUA_TTABLE) {
    const auto count = static_cast<lua_Integer>(lua_rawlen(L, -1));
    for (lua_Integer i = 1; i <= count; ++i) {
      lua_rawgeti(L, -1, i);
      values.push_back(lua_tonumber(L, -1));
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
  return values;
}

Plain list_of(const std::vector<double>& values) {
  Plain::Items items;
  for (const double value : values)
    items.emplace_back(Plain{static_cast<std::int64_t>(items.size() + 1)}, Plain{value});
  return {std::move(items)};
}

// The answer asked for, on the stack; throws if it is of another kind.
void push_answer(lua_State* L, int answers, const std::string& name, const char* kind) {
  raw_field(L, answers, name.c_str());
  const bool fits = std::string_view(kind) == "function" ? lua_isfunction(L, -1)
                                                         : test_userdata<RunHandle>(L, lua_gettop(L)) != nullptr;
  if (fits) return;
  if (lua_isnil(L, -1)) throw Error("'" + name + "' is missing in what the script returns");
  throw Error("'" + name + "' should be a " + kind + ", got a " + luaL_typename(L, -1));
}

// "my.lua:3: interrupted", in words for a student who did not press any key.
std::string time_is_over(std::string text) {
  const std::string word = "interrupted";
  const std::size_t at = text.find(word);
  if (at != text.npos) text.replace(at, word.size(), "the time for the script is over; does it come to an end?");
  return text;
}

Plain ask_function(lua_State* L, int answers, int question) {
  push_answer(L, answers, raw_text(L, question, "call"), "function");
  int count = 0;
  if (raw_field(L, question, "arguments") == LUA_TTABLE) {
    const int arguments = lua_gettop(L);
    count = static_cast<int>(lua_rawlen(L, arguments));
    luaL_checkstack(L, count, nullptr);
    for (int i = 1; i <= count; ++i) lua_rawgeti(L, arguments, i);
    lua_remove(L, arguments);
  } else {
    lua_pop(L, 1);
  }
  if (const auto report = call(L, count, 1, false)) {
    throw Error(report->kind == Failure::interrupted ? time_is_over(report->text) : report->text);
  }
  return read_plain(L, -1);
}

Plain ask_run(lua_State* L, int answers, int question) {
  push_answer(L, answers, raw_text(L, question, "run"), "run");
  const RunHandle& run = *test_userdata<RunHandle>(L, lua_gettop(L));
  std::vector<double> times = numbers(L, question, "times");
  const std::vector<double>& mesh = run.trajectory->times();
  raw_field(L, question, "relative");
  if (lua_toboolean(L, -1)) {
    for (double& t : times) t = mesh.front() + t * (mesh.back() - mesh.front());
  }
  Plain::Items columns;
  raw_field(L, question, "signals");
  const int signals = lua_gettop(L);
  for (lua_Integer i = 1; lua_rawgeti(L, signals, i) == LUA_TSTRING; ++i) {
    columns.emplace_back(Plain{i}, list_of(run.trajectory->evaluate(check_signal(L, run, lua_gettop(L)), times)));
    lua_pop(L, 1);
  }
  return {std::move(columns)};
}

Plain ask(lua_State* L, int answers, int question) {
  try {
    const bool is_call = !raw_text(L, question, "call").empty();
    return {one("value", is_call ? ask_function(L, answers, question) : ask_run(L, answers, question))};
  } catch (const std::exception& error) {  // errors of the interpreter itself pass, and end the collection
    return {one("error", text_of(describe(error).message))};
  }
}

struct Collection {
  const Plain* questions;
  Plain::Items answers, results;
};

// What the script returned is at stack index 2.
int collect(lua_State* L) {
  Collection& collection = *static_cast<Collection*>(lua_touserdata(L, 1));
  if (!lua_istable(L, 2)) {
    throw Error(std::string("the script should return a table of its answers, got ") + luaL_typename(L, 2) +
                "; see the end of the starter");
  }
  collection.answers = std::get<Plain::Items>(read_plain(L, 2).value);
  push_plain(L, *collection.questions);
  const int questions = 3, question = 4;
  for (lua_Integer i = 1; lua_rawgeti(L, questions, i) == LUA_TTABLE; ++i) {
    collection.results.emplace_back(text_of(raw_text(L, question, "id")), ask(L, 2, question));
    lua_settop(L, questions);
  }
  return 0;
}

std::string encoded(const std::string& problem, const Collection& collection, const Sandbox& sandbox) {
  Plain::Items all, calls;
  if (!problem.empty()) all.emplace_back(text_of("problem"), text_of(problem));
  for (const auto& [name, count] : sandbox.calls()) calls.emplace_back(text_of(name), Plain{count});
  all.emplace_back(text_of("answers"), Plain{collection.answers});
  all.emplace_back(text_of("results"), Plain{collection.results});
  all.emplace_back(text_of("calls"), Plain{std::move(calls)});
  return encode({std::move(all)});
}

void set_arguments(lua_State* L, const std::string& script) {
  lua_createtable(L, 0, 1);
  lua_pushstring(L, script.c_str());
  lua_rawseti(L, -2, 0);
  lua_setglobal(L, "arg");
}

struct Session {
  const std::string* file;
  Collection collection;
  std::string problem;
};

int run_script(lua_State* L) {
  Session& session = *static_cast<Session*>(lua_touserdata(L, 1));
  set_arguments(L, *session.file);
  if (luaL_loadfilex(L, session.file->c_str(), "t") != LUA_OK) {
    session.problem = pop_report(L, *session.file).text;
    return 0;
  }
  const GuardedGlobals guard(L);
  if (const auto report = call(L, 0, 1, false)) {
    session.problem = report->kind == Failure::interrupted ? time_is_over(report->text) : report->text;
    return 0;
  }
  return 1;
}

}  // namespace

std::string student_answers(const Assignment& assignment) {
  constexpr std::size_t reserve = 32 << 20;
  const std::filesystem::path folder = assignment.script.parent_path();
  if (!folder.empty() && chdir(folder.c_str()) != 0) throw Error("there is no folder '" + folder.string() + "'");
  confine_files(std::filesystem::current_path(), assignment.limits.written_files);
  const std::string file = assignment.script.filename().string();
  // Never closed: the finalizers of the script must not run after it. The process ends soon.
  Sandbox& sandbox =
      *new Sandbox(static_cast<std::size_t>(assignment.limits.memory) << 19, assignment.seed, assignment.given);
  lua_State* L = sandbox.state();
  Session session{&file, {&assignment.questions, {}, {}}, {}};
  lua_pushcfunction(L, guarded<run_script>);
  lua_pushlightuserdata(L, &session);
  if (lua_pcall(L, 1, 1, 0) != LUA_OK) session.problem = pop_report(L).text;
  if (!session.problem.empty()) return encoded(session.problem, {}, sandbox);
  // Finalizers of the script run no more, except where it is called.
  lua_gc(L, LUA_GCSTOP);
  sandbox.allow_more(reserve);
  lua_pushcfunction(L, guarded<collect>);
  lua_pushlightuserdata(L, &session.collection);
  lua_rotate(L, -3, 2);
  if (lua_pcall(L, 2, 0, 0) != LUA_OK) return encoded(pop_report(L).text, {}, sandbox);
  return encoded("", session.collection, sandbox);
}

}  // namespace perilune::lua
