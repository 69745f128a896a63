// SPDX-License-Identifier: MIT
// The fields of joints for friction.
#pragma once
#include <optional>
#include <vector>

#include "model/joint/joint_friction.hpp"
#include "model/joint/joint_kinds.hpp"
#include "values/args.hpp"

namespace perilune::lua {

/// What joints of this kind have for friction in the schema; empty where nothing rubs.
std::vector<Field> friction_fields(const model::JointKind& kind);
std::vector<SignalText> friction_signal_texts(const model::JointKind& kind);
/// What was given; nothing without a law. Throws Error where it does not suit the joint.
std::optional<model::JointFriction> read_friction(lua_State* L, Args& args, const model::JointKind& kind,
                                                  const model::Place& a, const model::Place& b);

}  // namespace perilune::lua
