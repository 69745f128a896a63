// SPDX-License-Identifier: MIT
// mbs.mesh: mass properties of parts that were drawn elsewhere.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/guard.hpp"
#include "base/input_file.hpp"
#include "error.hpp"
#include "format/text.hpp"
#include "mesh/read_mesh.hpp"
#include "mesh/volume.hpp"
#include "objects/solid_tables.hpp"
#include "schema/schema.hpp"
#include "values/args.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

using expr::Symbol;
using model::Vector;

struct MeasuredMesh {
  std::size_t triangles;
  mesh::Volume volume;
};

std::string ending_of(const std::string& file) {
  const std::size_t dot = file.find_last_of("./");
  std::string ending = dot == std::string::npos || file[dot] == '/' ? "" : file.substr(dot);
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

MeasuredMesh measured(const Args& args, const std::string& file) {
  const std::string bytes = file_bytes("mesh", file), ending = ending_of(file);
  if (ending != ".stl" && ending != ".obj") {
    args.fail("'" + file + "' is neither a .stl nor a .obj file; export the part as one of them");
  }
  try {
    mesh::Mesh surface = ending == ".stl" ? mesh::read_stl(bytes) : mesh::read_obj(bytes);
    mesh::merge_vertices(surface);
    return {surface.triangles.size(), mesh::volume_of(surface)};
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& problem) {
    args.fail("'" + file + "': " + problem.what());
  }
}

// Sizes that few parts have, in files without units.
void warn_of_size(lua_State* L, const std::string& file, const mesh::Volume& volume) {
  constexpr double least = 1e-4, most = 50;
  double longest = 0;
  for (std::size_t k = 0; k < 3; ++k) longest = std::max(longest, volume.highest[k] - volume.lowest[k]);
  if (longest >= least && longest <= most) return;
  const std::string unit = longest > most ? "0.001 if they are mm" : "the length of their unit in m";
  print_warnings(L, {"mesh: '" + file + "' is " + format::significant(longest, 3) +
                     " m long if its numbers are metres, and the file has no units; say scale = " + unit +
                     ", or scale = 1 if the part is of that size"});
}

void set_point(lua_State* L, const ModelPtr& model, const char* name, const mesh::Point& point, const Symbol& scale) {
  lua_createtable(L, 3, 0);
  for (std::size_t k = 0; k < 3; ++k) {
    push_symbol(L, model, scale * point[k]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
  lua_setfield(L, -2, name);
}

int mesh_solid(lua_State* L) {
  Args args(L);
  const std::string file = args.text("file");
  const Symbol scale = args.number("scale"), square = scale * scale;
  const auto& [triangles, part] = measured(args, file);
  const Symbol volume = scale * square * part.volume;
  model::Solid solid{mass_of(args, volume), {}, {}};
  for (const double x : part.center) solid.center_of_mass.push_back(scale * x);
  for (const double J : part.inertia) solid.inertia.push_back(solid.mass * square * (J / part.volume));
  const Vector at = args.vector("at", 3), orientation = args.vector("orientation", 4);
  const bool has_scale = args.given("scale");
  args.check_all_read();
  if (!has_scale) warn_of_size(L, file, part);
  if (part.is_inside_out) {
    print_warnings(L, {"mesh: '" + file + "' is inside out: the corners of its triangles go round with the clock as " +
                       "seen from outside; it counts as if it were turned"});
  }
  const ModelPtr model = args.model();
  push_solid(L, model, model::placed(solid, at, orientation));
  push_symbol(L, model, volume);
  lua_setfield(L, -2, "volume");
  push_symbol(L, model, square * part.area);
  lua_setfield(L, -2, "area");
  lua_pushinteger(L, static_cast<lua_Integer>(triangles));
  lua_setfield(L, -2, "triangles");
  set_point(L, model, "lowest", part.lowest, scale);
  set_point(L, model, "highest", part.highest, scale);
  return 1;
}

}  // namespace

std::span<const Constructor> mesh_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "mbs.mesh",
       .object = "mesh",
       .returns = "solid",
       .summary =
           "Mass properties of a uniform part that a file has as a closed surface of triangles, STL or OBJ, for\n"
           "inertia_of of a body: what mbs.box returns, and volume (m^3), area (m^2), triangles (how many), and\n"
           "lowest and highest (x, y, z in m: the box around it in the axes of the file). The files have no units:\n"
           "scale says what theirs is. A surface with holes or turned triangles is refused; shells inside others\n"
           "that face inwards are cavities. Parts that cross count twice where they do. Pictures do not show it.",
       .positional = {{.name = "file", .type = Type::String, .text = "its name, .stl or .obj", .required = true}},
       .fields = solid_fields({{.name = "scale",
                                .text = "length of the file's unit, 0.001 for mm",
                                .unit = "m",
                                .fallback = "1",
                                .range = Range::Positive}},
                              "kg/m^3", "position of the file's origin"),
       .equations =
           "Sums over the tetrahedra from a point in the middle of the part to each triangle, with their signs: with\n"
           "d = a . (b x c), V = sum d / 6, integral of r = sum d (a + b + c) / 24, integral of x y =\n"
           "sum d (s_x s_y + a_x a_y + b_x b_y + c_x c_y) / 120 with s = a + b + c. Exact for the triangles.",
       .example = "local mbs = require \"perilune\"\n"
                  "local name = os.tmpname() .. \".obj\"\n"
                  "local file <close> = assert(io.open(name, \"w\"))\n"
                  "file:write \"v 0 0 0\\nv 60 0 0\\nv 0 40 0\\nv 0 0 20\\nf 1 3 2\\nf 1 2 4\\nf 1 4 3\\nf 2 3 4\\n\"\n"
                  "file:flush()\n"
                  "local wedge = mbs.mesh { name, scale = 0.001, density = 7850 }\n"
                  "print(wedge.volume, wedge.mass, wedge.triangles)\n"
                  "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
                  "m:body { \"wedge\", inertia_of = wedge, at = {0, 0, 1} }",
       .see_also = {"box", "assembly", "body", "read"},
       .function = guarded<mesh_solid>},
  };
  return constructors;
}

}  // namespace perilune::lua
