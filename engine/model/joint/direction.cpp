#include "model/joint/direction.hpp"

#include "model/constraint_kernel.hpp"
#include "model/families.hpp"

namespace perilune::model {

void register_directions(KernelMap& all) {
  all["perpendicular/ground-body/3"] =
      std::make_unique<ConstraintKernel<Perpendicular<GroundDirection, BodyDirection>>>();
  all["perpendicular/body-body/3"] = std::make_unique<ConstraintKernel<Perpendicular<BodyDirection, BodyDirection>>>();
  all["euler_normalization"] = std::make_unique<ConstraintKernel<EulerNormalization>>();
}

}  // namespace perilune::model
