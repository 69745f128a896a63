// SPDX-License-Identifier: MIT
// A few numbers that a tape computes with as one: what it takes to decode an instruction is shared between them.
#pragma once
#include "expr/operations.hpp"

namespace perilune::expr {

/// W (even) numbers. For values only: a condition may be met by some of the numbers and not by others, so there are no
/// derivatives here.
template <int W>
class Pack {
 public:
  static constexpr int pairs = W / 2;
  // Declared as vectors, since the compiler mixes vector loads with scalar stores otherwise, which is slow.
  typedef double Pair __attribute__((vector_size(2 * sizeof(double))));
  Pair x[pairs]{};

  Pack() = default;
  Pack(double value) {  // NOLINT: as the other scalars
    for (Pair& pair : x) pair = Pair{value, value};
  }

  double operator[](int lane) const { return x[lane / 2][lane % 2]; }
  void set(int lane, double value) { x[lane / 2][lane % 2] = value; }
};

template <int W>
Pack<W> operator*(const Pack<W>& a, const Pack<W>& b) {
  Pack<W> y;
  for (int k = 0; k < Pack<W>::pairs; ++k) y.x[k] = a.x[k] * b.x[k];
  return y;
}
template <int W>
Pack<W> operator+(const Pack<W>& a, const Pack<W>& b) {
  Pack<W> y;
  for (int k = 0; k < Pack<W>::pairs; ++k) y.x[k] = a.x[k] + b.x[k];
  return y;
}
template <int W>
Pack<W> operator-(const Pack<W>& a, const Pack<W>& b) {
  Pack<W> y;
  for (int k = 0; k < Pack<W>::pairs; ++k) y.x[k] = a.x[k] - b.x[k];
  return y;
}

template <int W>
Pack<W> operator/(const Pack<W>& a, const Pack<W>& b) {
  Pack<W> y;
  for (int k = 0; k < Pack<W>::pairs; ++k) y.x[k] = a.x[k] / b.x[k];
  return y;
}
template <int W>
Pack<W> operator-(const Pack<W>& a) {
  Pack<W> y;
  for (int k = 0; k < Pack<W>::pairs; ++k) y.x[k] = -a.x[k];
  return y;
}

template <int W>
Pack<W> apply(Op op, const Pack<W>& a, const Pack<W>& b, const Pack<W>& c, double value, const Tables* tables) {
  Pack<W> y;
  for (int lane = 0; lane < W; ++lane) y.set(lane, apply<double>(op, a[lane], b[lane], c[lane], value, tables));
  return y;
}

}  // namespace perilune::expr
