// SPDX-License-Identifier: MIT
// What lies between two neighbouring points of a path of equilibria: zeros of functions along it.
#pragma once
#include <array>
#include <functional>
#include <optional>

#include "analysis/path_equations.hpp"

namespace perilune::analysis {

/// A point of the path with what is asked of it.
struct Station {
  PathEquations::Point x, tangent;
  double arc = 0;
  FreeStiffness stiffness;
  Equilibrium::Stability stability = Equilibrium::Stability::Unknown;
};

/// Between two stations `whole` apart along the first one's tangent.
class StepSearch {
 public:
  using Test = std::function<double(const Station&)>;  // of x and tangent; of the stiffness in branch()

  /// `iterations`: those of its correctors are added there. All outlive it.
  StepSearch(PathEquations& equations, const Station& here, const Station& next, double whole, int& iterations)
      : equations_(equations), here_(here), next_(next), whole_(whole), iterations_(iterations) {}

  /// Where `test`, with the values f0 and f1 of different signs at the stations, vanishes, to rounding. Nothing where a
  /// corrector fails on the way.
  std::optional<Station> zero(double f0, double f1, const Test& test);

  /// The same for an eigenvalue of the stiffness that vanishes while the parameter goes on. There the bordered matrix
  /// is singular, too; so the points beside it tell where it is, and interpolation has it to the fourth order of their
  /// distance. `is_jump`: the eigenvalue changes its sign by a jump, where forces have a corner, or where the step has
  /// left its curve for another one nearby.
  std::optional<Station> branch(double f0, double f1, const Test& test, bool& is_jump);

  /// Whether the points on both sides of a zero lie on one smooth curve.
  bool is_smooth_at(const Station& found);

  static constexpr std::size_t beside = 4;

 private:
  using Stations = std::array<Station, beside>;  // two on each side of a place

  /// At a length along the tangent of the first station.
  std::optional<Station> between(double length);
  std::optional<Stations> stations_beside(double length);
  bool is_one_curve(const Stations& stations) const;

  PathEquations& equations_;
  const Station &here_, &next_;
  double whole_;
  int& iterations_;
};

}  // namespace perilune::analysis
