// SPDX-License-Identifier: MIT
#include "simulation/peak/smooth_maximum.hpp"

#include <cmath>

namespace perilune::simulation {

namespace {

/// Of |r| / k log(J / T).
double signed_width(const SmoothMaximum& of) {
  return (of.kind == SmoothMaximum::Kind::Minimum ? -1 : 1) * std::abs(of.about) / of.sharpness;
}

}  // namespace

double SmoothMaximum::value(double integral, double time) const {
  if (!(integral > 0)) return std::nan("");
  if (kind == Kind::Norm) return std::abs(about) * std::pow(integral / time, 1 / sharpness);
  return about + signed_width(*this) * std::log(integral / time);
}

double SmoothMaximum::slope(double integral, double time) const {
  if (kind == Kind::Norm) return value(integral, time) / (sharpness * integral);
  return signed_width(*this) / integral;
}

double SmoothMaximum::curvature(double integral, double time) const {
  return slope(integral, time) / integral * (kind == Kind::Norm ? 1 / sharpness - 1 : -1);
}

double SmoothMaximum::integral(double value, double time) const {
  if (kind == Kind::Norm) return time * std::pow(value / std::abs(about), sharpness);
  return time * std::exp((value - about) / signed_width(*this));
}

}  // namespace perilune::simulation
