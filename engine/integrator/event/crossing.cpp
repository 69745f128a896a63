// SPDX-License-Identifier: MIT
#include "integrator/event/crossing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "integrator/event/polynomial_range.hpp"

namespace perilune::integrator {

using expr::Enclosure;
using expr::Interval;
using expr::Quantity;

namespace {

// Parts are halved so often while evaluations are left, and afterwards only so often.
constexpr int deepest = 14, deepest_without = 5;
constexpr int most_evaluations = 400;

}  // namespace

CrossingSearch::CrossingSearch(const system::Measure& functions, FindPoint find)
    : functions_(functions),
      find_(std::move(find)),
      count_(static_cast<std::size_t>(functions.output_count())),
      course_(functions.indices_of(Quantity::Acceleration), functions.indices_of(Quantity::Multiplier)),
      follows_course_(functions.outputs_of({Quantity::Acceleration, Quantity::Multiplier})),
      bounds_(functions.make_bounds()),
      samples_((2 + deepest) * count_) {}

std::array<double, 6> CrossingSearch::polynomial(int i) const {
  const double q0 = start_.q[i], v0 = h_ * start_.v[i], a0 = h_ * h_ * start_.a[i];
  const double dq = end_.q[i] - (q0 + v0 + a0 / 2), dv = h_ * end_.v[i] - (v0 + a0), da = h_ * h_ * end_.a[i] - a0;
  return {q0, v0, a0 / 2, 10 * dq - 4 * dv + da / 2, -15 * dq + 7 * dv - da, 6 * dq - 3 * dv + da / 2};
}

Enclosure CrossingSearch::coordinate(int i, bool velocity, double from, double to) const {
  std::array<double, 6> c = polynomial(i);
  recentre(c, 0.5 * (from + to));
  const double half = 0.5 * (to - from);
  std::array<double, 5> slope = slope_of(c);
  if (!velocity) return {range(c, half), range(slope, half)};
  std::array<double, 4> second = slope_of(slope);
  for (double& x : second) x /= h_;
  for (double& x : slope) x /= h_;
  return {range(slope, half), range(second, half)};
}

Node CrossingSearch::point_at(double share) {
  const auto n = q_.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::array<double, 6> c = polynomial(static_cast<int>(i));
    recentre(c, share);
    q_[i] = c[0];
    v_[i] = c[1] / h_;
  }
  return find_(start_.t + share * h_, q_.data(), v_.data());
}

void CrossingSearch::bound(double from, double to) {
  ++evaluations_;
  functions_.bound(
      [&](Quantity quantity, int i) -> Enclosure {
        switch (quantity) {
          case Quantity::Time:
            return {{start_.t + from * h_, start_.t + to * h_}, {h_, h_}};
          case Quantity::Position:
            return coordinate(i, false, from, to);
          case Quantity::Velocity:
            return coordinate(i, true, from, to);
          case Quantity::Acceleration:
            return course_.acceleration(i, from, to);
          case Quantity::Multiplier:
            return course_.multiplier(i, from, to);
          case Quantity::Parameter:
            return parameters_[i];
          case Quantity::Side:
            return sides_ ? sides_[i] : 0.0;
          case Quantity::Argument:
          case Quantity::Absence:
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

CrossingSearch::Outcome CrossingSearch::unsure(double from, double to) {
  unsure_from_ = from;
  unsure_to_ = to;
  return Outcome::Unsure;
}

CrossingSearch::Outcome CrossingSearch::explore(int depth, double from, const double* at_from, double to,
                                                const double* at_to) {
  bound(from, to);
  bool is_decided = true, hangs_on_course = false;
  for (std::size_t k = 0; k < count_; ++k) {
    if (!may_cross(k, at_from[k], at_to[k], to - from)) continue;
    is_decided = false;
    hangs_on_course = hangs_on_course || is_uncertain(k, from, to);
  }
  if (is_decided) return Outcome::Clear;
  // Bounds over a fourth of a polynomial are about as narrow as it is: what is left is its error.
  if (hangs_on_course && 4 * (to - from) <= course_.part_length(from, to)) return unsure(from, to);
  if (depth >= (evaluations_ < most_evaluations ? deepest : deepest_without)) return Outcome::Clear;
  const double middle = 0.5 * (from + to);
  double* at_middle = samples_.data() + (2 + static_cast<std::size_t>(depth)) * count_;
  sample(middle, at_middle);
  for (std::size_t k = 0; k < count_; ++k) {
    if (!is_across(k, at_middle[k])) continue;
    const Interval& value = functions_.bound_of(bounds_, static_cast<int>(k)).value;
    if (value.low <= 0 && value.high >= 0 && is_uncertain(k, middle, middle)) return unsure(middle, middle);
    found_ = {static_cast<int>(k), middle * h_};
    // Whether there is an earlier one.
    return explore(depth + 1, from, at_from, middle, at_middle) == Outcome::Unsure ? Outcome::Unsure : Outcome::Crossed;
  }
  const Outcome first = explore(depth + 1, from, at_from, middle, at_middle);
  return first == Outcome::Clear ? explore(depth + 1, middle, at_middle, to, at_to) : first;
}

CrossingSearch::Outcome CrossingSearch::search() {
  evaluations_ = 0;
  // Most steps are far from all zeros: a single evaluation shows it.
  bound(0, 1);
  bool is_clear = true;
  for (std::size_t k = 0; k < count_ && is_clear; ++k) {
    const double sign = (*signs_)[k];
    const Enclosure& found = functions_.bound_of(bounds_, static_cast<int>(k));
    is_clear = sign == 0 || (sign > 0 ? found.value.low >= 0 : found.value.high <= 0);
  }
  if (is_clear) return Outcome::Clear;
  sample(0, samples_.data());
  sample(1, samples_.data() + count_);
  return explore(0, 0, samples_.data(), 1, samples_.data() + count_);
}

std::optional<Crossing> CrossingSearch::operator()(const Node& start, const Node& end, std::size_t n,
                                                   const double* parameters, const double* sides,
                                                   const std::vector<double>& signs) {
  start_ = start;
  end_ = end;
  h_ = end.t - start.t;
  parameters_ = parameters;
  sides_ = sides;
  signs_ = &signs;
  if (!(h_ > 0)) return std::nullopt;
  course_.begin(start, end);
  const StepCourse::Find find = [this](double share) { return point_at(share); };
  bool follows_course = false;
  for (std::size_t k = 0; k < count_; ++k) {
    follows_course = follows_course || (signs[k] != 0 && follows_course_[k] != 0);
  }
  if (follows_course && find_) {
    q_.resize(n);
    v_.resize(n);
    course_.look(find);
  }
  while (true) {
    const Outcome outcome = search();
    if (outcome == Outcome::Crossed) return found_;
    if (outcome == Outcome::Clear) return std::nullopt;
    course_.refine(unsure_from_, unsure_to_, find);
  }
}

}  // namespace perilune::integrator
