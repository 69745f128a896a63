// SPDX-License-Identifier: MIT
#include "model/element/registry.hpp"

#include <map>
#include <memory>

#include "error.hpp"
#include "model/element/families.hpp"

namespace perilune::model {

namespace {

const KernelMap& registry() {
  static const KernelMap map = [] {
    KernelMap all;
    register_distances(all);
    register_coincidences(all);
    register_directions(all);
    register_offsets(all);
    register_springs(all);
    register_states(all);
    register_inertias(all);
    return all;
  }();
  return map;
}

}  // namespace

const Kernel& kernel_of(const std::string& type) {
  const auto found = registry().find(type);
  if (found == registry().end()) throw Error("there is no element type '" + type + "'");
  return *found->second;
}

std::vector<std::string> registered_types() {
  std::vector<std::string> names;
  for (const auto& [name, kernel] : registry()) names.push_back(name);
  return names;
}

}  // namespace perilune::model
