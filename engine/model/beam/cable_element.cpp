// SPDX-License-Identifier: MIT
#include "model/beam/cable_element.hpp"

#include "model/element/families.hpp"
#include "model/element/force_kernel.hpp"

namespace perilune::model {

namespace {

template <int D>
void register_cables_of(KernelMap& all) {
  const std::string dimension = "/" + std::to_string(D);
  all["cable/inertia" + dimension] = std::make_unique<ForceKernel<CableInertia<D>>>();
  all["cable/bending" + dimension] = std::make_unique<ForceKernel<CableBending<D>>>();
  all["cable/chord" + dimension] = std::make_unique<ForceKernel<CableChord<D>>>();
  all["cable/green" + dimension] = std::make_unique<ForceKernel<CableGreen<D>>>();
  all["cable/printed" + dimension] = std::make_unique<ForceKernel<CablePrinted<D>>>();
}

}  // namespace

void register_cables(KernelMap& all) {
  register_cables_of<2>(all);
  register_cables_of<3>(all);
  all["cable/curved_bending/2"] = std::make_unique<ForceKernel<CurvedCableBending>>();
  all["cable/curved_stretch/2"] = std::make_unique<ForceKernel<CurvedCableStretch>>();
}

}  // namespace perilune::model
