// SPDX-License-Identifier: MIT
// Solving with a singular or badly scaled bordered matrix through a regularized one: with S - r E in place of S, where
// E is the identity on the rows of the multipliers, the solution is approached by proximal point iteration. It
// converges for redundant constraints too, to multipliers without a part that they leave open; and fast where r is
// small beside Phi_q M^-1 Phi_q^T, whose size depends on masses and lengths: no number suits all mechanisms.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "system/system.hpp"

namespace perilune::formulation {

/// r for a mechanism, from the diagonal of Phi_q M^-1 Phi_q^T at its declared start: the geometric mean, so that the
/// multipliers that redundant constraints share out do not depend on which of them weigh more. What is solved for does
/// not depend on r, and so derivatives do not know of it.
double usual_regularization(const system::System& system, const system::Data& data);

/// x solves with S - r E and becomes the solution with S. It consists of `blocks` times `upper` and `lower` numbers,
/// the lower ones belonging to multipliers. `solve` solves with S - r E, in place.
template <class Solve>
void undo_regularization(double r, int upper, int lower, int blocks, double* x, std::vector<double>& step,
                         Solve&& solve) {
  constexpr int most = 30;
  const auto block = static_cast<std::size_t>(upper + lower), size = block * static_cast<std::size_t>(blocks);
  step.resize(std::max(step.size(), size));
  std::copy_n(x, size, step.begin());
  double before = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < most; ++iteration) {
    for (std::size_t k = 0; k < size; ++k) step[k] *= k % block < static_cast<std::size_t>(upper) ? 0 : -r;
    solve(step.data());
    double change = 0, largest = 0;
    for (std::size_t k = 0; k < size; ++k) {
      change = std::max(change, std::abs(step[k]));
      largest = std::max(largest, std::abs(x[k]));
    }
    if (!(change < before)) return;  // rounding, or multipliers that redundant constraints leave open
    for (std::size_t k = 0; k < size; ++k) x[k] += step[k];
    if (change <= 1e-16 * largest) return;
    before = change;
  }
}

}  // namespace perilune::formulation
