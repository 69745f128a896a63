// SPDX-License-Identifier: MIT
// What the constructors of solids have in common.
#pragma once
#include "values/args.hpp"

namespace perilune::lua {

/// Its mass, from mass or density, whichever is given; `amount` is the volume (or the length).
expr::Symbol mass_of(Args& args, const expr::Symbol& amount);

/// Pushes the table with mass, center_of_mass, inertia and shape. Returns 1.
int push_solid(lua_State* L, const ModelPtr& model, model::Solid solid);

/// The dimensions, then mass, density, at and orientation.
std::vector<Field> solid_fields(const std::vector<Field>& dimensions, std::string_view density_unit = "kg/m^3",
                                std::string_view text_of_at = "position of its middle");

}  // namespace perilune::lua
