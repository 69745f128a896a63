// The adjoint of the index-3 form.
#include "sensitivity/continuous_second_order.hpp"

namespace perilune::sensitivity {

std::unique_ptr<AdjointEquations> index3_second_order(const Problem& problem, LinearizedMotion& motion) {
  return std::make_unique<SecondOrderAdjoint>(problem, motion, CostTerms::Plain,
                                              SecondOrderAdjoint::Multipliers::OfPositions);
}

}  // namespace perilune::sensitivity
