// SPDX-License-Identifier: MIT
// What m:equilibrium and m:equilibrium_path share: where a search for an equilibrium starts, and the run of one instant
// that is made of it.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/equilibrium.hpp"
#include "runs/experiment.hpp"

namespace perilune::lua {

/// The fields from, t, independent and stable.
struct EquilibriumSearch {
  std::optional<GivenState> from;
  double t = 0;
  std::vector<int> independent;
  analysis::Wanted wanted = analysis::Wanted::Stable;
};
EquilibriumSearch read_equilibrium_search(Args& args, lua_State* L);

/// The field "t": where it is not given, the time of the state that is.
double read_time(Args& args, const std::optional<GivenState>& from);

/// `name`: of what the run shows. `seconds`: that the search took.
RunHandle equilibrium_run(const ModelPtr& model, const std::string& name, const EquilibriumSearch& search,
                          const analysis::Equilibrium& found, std::shared_ptr<const system::Data> data,
                          std::vector<std::string> warnings, double seconds);

}  // namespace perilune::lua
