// SPDX-License-Identifier: MIT
// Models as URDF, the format of ROS.
#pragma once
#include <string>

#include "model/model.hpp"

namespace perilune::output {

/// The model as declared, at the present values of its parameters: bodies with their joints as a tree below the link
/// "world", which stands still, dampers of joints, and joints that close loops as `loop_joint`, which is no part of the
/// format (stdlib/files/urdf.lua). The frame of a link is that of its body, moved to the joint on which it hangs. The
/// format has neither velocities nor angles to start from: at rest, and at angle 0, is how it must be declared. Throws
/// Error with one line for everything in the model that the format cannot say, or that is not written.
std::string urdf_of(const model::Model& model);

}  // namespace perilune::output
