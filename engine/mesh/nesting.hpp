// SPDX-License-Identifier: MIT
// Shells inside shells.
#pragma once
#include <vector>

#include "mesh/shells.hpp"

namespace perilune::mesh {

/// `volumes`: of each shell, negative where its triangles face inwards, in any unit. Throws Error where a shell that
/// adds lies in one that adds, too, or one that subtracts does not lie in one that adds. What lies inside is told by
/// vertices that are clearly inside or outside: parts that touch are beside each other. Shells that cross are not
/// found.
void require_nesting(const Mesh& mesh, const Shells& shells, const std::vector<double>& volumes);

}  // namespace perilune::mesh
