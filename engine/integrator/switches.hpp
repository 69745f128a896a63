// The switches of a model during an adaptive run: where each is held, and which functions have changed their sign.
#pragma once
#include <optional>
#include <vector>

#include "formulation/motion.hpp"

namespace perilune::integrator {

using formulation::Motion;
using formulation::Node;

class Switches {
 public:
  /// Of a model that has some. Events less than `shortest` (s) apart count as one: a switch that changes its side twice
  /// within it is not held until a step has been longer than that.
  Switches(Motion& motion, double shortest);
  double shortest() const { return shortest_; }
  /// Holds them as they are at the first point.
  void start(const Node& first);

  double value(int number, const Node& x);
  /// The function has not the sign that belongs to the side.
  bool is_across(int number, double value) const;
  /// Its function is about to become negative.
  bool enters(int number) const;
  /// A switch, other than `but`, that is held at another side than it has at x.
  std::optional<int> crossed(const Node& x, int but = -1);
  /// A switch whose function seems to change its sign twice between the ends of a step, and the time (s) after the
  /// first where it is farthest across. By its values and slopes at both ends.
  struct Dip {
    int number;
    double after;
  };
  std::optional<Dip> dip(const Node& start, const Node& end);
  /// The step was taken.
  void advance();

  /// Changes the side of a switch at x, and of all others that changed with it.
  void flip(int number, const Node& x);
  /// Holds those again that were not, after a step of length h that ends at x.
  void hold(const Node& x, double h);

 private:
  struct Course {
    double value, slope;  // slope by the time over the step's length
  };
  /// Where a function that is positive at both ends may be negative in between, as a part of the step.
  static std::optional<double> dip_of(const Course& start, const Course& end);
  void courses(const Node& x, double h, std::vector<Course>& out);
  void evaluate(const Node& x);
  double found(int number) const;
  /// Sides as the functions at x have them, but for switch `number`.
  void settle(int number, const Node& x);

  Motion& motion_;
  const system::Measure& functions_;
  double shortest_;
  std::vector<double> work_, flipped_at_;
  bool are_all_held_ = true, knows_start_ = false, knows_end_ = false;
  std::vector<Course> at_start_, at_end_;
  double last_h_ = 0;
  std::vector<double> moved_;
};

}  // namespace perilune::integrator
