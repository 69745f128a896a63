// SPDX-License-Identifier: MIT
// Wavefront OBJ: lines that begin with what they are.
#include <algorithm>
#include <array>
#include <charconv>

#include "error.hpp"
#include "mesh/read_mesh.hpp"
#include "mesh/text_reader.hpp"

namespace perilune::mesh {

namespace {

/// Say nothing about the volume.
constexpr std::array<std::string_view, 16> of_pictures = {"vn",  "vt",    "g",        "o",       "s",      "usemtl",
                                                          "l",   "p",     "mtllib",   "usemap",  "maplib", "mg",
                                                          "lod", "bevel", "c_interp", "d_interp"};

/// The vertex of 7, 7/1, 7//3 or 7/1/3; counted from 1, or from the last one backwards.
std::uint32_t vertex_of(const TextReader& reader, std::string_view word, std::size_t count) {
  const std::string_view digits = word.substr(0, word.find('/'));
  std::int64_t index = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (problem != std::errc() || end != digits.data() + digits.size()) {
    reader.fail("expected the number of a vertex such as 7, 7/1 or 7//3, got " + quoted(word));
  }
  const auto last = static_cast<std::int64_t>(count);
  if (index < 0) index += last + 1;
  if (index < 1 || index > last) {
    reader.fail("there is no vertex " + quoted(word) + " among the " + std::to_string(count) +
                " before this line; the file is damaged, so export it again");
  }
  return static_cast<std::uint32_t>(index - 1);
}

}  // namespace

Mesh read_obj(std::string_view bytes) {
  Mesh mesh;
  TextReader reader(bytes);
  while (reader.next()) {
    const std::vector<std::string_view>& words = reader.words();
    if (words[0] == "v") {
      const double x = reader.number(1), y = reader.number(2), z = reader.number(3);
      mesh.vertices.push_back({x, y, z});
    } else if (words[0] == "f") {
      if (words.size() < 4) reader.fail("a face has three vertices or more; the file is damaged, so export it again");
      const std::size_t count = mesh.vertices.size();
      const std::uint32_t first = vertex_of(reader, words[1], count);
      std::uint32_t before = vertex_of(reader, words[2], count);
      for (std::size_t k = 3; k < words.size(); ++k) {
        const std::uint32_t next = vertex_of(reader, words[k], count);
        mesh.triangles.push_back({first, before, next});
        mesh.lines.push_back(reader.line());
        before = next;
      }
    } else if (std::find(of_pictures.begin(), of_pictures.end(), words[0]) == of_pictures.end()) {
      reader.fail("OBJ files of triangles and polygons have no " + quoted(words[0]) +
                  "; curves and curved surfaces are not read, so export it as a mesh");
    }
  }
  return mesh;
}

}  // namespace perilune::mesh
