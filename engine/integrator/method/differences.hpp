// SPDX-License-Identifier: MIT
// Divided differences as weights of what is known of a function.
#pragma once
#include <array>
#include <span>
#include <utility>

namespace perilune::integrator {

/// What is known of a function: its values at points x_0, x_1, ... and possibly its slope at the last of them.
inline constexpr int most_points = 7;
struct Combination {
  std::array<double, most_points> value{};
  double slope = 0;
};

/// The polynomials through the first point, the first two, ...; the last one fits the slope where that is known.
class Differences {
 public:
  Differences(std::span<const double> x, bool with_slope);
  /// Number of data; the polynomial through all has one degree less.
  int size() const { return size_; }
  /// f[x_0, ..., x_j]: the j-th derivative over j!, somewhere among the points.
  const Combination& operator[](int j) const { return differences_[static_cast<std::size_t>(j)]; }
  double x(int j) const { return x_[static_cast<std::size_t>(j)]; }
  /// Value and slope, at any place, of the polynomial through all data.
  Combination value(double at) const { return evaluate(at).first; }
  Combination slope(double at) const { return evaluate(at).second; }

 private:
  std::pair<Combination, Combination> evaluate(double at) const;
  int size_;
  std::array<double, most_points + 1> x_{};  // the last one twice where the slope is known
  std::array<Combination, most_points + 1> differences_{};
};

}  // namespace perilune::integrator
