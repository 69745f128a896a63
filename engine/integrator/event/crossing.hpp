// SPDX-License-Identifier: MIT
// Where functions of a motion change their signs within a step. Samples alone would miss what lies between them, so
// the functions are bounded over parts of the step, and parts are halved until bounds or slopes decide.
#pragma once
#include <optional>
#include <vector>

#include "formulation/node.hpp"
#include "integrator/event/step_course.hpp"
#include "system/measure.hpp"

namespace perilune::integrator {

/// The point of a motion at a time (s), near q and v (n each), with the switches of the model as they are held in the
/// step. It stays until the next call. Throws NumericalError.
using FindPoint = std::function<Node(double t, const double* q, const double* v)>;

struct Crossing {
  int number;    // of the function
  double after;  // time (s) from the start of the step, at which the function has the other sign
};

/// Of functions of time, positions, velocities, accelerations, multipliers, parameters and sides.
class CrossingSearch {
 public:
  /// `find` is called in steps in which functions that are asked about read accelerations or multipliers; without it
  /// these go along the line between the ends.
  CrossingSearch(const system::Measure& functions, FindPoint find);

  /// The first crossing before the end of a step from `start` to `end`, of n coordinates; the motion between them is
  /// the polynomial of degree 5 through both, as for Mesh::interpolate, with accelerations and multipliers as
  /// StepCourse has them. `signs`: those that the functions have at the start, 1 or -1; 0 for one that nobody asks
  /// about. A function that only touches zero, within rounding, has not crossed it.
  std::optional<Crossing> operator()(const Node& start, const Node& end, std::size_t n, const double* parameters,
                                     const double* sides, const std::vector<double>& signs);

 private:
  enum class Outcome { Clear, Crossed, Unsure };

  void bound(double from, double to);
  std::array<double, 6> polynomial(int i) const;
  expr::Enclosure coordinate(int i, bool velocity, double from, double to) const;
  void sample(double at, double* out);
  Node point_at(double share);
  /// From values at both ends of a part and bounds over it.
  bool may_cross(std::size_t k, double at_start, double at_end, double length) const;
  bool is_across(std::size_t k, double value) const { return (*signs_)[k] * value < 0; }
  /// It follows accelerations or multipliers, which are off by something on this stretch.
  bool is_uncertain(std::size_t k, double from, double to) const {
    return follows_course_[k] != 0 && course_.is_uncertain(from, to);
  }
  Outcome explore(int depth, double from, const double* at_from, double to, const double* at_to);
  Outcome unsure(double from, double to);
  Outcome search();

  const system::Measure& functions_;
  FindPoint find_;
  std::size_t count_;
  StepCourse course_;
  std::vector<char> follows_course_;  // by function
  std::vector<expr::Enclosure> bounds_;
  std::vector<double> samples_;  // rows of count_: at the start, at the end, in the middle of the part of each depth
  std::vector<double> q_, v_;    // where a point is looked for
  Node start_, end_;
  double h_ = 0;
  const double *parameters_ = nullptr, *sides_ = nullptr;
  const std::vector<double>* signs_ = nullptr;
  int evaluations_ = 0;
  double unsure_from_ = 0, unsure_to_ = 0;
  Crossing found_{};
};

}  // namespace perilune::integrator
