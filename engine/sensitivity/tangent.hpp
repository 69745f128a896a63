// The state's derivative in several parameter directions: what both direct methods carry along.
#pragma once
#include <vector>

#include "sensitivity/gradient.hpp"
#include "sensitivity/seeds.hpp"

namespace perilune::sensitivity {

struct TangentBundle {
  int count, n, m;
  std::vector<std::vector<double>> data;  // [direction][datum]
  std::vector<std::vector<double>> q, v;  // [direction][coordinate]
  std::vector<int> over;

  /// Starts from the derivative of the consistent initial state.
  TangentBundle(const Problem& problem, const Evaluation& start, const std::vector<int>& over);
};

/// Derivative in every direction of an objective part whose gradient at a point is `seeds`, given the tangents there:
/// adds to out[direction].
void add_directional(const Seeds& seeds, const std::vector<int>& over, int direction, const double* dq,
                     const double* dv, const double* da, const double* dlambda, double& out);

/// Adds the terminal parts: derivatives[objective][direction], at the end of the mesh.
void add_terminal_tangents(const Problem& problem, const Evaluation& run, Dynamics& dynamics,
                           const TangentBundle& bundle, std::vector<std::vector<double>>& derivatives);

}  // namespace perilune::sensitivity
