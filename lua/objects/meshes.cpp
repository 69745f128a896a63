// SPDX-License-Identifier: MIT
// mbs.mesh: mass properties of parts that were drawn elsewhere.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "base/guard.hpp"
#include "base/input_file.hpp"
#include "error.hpp"
#include "format/text.hpp"
#include "mesh/picture.hpp"
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

std::string ending_of(const std::string& file) {
  const std::size_t dot = file.find_last_of("./");
  std::string ending = dot == std::string::npos || file[dot] == '/' ? "" : file.substr(dot);
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

constexpr std::size_t most_triangles = 30000;  // of a picture

struct ReadMesh {
  std::size_t triangles;
  std::shared_ptr<const model::Triangles> picture;
  std::optional<mesh::Volume> volume;  // of what weighs something
};

ReadMesh read_part(const Args& args, const std::string& file, bool weighs) {
  const std::string bytes = file_bytes("mesh", file), ending = ending_of(file);
  if (ending != ".stl" && ending != ".obj") {
    args.fail("'" + file + "' is neither a .stl nor a .obj file; export the part as one of them");
  }
  try {
    mesh::Mesh surface = ending == ".stl" ? mesh::read_stl(bytes) : mesh::read_obj(bytes);
    mesh::merge_vertices(surface);
    ReadMesh out{surface.triangles.size(), nullptr, {}};
    if (weighs) out.volume = mesh::volume_of(surface);
    out.picture = mesh::picture_of(surface, most_triangles);
    return out;
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& problem) {
    args.fail("'" + file + "': " + problem.what());
  }
}

// Sizes that few parts have, in files without units.
void warn_of_size(lua_State* L, const Args& args, const std::string& file, const model::Triangles& part,
                  const Vector& unit) {
  constexpr double least = 1e-4, most = 50;
  double longest = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    longest = std::max(longest, std::abs(args.value_of(unit[k])) * (part.highest[k] - part.lowest[k]));
  }
  if (longest >= least && longest <= most) return;
  const std::string scale = longest > most ? "0.001 if they are mm" : "the length of their unit in m";
  print_warnings(L, {"mesh: '" + file + "' is " + format::significant(longest, 3) +
                     " m long if its numbers are metres, and the file has no units; say scale = " + scale +
                     ", or scale = 1 if the part is of that size"});
}

void set_point(lua_State* L, const ModelPtr& model, const char* name, const Vector& point) {
  lua_createtable(L, 3, 0);
  for (std::size_t k = 0; k < 3; ++k) {
    push_symbol(L, model, point[k]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(k) + 1);
  }
  lua_setfield(L, -2, name);
}

Vector unit_vector(const Args& args, const Symbol& scale, const Vector& stretch) {
  Vector unit;
  for (const Symbol& factor : stretch) {
    if (args.value_of(factor) == 0) args.fail("no number of stretch may be 0");
    unit.push_back(scale * factor);
  }
  return unit;
}

// Of the part in the axes of the file, whose unit is of these lengths along them: negative where it is mirrored.
model::Solid solid_of_part(const Symbol& mass, const mesh::Volume& part, const Vector& unit) {
  model::Solid solid{mass, {}, {}};
  for (std::size_t k = 0; k < 3; ++k) solid.center_of_mass.push_back(unit[k] * part.center[k]);
  const std::array<double, 6>& J = part.inertia;
  const double half = (J[0] + J[1] + J[2]) / 2;
  Vector square;  // second moments
  for (std::size_t k = 0; k < 3; ++k) square.push_back(unit[k] * unit[k] * ((half - J[k]) / part.volume));
  solid.inertia = {mass * (square[1] + square[2]), mass * (square[0] + square[2]), mass * (square[0] + square[1])};
  for (const auto& [i, j, k] : {std::array<std::size_t, 3>{0, 1, 3}, {0, 2, 4}, {1, 2, 5}}) {
    solid.inertia.push_back(mass * unit[i] * unit[j] * (J[k] / part.volume));
  }
  return solid;
}

int mesh_solid(lua_State* L) {
  Args args(L);
  const std::string file = args.text("file");
  const Symbol scale = args.number("scale");
  const Vector unit = unit_vector(args, scale, args.vector("stretch", 3));
  const bool has_weight = weighs(args), is_stretched = args.given("stretch");
  const ReadMesh part = read_part(args, file, has_weight);
  Symbol volume;
  model::Solid solid{1.0, Vector(3, 0.0), Vector(6, 0.0)};
  if (has_weight) {
    volume = unit[0] * unit[1] * unit[2] * part.volume->volume;
    if (args.value_of(volume) < 0) volume = -volume;
    solid = solid_of_part(mass_of(args, volume), *part.volume, unit);
  }
  solid.shapes = {
      {model::Shape::Kind::Surface, unit, Vector(3, 0.0), {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, part.picture}};
  const Vector at = args.vector("at", 3), orientation = args.vector("orientation", 4);
  const bool has_scale = args.given("scale");
  args.check_all_read();
  if (!has_scale) warn_of_size(L, args, file, *part.picture, unit);
  if (has_weight && part.volume->is_inside_out) {
    print_warnings(L, {"mesh: '" + file + "' is inside out: the corners of its triangles go round with the clock as " +
                       "seen from outside; it counts as if it were turned"});
  }
  const ModelPtr model = args.model();
  push_solid(L, model, model::placed(solid, at, orientation), has_weight);
  if (has_weight) {
    push_symbol(L, model, volume);
    lua_setfield(L, -2, "volume");
    if (!is_stretched) {
      push_symbol(L, model, scale * scale * part.volume->area);
      lua_setfield(L, -2, "area");
    }
  }
  lua_pushinteger(L, static_cast<lua_Integer>(part.triangles));
  lua_setfield(L, -2, "triangles");
  Vector lowest, highest;
  for (std::size_t k = 0; k < 3; ++k) {
    lowest.push_back(unit[k] * part.picture->lowest[k]);
    highest.push_back(unit[k] * part.picture->highest[k]);
    if (args.value_of(unit[k]) < 0) std::swap(lowest[k], highest[k]);
  }
  set_point(L, model, "lowest", lowest);
  set_point(L, model, "highest", highest);
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
           "that face inwards are cavities. Parts that cross count twice where they do. Without mass and density it\n"
           "is for pictures alone, as shape of a body, and then it may be open. Pictures show at most 30000\n"
           "triangles of it: finer ones are made coarser.",
       .positional = {{.name = "file", .type = Type::String, .text = "its name, .stl or .obj", .required = true}},
       .fields = solid_fields({{.name = "scale",
                                .text = "length of the file's unit, 0.001 for mm",
                                .unit = "m",
                                .fallback = "1",
                                .range = Range::Positive},
                               {.name = "stretch",
                                .type = Type::Triple,
                                .text = "factors of x, y and z of the file beside scale; negative ones mirror",
                                .unit = "1",
                                .fallback = "{1, 1, 1}"}},
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
