// SPDX-License-Identifier: MIT
// Laws that read time, with a datum that shifts it: the derivative by this datum is the partial derivative by time, and
// is carried wherever those by other data are.
#pragma once
#include <vector>

#include "expr/tape.hpp"

namespace perilune::model {

/// The tape of an element's law over `inputs`, of which the first is time; where the law reads it, one input more is
/// appended, zero, which is added to it.
expr::Tape timed_tape(const expr::Graph& graph, const std::vector<expr::NodeId>& inputs,
                      const std::vector<expr::NodeId>& law);

}  // namespace perilune::model
