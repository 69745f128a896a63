// A few numbers that a tape computes with as one: what it takes to decode an instruction is shared between them.
#pragma once
#include <array>

#include "expr/operations.hpp"

namespace perilune::expr {

/// For values only: a condition may be met by some of the numbers and not by others, so there are no derivatives here.
template <int W>
struct Pack {
  std::array<double, W> x{};

  Pack() = default;
  Pack(double value) { x.fill(value); }  // NOLINT: as the other scalars

  double& operator[](int lane) { return x[static_cast<std::size_t>(lane)]; }
  double operator[](int lane) const { return x[static_cast<std::size_t>(lane)]; }
};

template <int W>
Pack<W> apply(Op op, const Pack<W>& a, const Pack<W>& b, const Pack<W>& c, double value, const TablePtr* tables) {
  Pack<W> y;
  switch (op) {  // what most instructions are, in loops that become vector instructions
    case Op::Add:
      for (int k = 0; k < W; ++k) y[k] = a[k] + b[k];
      break;
    case Op::Sub:
      for (int k = 0; k < W; ++k) y[k] = a[k] - b[k];
      break;
    case Op::Mul:
      for (int k = 0; k < W; ++k) y[k] = a[k] * b[k];
      break;
    case Op::Div:
      for (int k = 0; k < W; ++k) y[k] = a[k] / b[k];
      break;
    case Op::Neg:
      for (int k = 0; k < W; ++k) y[k] = -a[k];
      break;
    default:
      for (int k = 0; k < W; ++k) y[k] = apply<double>(op, a[k], b[k], c[k], value, tables);
  }
  return y;
}

}  // namespace perilune::expr
