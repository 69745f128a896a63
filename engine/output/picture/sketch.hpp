// SPDX-License-Identifier: MIT
// A mechanism as line drawing: links, joints by type, springs, ground; once, or several times along a motion.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "output/scene/scene.hpp"

namespace perilune::output {

struct SketchOptions {
  std::string title = {};
  /// From the mechanism towards the eye, in space; for spatial models only. Default: obliquely from above.
  std::optional<Triple> view = {};
  /// In pixels; the height follows from the mechanism.
  int width = 640;
};

/// A complete SVG document. `pictures`: coordinates q of each picture, the last one strong, those before it faint.
/// `path`: coordinates along the motion, whose points are traced; may be empty. Throws Error without a picture and for
/// a view of zero length.
std::string sketch(const Scene& scene, const std::vector<std::vector<double>>& pictures,
                   const std::vector<std::vector<double>>& path, const SketchOptions& options = {});

}  // namespace perilune::output
