// SPDX-License-Identifier: MIT
#include "exercise/exercise.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "base/interrupt.hpp"
#include "base/output_file.hpp"
#include "base/report.hpp"
#include "base/scratch_folder.hpp"
#include "base/suggest.hpp"
#include "error.hpp"
#include "exercise/handed_in.hpp"
#include "exercise/modules.hpp"
#include "exercise/seal.hpp"
#include "exercise/student.hpp"
#include "format/text.hpp"
#include "session/data_folder.hpp"

namespace perilune::lua {

namespace {

namespace fs = std::filesystem;

using State = std::unique_ptr<lua_State, void (*)(lua_State*)>;

State new_state() {
  State state(luaL_newstate(), lua_close);
  if (!state) throw Error("not enough memory for the interpreter");
  luaL_openlibs(state.get());
  install_interruptible_library(state.get());
  preload_exercise_modules(state.get());
  return state;
}

// What the file returns, on the stack.
void run_file(lua_State* L, const fs::path& path) {
  if (luaL_loadfile(L, path.c_str()) != LUA_OK) throw Error(pop_report(L, path.string()).text);
  if (const auto report = call(L, 0, 1, false)) throw Error(report->text);
}

std::string text_in(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error("cannot open '" + path.string() + "'");
  return {std::istreambuf_iterator<char>(file), {}};
}

constexpr const char* open_checks = "checks.lua";

// A course of one's own has checks in a file; what students got of it has them sealed.
bool has_checks(const fs::path& folder) {
  return fs::exists(folder / open_checks) || fs::exists(folder / sealed_checks_file) ||
         !checks_of(folder.filename().string()).empty();
}

// What the checks return, on the stack.
void run_checks(lua_State* L, const fs::path& folder) {
  if (fs::exists(folder / open_checks)) return run_file(L, folder / open_checks);
  const std::string text = checks_text(folder);
  if (luaL_loadbuffer(L, text.data(), text.size(), "=checks.lua") != LUA_OK) throw Error(pop_report(L).text);
  if (const auto report = call(L, 0, 1, false)) throw Error(report->text);
}

std::string text_field(lua_State* L, const char* name) {
  std::string text = lua_getfield(L, -1, name) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  lua_pop(L, 1);
  return text;
}

double number_field(lua_State* L, const char* name, double fallback) {
  const double number = lua_getfield(L, -1, name) == LUA_TNUMBER ? lua_tonumber(L, -1) : fallback;
  lua_pop(L, 1);
  return number;
}

const Plain* find(const Plain& table, const char* name) {
  const auto* items = std::get_if<Plain::Items>(&table.value);
  if (!items) return nullptr;
  for (const auto& [key, value] : *items) {
    const auto* text = std::get_if<std::string>(&key.value);
    if (text && *text == name) return &value;
  }
  return nullptr;
}

std::string text_of(const Plain& table, const char* name) {
  const Plain* found = find(table, name);
  const auto* text = found ? std::get_if<std::string>(&found->value) : nullptr;
  return text ? *text : "";
}

std::vector<Test> tests_of(const Plain& list) {
  std::vector<Test> tests;
  const auto* items = std::get_if<Plain::Items>(&list.value);
  if (!items) throw Error("the checks returned no list");
  for (const auto& [key, each] : *items) {
    tests.push_back({text_of(each, "id"), text_of(each, "name"), text_of(each, "output"), text_of(each, "hint"),
                     number_of(*find(each, "score")), number_of(*find(each, "max_score")),
                     text_of(each, "status") == "passed", find(each, "doubtful") != nullptr});
  }
  return tests;
}

constexpr std::size_t largest_script = 1 << 20;

const Limits judge_limits{.seconds = 60, .memory = 4096, .open_files = 64};

}  // namespace

double Marks::score() const {
  double sum = 0;
  for (const Test& test : tests) sum += test.score;
  return sum;
}

double Marks::max_score() const {
  double sum = 0;
  for (const Test& test : tests) sum += test.max_score;
  return sum;
}

bool Marks::full() const {
  const auto passed = [](const Test& test) { return test.passed; };
  return problem.empty() && !tests.empty() && std::all_of(tests.begin(), tests.end(), passed);
}

const Test* Marks::find(const std::string& id) const {
  const auto found = std::find_if(tests.begin(), tests.end(), [&](const Test& test) { return test.id == id; });
  return found == tests.end() ? nullptr : &*found;
}

Exercise::Exercise(fs::path folder) : folder_(std::move(folder)), state_(new_state()) {
  lua_State* L = state_.get();
  run_checks(L, folder_);
  if (!lua_istable(L, -1)) throw Error((folder_ / "checks.lua").string() + " returns no table");
  title_ = text_field(L, "title");
  topic_ = text_field(L, "topic");
  level_ = static_cast<int>(number_field(L, "level", 1));
  if (lua_getfield(L, -1, "limits") == LUA_TTABLE) {
    limits_.seconds = number_field(L, "seconds", limits_.seconds);
    limits_.memory = static_cast<int>(number_field(L, "memory", limits_.memory));
  }
  lua_settop(L, 1);  // the definition stays
}

// Calls exercise.function(definition, arguments...).
Plain Exercise::call(const char* function, const std::vector<Plain>& arguments) const {
  lua_State* L = state_.get();
  lua_settop(L, 1);
  lua_getglobal(L, "require");
  lua_pushliteral(L, "exercise");
  if (const auto report = lua::call(L, 1, 1, false)) throw Error(report->text);
  lua_getfield(L, -1, function);
  lua_pushvalue(L, 1);
  for (const Plain& argument : arguments) push_plain(L, argument);
  if (const auto report = lua::call(L, static_cast<int>(arguments.size()) + 1, 1, true)) throw Error(report->text);
  Plain result = read_plain(L, -1);
  lua_settop(L, 1);
  return result;
}

std::vector<std::string> Exercise::hints() const {
  const State state = new_state();
  run_file(state.get(), folder_ / "hints.lua");
  std::vector<std::string> texts;
  for (lua_Integer i = 1; lua_rawgeti(state.get(), 1, i) == LUA_TSTRING; ++i) {
    texts.emplace_back(lua_tostring(state.get(), -1));
    lua_pop(state.get(), 1);
  }
  return texts;
}

Plain Exercise::given(std::int64_t seed) const { return call("prepare", {{seed}}); }

Marks Exercise::check(const fs::path& script, std::int64_t seed) const {
  const std::string text = script_text(script);
  const ScratchFolder scratch;
  const fs::path copy = scratch.path() / script.filename();
  write_file(copy.string(), [&](std::ostream& out) { out << text; });
  const Plain numbers = given(seed);
  const Assignment assignment{copy, numbers, call("questions", {numbers}), seed, limits_};
  const Outcome run = run_limited(limits_, [&] { return student_answers(assignment); });
  Marks marks;
  marks.output = run.output;
  marks.seconds = run.seconds;
  Plain outcome{Plain::Items{}};
  if (run.ending == Ending::Finished) {
    outcome = decode(run.answer);
    marks.problem = text_of(outcome, "problem");
  } else {
    marks.problem = "the script " + described(run.ending, limits_);
  }
  auto& items = std::get<Plain::Items>(outcome.value);
  if (run.ending != Ending::Finished) items.emplace_back(Plain{"problem"}, Plain{marks.problem});
  items.emplace_back(Plain{"seconds"}, Plain{run.seconds});
  marks.tests = judged(numbers, outcome);
  return marks;
}

Marks Exercise::marks_without_script(const std::string& problem, std::int64_t seed) const {
  Marks marks;
  marks.problem = problem;
  Plain::Items outcome;
  outcome.emplace_back(Plain{"problem"}, Plain{problem});
  marks.tests = judged(given(seed), {std::move(outcome)});
  return marks;
}

// What the checks compute may depend on numbers of the script, so they have limits too.
std::vector<Test> Exercise::judged(const Plain& numbers, const Plain& outcome) const {
  const Outcome run = run_limited(judge_limits, [&] { return encode(call("judge", {numbers, outcome})); });
  if (run.ending != Ending::Finished) {
    throw Error("the checks of " + id() + " failed: " + described(run.ending, judge_limits) + "\n" + run.output);
  }
  return tests_of(decode(run.answer));
}

std::string checks_text(const fs::path& folder) {
  if (fs::exists(folder / open_checks)) return text_in(folder / open_checks);
  const fs::path file = folder / sealed_checks_file;
  const std::string_view embedded = checks_of(folder.filename().string());
  if (!fs::exists(file)) {
    if (embedded.empty()) throw Error("there is no '" + (folder / open_checks).string() + "'");
    return unsealed(embedded);
  }
  try {
    return unsealed(text_in(file));
  } catch (const Error& error) {
    throw Error(file.string() + ": " + error.what());
  }
}

std::vector<fs::path> exercise_folders() {
  const fs::path folder = data_folder() / "exercises";
  std::vector<fs::path> found;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder, failure)) {
    if (has_checks(entry.path())) found.push_back(entry.path());
  }
  if (found.empty()) {
    throw Error("no exercises in '" + folder.string() + "'; PERILUNE_DATA names the folder that has exercises/");
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Whether an exercise is meant: its number, with or without zeros, the begin of its name, or of what follows the
// number.
bool fits(const std::string& name, const std::string& text) {
  const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  if (is_number) return text.size() < 9 && std::atoi(text.c_str()) == std::atoi(name.c_str());
  const size_t dash = name.find('-');
  return !text.empty() && (name.starts_with(text) || (dash != name.npos && name.substr(dash + 1).starts_with(text)));
}

Exercise find_exercise(const std::string& text) {
  std::vector<std::string> names;
  std::vector<fs::path> fitting;
  for (const fs::path& folder : exercise_folders()) {
    names.push_back(folder.filename().string());
    if (names.back() == text) return Exercise(folder);
    if (fits(names.back(), text)) fitting.push_back(folder);
  }
  if (fitting.size() == 1) return Exercise(fitting.front());
  throw Error("there is " + std::string(fitting.empty() ? "no exercise '" : "more than one exercise '") + text + "'" +
              did_you_mean(closest(text, names)) + "; perilune exercise list shows them");
}

std::string script_text(const fs::path& script) { return handed_in_text(script, largest_script); }

std::int64_t seed_of(const std::string& student, const std::string& exercise) {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char c : student + "/" + exercise) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return static_cast<std::int64_t>(hash >> 33);
}

}  // namespace perilune::lua
