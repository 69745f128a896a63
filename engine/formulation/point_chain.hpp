// SPDX-License-Identifier: MIT
// Points one behind the other, each of which is proposed from where the step starts and from those before it: what a
// step of an explicit method begins with.
#pragma once
#include <span>
#include <vector>

#include "formulation/node.hpp"

namespace perilune::formulation {

struct PointChain {
  /// Which numbers each point's q and v are proposed from, as sums of weighted terms, at least one each. In flat lists,
  /// which are compared at every step.
  struct Shape {
    std::vector<int> counts;  // of the terms of q and of those of v, point by point
    /// Of each term: 3 k + d stands for the d-th time derivative of positions (q, v, a) of the start (k = 0) or of the
    /// k-th point, from 1.
    std::vector<int> sources;
    std::size_t size() const { return counts.size() / 2; }
    bool operator==(const Shape&) const = default;
  };
  struct Point {
    double t;
    double* numbers;  // q, v, a and lambda, side by side
  };

  const Shape& shape;
  std::span<const double> weights;  // of the terms
  const Node& start;
  std::span<const Point> points;
  /// For what is measured at the points, if somebody does: point by point, measure by measure. Null: nobody asks.
  double* measured = nullptr;
};

}  // namespace perilune::formulation
