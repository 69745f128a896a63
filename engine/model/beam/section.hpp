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
  std::optional<Symbol> torsion_modulus = {};   // m^3: torque over the largest shear stress of torsion
  Vector shear = {};  // n, p, q: shear is carried by the share n (1 + nu) / (p + q nu) of the area; empty: unknown
};

/// Torsion constant (m^4) of a rectangle with sides a and b (m), the longer one first, by de Saint-Venant's series
/// (Timoshenko and Goodier, Theory of Elasticity, section 109). What the tangents differ from 1 is summed, as the rest
/// is zeta(5): to rounding. Where parameters make b the longer side, it still holds, to 1e-6 up to five times a.
inline Symbol rectangle_torsion(const Symbol& a, const Symbol& b) {
  constexpr double pi = 3.14159265358979323846, zeta_5 = 1.0369277551433699263;
  Symbol sum = 31.0 / 32 * zeta_5;
  for (int n = 1; n <= 11; n += 2) {
    const Symbol small = exp(-(n * pi) * a / b);
    sum -= 2.0 * small / (1.0 + small) / (1.0 * n * n * n * n * n);
  }
  return a * b * b * b * (1.0 / 3 - 64 / (pi * pi * pi * pi * pi) * b / a * sum);
}
/// Torque over the largest shear stress (m^3), which is in the middle of the longer side, whichever that is: the
/// torsion constant over b (1 - 8 / pi^2 sum of 1 / (n^2 cosh(n pi a / (2 b))), n odd), to rounding.
inline Symbol rectangle_torsion_modulus(const Symbol& width, const Symbol& height) {
  constexpr double pi = 3.14159265358979323846;
  const Symbol a = max(width, height), b = min(width, height);
  Symbol sum = 0.0;
  for (int n = 1; n <= 21; n += 2) {
    const Symbol small = exp(-(n * pi / 2) * a / b);  // no cosh, which would overflow for thin ones
    sum += 2.0 * small / (1.0 + small * small) / (1.0 * n * n);
  }
  return rectangle_torsion(a, b) / (b * (1.0 - 8 / (pi * pi) * sum));
}
/// `height`: in the plane of bending; `is_high`: whether it is the longer side. Shear as Cowper (1966).
inline Section rectangular_section(const Symbol& width, const Symbol& height, bool is_high) {
  return {width * height,
          width * height * height * height / 12.0,
          height * width * width * width / 12.0,
          0.5 * height,
          is_high ? rectangle_torsion(height, width) : rectangle_torsion(width, height),
          0.5 * width,
          rectangle_torsion_modulus(width, height),
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
          4.0 * moment / diameter,
          {6.0 * all, 7.0 * all + 20.0 * share, 6.0 * all + 12.0 * share}};
}

}  // namespace perilune::model
