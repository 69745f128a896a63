// LU with partial pivoting of a small column-major matrix. Eigen's dynamic PartialPivLU takes 1.4 to 2 times as long
// for the sizes used here (4 to 16), which decides the cost of a whole integration step (tests/bench/solver_crossover).
#pragma once
#include <algorithm>
#include <cmath>
#include <utility>

namespace perilune::linalg {

/// A pivot below this fraction of the largest entry counts as zero. A redundant constraint of the penalty form leaves a
/// pivot of 1 / alpha, which must pass.
inline constexpr double singular_pivot = 1e-15;

/// Factors the n x n matrix `a` in place, rows swapped as `pivots` says. Returns -1, or the column without a pivot.
inline int dense_factor(double* a, int* pivots, int n) {
  double largest = 0;
  for (int i = 0; i < n * n; ++i) largest = std::max(largest, std::abs(a[i]));
  if (!std::isfinite(largest)) return 0;
  const double tiny = largest * singular_pivot;
  for (int k = 0; k < n; ++k) {
    double* column = a + k * n;
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::abs(column[i]) > std::abs(column[pivot])) pivot = i;
    }
    pivots[k] = pivot;
    if (!(std::abs(column[pivot]) > tiny)) return k;
    if (pivot != k) {
      for (int j = 0; j < n; ++j) std::swap(a[j * n + k], a[j * n + pivot]);
    }
    const double inverse = 1 / column[k];
    for (int i = k + 1; i < n; ++i) column[i] *= inverse;
    for (int j = k + 1; j < n; ++j) {
      double* other = a + j * n;
      const double factor = other[k];
      if (factor == 0) continue;  // constraint blocks leave many zeros
      for (int i = k + 1; i < n; ++i) other[i] -= column[i] * factor;
    }
  }
  return -1;
}

inline void dense_solve(const double* lu, const int* pivots, int n, double* b) {
  for (int k = 0; k < n; ++k) std::swap(b[k], b[pivots[k]]);
  for (int k = 0; k < n; ++k) {
    const double factor = b[k];
    for (int i = k + 1; i < n; ++i) b[i] -= lu[k * n + i] * factor;
  }
  for (int k = n - 1; k >= 0; --k) {
    const double factor = b[k] /= lu[k * n + k];
    for (int i = 0; i < k; ++i) b[i] -= lu[k * n + i] * factor;
  }
}

inline void dense_solve_transposed(const double* lu, const int* pivots, int n, double* b) {
  for (int k = 0; k < n; ++k) {
    double sum = b[k];
    for (int i = 0; i < k; ++i) sum -= lu[k * n + i] * b[i];
    b[k] = sum / lu[k * n + k];
  }
  for (int k = n - 1; k >= 0; --k) {
    double sum = b[k];
    for (int i = k + 1; i < n; ++i) sum -= lu[k * n + i] * b[i];
    b[k] = sum;
  }
  for (int k = n - 1; k >= 0; --k) std::swap(b[k], b[pivots[k]]);
}

}  // namespace perilune::linalg
