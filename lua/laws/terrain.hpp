// SPDX-License-Identifier: MIT
// Surfaces: planes, and the height of a terrain, for whatever touches one.
#pragma once
#include "values/args.hpp"

namespace perilune::lua {

/// The field "height" as an expression of model::terrain_variable: a function of s.x (and s.y) and s.t, a spline of x,
/// or in space a bicubic spline of x and y. Nothing where it was not given.
std::optional<expr::Symbol> read_height(lua_State* L, Args& args);

/// The place a with the axes of its surface: its own, or with the normal that the field gives, in space as declared.
model::Place surface_place(Args& args, std::string_view normal);

}  // namespace perilune::lua
