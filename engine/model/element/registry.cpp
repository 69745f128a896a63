// SPDX-License-Identifier: MIT
#include "model/element/registry.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>

#include "error.hpp"
#include "model/element/families.hpp"
#include "model/force/force_kinds.hpp"

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
    register_cables(all);
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

std::vector<std::string> registered_laws() {
  std::vector<std::string> names{"force", "state", "contact", "tire", "friction", "beam"};
  for (const ForceKind& kind : force_kinds()) names.emplace_back(kind.name);
  return names;
}

void check_registered_law(const char* what) {
  static const std::vector<std::string> all = registered_laws();
  std::string name(what);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ' ' || c == '-'; }, '_');
  if (std::find(all.begin(), all.end(), name) != all.end()) return;
  throw std::logic_error("internal error: there is no law '" + name + "' in the registry of elements");
}

}  // namespace perilune::model
