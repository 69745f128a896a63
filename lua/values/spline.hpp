// SPDX-License-Identifier: MIT
// Tabulated functions in scripts: cubic splines that can be called with numbers and with expressions.
#pragma once
#include "expr/spline.hpp"
#include "values/object.hpp"

namespace perilune::lua {

struct SplineHandle {
  ModelPtr model;  // of ordinates that are expressions; nullptr if all are numbers
  expr::Spline spline;
};

}  // namespace perilune::lua
