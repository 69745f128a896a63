// SPDX-License-Identifier: MIT
#include "model/body/mass_properties.hpp"

#include <algorithm>
#include <cstdio>

namespace perilune::model {

namespace {

std::string text(double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.14g", value);
  return buffer;
}

// The smallest principal minor of s J + t I, scaled by the size of J, where J is Jxx, Jyy, Jzz, Jxy, Jxz, Jyz.
double smallest_minor(const double* J, double s, double t) {
  const double size = J[0] + J[1] + J[2];
  const double a = (s * J[0] + t) / size, b = (s * J[1] + t) / size, c = (s * J[2] + t) / size, d = s * J[3] / size,
               e = s * J[4] / size, f = s * J[5] / size;
  const double determinant = a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e);
  return std::min({a, b, c, a * b - d * d, a * c - e * e, b * c - f * f, determinant});
}

}  // namespace

std::string fault_of_point(const double* m) { return *m >= 0 ? "" : "mass must not be negative, got " + text(*m); }

std::string fault_of_mass(const double* m) { return *m > 0 ? "" : "mass must be positive, got " + text(*m); }

std::string fault_of_planar_body(const double* m_and_J) {
  if (std::string fault = fault_of_point(m_and_J); !fault.empty()) return fault;
  return m_and_J[1] >= 0 ? "" : "inertia must not be negative, got " + text(m_and_J[1]);
}

std::string fault_of_spatial_body(const double* m_and_J) {
  if (std::string fault = fault_of_point(m_and_J); !fault.empty()) return fault;
  const double* J = m_and_J + 1;
  for (int i = 0; i < 3; ++i) {
    if (!(J[i] >= 0)) return "inertia: the moments of inertia must not be negative, got " + text(J[i]);
  }
  const bool is_zero = std::all_of(J, J + 6, [](double x) { return x == 0; });
  if (is_zero) return {};
  constexpr double rounding = -1e-12;
  const double sum = J[0] + J[1] + J[2];
  if (!(sum > 0) || smallest_minor(J, 1, 0) < rounding) {
    return "inertia must not be negative about any axis; are the products too large?";
  }
  // With principal axes: no moment of inertia may exceed the sum of the two others; a flat body reaches it.
  if (smallest_minor(J, -1, sum / 2) < rounding) {
    return "inertia belongs to no body: one moment of inertia exceeds the sum of the two others; those of a flat part, "
           "rounded to a few digits, may do so: lower the largest or raise the others";
  }
  return {};
}

}  // namespace perilune::model
