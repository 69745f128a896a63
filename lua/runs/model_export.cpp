// SPDX-License-Identifier: MIT
// m:export: models as files of other programs.
#include "base/file_access.hpp"
#include "base/output_file.hpp"
#include "error.hpp"
#include "objects/model_text.hpp"
#include "output/mjcf.hpp"
#include "runs/experiment.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

int export_model(lua_State* L) {
  const ModelPtr model = check_self(L, "model:export");
  refuse_in_law("export");
  if (lua_type(L, 2) != LUA_TSTRING) throw Error("export: expected the name of a file, as in m:export \"robot.xml\"");
  const std::string path = lua_tostring(L, 2);
  if (!path.ends_with(".xml") && !path.ends_with(".mjcf")) {
    throw Error("export: '" + path + "' must end in .xml or .mjcf, for MJCF; other kinds are not written");
  }
  if (lua_getiuservalue(L, 1, phases_value) != LUA_TNIL) {
    throw Error("export: the model has phases, which MJCF cannot say");
  }
  std::string text;
  try {
    text = output::mjcf_of(*model->engine);
  } catch (const Error& problem) {
    throw Error("export: " + std::string(problem.what()));
  }
  write_file(path, [&text](std::ostream& out) { out << text; });
  return 0;
}

}  // namespace perilune::lua
