// SPDX-License-Identifier: MIT
// What interpolation of a peak between mesh points is off by.
#include <algorithm>
#include <cmath>

#include "simulation/peak/peaks.hpp"

namespace perilune::simulation {

using expr::Quantity;

double Peaks::error(Tracker& tracker, const Place& at) {
  const double h = window_[at.step + 1].t - window_[at.step].t;
  const double theta = (at.t - window_[at.step].t) / h, u = theta * (1 - theta);
  Times times{};
  for (std::size_t j = 0; j < at.count; ++j) times[j] = window_[at.first + j].t;
  // The polynomial of a coordinate is off by c theta^3 (1 - theta)^3 to leading order, of which the second derivative
  // is known: it differs from the accelerations of the motion, which more points tell better. Three places, since c
  // passes through zero where the motion is odd.
  const auto largest = [&](std::size_t k) {
    double c = 0;
    for (const double x : {0.1, 0.5, 0.9}) {
      const double bend = x * (6 + x * (-36 + x * (60 - 30 * x)));
      const Times weights = lagrange_weights(times, at.count, window_[at.step].t + x * h);
      const double off = hermite(hermite_weights(2, x, h), at.step, k) - lagrange(weights, at, 2 * n_ + k);
      c = std::max(c, std::abs(off * h * h / bend));
    }
    return c;
  };
  // What fewer points say: two less each time, since odd orders vanish about a peak.
  const auto by_fewer = [&](std::size_t number, std::size_t most) {
    std::size_t first = at.first, count = at.count;
    for (; count > most; --count) {
      if (std::abs(window_[first].t - at.t) > std::abs(window_[first + count - 1].t - at.t)) ++first;
    }
    Times some{};
    for (std::size_t j = 0; j < count; ++j) some[j] = window_[first + j].t;
    const Times weights = lagrange_weights(some, count, at.t);
    double sum = 0;
    for (std::size_t j = 0; j < count; ++j) sum += weights[j] * numbers(first + j)[number];
    return sum;
  };
  // Differences fall by the same factor from one to the next; by less where all points are on one side, beside events.
  const auto change = [&](std::size_t number) {
    const double all = by_fewer(number, most_support);
    if (at.count < most_support) return std::abs(all - by_fewer(number, at.count > 2 ? 2 : 1));
    const double fewer = by_fewer(number, 4), last = std::abs(all - fewer),
                 before = std::abs(fewer - by_fewer(number, 2));
    if (!(last < before)) return last;
    return last * (at.first + 2 == at.step ? last / before : std::sqrt(last / before));
  };
  double sum = 0;
  tracker.what->extremum->signal.visit_gradient(tracker.work, 0, [&](Quantity quantity, int index, double by) {
    const auto k = static_cast<std::size_t>(index);
    if (quantity == Quantity::Position) sum += std::abs(by) * largest(k) * u * u * u;
    if (quantity == Quantity::Velocity) sum += std::abs(by) * largest(k) * 3 * u * u * std::abs(1 - 2 * theta) / h;
    if (quantity == Quantity::Acceleration) {
      const double bend = theta * (6 + theta * (-36 + theta * (60 - 30 * theta)));
      sum += std::abs(by) * (at.bends ? largest(k) * std::abs(bend) / (h * h) : change(2 * n_ + k));
    }
    if (quantity == Quantity::Multiplier) sum += std::abs(by) * change(3 * n_ + k);
  });
  return sum;
}

}  // namespace perilune::simulation
