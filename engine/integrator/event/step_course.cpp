// SPDX-License-Identifier: MIT
#include "integrator/event/step_course.hpp"

#include <algorithm>
#include <cmath>

#include "error.hpp"
#include "integrator/event/polynomial_range.hpp"

namespace perilune::integrator {

using expr::Enclosure;
using expr::Interval;

namespace {

/// Of the polynomial through five values at x = 0, 1/4, ..., 1.
std::array<double, 5> through(const std::array<double, 5>& y) {
  // Newton's differences in steps of 1/4, then powers of s = 4 x.
  std::array<double, 5> d = y;
  for (std::size_t k = 1; k < 5; ++k) {
    for (std::size_t j = 4; j >= k; --j) d[j] = (d[j] - d[j - 1]) / static_cast<double>(k);
  }
  std::array<double, 5> c{};
  for (std::size_t k = 5; k-- > 0;) {
    for (std::size_t j = 4; j > 0; --j) c[j] = c[j - 1] - static_cast<double>(k) * c[j];
    c[0] = d[k] - static_cast<double>(k) * c[0];
  }
  double power = 1;
  for (double& x : c) {
    x *= power;
    power *= 4;
  }
  return c;
}

double at(const std::array<double, 5>& c, double x) {
  double sum = 0;
  for (std::size_t k = 5; k-- > 0;) sum = sum * x + c[k];
  return sum;
}

}  // namespace

StepCourse::StepCourse(std::vector<int> accelerations, std::vector<int> multipliers)
    : accelerations_(std::move(accelerations)),
      multipliers_(std::move(multipliers)),
      count_(accelerations_.size() + multipliers_.size()) {
  if (is_empty()) return;
  for (Part& part : parts_) {
    part.values.resize(count_);
    part.coefficients.resize(count_);
    part.errors.resize(count_);
  }
  for (std::vector<double>& each : found_) each.resize(count_);
}

double StepCourse::number_at(const Node& x, std::size_t k) const {
  return k < accelerations_.size() ? x.a[accelerations_[k]] : x.lambda[multipliers_[k - accelerations_.size()]];
}

void StepCourse::begin(const Node& start, const Node& end) {
  part_count_ = 1;
  Part& whole = parts_.front();
  whole.from = 0;
  whole.to = 1;
  whole.is_uncertain = false;
  for (std::size_t k = 0; k < count_; ++k) {
    const double first = number_at(start, k), last = number_at(end, k);
    whole.values[k] = {first, 0, 0, 0, last};
    whole.coefficients[k] = {first, last - first, 0, 0, 0};
    whole.errors[k] = 0;
  }
}

void StepCourse::look(const Find& find) {
  Part& whole = parts_.front();
  try {
    for (std::size_t j = 0; j < 3; ++j) {
      const Node x = find(0.25 * static_cast<double>(j + 1));
      for (std::size_t k = 0; k < count_; ++k) found_[j][k] = number_at(x, k);
    }
  } catch (const NumericalError&) {
    return;
  }
  for (std::size_t k = 0; k < count_; ++k) {
    std::array<double, points>& y = whole.values[k];
    for (std::size_t j = 0; j < 3; ++j) y[j + 1] = found_[j][k];
    // As far off as the parabola through the ends and the middle is, though it is of a higher degree: what begins
    // within the step may be seen by one point alone.
    whole.errors[k] =
        std::max(std::abs(y[1] - (3 * y[0] + 6 * y[2] - y[4]) / 8), std::abs(y[3] - (3 * y[4] + 6 * y[2] - y[0]) / 8));
  }
  settle(whole);
}

void StepCourse::settle(Part& part) {
  constexpr double rounding = 1e-10;
  part.is_uncertain = false;
  for (std::size_t k = 0; k < part.values.size(); ++k) {
    const std::array<double, points>& y = part.values[k];
    part.coefficients[k] = through(y);
    double largest = 0;
    for (const double each : y) largest = std::max(largest, std::abs(each));
    if (!(part.errors[k] > rounding * largest)) part.errors[k] = 0;
    part.is_uncertain = part.is_uncertain || part.errors[k] > 0;
  }
}

bool StepCourse::halve(std::size_t number, const Find& find) {
  if (part_count_ == most_parts) return false;
  Part &left = parts_[number], &right = parts_[part_count_];
  const double length = left.to - left.from;
  try {
    for (std::size_t j = 0; j < found_.size(); ++j) {
      const Node x = find(left.from + length * (0.125 + 0.25 * static_cast<double>(j)));
      for (std::size_t k = 0; k < count_; ++k) found_[j][k] = number_at(x, k);
    }
  } catch (const NumericalError&) {
    return false;
  }
  ++part_count_;
  for (std::size_t k = 0; k < count_; ++k) {
    double off = 0;
    for (std::size_t j = 0; j < found_.size(); ++j) {
      const double before = at(left.coefficients[k], 0.125 + 0.25 * static_cast<double>(j));
      off = std::max(off, std::abs(found_[j][k] - before));
    }
    // Errors of order 5 fall by 32 as parts are halved; an eighth of that is counted upon.
    left.errors[k] = right.errors[k] = off / 4;
    const std::array<double, points> y = left.values[k];
    left.values[k] = {y[0], found_[0][k], y[1], found_[1][k], y[2]};
    right.values[k] = {y[2], found_[2][k], y[3], found_[3][k], y[4]};
  }
  right.to = left.to;
  left.to = right.from = left.from + length / 2;
  settle(left);
  settle(right);
  return true;
}

void StepCourse::refine(double from, double to, const Find& find) {
  for (std::size_t i = 0, count = part_count_; i < count; ++i) {
    Part& part = parts_[i];
    if (!part.is_uncertain || !reaches(part, from, to) || halve(i, find)) continue;
    std::fill(part.errors.begin(), part.errors.end(), 0.0);
    part.is_uncertain = false;
  }
}

bool StepCourse::is_uncertain(double from, double to) const {
  for (std::size_t i = 0; i < part_count_; ++i) {
    if (parts_[i].is_uncertain && reaches(parts_[i], from, to)) return true;
  }
  return false;
}

double StepCourse::part_length(double from, double to) const {
  double length = 0;
  for (std::size_t i = 0; i < part_count_; ++i) {
    if (reaches(parts_[i], from, to)) length = std::max(length, parts_[i].to - parts_[i].from);
  }
  return length;
}

Enclosure StepCourse::over(const Part& part, std::size_t k, double from, double to) const {
  const double length = part.to - part.from, low = (from - part.from) / length, high = (to - part.from) / length;
  std::array<double, points> c = part.coefficients[k];
  recentre(c, 0.5 * (low + high));
  const double half = 0.5 * (high - low);
  Interval value = range(c, half), slope = range(slope_of(c), half);
  // A polynomial of degree 4 and one that differs by this much have slopes that differ by at most 2 * 4^2 as much
  // (Markov); none where the points are.
  const bool is_at_point = half == 0 && 4 * low == std::floor(4 * low);
  const double error = is_at_point ? 0 : part.errors[k], of_slope = 32 * part.errors[k];
  value = {value.low - error, value.high + error};
  slope = {(slope.low - of_slope) / length, (slope.high + of_slope) / length};
  return {value, slope};
}

Enclosure StepCourse::over(std::size_t k, double from, double to) const {
  Enclosure out;
  bool is_first = true;
  for (std::size_t i = 0; i < part_count_; ++i) {
    const Part& part = parts_[i];
    const double low = std::max(from, part.from), high = std::min(to, part.to);
    if (low > high || (low == high && from < to)) continue;
    const Enclosure here = over(part, k, low, high);
    out = is_first ? here : Enclosure(hull(out.value, here.value), hull(out.slope, here.slope));
    is_first = false;
  }
  return out;
}

Enclosure StepCourse::acceleration(int coordinate, double from, double to) const {
  const auto i = std::lower_bound(accelerations_.begin(), accelerations_.end(), coordinate);
  return over(static_cast<std::size_t>(i - accelerations_.begin()), from, to);
}

Enclosure StepCourse::multiplier(int number, double from, double to) const {
  const auto i = std::lower_bound(multipliers_.begin(), multipliers_.end(), number);
  return over(accelerations_.size() + static_cast<std::size_t>(i - multipliers_.begin()), from, to);
}

}  // namespace perilune::integrator
