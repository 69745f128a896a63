// SPDX-License-Identifier: MIT
// Backward differentiation formulas of orders 1 to 5 with a fixed leading coefficient (Brenan, Campbell and Petzold,
// Numerical Solution of Initial-Value Problems in Differential-Algebraic Equations, chapter 5; Schaffer 2005, eqs.
// 4.4-4.14). For y = (q, v), a polynomial omega of degree k predicts from the k + 1 latest mesh points, and
//   y'(t + h) = omega'(t + h) + (1 + 1/2 + ... + 1/k) / h (y(t + h) - omega(t + h)).
// Solved for y(t + h) this is a plan: history in the proposals, the leading coefficient in the coupling. Where the
// history ends at the initial point, the slope there takes the place of the missing point; so the first step is of
// order 1, the second may be of order 2, and so on.
//
// Constant steps start with k - 1 steps of Radau IIA of order 5, of the same length, and have their full order from the
// start. Adaptive ones start at order 1 with a small step; order and step rise together.
#pragma once
#include <array>
#include <map>

#include "integrator/stepping.hpp"

namespace perilune::integrator {

inline constexpr int most_bdf_order = 5;

/// The latest mesh points of a run, as far as formulas refer to them.
class Past {
 public:
  struct Point {
    // Nodes counted from the coming step: where q and v are, where the integrals are.
    int state = -1, end = -1;
    double age = 0;  // time from there to the start of the coming step
  };
  int size() const { return size_; }
  const Point& operator[](int i) const { return points_[static_cast<std::size_t>(i)]; }
  /// The oldest point is the initial one, whose slope is known too.
  bool has_start() const { return has_start_; }
  /// A step of `nodes` nodes was taken; `state` and `end` are among them.
  void advance(int nodes, int state, int end, double h);

 private:
  std::array<Point, most_bdf_order + 1> points_{};  // the latest first
  int size_ = 1;
  bool has_start_ = true;
};

/// The step of length h and of this order, at most past.size().
Plan bdf_plan(int order, const Past& past, double h, const Ending& ending);

/// The plans of a run: each is made once, however often the same steps recur.
class BdfPlans {
 public:
  BdfPlans(Run& run, const Ending& ending) : run_(run), ending_(ending) {}
  const Plan& plan(int order, const Past& past, double h);

 private:
  // Order, then node and age over h of every point used. Ages count as the same where only rounding tells them apart.
  using Key = std::array<long long, 2 + 2 * (most_bdf_order + 1)>;
  Run& run_;
  Ending ending_;
  std::map<Key, const Plan*> known_;
};

/// The first steps of runs with constant steps.
RungeKuttaPlan bdf_starter(const Ending& ending);

void run_bdf_fixed(Run& run, const Bdf& method, const RungeKuttaPlan& starter, const Ending& ending);
/// Local errors, orders and steps as in IDA (Hindmarsh et al. 2005). With index 3 (`only_positions`) the velocities
/// are differences of positions: their local errors are a power of h larger, so they are left out of the estimates.
void run_bdf_adaptive(Run& run, const Bdf& method, const Ending& ending, bool only_positions);

}  // namespace perilune::integrator
