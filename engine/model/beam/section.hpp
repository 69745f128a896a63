// SPDX-License-Identifier: MIT
// Cross-sections of beams, from their sizes.
#pragma once
#include <optional>

#include "model/model.hpp"

namespace perilune::model {

struct Section {
  Symbol area;                   // m^2
  Symbol second_moment;          // m^4, for bending in the plane
  std::optional<Symbol> across;  // for bending across it, where that is another; in space there is no plane
  std::optional<Symbol> fibre;   // m, from the line to the outermost fibre
};

/// `height`: in the plane of bending.
inline Section rectangular_section(const Symbol& width, const Symbol& height) {
  return {width * height, width * height * height * height / 12.0, height * width * width * width / 12.0, 0.5 * height};
}
inline Section square_section(const Symbol& width) {
  return {width * width, width * width * width * width / 12.0, std::nullopt, 0.5 * width};
}
/// A tube with the inner diameter d, solid where that is 0.
inline Section round_section(const Symbol& diameter, const Symbol& d) {
  const Symbol outer = diameter * diameter, inner = d * d;
  constexpr double pi = 3.14159265358979323846;
  return {pi / 4 * (outer - inner), pi / 64 * (outer * outer - inner * inner), std::nullopt, 0.5 * diameter};
}

}  // namespace perilune::model
