#include "formulation/motion.hpp"

#include "formulation/absolute_motion.hpp"
#include "formulation/reduced_motion.hpp"
#include "formulation/stabilized_motion.hpp"

namespace perilune::formulation {

std::unique_ptr<Motion> make_motion(std::shared_ptr<const System> system, std::shared_ptr<const Data> data,
                                    const Formulation& formulation) {
  if (has_independent_coordinates(formulation)) {
    return std::make_unique<ReducedMotion>(std::move(system), std::move(data), formulation);
  }
  if (std::holds_alternative<StabilizedIndex1>(formulation)) {
    return std::make_unique<StabilizedMotion>(std::move(system), std::move(data));
  }
  return std::make_unique<AbsoluteMotion>(std::move(system), std::move(data), formulation);
}

}  // namespace perilune::formulation
