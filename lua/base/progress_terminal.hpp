// SPDX-License-Identifier: MIT
// Whether somebody looks at the progress of what takes long.
#pragma once

namespace perilune::lua {

/// Standard error is a terminal, or is handed on to one by the launcher that started this process and others here.
/// Launchers on other machines are not seen through.
bool progress_is_seen();

}  // namespace perilune::lua
