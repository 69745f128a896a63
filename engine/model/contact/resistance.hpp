// SPDX-License-Identifier: MIT
// Common characteristics of springs and dampers, as expressions of the stretch x and its rate v.
#pragma once
#include "expr/spline.hpp"
#include "model/force/springs.hpp"

namespace perilune::model {

/// c1 x + c2 x^2 + ... and its integral from 0; nothing for no coefficients.
Symbol polynomial(const Vector& coefficients, const Symbol& x);
Symbol polynomial_integral(const Vector& coefficients, const Symbol& x);

/// Polynomials of stiffness and damping, and tabulated forces over the stretch and the rate (nullptr for none), added
/// up with their energy.
struct Characteristic {
  Vector stiffness, damping;
  const expr::Spline* spring_curve = nullptr;
  const expr::Spline* damper_curve = nullptr;

  Resistance resistance(const Symbol& stretch, const Symbol& rate) const;
};

}  // namespace perilune::model
