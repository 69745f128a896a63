// SPDX-License-Identifier: MIT
// m:export { "x.fmu", ... }.
#pragma once
#include "runs/experiment.hpp"

namespace perilune::lua {

/// After the file's name has been read.
void export_unit(Args& args, lua_State* L, const std::string& path);

}  // namespace perilune::lua
