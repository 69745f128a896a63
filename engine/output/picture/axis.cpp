// SPDX-License-Identifier: MIT
#include "output/picture/axis.hpp"

#include <algorithm>
#include <cmath>

#include "format/text.hpp"

namespace perilune::output {

using namespace format;
namespace {

// Ranges up to here can be padded and subtracted without overflow, and from here divided without underflow.
constexpr double kHuge = 8e307;
constexpr double kTiny = 1e-290;

double power_of_ten(int exponent) { return std::pow(10.0, exponent); }

int decade(double positive) { return static_cast<int>(std::floor(std::log10(positive) + 1e-12)); }

struct Step {
  double size;
  int decade;
};

Step round_step(double extent, int max_ticks) {
  const double raw = extent / std::max(1, max_ticks);
  const int exponent = decade(raw);
  for (const int factor : {1, 2, 5}) {
    const double size = factor * power_of_ten(exponent);
    if (size >= raw * (1 - 1e-9)) return {size, exponent};
  }
  return {power_of_ten(exponent + 1), exponent + 1};
}

std::vector<double> multiples_within(double low, double high, double step) {
  std::vector<double> values;
  const double slack = 1e-9;
  const double first = std::ceil(low / step - slack), last = std::floor(high / step + slack);
  for (int i = 0; i < 1000 && first + i <= last; ++i) values.push_back((first + i) * step);
  return values;
}

// Widens a range which has no extent beyond rounding noise.
void widen(double& low, double& high) {
  const double largest = std::max(std::abs(low), std::abs(high));
  if (high - low > 1e-12 * largest && high - low > kTiny) return;
  const double middle = low + (high - low) / 2;
  const double half = largest > kTiny ? 0.1 * largest : 1.0;
  low = middle - half;
  high = middle + half;
}

void label_linear(Axis& axis, const std::vector<double>& values, Step step) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  double offset = 0;
  if (largest > 0 && decade(largest) - step.decade > 4) {
    const int unit_decade = static_cast<int>(std::ceil(std::log10(axis.high - axis.low)));
    const double unit = power_of_ten(unit_decade);
    offset = unit * std::floor(values.front() / unit);
    largest = 0;
    for (const double value : values) largest = std::max(largest, std::abs(value - offset));
    if (offset != 0) axis.offset = significant(offset, decade(std::abs(offset)) - unit_decade + 1);
  }
  if (largest > 0 && (largest >= 0.9999e5 || largest < 0.9999e-2)) {
    axis.exponent = 3 * static_cast<int>(std::floor(decade(largest) / 3.0));
  }
  const int decimals = std::max(0, axis.exponent - step.decade);
  for (const double value : values) {
    // In two factors because 10^exponent itself may underflow.
    const double mantissa =
        (value - offset) * power_of_ten(-axis.exponent / 2) * power_of_ten(-axis.exponent - -axis.exponent / 2);
    axis.ticks.push_back({value, fixed(mantissa, decimals), ""});
  }
}

}  // namespace

void Range::include(double value) {
  if (!std::isfinite(value)) return;
  low = std::min(low, value);
  high = std::max(high, value);
}

double Axis::fraction(double value) const {
  const double position = log ? std::log10(value) : value;
  return std::clamp((position - low) / (high - low), 0.0, 1.0);
}

Axis linear_axis(Range range, int max_ticks, double padding) {
  if (range.empty()) range = {0, 1};
  double low = std::clamp(range.low, -kHuge, kHuge), high = std::clamp(range.high, -kHuge, kHuge);
  widen(low, high);
  const double extra = padding * (high - low);
  Axis axis{.low = low - extra, .high = high + extra};
  // A short axis may catch a single multiple of its step, and one label tells no scale.
  Step step = round_step(axis.high - axis.low, max_ticks);
  std::vector<double> values = multiples_within(axis.low, axis.high, step.size);
  for (int finer = std::max(1, max_ticks) + 1; values.size() < 2 && finer < 8; ++finer) {
    step = round_step(axis.high - axis.low, finer);
    values = multiples_within(axis.low, axis.high, step.size);
  }
  label_linear(axis, values, step);
  return axis;
}

Axis log_axis(Range range, int max_ticks, double padding) {
  if (range.empty()) range = {1, 10};
  // Beyond, the padded ends would not be doubles any more.
  const auto exponent = [](double value) { return std::log10(std::clamp(value, 1e-300, 1e300)); };
  double low = exponent(range.low), high = exponent(range.high);
  if (high - low < 1e-9) {
    low -= 0.5;
    high += 0.5;
  }
  const double extra = padding * (high - low);
  Axis axis{.low = low - extra, .high = high + extra, .log = true};
  const int first = std::max(-323, static_cast<int>(std::ceil(axis.low - 1e-9)));
  const int last = std::min(308, static_cast<int>(std::floor(axis.high + 1e-9)));
  const auto inside = [&](double value) {
    return value > 0 && std::log10(value) >= axis.low && std::log10(value) <= axis.high;
  };
  if (last - first >= 1) {
    const int stride = (last - first) / std::max(1, max_ticks) + 1;
    for (int k = first; k <= last; ++k) {
      if (k % stride == 0) {
        axis.ticks.push_back({power_of_ten(k), "10", std::to_string(k)});
      } else {
        axis.minor.push_back(power_of_ten(k));
      }
    }
    for (int k = first - 1; k <= last && last - first <= 6; ++k) {
      for (int factor = 2; factor <= 9; ++factor) {
        if (inside(factor * power_of_ten(k))) axis.minor.push_back(factor * power_of_ten(k));
      }
    }
    return axis;
  }
  // Less than two decades in sight: ticks at equal distances, or at 1, 2, 5 where they are enough.
  std::vector<double> values;
  for (int k = first - 1; k <= last + 1; ++k) {
    for (const int factor : {1, 2, 5}) {
      if (inside(factor * power_of_ten(k))) values.push_back(factor * power_of_ten(k));
    }
  }
  const double bottom = std::pow(10.0, axis.low), top = std::pow(10.0, axis.high);
  Step step{.size = 0, .decade = decade(bottom)};
  if (values.size() < 3) {
    step = round_step(top - bottom, max_ticks);
    values = multiples_within(bottom, top, step.size);
  }
  // label_linear measures the extent on the axis, which is logarithmic here.
  Axis labels{.low = bottom, .high = top};
  label_linear(labels, values, step);
  axis.ticks = labels.ticks;
  axis.exponent = labels.exponent;
  axis.offset = labels.offset;
  return axis;
}

}  // namespace perilune::output
