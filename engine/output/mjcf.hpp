// SPDX-License-Identifier: MIT
// Models as MJCF, the format of MuJoCo.
#pragma once
#include <string>

#include "model/model.hpp"

namespace perilune::output {

/// The model as declared, at the present values of its parameters: bodies with their joints as a tree, joints that
/// close loops as equalities, linear springs of joints with their constant parts as motors, gravity, and a keyframe
/// "start" with the declared positions and velocities and what the motors push with. Throws Error with one line for
/// everything in the model that the format cannot say, or that is not written: nothing that moves the model is left
/// out.
std::string mjcf_of(const model::Model& model);

}  // namespace perilune::output
