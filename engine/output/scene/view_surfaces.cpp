// SPDX-License-Identifier: MIT
#include "output/scene/view_surfaces.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "error.hpp"
#include "format/base64.hpp"

namespace perilune::output {

using namespace format;

Surfaces surfaces_of(const std::vector<ViewedRun>& runs) {
  Surfaces out;
  const auto add = [&](const std::vector<model::Shape>& shapes) {
    for (const model::Shape& shape : shapes) {
      const bool is_known = std::find(out.begin(), out.end(), shape.surface.get()) != out.end();
      if (shape.surface && !is_known) out.push_back(shape.surface.get());
    }
  };
  for (const ViewedRun& run : runs) {
    const model::Record& record = run.trajectory->model().record();
    for (const model::MovingFrame& frame : record.moving_frames) add(frame.shapes);
    add(record.ground_shapes);
  }
  return out;
}

void write_surface(JsonWriter& json, const model::Triangles& surface) {
  check_interrupt();
  constexpr double steps = 65535;
  std::vector<std::uint16_t> corners;
  for (const auto& p : surface.vertices) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double edge = surface.highest[k] - surface.lowest[k];
      const double share = edge > 0 ? (p[k] - surface.lowest[k]) / edge : 0;
      corners.push_back(static_cast<std::uint16_t>(std::lround(steps * std::clamp(share, 0.0, 1.0))));
    }
  }
  std::vector<std::uint32_t> triangles;
  for (const auto& corners_of_one : surface.triangles) {
    triangles.insert(triangles.end(), corners_of_one.begin(), corners_of_one.end());
  }
  json.begin_object();
  for (const auto& [key, corner] : {std::pair{"lowest", &surface.lowest}, {"highest", &surface.highest}}) {
    json.key(key).begin_array();
    for (const double x : *corner) json.value(x);
    json.end_array();
  }
  const bool is_wide = surface.vertices.size() > std::numeric_limits<std::uint16_t>::max();
  json.key("corners").value(base64_of(corners)).key("wide").value(is_wide);
  const std::vector<std::uint16_t> narrow(triangles.begin(), triangles.end());
  json.key("triangles").value(is_wide ? base64_of(triangles) : base64_of(narrow));
  json.end_object();
}

}  // namespace perilune::output
