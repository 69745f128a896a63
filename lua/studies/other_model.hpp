// SPDX-License-Identifier: MIT
// An experiment with a model of its own: its parameters follow those of the same names in the model of the call.
#pragma once
#include <lua.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runs/experiment.hpp"

namespace perilune::lua {

struct OtherModel {
  ModelPtr model;
  std::vector<double> parameters;           // their values, of those that nothing sets
  std::vector<std::pair<int, int>> shared;  // numbers in it and in the model of the call; without set

  /// The number in the model of the call of the parameter with the same name, or -1.
  int namesake_of(int parameter) const;
};

/// The fields "model" and "objectives" of an experiment, the table at the stack index; `who` is for messages. Without
/// "model", none. The problem, which is that of the call, becomes one of the other model, with its objectives of the
/// same names and, unless the script names a formulation, the formulation that is usual for it.
std::optional<OtherModel> read_other_model(Args& args, lua_State* L, int index, const std::string& who,
                                           simulation::Problem& problem);

}  // namespace perilune::lua
