// SPDX-License-Identifier: MIT
// The state's derivative in several parameter directions: what both direct methods carry along. All arrays are
// interleaved: entry i of direction k stands at i * count + k.
#pragma once
#include <vector>

#include "sensitivity/gradient.hpp"
#include "sensitivity/seeds.hpp"

namespace perilune::sensitivity {

struct TangentBundle {
  int count = 0, n = 0, m = 0;
  std::vector<double> z;           // q (n), v (n) and data, stacked as Dynamics::tangent wants it
  std::vector<double> parameters;  // directions of the parameters
  std::vector<double> times;       // of the start, which all later times follow; empty: it is fixed

  TangentBundle() = default;

  /// Starts from the derivative of the consistent initial state, along one parameter each, or along given directions.
  TangentBundle(const Problem& problem, const Evaluation& start, const std::vector<int>& over);
  TangentBundle(const Problem& problem, const Evaluation& start, const std::vector<std::vector<double>>& directions);
  /// Numbers that hold q; as many hold v.
  std::size_t half() const { return static_cast<std::size_t>(n * count); }
};

/// Adds to out[direction] weight times the derivative of a measure's output at the point last evaluated into `work`:
/// its gradient times the tangents z of the state and x of the accelerations (n) and multipliers (m).
void add_directional(const Measure& measure, std::vector<double>& work, double weight, const TangentBundle& bundle,
                     const double* z, const double* x, double* out, int output = 0);

/// Adds the terminal parts at the end of the mesh, where the tangents are z and x, to
/// derivatives[objective][direction].
void add_terminal(const Problem& problem, const Evaluation& run, const TangentBundle& bundle, const double* z,
                  const double* x, std::vector<std::vector<double>>& derivatives);
/// The same with the tangents of the state alone, in `bundle.z`.
void add_terminal_tangents(const Problem& problem, const Evaluation& run, Dynamics& dynamics,
                           const TangentBundle& bundle, std::vector<std::vector<double>>& derivatives);

}  // namespace perilune::sensitivity
