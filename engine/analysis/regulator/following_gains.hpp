// SPDX-License-Identifier: MIT
// Gains of state feedback as expressions of parameters: they follow the matrices that they are designed from, with
// exact derivatives of any order.
#pragma once
#include "analysis/regulator/lqr.hpp"
#include "model/model.hpp"

namespace perilune::analysis {

/// Matrices by rows, of expressions of parameters.
struct RegulatorEntries {
  int states = 0, inputs = 0;
  model::Vector A, B, Q, R;
};

struct FollowingGains {
  Regulator now;                // at the parameters' present values
  model::Vector gain, riccati;  // by rows
};

/// States for which the expressions stay below some ten thousand operations.
inline constexpr int most_following_states = 6;

/// K and P by the sign of the Hamiltonian matrix (Roberts, Int. J. Control 32 (1980) 677), of which a fixed number of
/// Newton's steps is written out in operations, with pivots in the order of the present values. The model keeps the
/// requirement that each entry is that of lqr() to a millionth, wherever parameters move: runs say
/// so where one is not, by the name of `owner`. Throws as lqr() does, and Error for too many states.
FollowingGains following_gains(model::Model& model, const std::string& owner, const RegulatorEntries& entries);

}  // namespace perilune::analysis
