// SPDX-License-Identifier: MIT
// Designs of experiments: at which values of its variables a function is asked.
#pragma once
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace perilune::optimize {

struct Variable {
  std::string name;
  double lower, upper;  // may be infinite
};

/// Every combination of levels (a full factorial design); the last variable changes fastest.
struct Grid {
  struct Levels {
    int count = 0;               // equally spaced between the bounds, both included; one level is their middle
    std::vector<double> values;  // these instead, if there are any
  };
  std::vector<Levels> levels;  // one for each variable
};
/// The points as given, one value for each variable.
struct PointList {
  std::vector<std::vector<double>> points;
};
/// Uniform and independent between the bounds.
struct Random {
  int points = 0;
  std::uint64_t seed = 1;
};
/// Each variable's range is cut into as many strata as there are points; every stratum has exactly one (McKay, Beckman
/// and Conover 1979).
struct LatinHypercube {
  int points = 0;
  std::uint64_t seed = 1;
};
using Design = std::variant<Grid, PointList, Random, LatinHypercube>;

/// The points in their order, one value for each variable: the same on every machine. Throws Error when the design does
/// not fit the variables, when it needs bounds and there are none, and when a value lies outside of them.
std::vector<std::vector<double>> design_points(const Design& design, const std::vector<Variable>& variables);

}  // namespace perilune::optimize
