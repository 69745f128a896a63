// SPDX-License-Identifier: MIT
// The greatest and least values of signals along a motion, between mesh points, too. There q and v are those of the
// mesh's quintic Hermite polynomial, a and lambda those of the polynomial through up to six mesh points around. Beside
// events, where there are fewer than five, a is the second derivative of the first polynomial. A peak
// is where the signal of these stops growing; its derivatives are those of the numbers of the mesh points, at a fixed
// time, since the time of a peak does not matter to first order. Nothing is interpolated across an event.
#pragma once
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "integrator/march.hpp"
#include "integrator/mesh_weights.hpp"
#include "simulation/problem.hpp"

namespace perilune::simulation {

using integrator::hermite_weights;
using integrator::HermiteWeights;
using integrator::lagrange_slopes;
using integrator::lagrange_weights;
using integrator::most_support;
using integrator::Times;

/// A greatest or least value, and how it depends on the motion.
struct Peak {
  double value = 0;
  double t = 0;       // s
  double error = 0;   // estimate of what interpolation is off by
  double spread = 0;  // between the greatest and the least value of the signal
  /// Its derivatives by the numbers of a mesh point: q, v, a (n each) and lambda; and by the time of that point, where
  /// it moves with an event.
  struct Part {
    std::size_t point;
    std::vector<double> numbers;
    double time;
  };
  std::vector<Part> parts;
  std::vector<std::pair<int, double>> parameters;  // by those that the signal itself reads
};

class Peaks {
 public:
  Peaks(const Problem& problem, const std::vector<double>& parameters);
  bool empty() const { return trackers_.empty(); }
  /// The point of the motion at a time, near q and v, with the switches at these sides: what is interpolated is compared
  /// with it. Throws NumericalError.
  using FindPoint =
      std::function<formulation::Node(double t, const double* q, const double* v, const formulation::Sides& sides)>;
  void compare_with(FindPoint find) { find_ = std::move(find); }
  void start(const integrator::March& march);
  void accept(const integrator::March& march);
  /// How the end of the run changes by the length of the last step, where a stop condition ends it.
  void note_end(const system::MotionPoint& by_length) {
    if (empty()) return;
    end_by_length_.assign(by_length.q, by_length.q + n_);
    end_by_length_.insert(end_by_length_.end(), by_length.v, by_length.v + n_);
    end_by_length_.insert(end_by_length_.end(), by_length.a, by_length.a + n_);
    end_by_length_.insert(end_by_length_.end(), by_length.lambda, by_length.lambda + m_);
  }
  /// After the last step.
  void finish();

  /// Which points a peak depends on is known at most so many points later.
  static constexpr std::size_t most_points = 2 * most_support + 2;
  /// Of an objective; null without one, or where no time of the run was in its window.
  const Peak* of(std::size_t objective) const;
  /// How often another peak was found for an objective.
  std::size_t changes(std::size_t objective) const;
  /// Derivative of a peak by the length of the last step, after note_end and finish.
  double by_length(std::size_t objective) const {
    const Peak* peak = of(objective);
    if (!peak || end_by_length_.empty()) return 0;
    double sum = 0;
    for (const Peak::Part& part : peak->parts) {
      if (part.point + 1 != points_) continue;
      sum += std::inner_product(part.numbers.begin(), part.numbers.end(), end_by_length_.begin(), part.time);
    }
    return sum;
  }

 private:
  struct Point {
    std::size_t number = 0;
    double t = 0;
    std::vector<double> numbers;
  };
  struct Tracker {
    std::size_t objective;
    const Objective* what;
    double sign;
    std::vector<std::size_t> coordinates, accelerations, multipliers;  // that the signal reads
    std::vector<double> work;
    std::optional<Peak> best;
    double lowest, greatest;  // of the signal
    // The greatest, with the sign, at points that were found where the signal may be so.
    double seen = -std::numeric_limits<double>::infinity();
    std::size_t changes = 0;
  };
  /// Where in a step a signal is looked at.
  struct Place {
    std::size_t step;  // between the window's points `step` and `step` + 1
    double t;
    bool is_point;  // it is the mesh point `point` of the window
    std::size_t point;
    HermiteWeights q{}, v{}, a{}, jerk{};  // of the derivatives of the Hermite polynomial
    bool bends = false;                    // its second one is what the signal reads as acceleration
    std::size_t first = 0, count = 0;      // points that accelerations and multipliers are interpolated by
    Times weights{}, slopes{};
  };

  void append(const integrator::March& march, int node);
  /// The last point was found anew, and is what it was: no event.
  bool is_last_again(const formulation::Node& x) const;
  /// The step from the window's point i on, with what is known around it.
  void examine(std::size_t i);
  void examine(Tracker& tracker, std::size_t i);
  /// What is left of a stretch between events.
  void flush();
  /// The polynomial's second derivatives in a step are not the accelerations: short steps magnify errors of positions.
  bool is_rough(const Tracker& tracker, std::size_t i) const;
  Place place(const Tracker& tracker, std::size_t i, double t) const;
  /// The same, kept for other signals that are looked at there: `k` counts the places of a signal in a step.
  Place shared_place(const Tracker& tracker, std::size_t i, double t, std::size_t k);
  /// The signal, with the sign that makes it greatest.
  double value(Tracker& tracker, const Place& at);
  /// Its time derivative where `value` was asked for last.
  double slope(Tracker& tracker, const Place& at);
  void take(Tracker& tracker, const Place& at, double value);
  void add_parts(Tracker& tracker, const Place& at, Peak& peak);
  double error(Tracker& tracker, const Place& at);
  /// Points are found for it, as it reads what mesh points alone know.
  bool is_compared(const Tracker& tracker) const {
    return find_ && !(tracker.accelerations.empty() && tracker.multipliers.empty());
  }
  /// The signal at the point that is found at a time in the step from the window's point i on; none if there is none.
  std::optional<double> value_found(Tracker& tracker, std::size_t i, double t);
  /// Between the times of a step: whether there is more than interpolation knows.
  void look_at_points(Tracker& tracker, std::size_t i, double begin, double end);
  const Tracker* tracker_of(std::size_t objective) const;
  const double* numbers(std::size_t point) const { return window_[point].numbers.data(); }
  double hermite(const HermiteWeights& weights, std::size_t step, std::size_t coordinate) const {
    const double *from = numbers(step) + coordinate, *to = numbers(step + 1) + coordinate;
    return weights[0] * from[0] + weights[3] * to[0] + weights[1] * from[n_] + weights[4] * to[n_] +
           weights[2] * from[2 * n_] + weights[5] * to[2 * n_];
  }
  double lagrange(const Times& weights, const Place& at, std::size_t number) const;
  system::MotionPoint point_of(double t, const std::vector<double>& numbers) const {
    const double* q = numbers.data();
    return {t, q, q + n_, q + 2 * n_, q + 3 * n_, parameters_.data(), sides_ ? sides_->data() : nullptr};
  }

  std::size_t n_, m_;
  const std::vector<double>& parameters_;
  double length_;  // of the run (s)
  std::vector<Tracker> trackers_;
  std::vector<Point> window_;  // of the stretch since the last event, at most the last few
  std::size_t next_ = 0;       // the first step of the window that was not looked at
  std::size_t points_ = 0;     // of the mesh so far
  formulation::Sides sides_;
  std::vector<double> numbers_;               // where a signal is looked at
  FindPoint find_;
  std::vector<double> q_, v_;                 // where a point is found
  std::array<std::vector<Place>, 4> shared_;  // of this step, by what signals read
  std::vector<double> times_, values_;        // where a signal was looked at last, and what it was
  std::vector<double> end_by_length_;         // q, v, a, lambda
};

}  // namespace perilune::simulation
