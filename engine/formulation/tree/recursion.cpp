// SPDX-License-Identifier: MIT
#include "formulation/tree/recursion.hpp"

#include <utility>

#include "formulation/tree/hinged_tree.hpp"
#include "formulation/tree/loops/planar_loops.hpp"
#include "formulation/tree/loops/spatial_loops.hpp"
#include "formulation/tree/planar_recursion.hpp"
#include "formulation/tree/tree_recursion.hpp"

namespace perilune::formulation {

std::variant<std::unique_ptr<Recursion>, std::string> recursion_of(const std::shared_ptr<const system::System>& system,
                                                                   const std::shared_ptr<const system::Data>& data,
                                                                   const double* q) {
  if (has_planar_bodies(*system)) {
    auto found = planar_tree(*system, *data, q);
    if (auto* why = std::get_if<std::string>(&found)) return std::move(*why);
    auto& tree = std::get<PlanarTree>(found);
    if (tree.has_loops()) return planar_loops(system, data, tree);
    return std::make_unique<PlanarRecursion>(system, data, std::move(tree));
  }
  auto found = joint_tree(*system, *data, q);
  if (auto* why = std::get_if<std::string>(&found)) return std::move(*why);
  auto& tree = std::get<JointTree>(found);
  if (tree.has_loops()) return spatial_loops(system, data, tree);
  if (HingedTree::is_one(tree)) return std::make_unique<HingedTree>(system, data, std::move(tree));
  return std::make_unique<TreeRecursion>(system, data, std::move(tree));
}

std::optional<int> closing_constraints(const system::System& system, const system::Data& data, const double* q) {
  if (has_planar_bodies(system)) {
    const auto found = planar_tree(system, data, q);
    const auto* tree = std::get_if<PlanarTree>(&found);
    return tree ? std::optional(tree->constraint_count()) : std::nullopt;
  }
  const auto found = joint_tree(system, data, q);
  const auto* tree = std::get_if<JointTree>(&found);
  return tree ? std::optional(tree->constraint_count()) : std::nullopt;
}

}  // namespace perilune::formulation
