// SPDX-License-Identifier: MIT
// How a search under constraints ended, as a sentence with its numbers.
#pragma once
#include <optional>
#include <string>

#include "optimize/constrained/polish.hpp"
#include "optimize/constrained/scaled_problem.hpp"

namespace perilune::optimize {

/// `best`: the point of the result; `hessian`: where the last digits were asked for.
std::string sentence_of(const ConstrainedProblem& problem, const ConstrainedResult& result,
                        const ScaledConstrained& scaled, const ConstrainedOptions& options, const JudgedPoint& best,
                        const std::optional<ReducedHessian>& hessian);

}  // namespace perilune::optimize
