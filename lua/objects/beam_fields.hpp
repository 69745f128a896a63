// SPDX-License-Identifier: MIT
// Fields of beams that depend on each other.
#pragma once
#include "model/beam/cables.hpp"
#include "model/beam/shear_beams.hpp"
#include "values/args.hpp"

namespace perilune::lua {

model::CableAxial read_axial_form(Args& args);
/// From a section, or from its numbers.
model::Section read_beam_section(Args& args);
/// From a material, or from its numbers; Poisson's ratio and damping beside either, and set in any case.
model::Material read_beam_material(Args& args);
/// Whether it has shear and torsion; fields that the other kind has alone are refused.
bool read_whether_shear(Args& args);
/// The section with what shear and torsion need, from the section or from numbers beside it.
void complete_beam_section(Args& args, model::ShearBeamShape& shape);

}  // namespace perilune::lua
