// SPDX-License-Identifier: MIT
// Where the edge of a wheel is nearest to a surface that has no closed form for it.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

/// What gaps along an edge are expressions of, until a coordinate takes its place: the angle around the wheel.
Symbol edge_angle(Graph& graph);

/// The expression with the angle replaced.
Symbol at_angle(Graph& graph, const Symbol& what, const Symbol& angle);
Vector at_angle(Graph& graph, const Vector& what, const Symbol& angle);

/// Where the gap, as declared and at the present parameters, is least all around the edge; in (-pi, pi]. Not finite
/// where the gap is not.
double nearest_angle(Model& model, const Symbol& gap);

}  // namespace perilune::model
