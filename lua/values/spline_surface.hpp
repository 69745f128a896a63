// SPDX-License-Identifier: MIT
// Tabulated functions of two variables in scripts: bicubic splines.
#pragma once
#include "expr/spline_surface.hpp"
#include "values/object.hpp"

namespace perilune::lua {

struct SplineSurfaceHandle {
  ModelPtr model;  // of heights that are expressions; nullptr if all are numbers
  expr::SplineSurface surface;
};

}  // namespace perilune::lua
