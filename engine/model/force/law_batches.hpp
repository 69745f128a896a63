// SPDX-License-Identifier: MIT
// Laws of the same form as one kernel: what they differ in are the data of each element.
#pragma once
#include <memory>
#include <vector>

#include "model/force/law.hpp"

namespace perilune::model {

/// Elements that one kernel computes.
struct LawBatch {
  std::shared_ptr<const LawKernel> kernel;
  std::vector<int> elements;  // numbers of the model's elements, ascending
  /// Of each element, but for the shift of time: expressions of parameters, and sides of switches.
  std::vector<std::vector<NodeId>> data;
};

/// These law elements, all of which are in one batch. Laws share one if they do the same operations on their own
/// coordinates and multipliers, and differ in numbers, in expressions of parameters, and in their switches: these
/// become data (the least general generalization of their expressions; Plotkin, A note on inductive generalization,
/// 1970). Forces and their derivatives are sums of the same numbers as of each law alone; only what stands at the same
/// place may be added in another order. A law that is alone keeps its own numbers in its tape.
std::vector<LawBatch> batch_laws(const Model& model, const std::vector<int>& elements);

}  // namespace perilune::model
