// SPDX-License-Identifier: MIT
// The piecewise adjoint (Schaffer 2005, chapter 5): the adjoint equations of the stabilized index-1 form over shooting
// intervals that are visited in forward order, on several threads. With independent coordinates mu^v of the interval's
// end, every solution on an interval is
//   y = (mu^v, mu^v') = v + Y s,  s = y at the end of the interval,  v = 0 and Y = 1 there (eqs. 5.39 to 5.41),
// so that the gradient is affine in the s, which back substitution finds once the motion is at its end (eq. 5.78).
#pragma once
#include <functional>

#include "sensitivity/continuous/continuous_partition.hpp"
#include "sensitivity/gradient.hpp"

namespace perilune::sensitivity {

/// Chooses the independent coordinates of the interval before boundary `number` (0: the start of the motion; it has no
/// interval), where the motion stands. The interval after it is asked as well (`from_after`), since what it hands over
/// has to be in the other's coordinates: the source leaves this transformation out, and is wrong where they differ.
using ChooseCoordinates = std::function<void(Partition& partition, std::size_t number, bool from_after)>;

/// The best ones at each boundary.
void choose_best(Partition& partition, std::size_t number, bool from_after);

Gradient piecewise_adjoint(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                           const PiecewiseAdjoint& method, const ChooseCoordinates& choose);

}  // namespace perilune::sensitivity
