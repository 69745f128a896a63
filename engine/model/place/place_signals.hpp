// SPDX-License-Identifier: MIT
// The motion of places as signals.
#pragma once
#include <optional>
#include <string_view>

#include "model/model.hpp"

namespace perilune::model {

/// x, y, z: position in space (m); vx, vy, vz: its rate (m/s); ax, ay, az: the rate of that (m/s^2). Empty for other
/// words, and for z in the plane.
std::optional<Symbol> motion_of(const Model& model, const Place& place, std::string_view what);
/// The words above that a place of the model has.
std::vector<std::string> motion_words(const Model& model);
/// Of the path of a place, 1/m: |v x a| / |v|^3, in the plane positive where it turns counter-clockwise. Reads
/// accelerations; not a number at rest.
Symbol path_curvature(const Model& model, const Place& place);
/// All of them, as name.x and so on.
void add_place_signals(Model& model, const std::string& name, const Place& place);

}  // namespace perilune::model
