// SPDX-License-Identifier: MIT
// Cross-sections of beams, from their sizes, and what they are made of.
#pragma once
#include <optional>

#include "model/model.hpp"

namespace perilune::model {

struct Material {
  Symbol young, density;                   // Pa, kg/m^3
  std::optional<Symbol> poisson, damping;  // -, s
};

struct Section {
  Symbol area;                                  // m^2
  Symbol second_moment;                         // m^4, for bending in the plane; in space about the section's z axis
  std::optional<Symbol> across;                 // m^4, for bending across it, about the y axis, where that is another
  std::optional<Symbol> fibre;                  // m, from the line to the outermost fibre
  std::optional<Symbol> torsion_constant = {};  // m^4: torque over shear modulus and twist
  std::optional<Symbol> fibre_across = {};      // m, to the outermost fibre across, where bending across is another
  Vector shear = {};  // n, p, q: shear is carried by the share n (1 + nu) / (p + q nu) of the area; empty: unknown
};

/// Torsion of a rectangle, the longer side first: de Saint-Venant's series, to six digits.
inline Symbol rectangle_torsion(const Symbol& a, const Symbol& b) {
  constexpr double pi = 3.14159265358979323846;
  Symbol sum = 0.0;
  for (int n = 1; n <= 9; n += 2) sum += tanh(n * pi / 2 * a / b) / (1.0 * n * n * n * n * n);
  return a * b * b * b * (1.0 / 3 - 64 / (pi * pi * pi * pi * pi) * b / a * sum);
}
/// `height`: in the plane of bending; `is_high`: whether it is the longer side. Shear as Cowper (1966).
inline Section rectangular_section(const Symbol& width, const Symbol& height, bool is_high) {
  return {width * height,
          width * height * height * height / 12.0,
          height * width * width * width / 12.0,
          0.5 * height,
          is_high ? rectangle_torsion(height, width) : rectangle_torsion(width, height),
          0.5 * width,
          {10.0, 12.0, 11.0}};
}
inline Section square_section(const Symbol& width) {
  Section section = rectangular_section(width, width, true);
  section.across = section.fibre_across = std::nullopt;
  return section;
}
/// A tube with the inner diameter d, solid where that is 0.
inline Section round_section(const Symbol& diameter, const Symbol& d) {
  const Symbol outer = diameter * diameter, inner = d * d, share = inner / outer, all = (1.0 + share) * (1.0 + share);
  constexpr double pi = 3.14159265358979323846;
  const Symbol moment = pi / 64 * (outer * outer - inner * inner);
  return {pi / 4 * (outer - inner),
          moment,
          std::nullopt,
          0.5 * diameter,
          2.0 * moment,
          std::nullopt,
          {6.0 * all, 7.0 * all + 20.0 * share, 6.0 * all + 12.0 * share}};
}

}  // namespace perilune::model
