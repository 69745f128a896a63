// SPDX-License-Identifier: MIT
// perilune doc, perilune init, perilune exercise, perilune merge.
#include <filesystem>
#include <iostream>

#include "base/options.hpp"
#include "base/output_file.hpp"
#include "error.hpp"
#include "exercise/command.hpp"
#include "optimize/job_file.hpp"
#include "optimize/job_lines.hpp"
#include "perilune.hpp"
#include "schema/documents.hpp"
#include "schema/schema.hpp"
#include "session/data_folder.hpp"
#include "session/launcher.hpp"

namespace perilune::lua {

namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  std::error_code failure;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), failure);
  write_file(path.string(), [&](std::ostream& out) { out << text; });
}

int write_all(const fs::path& folder, const std::vector<Document>& documents) {
  for (const Document& document : documents) write(folder / document.name, document.text);
  return 0;
}

int put_out(const std::string& text) {
  std::cout << text;
  return 0;
}

int document(const std::vector<std::string>& words) {
  std::string what = words.empty() ? "" : words[0];
  if (!what.empty() && what[0] != '-') {  // also of several words: perilune doc gear ratio
    for (size_t k = 1; k < words.size(); ++k) what += " " + words[k];
    return put_out(help_page(what) + "\n");
  }
  if (words.size() == 1) {
    if (what == "--json") return put_out(schema_as_json() + "\n");
    if (what == "--luacheck") return put_out(luacheck_settings());
    if (what == "--man") return put_out(manual_page());
    if (what == "--meta" || what == "--markdown") return wrong_usage("doc " + what + " needs a folder");
  }
  if (words.size() == 2) {
    if (what == "--meta") return write_all(words[1], annotations());
    if (what == "--markdown") return write_all(words[1], reference_pages());
  }
  return wrong_usage(
      "doc needs a topic, such as perilune doc spring, or one of --json, --luacheck, --man, --meta folder, "
      "--markdown folder");
}

constexpr std::string_view annotation_folder = ".perilune/meta";  // as in the settings of editors

constexpr std::string_view editor_settings = R"({
  "runtime.version": "Lua 5.4",
  "workspace.library": [".perilune/meta"],
  "workspace.checkThirdParty": false
}
)";

constexpr std::string_view first_script =
    R"(-- A pendulum with a spring: `perilune pendulum.lua` runs it. With `perilune -i pendulum.lua` the prompt comes
-- afterwards; what it should know, like `m` or `run`, must not be local then.
local mbs = require "perilune"

local m = mbs.model { "pendulum", gravity = { 0, -9.81 } }
local L = m:param { "L", 0.5, unit = "m", min = 0.2, max = 1 }
local k = m:param { "k", 20, unit = "N/m", min = 0 }
local arm = m:body { "arm", mass = 1, inertia = 1 / 12 * L ^ 2, at = { L / 2, 0 } }
m:revolute { "pivot", m.ground, arm, at = { 0, 0 } }
m:spring { "spring", m:ground { at = { 0, 1 } }, arm, stiffness = k, free_length = 0.8 }
print(m)

local run = m:simulate { t = 5 }
print(run)
run:plot("arm.angle", "energy.kinetic")
run:csv("pendulum.csv")

-- How the mean square of the angle depends on both parameters, exactly.
local swing = m:objective { "swing", integral = function() return arm.angle ^ 2 / 5 end }
print(m:gradient { swing })
)";

std::vector<Document> project_files() {
  return {{".luarc.json", std::string(editor_settings)},
          {".luacheckrc", luacheck_settings()},
          {"pendulum.lua", std::string(first_script)}};
}

// What is there already stays.
int init(const std::vector<std::string>& words) {
  if (words.size() > 1 || (words.size() == 1 && words[0].starts_with('-'))) {
    return wrong_usage("init takes one folder, or none for this one");
  }
  const fs::path folder = words.empty() ? "" : words[0];
  for (const Document& file : project_files()) {
    const fs::path path = folder / file.name;
    const bool exists = fs::exists(path);
    if (!exists) write(path, file.text);
    std::cout << path.string() << (exists ? " is there already and stays as it is\n" : "\n");
  }
  const fs::path annotated = folder / annotation_folder;
  if (fs::exists(annotated)) {
    std::cout << annotated.string() << " is there already; perilune doc --meta " << annotated.string()
              << " renews it\n";
  } else {
    std::cout << annotated.string() << '\n';
    write_all(annotated, annotations());
  }
  std::error_code failure;
  const fs::path scripts = provided_scripts();
  if (fs::is_directory(scripts, failure)) std::cout << "more scripts to start from are in " << scripts.string() << '\n';
  return 0;
}

std::string listed(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : "; ") + item;
  return text;
}

// What is there is written also where something is missing: `perilune run --results` completes it.
int merge(const std::vector<std::string>& words) {
  if (words.empty() || words[0].starts_with('-')) return wrong_usage("merge needs the files of the shards");
  std::vector<optimize::NamedLines> files;
  for (const std::string& path : words) files.push_back({path, optimize::read_lines(path)});
  const optimize::Merged merged = optimize::merge_jobs(files);
  for (const std::string& line : merged.lines) std::cout << line << '\n';
  std::cout.flush();
  if (!std::cout) throw Error("cannot write the standard output");
  if (!merged.repeated.empty()) std::cerr << "perilune: there more than once: " << listed(merged.repeated) << '\n';
  if (!merged.missing.empty()) std::cerr << "perilune: missing: " << listed(merged.missing) << '\n';
  return merged.missing.empty() ? 0 : 1;
}

}  // namespace

std::optional<int> run_subcommand(int argc, const char* const* argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  if (name != "doc" && name != "init" && name != "exercise" && name != "merge") return std::nullopt;
  if (launch().number > 0) return 0;  // of several processes one answers
  forget_launch();
  const std::vector<std::string> words(argv + 2, argv + argc);
  try {
    if (name == "exercise") return run_exercise_command(words);
    if (name == "merge") return merge(words);
    return name == "doc" ? document(words) : init(words);
  } catch (const Interrupted&) {
    std::cerr << "perilune: interrupted\n";
    return 130;
  } catch (const std::exception& error) {
    std::cerr << "perilune: " << error.what() << '\n';
    return 1;
  }
}

}  // namespace perilune::lua
