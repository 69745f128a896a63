// SPDX-License-Identifier: MIT
// m:export: models as files of other programs.
#include "base/file_access.hpp"
#include "base/guard.hpp"
#include "base/output_file.hpp"
#include "error.hpp"
#include "exchange/export_unit.hpp"
#include "output/mjcf.hpp"
#include "output/urdf.hpp"
#include "runs/phases.hpp"

namespace perilune::lua {

namespace {

/// A format in which a model stands as it is declared, by what names of its files end with. `write` returns what is to
/// stand in the file, or throws Error.
struct ModelFormat {
  std::string name;
  std::vector<std::string> endings;
  std::string (*write)(const model::Model& model);
};

const std::vector<ModelFormat>& model_formats() {
  static const std::vector<ModelFormat> formats = {{"MJCF", {".xml", ".mjcf"}, output::mjcf_of},
                                                   {"URDF", {".urdf"}, output::urdf_of}};
  return formats;
}

/// None for endings that no format has.
const ModelFormat* format_of(const std::string& path) {
  for (const ModelFormat& format : model_formats()) {
    for (const std::string& ending : format.endings) {
      if (path.ends_with(ending)) return &format;
    }
  }
  return nullptr;
}

std::string known_endings() {
  std::string known;
  for (const ModelFormat& format : model_formats()) {
    std::string endings;
    for (const std::string& ending : format.endings) endings += (endings.empty() ? "" : " or ") + ending;
    known += endings + " for " + format.name + ", ";
  }
  return known + "or .fmu for a unit of FMI 3.0";
}

void export_declared(Args& args, lua_State* L, const std::string& path, const ModelFormat& format) {
  for (const Field& field : args.constructor().fields) {
    if (args.given(field.name)) args.fail(std::string(field.name) + " belongs to units, whose file ends in .fmu");
  }
  if (lua_getiuservalue(L, 1, phases_value) != LUA_TNIL) {
    throw Error("export: the model has phases, which " + format.name + " cannot say");
  }
  std::string text;
  try {
    text = format.write(*args.model()->engine);
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
  } else if (const ModelFormat* format = format_of(path)) {
    export_declared(args, L, path, *format);
  } else {
    args.fail("'" + path + "' must end in " + known_endings() + "; other kinds are not written");
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
           "Writes the model for other programs. To a file .xml or .mjcf as MJCF, the format of MuJoCo, or .urdf as\n"
           "URDF, that of ROS, as declared, at the present values of parameters: rigid bodies and their joints, in\n"
           "trees and loops, and linear springs. MJCF has the declared positions and velocities as the keyframe\n"
           "\"start\"; URDF has neither velocities nor springs, and all starts at angle 0. A planar model moves in "
           "the\n"
           "plane of x and y of the file, in URDF of x and z. What else moves the model is refused, all in one\n"
           "error; markers and shapes for pictures are left out.\n"
           "To a file .fmu as a unit of FMI 3.0, for model exchange and co-simulation, with directional and adjoint\n"
           "derivatives; of a motion in phases for co-simulation alone. Inputs are parameters that forces read, the\n"
           "others its parameters, outputs signals. It contains the script, which is run again up to here where the\n"
           "unit is used: docs/howto/fmi.md.",
       .positional = {{.name = "file", .type = Type::String, .text = "to be written", .required = true}},
       .fields = with_settings_but_end(
           {{.name = "inputs",
             .type = Type::Parameters,
             .text = "units: what the host sets while it runs",
             .fallback = "none"},
            {.name = "outputs", .type = Type::Names, .text = "units: names of signals for the host"},
            phases_field()}),
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
