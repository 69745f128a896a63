// SPDX-License-Identifier: MIT
// What the constructors of solids have in common.
#pragma once
#include "values/args.hpp"

namespace perilune::lua {

/// Its mass, from mass or density, whichever is given; `amount` is the volume (or the length). Of what is given
/// neither, which is for pictures alone, 1.
expr::Symbol mass_of(Args& args, const expr::Symbol& amount);
/// Whether it is given one of them.
bool weighs(Args& args);

/// Pushes the table with mass, center_of_mass, inertia and shape, or of what does not weigh anything with the shape
/// alone. Returns 1.
int push_solid(lua_State* L, const ModelPtr& model, model::Solid solid, bool weighs = true);

/// The dimensions, then mass, density, at and orientation.
std::vector<Field> solid_fields(const std::vector<Field>& dimensions, std::string_view density_unit = "kg/m^3",
                                std::string_view text_of_at = "position of its middle");

}  // namespace perilune::lua
