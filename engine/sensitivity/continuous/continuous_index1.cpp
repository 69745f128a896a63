// SPDX-License-Identifier: MIT
// The adjoints of the index-1 form with the multipliers of the constraints on the accelerations.
#include "sensitivity/continuous/continuous_second_order.hpp"

namespace perilune::sensitivity {

using Multipliers = SecondOrderAdjoint::Multipliers;

std::unique_ptr<AdjointEquations> index1_approach1(const Problem& problem, LinearizedMotion& motion) {
  return std::make_unique<SecondOrderAdjoint>(problem, motion, CostTerms::Plain, Multipliers::OfAccelerations);
}

std::unique_ptr<AdjointEquations> index1_approach2(const Problem& problem, LinearizedMotion& motion) {
  return std::make_unique<SecondOrderAdjoint>(problem, motion, CostTerms::Eliminated, Multipliers::OfAccelerations);
}

}  // namespace perilune::sensitivity
