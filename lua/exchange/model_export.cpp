// SPDX-License-Identifier: MIT
// m:export: models as files of other programs.
#include "base/file_access.hpp"
#include "base/guard.hpp"
#include "base/output_file.hpp"
#include "error.hpp"
#include "exchange/export_unit.hpp"
#include "output/mjcf.hpp"

namespace perilune::lua {

namespace {

void export_mjcf(Args& args, lua_State* L, const std::string& path) {
  for (const Field& field : args.constructor().fields) {
    if (args.given(field.name)) args.fail(std::string(field.name) + " belongs to units, whose file ends in .fmu");
  }
  if (lua_getiuservalue(L, 1, phases_value) != LUA_TNIL) {
    throw Error("export: the model has phases, which MJCF cannot say");
  }
  std::string text;
  try {
    text = output::mjcf_of(*args.model()->engine);
  } catch (const Error& problem) {
    throw Error("export: " + std::string(problem.what()));
  }
  write_file(path, [&text](std::ostream& out) { out << text; });
}

/// m:export "robot.xml" is m:export { "robot.xml" }.
void take_name_alone(lua_State* L) {
  if (lua_gettop(L) != 2 || lua_type(L, 2) != LUA_TSTRING) return;
  lua_newtable(L);
  lua_insert(L, 2);
  lua_rawseti(L, 2, 1);
}

int export_model(lua_State* L) {
  check_self(L, "model:export");
  take_name_alone(L);
  Args args(L);
  const std::string path = args.text("file");
  if (path.ends_with(".fmu")) {
    export_unit(args, L, path);
  } else if (path.ends_with(".xml") || path.ends_with(".mjcf")) {
    export_mjcf(args, L, path);
  } else {
    args.fail("'" + path +
              "' must end in .xml or .mjcf, for MJCF, or in .fmu, for a unit of FMI 3.0; other kinds are " +
              "not written");
  }
  return 0;
}

}  // namespace

std::span<const Constructor> export_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "model:export",
       .object = "export",
       .returns = "nil",
       .summary =
           "Writes the model for other programs. To a file .xml or .mjcf as MJCF, the format of MuJoCo, as declared,\n"
           "at the present values of parameters: trees of bodies in space on revolute, translational, spherical\n"
           "joints and welds, or free, and the keyframe \"start\" with the declared positions and velocities. What\n"
           "else moves the model is refused, all in one error; markers and shapes for pictures are left out.\n"
           "To a file .fmu as a unit of FMI 3.0, for model exchange (with directional and adjoint derivatives) and\n"
           "co-simulation: inputs are parameters that forces read, the others its parameters, outputs signals. It\n"
           "contains the script, which is run again up to here where the unit is used: docs/howto/fmi.md.",
       .positional = {{.name = "file", .type = Type::String, .text = "to be written", .required = true}},
       .fields = with_settings_but_end(
           {{.name = "inputs",
             .type = Type::Parameters,
             .text = "units: what the host sets while it runs",
             .fallback = "none"},
            {.name = "outputs", .type = Type::Names, .text = "units: names of signals for the host"}}),
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
                  "local rod = m:body { \"rod\", mass = 1, inertia = {0.1, 0.1, 0.01}, at = {1, 0, 0} }\n"
                  "m:revolute { \"pivot\", m.ground, rod, at = {0, 0, 0}, axis = \"y\" }\n"
                  "local file = os.tmpname() .. \".xml\"\n"
                  "m:export(file)\n"
                  "local copy = mbs.read { file, key = \"start\" }",
       .see_also = {"read", "object", "signal"},
       .function = guarded<export_model>},
  };
  return constructors;
}

}  // namespace perilune::lua
