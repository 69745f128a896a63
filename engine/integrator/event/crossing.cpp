// SPDX-License-Identifier: MIT
#include "integrator/event/crossing.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace perilune::integrator {

using expr::Enclosure;
using expr::Interval;

namespace {

// Parts are halved so often while evaluations are left, and afterwards only so often.
constexpr int deepest = 14, deepest_without = 5;
constexpr int most_evaluations = 400;

/// Of a polynomial about the middle of a part of this half length.
Interval range(const double* c, int degree, double half) {
  Interval out{c[0], c[0]};
  double power = 1;
  for (int k = 1; k <= degree; ++k) {
    power *= half;
    const double term = c[k] * power;
    if (k % 2 != 0) {
      out.low -= std::abs(term);
      out.high += std::abs(term);
    } else {
      (term < 0 ? out.low : out.high) += term;
    }
  }
  return out;
}

Interval between(double x, double y) { return {std::min(x, y), std::max(x, y)}; }

}  // namespace

CrossingSearch::CrossingSearch(const system::Measure& functions)
    : functions_(functions),
      count_(static_cast<std::size_t>(functions.output_count())),
      bounds_(functions.make_bounds()),
      samples_((2 + deepest) * count_) {}

Enclosure CrossingSearch::coordinate(int i, bool velocity, double from, double to) const {
  const double q0 = start_.q[i], v0 = h_ * start_.v[i], a0 = h_ * h_ * start_.a[i];
  const double dq = end_.q[i] - (q0 + v0 + a0 / 2), dv = h_ * end_.v[i] - (v0 + a0), da = h_ * h_ * end_.a[i] - a0;
  std::array<double, 6> c{q0, v0, a0 / 2, 10 * dq - 4 * dv + da / 2, -15 * dq + 7 * dv - da, 6 * dq - 3 * dv + da / 2};
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  for (std::size_t k = 0; k < 5; ++k) {
    for (std::size_t j = 5; j-- > k;) c[j] += middle * c[j + 1];
  }
  std::array<double, 5> slope{};
  for (std::size_t k = 0; k < 5; ++k) slope[k] = static_cast<double>(k + 1) * c[k + 1];
  if (!velocity) return {range(c.data(), 5, half), range(slope.data(), 4, half)};
  std::array<double, 4> second{};
  for (std::size_t k = 0; k < 4; ++k) second[k] = static_cast<double>(k + 1) * slope[k + 1] / h_;
  for (double& x : slope) x /= h_;
  return {range(slope.data(), 4, half), range(second.data(), 3, half)};
}

void CrossingSearch::bound(double from, double to) {
  ++evaluations_;
  const auto line = [&](double at_start, double at_end) {
    const double rise = at_end - at_start;
    return Enclosure(between(at_start + from * rise, at_start + to * rise), {rise, rise});
  };
  functions_.bound(
      [&](expr::Quantity quantity, int i) -> Enclosure {
        switch (quantity) {
          case expr::Quantity::Time:
            return {{start_.t + from * h_, start_.t + to * h_}, {h_, h_}};
          case expr::Quantity::Position:
            return coordinate(i, false, from, to);
          case expr::Quantity::Velocity:
            return coordinate(i, true, from, to);
          case expr::Quantity::Acceleration:
            return line(start_.a[i], end_.a[i]);
          case expr::Quantity::Multiplier:
            return line(start_.lambda[i], end_.lambda[i]);
          case expr::Quantity::Parameter:
            return parameters_[i];
          case expr::Quantity::Side:
            return sides_ ? sides_[i] : 0.0;
          case expr::Quantity::Argument:
          case expr::Quantity::Absence:
            break;
        }
        return 0.0;
      },
      bounds_);
}

void CrossingSearch::sample(double at, double* out) {
  bound(at, at);
  for (std::size_t k = 0; k < count_; ++k) {
    const Interval& value = functions_.bound_of(bounds_, static_cast<int>(k)).value;
    out[k] = 0.5 * (value.low + value.high);  // no number where nothing is known
  }
}

bool CrossingSearch::may_cross(std::size_t k, double at_start, double at_end, double length) const {
  const double sign = (*signs_)[k];
  if (sign == 0) return false;
  const Enclosure& found = functions_.bound_of(bounds_, static_cast<int>(k));
  if (found.slope.low >= 0 || found.slope.high <= 0) return false;
  if (is_across(k, at_end)) return true;
  double low = found.value.low, fall = found.slope.low, rise = found.slope.high;
  if (sign < 0) {
    low = -found.value.high;
    fall = -found.slope.high;
    rise = -found.slope.low;
  }
  if (low >= 0) return false;
  // Not below the lines of steepest fall from the start and towards the end, which meet here.
  const double first = sign * at_start, last = sign * at_end;
  const double meet = (last - first - rise * length) / (fall - rise);
  return !(first + fall * std::clamp(meet, 0.0, length) >= 0);
}

bool CrossingSearch::explore(int depth, double from, const double* at_from, double to, const double* at_to) {
  bound(from, to);
  bool is_decided = true;
  for (std::size_t k = 0; k < count_ && is_decided; ++k) is_decided = !may_cross(k, at_from[k], at_to[k], to - from);
  if (is_decided || depth >= (evaluations_ < most_evaluations ? deepest : deepest_without)) return false;
  const double middle = 0.5 * (from + to);
  double* at_middle = samples_.data() + (2 + static_cast<std::size_t>(depth)) * count_;
  sample(middle, at_middle);
  for (std::size_t k = 0; k < count_; ++k) {
    if (!is_across(k, at_middle[k])) continue;
    found_ = {static_cast<int>(k), middle * h_};
    explore(depth + 1, from, at_from, middle, at_middle);  // whether there is an earlier one
    return true;
  }
  return explore(depth + 1, from, at_from, middle, at_middle) || explore(depth + 1, middle, at_middle, to, at_to);
}

std::optional<Crossing> CrossingSearch::operator()(const Node& start, const Node& end, const double* parameters,
                                                   const double* sides, const std::vector<double>& signs) {
  start_ = start;
  end_ = end;
  h_ = end.t - start.t;
  parameters_ = parameters;
  sides_ = sides;
  signs_ = &signs;
  evaluations_ = 0;
  if (!(h_ > 0)) return std::nullopt;
  // Most steps are far from all zeros: a single evaluation shows it.
  bound(0, 1);
  bool is_clear = true;
  for (std::size_t k = 0; k < count_ && is_clear; ++k) {
    const Enclosure& found = functions_.bound_of(bounds_, static_cast<int>(k));
    is_clear = signs[k] == 0 || (signs[k] > 0 ? found.value.low >= 0 : found.value.high <= 0);
  }
  if (is_clear) return std::nullopt;
  sample(0, samples_.data());
  sample(1, samples_.data() + count_);
  if (explore(0, 0, samples_.data(), 1, samples_.data() + count_)) return found_;
  return std::nullopt;
}

}  // namespace perilune::integrator
