// SPDX-License-Identifier: MIT
#include "expr/lane_array.hpp"

namespace perilune::expr {

namespace {

#define PERILUNE_PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

/// Eight rows at once: numbers that are 64 bytes apart are slow to fetch one by one. Pairs of rows, then of pairs, then
/// of halves change places.
PERILUNE_WIDE_512 std::size_t take_in_eight(const double* from, std::size_t count, const LanePointers& to) {
  using Vector = Wide<8>::Vector;
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    Vector row[8], pair[8], four[8];
    for (std::size_t k = 0; k < 8; ++k) row[k] = Wide<8>::at(from + (i + k) * 8).x;
    for (std::size_t k = 0; k < 8; k += 2) {
      pair[k] = PERILUNE_PICK(row[k], row[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);      // of even lanes
      pair[k + 1] = PERILUNE_PICK(row[k], row[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);  // of odd ones
    }
    for (std::size_t k = 0; k < 8; k += 4) {
      for (std::size_t odd = 0; odd < 2; ++odd) {
        const Vector &low = pair[k + odd], &high = pair[k + 2 + odd];
        four[k + odd] = PERILUNE_PICK(low, high, 0, 1, 8, 9, 4, 5, 12, 13);        // lanes 0 and 4, or 1 and 5
        four[k + 2 + odd] = PERILUNE_PICK(low, high, 2, 3, 10, 11, 6, 7, 14, 15);  // 2 and 6, or 3 and 7
      }
    }
    for (std::size_t k = 0; k < 4; ++k) {
      Wide<8>(PERILUNE_PICK(four[k], four[k + 4], 0, 1, 2, 3, 8, 9, 10, 11)).store(to[k] + i);
      Wide<8>(PERILUNE_PICK(four[k], four[k + 4], 4, 5, 6, 7, 12, 13, 14, 15)).store(to[k + 4] + i);
    }
  }
  return i;
}

#undef PERILUNE_PICK

}  // namespace

void take_all(Registers registers, const double* from, std::size_t count, const LanePointers& to) {
  const std::size_t done = registers == Registers::Eight ? take_in_eight(from, count, to) : 0;
  for (std::size_t i = done; i < count; ++i) {
    for (std::size_t lane = 0; lane < to.size(); ++lane) to[lane][i] = from[i * lane_count + lane];
  }
}

}  // namespace perilune::expr
