// SPDX-License-Identifier: MIT
#include "analysis/start_scales.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace perilune::analysis {

namespace {

using Slot = std::size_t;

/// The first of those that a coordinate is tied to, with the way there shortened.
int first_of(std::vector<int>& tied, int i) {
  while (tied[static_cast<Slot>(i)] != i) {
    int& next = tied[static_cast<Slot>(i)];
    next = tied[static_cast<Slot>(next)];
    i = next;
  }
  return i;
}

/// 0, 1, 2 for "arm.x", "arm.y", "arm.z"; -1 for others.
int axis_of_name(const std::string& name) {
  if (name.size() < 2 || name[name.size() - 2] != '.') return -1;
  const char last = name.back();
  return last >= 'x' && last <= 'z' ? last - 'x' : -1;
}

struct Range {
  double low = 1e300, high = -1e300;
  void take(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  double extent() const { return std::max(0.0, high - low); }
};

}  // namespace

StartScales::StartScales(const System& system, double t, const Data& given, const ConsistentState& found) {
  const int n = system.coordinate_count();
  is_length_.resize(static_cast<Slot>(n));
  part_of_.resize(static_cast<Slot>(n));
  parts_.resize(static_cast<Slot>(n));
  std::iota(part_of_.begin(), part_of_.end(), 0);
  for (int i = 0; i < n; ++i) is_length_[static_cast<Slot>(i)] = system.unit(i) == "m";

  const auto& rows = system.mn().row_start();
  const auto& columns = system.mn().column();
  const Slot row_count = rows.size() - 1;
  for (Slot row = 0; row < row_count; ++row) {
    for (int entry = rows[row] + 1; entry < rows[row + 1]; ++entry) {
      const int one = first_of(part_of_, columns[static_cast<Slot>(entry)]);
      const int other = first_of(part_of_, columns[static_cast<Slot>(rows[row])]);
      part_of_[static_cast<Slot>(one)] = other;
    }
  }
  for (int i = 0; i < n; ++i) part_of_[static_cast<Slot>(i)] = first_of(part_of_, i);

  std::vector<Range> ranges(3 * static_cast<Slot>(n));
  std::vector<double> farthest(static_cast<Slot>(n), 0.0);
  for (int i = 0; i < n; ++i) {
    const auto k = static_cast<Slot>(i);
    Part& own = parts_[part(i)];
    own.speed[is_length_[k] ? 1 : 0] = std::max(own.speed[is_length_[k] ? 1 : 0], std::abs(given.initial_v[k]));
    if (!is_length_[k]) continue;
    farthest[part(i)] = std::max({farthest[part(i)], std::abs(given.initial_q[k]), std::abs(found.q[k])});
    if (const int axis = axis_of_name(system.coordinate_name(i)); axis >= 0) {
      ranges[3 * part(i) + static_cast<Slot>(axis)].take(found.q[k]);
    }
  }
  // A row moves by its arm where a body turns by 1 rad, and by 1 where the body is shifted. Without arms its slope may
  // change on the way, as that of a distance, 2 u, does by 2 along each axis: the way to where it is zero is a size,
  // too.
  system::Workspace work(system);
  const std::vector<double> still(static_cast<Slot>(n), 0.0);
  std::vector<double> shifted(static_cast<Slot>(n), 0.0);
  for (Slot k = 0; k < shifted.size(); ++k) shifted[k] = is_length_[k] ? 1 : 0;
  const std::vector<double> none(static_cast<Slot>(system.constraint_count()), 0.0);
  const system::Kinematics along{t, found.q.data(), shifted.data(), still.data(), none.data()};
  system.evaluate(along, given, work, system::Part::Constraints);
  system.linearize(along, given, work, false, system::Part::Constraints);
  for (Slot row = 0; row < row_count; ++row) {
    double shift = 0, turn = 0, bend = 0;
    for (int entry = rows[row]; entry < rows[row + 1]; ++entry) {
      const auto at = static_cast<Slot>(entry);
      double& most = is_length_[static_cast<Slot>(columns[at])] ? shift : turn;
      most = std::max(most, std::abs(work.jacobian[at]));
      bend = std::max(bend, std::abs(work.jacobian_rate[at]));
    }
    if (!(shift > 0)) continue;
    Part& own = parts_[part(columns[static_cast<Slot>(rows[row])])];
    own.size = std::max(own.size, turn / shift);
    if (turn == 0 && bend > 1e-12 * shift) own.size = std::max(own.size, shift / bend);
  }
  for (Slot k = 0; k < parts_.size(); ++k) {
    Part& own = parts_[k];
    for (Slot axis = 0; axis < 3; ++axis) own.size = std::max(own.size, ranges[3 * k + axis].extent());
    if (own.size == 0) own.size = farthest[k];
    // Where nothing shifts, or nothing turns, what is declared may be rounding of what does the other.
    constexpr double rounding = 1e-12;
    own.speed[0] = std::max(own.speed[0], own.size > 0 ? rounding * own.speed[1] / own.size : 0);
    own.speed[1] = std::max(own.speed[1], rounding * own.size * own.speed[0]);
  }
}

}  // namespace perilune::analysis
