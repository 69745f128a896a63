// SPDX-License-Identifier: MIT
// What interpolation of a peak between mesh points is off by.
#include <algorithm>
#include <cmath>
#include <optional>

#include "error.hpp"
#include "simulation/peak/peaks.hpp"

namespace perilune::simulation {

using expr::Quantity;

std::optional<double> Peaks::value_found(Tracker& tracker, std::size_t i, double t) {
  const double h = window_[i + 1].t - window_[i].t, theta = (t - window_[i].t) / h;
  const HermiteWeights of_q = hermite_weights(0, theta, h), of_v = hermite_weights(1, theta, h);
  q_.resize(n_);
  v_.resize(n_);
  for (std::size_t k = 0; k < n_; ++k) {
    q_[k] = hermite(of_q, i, k);
    v_[k] = hermite(of_v, i, k);
  }
  try {
    const formulation::Node x = find_(t, q_.data(), v_.data(), sides_);
    const system::MotionPoint point{t, x.q, x.v, x.a, x.lambda, parameters_.data(), sides_ ? sides_->data() : nullptr};
    return tracker.sign * checked_value(*tracker.what, tracker.what->extremum->signal, point, tracker.work);
  } catch (const NumericalError&) {
    return std::nullopt;
  }
}

void Peaks::look_at_points(Tracker& tracker, std::size_t i, double begin, double end) {
  for (const double share : {0.25, 0.5, 0.75}) {
    const double t = window_[i].t + share * (window_[i + 1].t - window_[i].t);
    if (!(t > begin && t < end)) continue;
    if (const std::optional<double> found = value_found(tracker, i, t)) tracker.seen = std::max(tracker.seen, *found);
  }
}

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
  double sum = 0, of_point = 0;
  if (is_compared(tracker)) {
    const double interpolated = value(tracker, at);
    if (const std::optional<double> found = value_found(tracker, at.step, at.t)) {
      of_point = std::abs(*found - interpolated);
    }
    value(tracker, at);  // whose slopes are next
  }
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
  return std::max(sum, of_point);
}

}  // namespace perilune::simulation
