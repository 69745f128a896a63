// SPDX-License-Identifier: MIT
// The marks by which sketches and the viewer tell the kinds of connections apart.
#pragma once

namespace perilune::model {

enum class Mark {
  None,    // it has no place of its own, such as axes that are kept parallel
  Pin,     // turns about the normal of the plane, or about z
  Ball,    // turns about a point
  Cross,   // of a Cardan joint
  Slider,  // on a square rail
  Sleeve,  // on a round rail
  Nut,     // on a thread
  Bead,    // a point on a wire
  Table,   // lies flat on a plane
  Foot,    // a point on a plane
  Clamp,
  Rubber,
  Bar,
  Rod,
  Coil,
  Arrow,
};

/// "pin": as the data of the viewer's page have it.
constexpr const char* name_of(Mark mark) {
  constexpr const char* names[] = {"none",  "pin",  "ball",  "cross",  "slider", "sleeve", "nut",  "bead",
                                   "table", "foot", "clamp", "rubber", "bar",    "rod",    "coil", "arrow"};
  return names[static_cast<int>(mark)];
}

/// What slides along a line.
inline bool is_guide(Mark mark) {
  return mark == Mark::Slider || mark == Mark::Sleeve || mark == Mark::Nut || mark == Mark::Bead;
}

}  // namespace perilune::model
