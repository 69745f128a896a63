// SPDX-License-Identifier: MIT
// Places: points of space, of the model and of bodies, and what is measured between them.
#pragma once
#include "model/model.hpp"

namespace perilune::model {

Place ground_place(const Model& model, const Vector& at);
/// The point of a body at `local` (body frame, from the reference point). `body` is what add_*_body returned; for
/// ground it is the point of space at `local`.
Place body_place(const Model& model, const Place& body, const Vector& local);

/// Declared position of a place in space (m), as an expression of parameters.
Vector initial_position(const Model& model, const Place& place);
/// Position (m) and its rate (m/s) of a place in space, as an expression of coordinates.
Vector position_of(const Model& model, const Place& place);
Vector velocity_of(const Model& model, const Place& place);
/// Whether a place is on a slender beam: a node, whose slope are the coordinates behind its own, or a station.
bool has_slope(const Model& model, const Place& point);
/// The coordinates of a node, then those of its slope, which stand behind them.
std::vector<int> with_slope(const Place& node);
/// Its slope r' as an expression of coordinates, and as declared.
Vector slope_of(const Model& model, const Place& place);
Vector initial_slope(const Model& model, const Place& place);
/// Distance of two places (m) and its rate (m/s).
Symbol length_of(const Model& model, const Place& a, const Place& b);
Symbol length_rate(const Model& model, const Place& a, const Place& b);

}  // namespace perilune::model
