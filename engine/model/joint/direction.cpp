// SPDX-License-Identifier: MIT
#include "model/joint/direction.hpp"

#include "model/element/constraint_kernel.hpp"
#include "model/element/families.hpp"
#include "model/joint/turning_direction.hpp"

namespace perilune::model {

namespace {

template <class E>
void add(KernelMap& all, const std::string& type) {
  all[type] = std::make_unique<ConstraintKernel<E>>();
}

}  // namespace

void register_directions(KernelMap& all) {
  using Ground = GroundDirection<3>;
  add<Dot1<Ground, BodyDirection>>(all, "dot1/ground-body/3");
  add<Dot1<Ground, NaturalDirection>>(all, "dot1/ground-natural/3");
  add<Dot1<BodyDirection, BodyDirection>>(all, "dot1/body-body/3");
  add<Dot1<BodyDirection, NaturalDirection>>(all, "dot1/body-natural/3");
  add<Dot1<NaturalDirection, NaturalDirection>>(all, "dot1/natural-natural/3");
  add<TurnAngle<Ground, BodyDirection>>(all, "turn/ground-body/3");
  add<TurnAngle<Ground, NaturalDirection>>(all, "turn/ground-natural/3");
  add<TurnAngle<BodyDirection, BodyDirection>>(all, "turn/body-body/3");
  add<TurnAngle<BodyDirection, NaturalDirection>>(all, "turn/body-natural/3");
  add<TurnAngle<NaturalDirection, NaturalDirection>>(all, "turn/natural-natural/3");
  add<EqualAngle<1>>(all, "equal_angle/ground-body/2");
  add<EqualAngle<2>>(all, "equal_angle/body-body/2");
  add<EulerNormalization>(all, "euler_normalization");
}

}  // namespace perilune::model
