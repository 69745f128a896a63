// SPDX-License-Identifier: MIT
// Where functions of a motion change their signs within a step. Samples alone would miss what lies between them, so
// the functions are bounded over parts of the step, and parts are halved until bounds or slopes decide.
#pragma once
#include <optional>
#include <vector>

#include "formulation/node.hpp"
#include "system/measure.hpp"

namespace perilune::integrator {

using formulation::Node;

struct Crossing {
  int number;    // of the function
  double after;  // time (s) from the start of the step, at which the function has the other sign
};

/// Of functions of time, positions, velocities, accelerations, multipliers, parameters and sides.
class CrossingSearch {
 public:
  explicit CrossingSearch(const system::Measure& functions);

  /// The first crossing before the end of a step from `start` to `end`; the motion between them is the polynomial of
  /// degree 5 through both, as for Mesh::interpolate. `signs`: those that the functions have at the start, 1 or -1; 0
  /// for one that nobody asks about. A function that only touches zero, within rounding, has not crossed it.
  std::optional<Crossing> operator()(const Node& start, const Node& end, const double* parameters, const double* sides,
                                     const std::vector<double>& signs);

 private:
  void bound(double from, double to);
  expr::Enclosure coordinate(int i, bool velocity, double from, double to) const;
  void sample(double at, double* out);
  /// From values at both ends of a part and bounds over it.
  bool may_cross(std::size_t k, double at_start, double at_end, double length) const;
  bool is_across(std::size_t k, double value) const { return (*signs_)[k] * value < 0; }
  bool explore(int depth, double from, const double* at_from, double to, const double* at_to);

  const system::Measure& functions_;
  std::size_t count_;
  std::vector<expr::Enclosure> bounds_;
  std::vector<double> samples_;  // rows of count_: at the start, at the end, in the middle of the part of each depth
  Node start_, end_;
  double h_ = 0;
  const double *parameters_ = nullptr, *sides_ = nullptr;
  const std::vector<double>* signs_ = nullptr;
  int evaluations_ = 0;
  Crossing found_{};
};

}  // namespace perilune::integrator
