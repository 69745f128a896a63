// SPDX-License-Identifier: MIT
// Elements against themselves: what they state by hand, through the interface that a system uses, against automatic
// differentiation and complex step of their own physics.
#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "model/element/kernel.hpp"
#include "model/model.hpp"

namespace perilune::model {

/// A block of an element with its name.
struct BlockFamily {
  const char* name;
  std::vector<double> ElementBlocks::*block;
};
const std::array<BlockFamily, 17>& block_families();

/// The blocks that a kernel writes into a system's arrays, for one element with dense patterns. All of `at` is used.
ElementBlocks as_used(const Kernel& kernel, const Kinematics& at, const double* data);

/// The kernel of an element: from the registry, or made from its expression.
std::shared_ptr<const Kernel> kernel_of(const Model& model, const Element& element);

struct ElementCheck {
  std::string element, type, family;
  double difference = 0;  // sum of the absolute differences from complex step
  double size = 0;        // sum of the absolute values
};

/// Every block of every element of the model against complex step, at the parameters' present values and a random state
/// around the declared positions; of forces and inertias also the second derivatives (r_q g)_q, (r_v g)_q and (r_v g)_v
/// of their residual r in a random direction g, as "stiffness_by_q", "damping_by_q" and "damping_by_v". Blocks without
/// entries are left out.
std::vector<ElementCheck> check_elements(const Model& model, unsigned seed);

}  // namespace perilune::model
