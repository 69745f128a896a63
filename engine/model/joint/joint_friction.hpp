// SPDX-License-Identifier: MIT
// Friction in joints. A face with the load N and the slip velocity s (m/s, linear in v) adds the generalized force
// -c(s.s, N) s_v^T s, so that friction takes the power c s.s and has no net effect on the whole. Where joints rub, and
// under which load: rubbing.hpp.
#pragma once
#include <functional>

#include "model/declare.hpp"
#include "model/friction/friction.hpp"
#include "model/joint/rubbing.hpp"

namespace perilune::model {

struct JointFriction {
  Friction law;
  Bearing bearing;  // by the names of its fields
  /// Instead of a law, the friction force against the slip (N): an odd function of the slip (m/s), of the load (N).
  std::function<Symbol(const Symbol& slip, const Symbol& load)> force = {};
  /// Instead of the rule, the load of all that rubs, by the reaction's components (rubbing.hpp).
  std::function<Symbol(const Vector& force, const Vector& torque)> load = {};
  std::vector<Check> checks = {};  // of the law's numbers and of the bearing's
};

/// Adds friction to a joint that is declared, with its signals: load, slip, dissipation, and those of friction_signals.
/// kind: "revolute"; lead: of a screw (m). Throws Error where the joint does not rub, or the bearing lacks a size.
void add_joint_friction(Model& model, const std::string& kind, const std::string& name, const Place& a, const Place& b,
                        const JointFriction& friction, const Symbol* lead = nullptr);

}  // namespace perilune::model
