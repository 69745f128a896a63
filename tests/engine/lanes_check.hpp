// SPDX-License-Identifier: MIT
// What tests of lanes share.
#pragma once
#include <random>
#include <vector>

#include "expr/wide.hpp"
#include "fibers.hpp"

/// All parameters moved by up to `spread` of themselves.
inline std::vector<std::vector<double>> points_about(const std::vector<double>& parameters, std::size_t count,
                                                     double spread) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> share(1 - spread, 1 + spread);
  std::vector<std::vector<double>> points(count, parameters);
  for (auto& point : points) {
    for (double& x : point) x *= share(random);
  }
  return points;
}

inline bool lanes_are_offered() {
  return perilune::Fibers::are_offered() && perilune::expr::registers_here() != perilune::expr::Registers::None;
}
