// SPDX-License-Identifier: MIT
// Numbers of several computations side by side: a row has one number of each.
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "expr/wide.hpp"

namespace perilune::expr {

class LaneArray {
 public:
  /// Zeros. One row more than asked for, so that the first one can always be pointed at.
  explicit LaneArray(std::size_t rows) : rows_(rows + 1) {}
  double* row(std::size_t i) { return rows_.data()->numbers + i * lane_count; }
  const double* row(std::size_t i) const { return rows_.data()->numbers + i * lane_count; }
  /// The numbers of one lane in `count` rows from row `begin` on.
  void put(std::size_t begin, std::size_t lane, const double* from, std::size_t count) {
    double* to = row(begin) + lane;
    for (std::size_t i = 0; i < count; ++i) to[i * lane_count] = from[i];
  }
  void take(std::size_t begin, std::size_t lane, double* to, std::size_t count) const {
    const double* from = row(begin) + lane;
    for (std::size_t i = 0; i < count; ++i) to[i] = from[i * lane_count];
  }

 private:
  struct alignas(lane_count * sizeof(double)) Row {  // as registers want it
    double numbers[lane_count] = {};
  };
  std::vector<Row> rows_;
};

/// To each lane its numbers of `count` rows from `from` on, side by side.
using LanePointers = std::array<double*, lane_count>;
void take_all(Registers registers, const double* from, std::size_t count, const LanePointers& to);

}  // namespace perilune::expr
