// SPDX-License-Identifier: MIT
// Bristles of friction laws as states of a model, whoever rubs: joints and contacts.
#pragma once
#include "model/friction/friction.hpp"

namespace perilune::model {

/// Of one place that rubs: friction there, and the laws of its states.
struct Bristles {
  Vector force;  // N, on b
  Vector rates;  // of the states of bend in a motion, m/s
  Vector laws;   // the same, and in statics what lays the bristles
  Symbol dwelling = 0.0;
};

/// Where `touches`, a condition, they act; else they forget. `bends` are the states, of which at.bend is the part along
/// the surface; the rest dies away. In statics, where nothing slips, bristles bend by the way `moved` from where b was
/// declared, and hold what the static coefficient says. Zeros for what has no way.
Bristles bristles_of(Model& model, const BristleLaw& law, const BristlePoint& at, const Vector& bends,
                     const Symbol& touches, const Vector& moved);

}  // namespace perilune::model
