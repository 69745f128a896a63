// SPDX-License-Identifier: MIT
// What the smooth maxima of an optimization stand for at its best point.
#pragma once
#include "studies/minimization.hpp"

namespace perilune::lua {

/// Sets the field "extrema" of the table on top of the stack, by name of the objective (in several experiments "shock
/// in bump") with value, t and smooth, and the text "by_extremum", which says where an extremum is beyond the limit of
/// what stands for it: of all objectives that are smooth, from one more run of each experiment. Nothing where there is
/// none, or the run does not complete.
void set_smooth_extrema(lua_State* L, const Minimization& task, const Eigen::VectorXd& x);

}  // namespace perilune::lua
