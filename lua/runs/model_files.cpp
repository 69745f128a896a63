// SPDX-License-Identifier: MIT
// mbs.read: models from files of other programs. What the formats mean is Lua, in stdlib/files.
#include "base/file_access.hpp"
#include "base/guard.hpp"
#include "base/input_file.hpp"
#include "base/suggest.hpp"
#include "base/table_fields.hpp"
#include "error.hpp"
#include "format/xml_reader.hpp"
#include "poll.hpp"
#include "runs/experiment.hpp"
#include "schema/schema.hpp"
#include "values/args.hpp"

namespace perilune::lua {

namespace {

/// {name, line, file, attributes = {name = text}, children = {...}} of an element.
void push_element(lua_State* L, const format::XmlElement& element, const std::string& file) {
  luaL_checkstack(L, LUA_MINSTACK, "XML");
  lua_createtable(L, 0, 5);
  set_text(L, "name", element.name);
  set_text(L, "file", file);
  lua_pushinteger(L, element.line);
  lua_setfield(L, -2, "line");
  lua_createtable(L, 0, static_cast<int>(element.attributes.size()));
  for (const auto& [name, value] : element.attributes) set_text(L, name.c_str(), value);
  lua_setfield(L, -2, "attributes");
  lua_createtable(L, static_cast<int>(element.children.size()), 0);
  for (std::size_t k = 0; k < element.children.size(); ++k) {
    push_element(L, element.children[k], file);
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
  lua_setfield(L, -2, "children");
}

// FreeCAD's assembly text, by its name or its first line.
bool is_assembly_text(std::string_view path, std::string_view bytes) {
  return path.ends_with(".asmt") || bytes.starts_with("OndselSolver") || bytes.starts_with("freeCAD:");
}

// The tree of an XML file, the text itself of FreeCAD's assemblies; nil and a message where it cannot be read. What is
// wrong with XML is an error that begins with the file and the line, as those of a script do.
int parse(lua_State* L) {
  const std::string path = luaL_checkstring(L, 1);
  std::string bytes;
  try {
    bytes = file_bytes("read", path);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& problem) {
    const std::string_view text = problem.what();
    lua_pushnil(L);
    lua_pushstring(L, text.substr(text.starts_with("read: ") ? 6 : 0).data());
    return 2;
  }
  if (is_assembly_text(path, bytes)) {
    lua_pushlstring(L, bytes.data(), bytes.size());
    return 1;
  }
  format::XmlElement root;
  try {
    root = format::read_xml(bytes);
  } catch (const Error& problem) {
    constexpr std::size_t prefix = std::string_view("line ").size();
    lua_pushstring(L, (path + ":" + std::string(problem.what()).substr(prefix)).c_str());
    throw Raised();
  }
  push_element(L, root, path);
  return 1;
}

// The nearest name of a list; nothing if none is near.
int nearest(lua_State* L) {
  const std::string word = luaL_checkstring(L, 1);
  std::vector<std::string> names;
  for (lua_Integer k = 1; lua_rawgeti(L, 2, k) == LUA_TSTRING; ++k) {
    names.emplace_back(lua_tostring(L, -1));
    lua_pop(L, 1);
  }
  const std::string found = closest(word, names);
  if (found.empty()) return 0;
  lua_pushstring(L, found.c_str());
  return 1;
}

int read(lua_State* L) {
  if (lua_type(L, 1) == LUA_TSTRING) {
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, 1);
    lua_rawseti(L, -2, 1);
    lua_replace(L, 1);
  }
  Args args(L);
  const std::string file = args.text("file"), key = args.text("key"), unit = args.text("unit");
  const int parameters = args.value("parameters");
  if (parameters != 0 && !lua_istable(L, parameters)) args.fail_value("parameters", parameters);
  args.check_all_read();
  require_readable(file);  // first of all: scripts that are checked have no modules either
  lua_getglobal(L, "require");
  lua_pushliteral(L, "perilune.files.reader");
  if (lua_pcall(L, 1, 1, 0) != LUA_OK) throw Raised();
  lua_createtable(L, 0, 6);
  set_text(L, "file", file);
  if (args.given("key")) set_text(L, "key", key);
  if (args.given("unit")) set_text(L, "unit", unit);
  if (parameters != 0) {
    lua_pushvalue(L, parameters);
    lua_setfield(L, -2, "parameters");
  }
  lua_pushcfunction(L, guarded<parse>);
  lua_setfield(L, -2, "parse");
  lua_pushcfunction(L, guarded<nearest>);
  lua_setfield(L, -2, "nearest");
  if (lua_pcall(L, 1, 3, 0) != LUA_OK) throw Raised();
  const char* text = lua_tostring(L, -2);
  if (lua_isnil(L, -3)) args.fail(text ? text : "no model");
  lua_setiuservalue(L, -3, paths_value);
  if (text) print_warnings(L, {text});
  lua_pop(L, 1);
  return 1;
}

}  // namespace

std::span<const Constructor> model_file_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "mbs.read",
       .object = "read",
       .returns = "model",
       .summary = "A spatial model from a file: MJCF (root element mujoco) or URDF (robot), in SI units, or assembly\n"
                  "text of FreeCAD (.asmt), in mm or m. Its bodies, joints, actuators and motions have the names of\n"
                  "the file: m:object \"elbow\". Numbers of the file become\n"
                  "parameters by their paths: the name of the element, the attribute, and for lists the component, as\n"
                  "in \"forearm.pos.x\"; what depends on them follows. What the file has beyond what can be said is\n"
                  "one warning, line by line. docs/howto/model_files.md has a table of what is read.",
       .positional = {{.name = "file", .type = Type::String, .text = "to be read", .required = true}},
       .fields = {{.name = "parameters",
                   .type = Type::Paths,
                   .text = "paths of numbers that become m:param, [path] = { min = ..., max = ... } with bounds",
                   .fallback = "none"},
                  {.name = "key",
                   .type = Type::String,
                   .text = "MJCF: the keyframe to start from",
                   .fallback = "the positions as drawn, at rest"},
                  {.name = "unit",
                   .type = Type::String,
                   .text = "assembly text: its length, \"mm\" or \"m\"",
                   .fallback = "mm, if FreeCAD wrote it"}},
       .example = "local mbs = require \"perilune\"\n"
                  "local file = os.tmpname()\n"
                  "local text <close> = assert(io.open(file, \"w\"))\n"
                  "text:write [[<mujoco> <worldbody> <body name=\"rod\"> <joint name=\"pivot\" axis=\"0 1 0\"/>\n"
                  "  <geom type=\"capsule\" fromto=\"0 0 0  1 0 0\" size=\"0.02\"/> </body> </worldbody> </mujoco>]]\n"
                  "text:flush()\n"
                  "local m = mbs.read { file, parameters = { \"rod.geom.size.x\" } }\n"
                  "local run = m:simulate { t = 1 }\n"
                  "print(m:object \"rod\".mass, run:at(\"pivot.angle\", 1))",
       .see_also = {"object", "param", "body"},
       .function = guarded<read>},
  };
  return constructors;
}

}  // namespace perilune::lua
