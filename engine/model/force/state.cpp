// SPDX-License-Identifier: MIT
// The unit inertia of a first-order state, whose rate is the generalized force on it: 1 z' = h.
#include "model/element/families.hpp"
#include "model/element/force_kernel.hpp"

namespace perilune::model {

namespace {

struct StateInertia {
  static constexpr int nq = 1, nd = 0;
  static constexpr bool has_mass = true, is_constant = true;
  template <class T>
  static void residual(const T*, const T*, const T* a, const T&, const T*, T* r) {
    r[0] = a[0];
  }
};

}  // namespace

void register_states(KernelMap& all) { all["state"] = std::make_unique<ForceKernel<StateInertia>>(); }

}  // namespace perilune::model
