// SPDX-License-Identifier: MIT
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "base/file_access.hpp"
#include "base/guard.hpp"
#include "base/input_file.hpp"
#include "base/quiet_functions.hpp"
#include "error.hpp"
#include "exchange/unit.hpp"
#include "format/json.hpp"
#include "format/json_reader.hpp"
#include "perilune.hpp"
#include "stdlib_modules.hpp"

namespace perilune::lua {

namespace {

constexpr const char* registry_key = "perilune.replay";

struct Replay {
  std::string file;
  std::optional<ExportedModel> taken;
};

Replay* replay_of(lua_State* L) {
  lua_getfield(L, LUA_REGISTRYINDEX, registry_key);
  auto* found = static_cast<Replay*>(lua_touserdata(L, -1));
  lua_pop(L, 1);
  return found;
}

void write(format::JsonWriter& out, const char* key, const std::vector<UnitRecord::File>& files) {
  out.key(key).begin_array();
  for (const UnitRecord::File& file : files) {
    out.begin_object().key("name").value(file.name).key("stored").value(file.stored);
    out.key("chunk").value(file.chunk).end_object();
  }
  out.end_array();
}

const format::JsonValue& member(const format::JsonValue& of, const char* key) {
  const format::JsonValue* found = of.find(key);
  if (!found) throw Error("unit.json has no \"" + std::string(key) + "\"");
  return *found;
}

const std::string& text_of(const format::JsonValue& of, const char* key) {
  const std::string* text = member(of, key).text();
  if (!text) throw Error("unit.json: \"" + std::string(key) + "\" is no text");
  return *text;
}

std::size_t count_of(const format::JsonValue& of, const char* key) {
  const double* number = member(of, key).number();
  if (!number || *number < 0) throw Error("unit.json: \"" + std::string(key) + "\" is no count");
  return static_cast<std::size_t>(*number);
}

const format::JsonValue::Array& list_of(const format::JsonValue& of, const char* key) {
  const auto* list = std::get_if<format::JsonValue::Array>(&member(of, key).value);
  if (!list) throw Error("unit.json: \"" + std::string(key) + "\" is no list");
  return *list;
}

std::vector<UnitRecord::File> files_of(const format::JsonValue& of, const char* key) {
  std::vector<UnitRecord::File> out;
  for (const format::JsonValue& each : list_of(of, key)) {
    out.push_back({text_of(each, "name"), text_of(each, "stored"), text_of(each, "chunk")});
  }
  return out;
}

int say_nothing(lua_State*) { return 0; }

int say_nothing_and_return_file(lua_State* L) {
  lua_getglobal(L, "io");
  lua_getfield(L, -1, "stdout");
  return 1;
}

int refuse_to_exit(lua_State*) { throw Error("os.exit before m:export"); }

void set_field(lua_State* L, const char* table, const char* field, lua_CFunction function) {
  lua_getglobal(L, table);
  lua_pushcfunction(L, function);
  lua_setfield(L, -2, field);
  lua_pop(L, 1);
}

void push_arguments(lua_State* L, const UnitRecord& record) {
  lua_createtable(L, static_cast<int>(record.arguments.size()), 1);
  lua_pushlstring(L, record.script.data(), record.script.size());
  lua_rawseti(L, -2, 0);
  for (std::size_t k = 0; k < record.arguments.size(); ++k) {
    lua_pushlstring(L, record.arguments[k].data(), record.arguments[k].size());
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
}

/// A script's modules are those that it had when it was exported, and no others.
void open_modules(lua_State* L, const std::vector<UnitRecord::File>& modules, const std::vector<std::string>& texts,
                  const std::vector<std::string>& chunks) {
  for (std::size_t k = 0; k < modules.size(); ++k) {
    preload_text(L, modules[k].name.c_str(), texts[k].c_str(), chunks[k].c_str());
  }
  lua_getglobal(L, "package");
  for (const char* field : {"path", "cpath"}) {
    lua_pushliteral(L, "");
    lua_setfield(L, -2, field);
  }
  lua_pop(L, 1);
}

struct Task {
  const UnitRecord& record;
  const std::string& script;
  const std::vector<std::string>&texts, &chunks;
  Replay& replay;
};

int run_task(lua_State* L) {
  const Task& task = *static_cast<const Task*>(lua_touserdata(L, 1));
  luaL_openlibs(L);
  lua_pushlightuserdata(L, &task.replay);
  lua_setfield(L, LUA_REGISTRYINDEX, registry_key);
  preload_perilune(L);
  open_modules(L, task.record.modules, task.texts, task.chunks);
  keep_quiet(L);
  lua_pushcfunction(L, say_nothing);
  lua_setglobal(L, "print");
  set_field(L, "io", "write", say_nothing_and_return_file);
  set_field(L, "os", "exit", guarded<refuse_to_exit>);
  push_arguments(L, task.record);
  lua_setglobal(L, "arg");
  if (luaL_loadbuffer(L, task.script.data(), task.script.size(), ("@" + task.record.script).c_str()) != LUA_OK) {
    return lua_error(L);
  }
  for (const std::string& argument : task.record.arguments) {
    lua_pushlstring(L, argument.data(), argument.size());
  }
  lua_call(L, static_cast<int>(task.record.arguments.size()), 0);
  return 0;
}

}  // namespace

bool is_replay(lua_State* L) { return replay_of(L) != nullptr; }

bool takes_export(lua_State* L, const std::string& file, ExportedModel model) {
  Replay* replay = replay_of(L);
  if (!replay || replay->file != file) return false;
  replay->taken = std::move(model);
  throw Error("the model is exported");
}

std::string unit_record_text(const UnitRecord& record) {
  std::ostringstream out;
  format::JsonWriter json(out);
  json.begin_object().key("token").value(record.token).key("exported").value(record.exported);
  json.key("script").value(record.script).key("arguments").begin_array();
  for (const std::string& argument : record.arguments) json.value(argument);
  json.end_array().key("values").begin_array();
  for (const double value : record.values) json.value(value);
  json.end_array().key("states").value(record.states).key("positions").value(record.positions);
  write(json, "modules", record.modules);
  write(json, "files", record.files);
  json.end_object();
  return out.str();
}

UnitRecord read_unit_record(const std::string& text) {
  const format::JsonValue json = format::read_json(text);
  UnitRecord out;
  out.token = text_of(json, "token");
  out.exported = text_of(json, "exported");
  out.script = text_of(json, "script");
  for (const format::JsonValue& argument : list_of(json, "arguments")) {
    if (!argument.text()) throw Error("unit.json: an argument is no text");
    out.arguments.push_back(*argument.text());
  }
  for (const format::JsonValue& value : list_of(json, "values")) {
    if (!value.number()) throw Error("unit.json: a value is no number");
    out.values.push_back(*value.number());
  }
  out.states = count_of(json, "states");
  out.positions = count_of(json, "positions");
  out.modules = files_of(json, "modules");
  out.files = files_of(json, "files");
  return out;
}

ExportedModel replay(const std::string& resources, const UnitRecord& record) {
  namespace fs = std::filesystem;
  const fs::path folder = resources;
  const std::string script = file_bytes("unit", (folder / "script.lua").string());
  std::vector<std::string> texts, chunks;
  for (const UnitRecord::File& module : record.modules) {
    texts.push_back(file_bytes("unit", (folder / module.stored).string()));
    chunks.push_back("@" + module.chunk);
  }
  std::vector<StoredFile> stored;
  for (const UnitRecord::File& file : record.files) stored.push_back({file.name, (folder / file.stored).string()});
  const UseStoredFiles instead(std::move(stored));
  Replay state{record.exported, std::nullopt};
  const Task task{record, script, texts, chunks, state};
  std::unique_ptr<lua_State, void (*)(lua_State*)> L(luaL_newstate(), lua_close);
  if (!L) throw Error("not enough memory for the interpreter");
  lua_pushcfunction(L.get(), run_task);
  lua_pushlightuserdata(L.get(), const_cast<Task*>(&task));
  const int status = lua_pcall(L.get(), 1, 0, 0);
  if (!state.taken) {
    const char* text = status == LUA_OK ? nullptr : lua_tostring(L.get(), -1);
    throw Error(text ? std::string(text)
                     : record.script + " ends without m:export { \"" + record.exported + "\", ... }");
  }
  if (state.taken->model->parameters().size() != record.values.size()) {
    throw Error(record.script + " declares other parameters than when it was exported");
  }
  return std::move(*state.taken);
}

}  // namespace perilune::lua
