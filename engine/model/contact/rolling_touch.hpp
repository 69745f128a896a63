// SPDX-License-Identifier: MIT
// Where what rolls touches its surface.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/contact/rolling.hpp"

namespace perilune::model {

/// Where the equations of a wheel end: the function becomes negative.
struct WheelLimit {
  std::string name;
  Symbol function;
  std::string warning;
};

/// Where what rolls touches, and along what it must not slip. All vectors in space.
struct RollingTouch {
  Symbol gap;
  Vector normal;         // of unit length, from the surface towards what rolls
  Vector arm;            // from the place of b to the point that touches
  Vector along, across;  // of unit length, tangential; along is where a wheel heads. Across is empty in the plane
  std::vector<WheelLimit> limits;
  /// Of a wheel on what has no closed form for its nearest point: all of this is of edge_angle(), which is right where
  /// this, the slope of the gap along the edge, is zero.
  std::optional<Symbol> askew;
};

/// Throws Error where what rolls lies flat or starts in a centre.
RollingTouch touch_of(Model& model, const std::string& name, const Rolling& rolling);

}  // namespace perilune::model
