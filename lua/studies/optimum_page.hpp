// SPDX-License-Identifier: MIT
// The page of an optimum: the mechanism before and after it, and what changed in between.
#pragma once
#include <lua.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "format/table.hpp"
#include "optimize/constrained/constrained.hpp"
#include "optimize/lbfgsb.hpp"
#include "schema/schema.hpp"
#include "studies/minimization.hpp"

namespace perilune::lua {

/// What an optimum keeps for it: models may change afterwards.
struct OptimumPage {
  std::shared_ptr<model::Model> snapshot;                // of the model when it was optimized
  std::vector<std::shared_ptr<model::Model>> snapshots;  // of those of the experiments
  Minimization task;
  std::string objective;
  double before, after;  // the cost
  optimize::Result best;
  std::optional<optimize::ConstrainedResult> limited;
  format::Table history;
};

/// Keeps it in the metatable of the optimum, which is on top of the stack.
void keep_for_page(lua_State* L, OptimumPage page);

/// The method page, for the schema.
Function optimum_page_method();

}  // namespace perilune::lua
