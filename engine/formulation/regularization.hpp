// A regularized matrix has -regularization added on the diagonal of the multipliers, so that redundant constraints
// leave it regular. What it solves is made good by iteration.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace perilune::formulation {

/// How unknowns are stacked: blocks of `size` numbers, coordinates first, then multipliers.
struct UnknownBlocks {
  int blocks, coordinates, size;
};

/// x solves with a regularized matrix; adds what makes it solve with the matrix itself (proximal point iteration).
/// `correct` solves with the regularized matrix, in place.
template <class Solve>
void undo_regularization(double regularization, const UnknownBlocks& of, double* x, std::vector<double>& step,
                         Solve&& correct) {
  constexpr int most = 30;
  const int size = of.blocks * of.size;
  std::copy_n(x, size, step.begin());
  double before = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < most; ++iteration) {
    for (int start = 0; start < size; start += of.size) {
      double* block = step.data() + start;
      std::fill_n(block, of.coordinates, 0.0);
      for (int k = of.coordinates; k < of.size; ++k) block[k] *= -regularization;
    }
    correct(step.data());
    double change = 0, largest = 0;
    for (int k = 0; k < size; ++k) {
      change = std::max(change, std::abs(step[static_cast<std::size_t>(k)]));
      largest = std::max(largest, std::abs(x[k]));
    }
    if (!(change < before)) return;  // rounding, or multipliers that redundant constraints leave open
    for (int k = 0; k < size; ++k) x[k] += step[static_cast<std::size_t>(k)];
    if (change <= 1e-16 * largest) return;
    before = change;
  }
}

}  // namespace perilune::formulation
