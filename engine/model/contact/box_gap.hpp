// SPDX-License-Identifier: MIT
// How far a sphere is from a box.
#pragma once
#include "model/contact/contact_gap.hpp"

namespace perilune::model {

/// `apart`: from the middle of the box to the centre of the sphere, in space; `axes`: of the box. The nearest point of
/// the box is on a face, an edge or a corner, and the distance is that from it: its slope is continuous where one
/// follows the other. Of a centre in the box it is the negative one to the nearest face.
Gap gap_of_box(const Vector& axes, const Vector& apart, const Box& box, const Symbol& radius);

}  // namespace perilune::model
