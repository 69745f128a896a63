// SPDX-License-Identifier: MIT
// What masses and inertias can be. Each function says what is wrong with the numbers, or returns an empty text.
#pragma once
#include <string>

namespace perilune::model {

/// m >= 0 (kg).
std::string fault_of_point(const double* m);
/// m > 0.
std::string fault_of_mass(const double* m);
/// m, J about the centre of mass (kg m^2): neither negative. What has none of its own must be held or carried along by
/// what has; where it is not, the equations of motion are singular, and say so.
std::string fault_of_planar_body(const double* m_and_J);
/// m; Jxx, Jyy, Jzz, Jxy, Jxz, Jyz about the centre of mass: no moment about any axis may be negative (positive for all
/// but slender rods and bodies without mass: Schaffer 2005, theorem 4.1), and no principal moment may exceed the sum of
/// the two others, since int x_i^2 dm is never negative.
std::string fault_of_spatial_body(const double* m_and_J);

}  // namespace perilune::model
