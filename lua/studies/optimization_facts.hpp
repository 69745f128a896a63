// SPDX-License-Identifier: MIT
// What the way of an optimization depends on, as texts by which another one is told apart.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "studies/minimization.hpp"

namespace perilune::lua {

/// What is meant, and how it is: ("bounds of L", "0.5 to 2"). Formulas are fingerprints behind a "#".
using Facts = std::vector<std::pair<std::string, std::string>>;

/// Of runs and their gradients (none: of runs alone): all but the values of parameters.
Facts facts_of(const model::Model& engine, const simulation::Problem& problem,
               const std::optional<sensitivity::Method>& method);

/// All but the values of the parameters `over` at the start, and how many evaluations there may be at most: with more
/// of them the same search goes on.
Facts facts_of(const model::Model& engine, const Minimization& task, const Optimizer& optimizer,
               const std::string& starts);

/// The same of several runs at once: their models, settings and objectives.
Facts facts_of(const model::Model& engine, const std::vector<NamedRun>& experiments);

/// "bounds of L: 0.5 to 2 there, 0.5 to 3 here; ...": what of `here` is not so `there`, and the other way round, up to
/// three of them; empty if all is alike.
std::string differences(const Facts& there, const Facts& here);

}  // namespace perilune::lua
