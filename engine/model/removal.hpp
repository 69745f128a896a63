// SPDX-License-Identifier: MIT
// Objects that are taken back. Expressions and places name coordinates, multipliers and elements by the numbers with
// which these were declared, so the others keep theirs: what is removed leaves a gap in the lists of the model, and
// whoever compiles the model numbers what is left (Model::coordinate_numbers).
#pragma once
#include <set>
#include <string>
#include <vector>

#include "model/model.hpp"

namespace perilune::model {

/// Names of the objects that cannot be without one of `objects`: they stand on its coordinates, or read them, its
/// multipliers or its forces. `objects` are not among them.
std::vector<std::string> dependants(const Model& model, const std::set<std::string>& objects);
/// Why the object cannot be removed, whatever depends on it; empty if it can be.
std::string why_not_removable(const Model& model, const std::string& object);
/// What the nodes read of objects that were removed, as "P.x"; empty if it is nothing.
std::string removed_variable(const Model& model, const std::vector<NodeId>& nodes);
/// The coordinates that are left, and one of them by its number among these.
std::vector<Coordinate> present_coordinates(const Model& model);
const Coordinate& present_coordinate(const Model& model, std::size_t number);
/// Throws Error, naming the object, where something that is left reads what was removed.
void check_nothing_reads_removed(const Model& model);

}  // namespace perilune::model
