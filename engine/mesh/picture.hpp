// SPDX-License-Identifier: MIT
// Surfaces of files as pictures show them.
#pragma once
#include <memory>

#include "mesh/mesh.hpp"
#include "model/model.hpp"

namespace perilune::mesh {

/// The mesh, whose vertices are merged, without its collapsed triangles. One of more than `most` triangles is made
/// coarser: vertices in the same cell of a grid become one, in their middle. Throws Error with a sentence that lacks
/// the file's name where no triangle is left.
std::shared_ptr<const model::Triangles> picture_of(const Mesh& mesh, std::size_t most);

}  // namespace perilune::mesh
