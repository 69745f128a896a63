// The state's derivative in several parameter directions: what both direct methods carry along. All arrays are
// interleaved: entry i of direction k stands at i * count + k.
#pragma once
#include <vector>

#include "sensitivity/gradient.hpp"
#include "sensitivity/seeds.hpp"

namespace perilune::sensitivity {

struct TangentBundle {
  int count, n, m;
  std::vector<double> data, q, v;
  std::vector<int> over;

  /// Starts from the derivative of the consistent initial state.
  TangentBundle(const Problem& problem, const Evaluation& start, const std::vector<int>& over);
};

/// Adds to out[direction] the derivative of an objective part whose gradient at a point is `seeds`. dx holds the
/// tangents of the accelerations (n) and then of the multipliers (m).
void add_directional(const Seeds& seeds, const TangentBundle& bundle, const double* dq, const double* dv,
                     const double* dx, double* out);

/// Adds the terminal parts: derivatives[objective][direction], at the end of the mesh.
void add_terminal_tangents(const Problem& problem, const Evaluation& run, Dynamics& dynamics,
                           const TangentBundle& bundle, std::vector<std::vector<double>>& derivatives);

}  // namespace perilune::sensitivity
