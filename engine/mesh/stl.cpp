// SPDX-License-Identifier: MIT
// The STL format: 80 bytes of anything, a count, and 50 bytes for each triangle; or a text of facets.
#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <string>

#include "error.hpp"
#include "mesh/read_mesh.hpp"
#include "mesh/text_reader.hpp"
#include "poll.hpp"

namespace perilune::mesh {

namespace {

constexpr std::size_t before_triangles = 84, bytes_per_triangle = 50, bytes_of_normal = 12;

std::uint32_t little_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + k])) << (8 * k);
  }
  return value;
}

std::size_t binary_size(std::string_view bytes) {
  return before_triangles + bytes_per_triangle * std::size_t{little_endian(bytes, before_triangles - 4)};
}

bool is_word(std::string_view word, std::string_view expected) {
  return std::equal(word.begin(), word.end(), expected.begin(), expected.end(),
                    [](char a, char b) { return static_cast<char>(std::tolower(static_cast<unsigned char>(a))) == b; });
}

/// Headers of binary files begin with solid as well, but end in zeros.
bool looks_like_text(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, before_triangles);
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && is_word(head.substr(first).substr(0, 5), "solid") &&
         head.find('\0') == std::string_view::npos;
}

Mesh read_binary(std::string_view bytes) {
  Mesh mesh;
  const std::size_t count = little_endian(bytes, before_triangles - 4);
  mesh.vertices.reserve(3 * count);
  mesh.triangles.reserve(count);
  Poll poll;
  for (std::size_t k = 0; k < count; ++k) {
    poll();
    std::size_t at = before_triangles + bytes_per_triangle * k + bytes_of_normal;
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.triangles.push_back({first, first + 1, first + 2});
    for (int corner = 0; corner < 3; ++corner) {
      Point& point = mesh.vertices.emplace_back();
      for (double& x : point) {
        x = std::bit_cast<float>(little_endian(bytes, at));
        at += 4;
      }
      if (!std::isfinite(point[0]) || !std::isfinite(point[1]) || !std::isfinite(point[2])) {
        throw Error(name_of(mesh, k) + " has a corner at " + text_of(point) +
                    "; the file is damaged, or its length fits by chance: export it again");
      }
    }
  }
  return mesh;
}

Mesh read_text(std::string_view bytes) {
  Mesh mesh;
  TextReader reader(bytes);
  bool in_solid = false, in_facet = false;
  std::size_t corners = 0;
  while (reader.next()) {
    const std::string_view word = reader.words().front();
    if (is_word(word, "vertex") && in_facet) {
      if (corners == 3)
        reader.fail("a facet has three vertices, this one has more; export the file again as triangles");
      const double x = reader.number(1), y = reader.number(2), z = reader.number(3);
      mesh.vertices.push_back({x, y, z});
      ++corners;
    } else if (is_word(word, "facet") && in_solid && !in_facet) {
      in_facet = true;
      mesh.lines.push_back(reader.line());
    } else if (is_word(word, "endfacet") && in_facet) {
      if (corners != 3) {
        reader.fail("a facet has three vertices, this one has " + std::to_string(corners) + "; the file is damaged");
      }
      const auto next = static_cast<std::uint32_t>(mesh.vertices.size());
      mesh.triangles.push_back({next - 3, next - 2, next - 1});
      in_facet = false;
      corners = 0;
    } else if (is_word(word, "solid") && !in_solid) {
      in_solid = true;
    } else if (is_word(word, "endsolid") && in_solid && !in_facet) {
      in_solid = false;
    } else if (!in_facet || (!is_word(word, "outer") && !is_word(word, "endloop"))) {
      const char* const expected = in_facet ? "vertex or endfacet" : in_solid ? "facet or endsolid" : "solid";
      reader.fail("expected " + std::string(expected) + ", got " + quoted(word));
    }
  }
  if (in_solid) reader.fail("the file ends before endsolid; it is cut off, so export it again");
  return mesh;
}

}  // namespace

Mesh read_stl(std::string_view bytes) {
  const bool has_header = bytes.size() >= before_triangles;
  if (has_header && bytes.size() == binary_size(bytes)) return read_binary(bytes);
  if (looks_like_text(bytes)) return read_text(bytes);
  if (!has_header) {
    throw Error(
        "it is no STL file: it neither begins with solid nor has the 84 bytes before the triangles of a binary one");
  }
  throw Error("its " + std::to_string(little_endian(bytes, before_triangles - 4)) + " triangles take " +
              std::to_string(binary_size(bytes)) + " bytes, but it has " + std::to_string(bytes.size()) +
              "; it is cut off or no binary STL file, so export it again");
}

}  // namespace perilune::mesh
