// SPDX-License-Identifier: MIT
#include "model/body/inertia.hpp"

#include "model/body/natural_body.hpp"
#include "model/body/planar_body.hpp"
#include "model/body/spatial_body.hpp"
#include "model/element/constraint_kernel.hpp"
#include "model/element/families.hpp"
#include "model/element/force_kernel.hpp"

namespace perilune::model {

void register_inertias(KernelMap& all) {
  all["point_mass/2"] = std::make_unique<ForceKernel<PointMass<2>>>();
  all["point_mass/3"] = std::make_unique<ForceKernel<PointMass<3>>>();
  all["bar/point-point/2"] = std::make_unique<ForceKernel<FreeBar<2>>>();
  all["bar/point-point/3"] = std::make_unique<ForceKernel<FreeBar<3>>>();
  all["bar/ground-point/2"] = std::make_unique<ForceKernel<GroundedBar<2>>>();
  all["bar/ground-point/3"] = std::make_unique<ForceKernel<GroundedBar<3>>>();
  all["planar_body"] = std::make_unique<ForceKernel<PlanarBody>>();
  all["planar_body/offset"] = std::make_unique<ForceKernel<OffsetPlanarBody>>();
  all["spatial_body"] = std::make_unique<ForceKernel<SpatialRigidBody<false>>>();
  all["spatial_body/offset"] = std::make_unique<ForceKernel<SpatialRigidBody<true>>>();
  all["natural_body"] = std::make_unique<ForceKernel<NaturalBody>>();
  all["orthonormal_axes"] = std::make_unique<ConstraintKernel<OrthonormalAxes>>();
  all["unit_vector"] = std::make_unique<ConstraintKernel<UnitVector>>();
  all["normal_vectors"] = std::make_unique<ConstraintKernel<NormalVectors>>();
}

}  // namespace perilune::model
