// SPDX-License-Identifier: MIT
// Equilibria along a parameter p, past the places where p turns back (snap-through, snap-back): with the static
// equations of equilibrium.hpp and p unknown, by pseudo arc length (Riks 1979, Crisfield 1981, Keller 1977).
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/equilibrium.hpp"

namespace perilune::analysis {

struct PathOptions {
  int parameter = 0;              // its number
  double to = 0;                  // the path ends where the parameter is here,
  std::optional<double> back_to;  // or comes back to here: nothing for its value at the start,
  int points = 200;               // or with so many points
  /// Longest step, in parts of: the parameter's way from its value to `to`, the size of the mechanism (m), a radian.
  double step = 0.05;
};

struct PathPoint {
  enum class Kind {
    Regular,
    Limit,        // the parameter turns back: the stiffness is singular, dp/ds = 0
    Bifurcation,  // the stiffness is singular, and the parameter goes on: other equilibria branch off
  } kind = Kind::Regular;
  double value = 0;  // of the parameter
  double arc = 0;    // length of the path from its start, in the parts of PathOptions::step
  Equilibrium at;    // of what is singular the stability is unknown
  std::shared_ptr<const Data> data;
};

struct EquilibriumPath {
  enum class End { Reached, Returned, Enough, Lost, Interrupted } end = End::Lost;
  std::vector<PathPoint> points;
  std::string reason;  // a sentence
  std::vector<std::string> warnings;
};

/// From the equilibrium that find_equilibrium has for `data`, whose parameters these are, at the parameters' values.
/// Limit points and bifurcations are points of the path as near as rounding allows. At bifurcations the path goes on in
/// its direction. Where it cannot be followed it ends with End::Lost and what it has, after Ctrl-C with
/// End::Interrupted. Throws Error as find_equilibrium does, and NumericalError where no equilibrium is found at the
/// start.
EquilibriumPath follow_equilibria(const std::shared_ptr<const System>& system, const std::shared_ptr<const Data>& data,
                                  const std::vector<int>& independent, double t, Wanted wanted,
                                  const PathOptions& options);

}  // namespace perilune::analysis
