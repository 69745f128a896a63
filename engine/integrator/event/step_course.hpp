// SPDX-License-Identifier: MIT
// What accelerations and multipliers do within a step, of which integrators know the ends alone. Points of the motion
// on the way tell: polynomials of degree 4 go through five of them, over parts of the step that are halved where their
// error counts.
#pragma once
#include <array>
#include <functional>
#include <vector>

#include "expr/enclosure.hpp"
#include "expr/graph.hpp"
#include "formulation/node.hpp"

namespace perilune::integrator {

using formulation::Node;

class StepCourse {
 public:
  /// A point of the motion at a share of the step, from 0 to 1. It stays until the next call. Throws NumericalError.
  using Find = std::function<Node(double share)>;

  /// Of these coordinates' accelerations and of these multipliers.
  StepCourse(std::vector<int> accelerations, std::vector<int> multipliers);
  bool is_empty() const { return count_ == 0; }

  /// A step: lines through both ends, until points are found.
  void begin(const Node& start, const Node& end);
  /// Finds the first three points. Where the motion has none the lines stay.
  void look(const Find& find);
  /// Halves those of the parts that reach into a stretch whose error is not known to be zero. Where there are many
  /// already, or no further points, their errors no longer count.
  void refine(double from, double to, const Find& find);
  bool is_uncertain(double from, double to) const;
  /// The length of the longest part that reaches into a stretch.
  double part_length(double from, double to) const;

  /// What a number is within on a stretch, with the estimated error, and its slope by the share of the step.
  expr::Enclosure acceleration(int coordinate, double from, double to) const;
  expr::Enclosure multiplier(int number, double from, double to) const;

 private:
  static constexpr std::size_t points = 5, most_parts = 16;
  struct Part {
    double from = 0, to = 1;
    bool is_uncertain = false;
    std::vector<std::array<double, points>> values, coefficients;  // of each number; by x, 0 to 1 over the part
    std::vector<double> errors;                                    // estimates
  };

  bool reaches(const Part& part, double from, double to) const { return part.from <= to && part.to >= from; }
  double number_at(const Node& x, std::size_t k) const;
  expr::Enclosure over(std::size_t k, double from, double to) const;
  expr::Enclosure over(const Part& part, std::size_t k, double from, double to) const;
  /// Coefficients from the values; estimates below rounding become zero.
  static void settle(Part& part);
  bool halve(std::size_t number, const Find& find);

  std::vector<int> accelerations_, multipliers_;
  std::size_t count_, part_count_ = 0;
  std::array<Part, most_parts> parts_;  // in no order
  std::array<std::vector<double>, 4> found_;
};

}  // namespace perilune::integrator
