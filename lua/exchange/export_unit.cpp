// SPDX-License-Identifier: MIT
#include "exchange/export_unit.hpp"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/input_file.hpp"
#include "base/output_file.hpp"
#include "base/run_options.hpp"
#include "base/scratch_folder.hpp"
#include "error.hpp"
#include "exchange/describe.hpp"
#include "exchange/library.hpp"
#include "exchange/unit.hpp"
#include "fingerprint.hpp"
#include "format/text.hpp"
#include "format/zip_writer.hpp"
#include "runs/phases.hpp"

namespace perilune::lua {

namespace {

namespace fs = std::filesystem;

#if defined(__aarch64__)
constexpr const char* platform = "aarch64-linux";
#else
constexpr const char* platform = "x86_64-linux";
#endif

/// The file's name as a name of C.
std::string identifier_of(const std::string& path) {
  std::string name = fs::path(path).stem().string();
  for (char& c : name) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_letter && !(c >= '0' && c <= '9')) c = '_';
  }
  return name.empty() || (name[0] >= '0' && name[0] <= '9') ? "unit_" + name : name;
}

void write_whole(const fs::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw Error("cannot write '" + path.string() + "'");
}

ExportedModel read_model(Args& args, lua_State* L) {
  const auto& last = args.model()->last_problem;
  ExportedModel out;
  std::vector<std::string> names = read_names(args, L, "outputs");
  if (args.given("inputs")) {
    out.inputs = read_parameters(args, L, "inputs");
  } else {
    args.value("inputs");
  }
  constexpr double usual_end = 1;  // s, of experiments with the unit
  const double start = args.given("start") ? args.plain_number("start") : last ? last->start : 0;
  out.problem = read_problem(args, L, std::nullopt, last && last->end > start ? last->end : start + usual_end);
  read_phases(args, L, out.problem);
  args.check_all_read();
  // A copy of its own: a snapshot of before has the values that the parameters had then.
  const auto copy = std::make_shared<model::Model>(args.engine());
  out.model = copy;
  for (const std::string& name : names) {
    const model::ShownSignal shown = model::shown_signal(*copy, name);
    out.problem.objectives.push_back(
        std::make_shared<simulation::Objective>(name, out.model, shown.node, expr::no_node));
    out.outputs.push_back(shown);
  }
  return out;
}

/// The modules of Lua that the script has from files.
void collect_modules(lua_State* L, const fs::path& folder, UnitRecord& record) {
  const int top = lua_gettop(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_getglobal(L, "package");
  std::vector<std::string> names;
  for (lua_pushnil(L); lua_next(L, top + 1); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) continue;
    const std::string name = lua_tostring(L, -2);
    if (lua_getfield(L, top + 2, name.c_str()) == LUA_TNIL) names.push_back(name);
    lua_pop(L, 1);
  }
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    if (lua_getfield(L, top + 3, "searchpath") != LUA_TFUNCTION) break;
    lua_pushlstring(L, name.data(), name.size());
    lua_getfield(L, top + 3, "path");
    if (lua_pcall(L, 2, 1, 0) == LUA_OK && lua_type(L, -1) == LUA_TSTRING) {
      const std::string path = lua_tostring(L, -1), stored = "module" + std::to_string(record.modules.size()) + ".lua";
      write_whole(folder / stored, file_bytes("export", path));
      record.modules.push_back({name, stored, path});
    }
    lua_settop(L, top + 3);
  }
  lua_settop(L, top);
}

/// The folder of resources: all that is needed to run the script again.
UnitRecord write_resources(lua_State* L, const std::string& path, const ExportedModel& model, const fs::path& folder) {
  const RunOptions& options = run_options();
  if (options.script.empty() || options.script == "-") {
    throw Error("a unit runs the script again that declares its model, but this is no script of a file; " +
                std::string("write one, and run it by perilune script.lua"));
  }
  const std::vector<std::string> files(files_read().begin(), files_read().end());  // before the script itself is read
  UnitRecord record;
  record.exported = path;
  record.script = options.script;
  record.arguments = options.words;
  for (const model::Parameter& p : model.model->parameters()) record.values.push_back(p.value);
  const std::string script = file_bytes("export", options.script);
  write_whole(folder / "script.lua", script);
  collect_modules(L, folder, record);
  Fingerprint print;
  print.add(path).add(script).add(record.values);
  for (const UnitRecord::File& module : record.modules) {
    print.add(module.name).add(file_bytes("export", (folder / module.stored).string()));
  }
  for (const std::string& file : files) {
    const std::string stored = "file" + std::to_string(record.files.size()), bytes = file_bytes("export", file);
    write_whole(folder / stored, bytes);
    print.add(file).add(bytes);
    record.files.push_back({file, stored});
  }
  record.token = print.text();
  return record;
}

/// The unit starts where the model does that was exported.
void check_first_use(const std::string& resources, const UnitRecord& record, const exchange::Interface& interface,
                     exchange::Plant& plant, lua_State* L) {
  std::vector<exchange::Reference> outputs;
  for (std::size_t k = 0; k < interface.outputs.size(); ++k) {
    outputs.push_back(interface.numbering().of(exchange::Numbering::Kind::Output, k));
  }
  FirstUse found;
  try {
    found = use_first(unit_library(), resources, record, outputs, interface.start);
  } catch (const Error& problem) {
    throw Error("the unit runs the script again when it is used, which fails here: " + std::string(problem.what()) +
                "; a script of its own, that declares the model and exports it, can do without what is missing");
  }
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const double expected = plant.output(static_cast<int>(k)), got = found.outputs[k];
    constexpr double rounding = 1e-9;
    if (std::abs(expected - got) <= rounding * std::max({1.0, std::abs(expected), std::abs(got)})) continue;
    throw Error("the unit runs the script again when it is used, and finds another model: output \"" +
                interface.outputs[k].name + "\" begins with " + format::shortest(got) + ", not with " +
                format::shortest(expected) + "; the script must do the same each time");
  }
  constexpr double long_time = 2;  // s
  if (found.seconds <= long_time) return;
  char text[200];
  std::snprintf(
      text, sizeof text,
      "the unit runs this script up to here whenever it is used, which took %.1f s; a script of its own, that "
      "declares the model and exports it, is quicker",
      found.seconds);
  print_warnings(L, {text});
}

}  // namespace

void export_unit(Args& args, lua_State* L, const std::string& path) {
  ExportedModel model = read_model(args, L);
  if (is_replay(L)) {
    takes_export(L, path, std::move(model));
    return;
  }
  if (model.outputs.empty()) {
    args.fail("outputs is missing: the names of signals that the host shall see, as in outputs = { \"energy.total\" }");
  }
  try {
    exchange::Plant plant(model.problem, *model.model);
    print_warnings(L, plant.start(model.problem.start, args.model()->parameter_values()));
    exchange::Interface interface = exchange::interface_of(*model.model, plant, model.inputs, model.outputs);
    const ScratchFolder scratch;
    const fs::path resources = scratch.path() / "resources";
    fs::create_directory(resources);
    UnitRecord record = write_resources(L, path, model, resources);
    record.states = interface.states.size();
    record.positions = interface.positions;
    write_whole(resources / "unit.json", unit_record_text(record));
    interface.identifier = identifier_of(path);
    interface.token = record.token;
    interface.program = "Perilune " PERILUNE_VERSION;
    const std::string description = exchange::model_description(interface);
    check_first_use(resources.string(), record, interface, plant, L);

    const std::string archive = (scratch.path() / "unit.fmu").string();
    format::ZipWriter zip(archive);
    zip.add("modelDescription.xml", description);
    zip.add("binaries/" + std::string(platform) + "/" + interface.identifier + ".so",
            file_bytes("export", unit_library()));
    std::vector<std::string> names;
    for (const fs::directory_entry& each : fs::directory_iterator(resources)) {
      names.push_back(each.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
      zip.add("resources/" + name, file_bytes("export", (resources / name).string()));
    }
    zip.close();
    const std::string bytes = file_bytes("export", archive);
    write_file(path, [&bytes](std::ostream& out) { out << bytes; });
  } catch (const Interrupted&) {
    throw;
  } catch (const NumericalError&) {
    throw;
  } catch (const Error& problem) {
    args.fail(problem.what());
  }
}

}  // namespace perilune::lua
