// SPDX-License-Identifier: MIT
// Dot-2 constraints; apart from the other directions for the sake of compile time.
#include "model/element/constraint_kernel.hpp"
#include "model/element/families.hpp"
#include "model/joint/direction.hpp"

namespace perilune::model {

namespace {

/// The direction belongs to A, the first of the pair, so every order of kinds occurs.
template <class A>
void register_from(KernelMap& all, const std::string& owner) {
  auto add = [&]<class B>(const std::string& other) {
    all["dot2/" + owner + "-" + other + "/" + std::to_string(A::dimension)] =
        std::make_unique<ConstraintKernel<Dot2<A, B>>>();
  };
  if constexpr (A::dimension == 2) {
    if constexpr (A::nq > 0) add.template operator()<GroundPlace<2>>("ground");
    add.template operator()<PointPlace<2>>("point");
    add.template operator()<StationPlace<2>>("station");
    add.template operator()<PlanarPlace>("body");
  } else {
    if constexpr (A::nq > 0) add.template operator()<GroundPlace<3>>("ground");
    add.template operator()<PointPlace<3>>("point");
    add.template operator()<StationPlace<3>>("station");
    add.template operator()<SpatialPlace>("body");
    add.template operator()<NaturalPlace>("natural");
  }
}

}  // namespace

void register_offsets(KernelMap& all) {
  register_from<GroundDirection<2>>(all, "ground");
  register_from<PlanarDirection>(all, "body");
  register_from<GroundDirection<3>>(all, "ground");
  register_from<BodyDirection>(all, "body");
  register_from<NaturalDirection>(all, "natural");
}

}  // namespace perilune::model
