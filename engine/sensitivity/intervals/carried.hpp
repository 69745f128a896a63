// SPDX-License-Identifier: MIT
// What is carried from the steps before a boundary of a motion to those behind it, of any form and any integrator: the
// adjoint of these numbers is all that the intervals of a motion have to tell each other.
#pragma once
#include <cstddef>
#include <vector>

#include "integrator/integrator.hpp"

namespace perilune::sensitivity {

/// At every mesh point, in positions and velocities.
bool keeps_to_constraints(const formulation::Formulation& formulation);

/// Nodes are numbered as in NodeRecord, the copies of the initial point 0, -1, ...
struct Carried {
  enum class What { Position, Rate, Velocity, Acceleration, Multiplier };
  struct Block {
    std::ptrdiff_t node;
    What what;
    std::size_t mesh_point;  // whose positions and velocities the node has, 0: of none, or the first
  };
  /// A point of which more is read than q and v: its accelerations and multipliers are functions of these. Where those
  /// of the node `source` are read, too, and are the same numbers, it is reversed down to them.
  struct Point {
    std::ptrdiff_t node;
    std::size_t step;  // that it belongs to
    std::ptrdiff_t source;
    bool has_source;
  };

  std::size_t step = 0;       // the first behind the boundary
  std::ptrdiff_t first = 1;   // its first node
  std::vector<Block> blocks;  // what is left of q, v, a and lambda once the points are reversed
  std::vector<Point> points;  // from the last to the first
  // What the integrals at the end have of the integrals and the integrands at these nodes, by ring slot: the same for
  // every objective, whatever it is.
  std::vector<double> of_totals, of_rates;
};

/// At boundaries before these steps, ascending, none of which begins where a time moves with the parameters.
std::vector<Carried> carried(const integrator::Steps& steps, const std::vector<std::size_t>& boundaries,
                             bool has_own_rate);

/// `count` boundaries or fewer, which part the steps into about equal numbers; all are good for carried().
std::vector<std::size_t> boundaries(const integrator::Steps& steps, std::size_t count);

}  // namespace perilune::sensitivity
