// SPDX-License-Identifier: MIT
#include "model/contact/box_gap.hpp"

#include "model/body/orientation.hpp"
#include "model/law/symbolic.hpp"

namespace perilune::model {

Gap gap_of_box(const Vector& axes, const Vector& apart, const Box& box, const Symbol& radius) {
  const Vector centre = into_axes(axes, apart);
  const std::size_t n = centre.size();
  Vector sign, beyond, outside;  // beyond each pair of faces, negative between them
  Symbol count = 0.0;            // of those between which the centre is not
  for (std::size_t k = 0; k < n; ++k) {
    sign.push_back(Symbol::where(less(centre[k], 0.0), -1.0, 1.0));
    beyond.push_back(sign[k] * centre[k] - 0.5 * box.edges[k]);
    const Symbol is_beyond = less(0.0, beyond[k]);
    outside.push_back(Symbol::where(is_beyond, beyond[k], 0.0));
    count += Symbol::where(is_beyond, 1.0, 0.0);
  }
  // Next to one face the distance is that from it, above it and below; next to an edge or a corner a root.
  const Symbol is_at_edge = less(1.5, count);
  const Symbol root = sqrt(Symbol::where(is_at_edge, dot(outside, outside), 1.0));
  Symbol largest = beyond[0];
  for (std::size_t k = 1; k < n; ++k) largest = Symbol::where(less(largest, beyond[k]), beyond[k], largest);
  Vector normal;
  Symbol is_left = 1.0;  // the first of the largest is the face
  for (std::size_t k = 0; k < n; ++k) {
    const Symbol is_face = is_left * Symbol::where(less(beyond[k], largest), 0.0, 1.0);
    is_left -= is_face;
    normal.push_back(sign[k] * Symbol::where(is_at_edge, outside[k] / root, is_face));
  }
  normal = out_of_axes(axes, normal);
  return {Symbol::where(is_at_edge, root, largest) - radius, normal, times(-radius, normal)};
}

}  // namespace perilune::model
