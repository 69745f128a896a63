// SPDX-License-Identifier: MIT
// Scripts that are run once more, elsewhere, for the model that they declare.
#pragma once
#include <lua.hpp>

namespace perilune::lua {

/// From now on the script changes no files but those that os.tmpname named, and runs no commands but those whose output
/// it reads: io.open, io.output, io.popen, os.execute, os.remove and os.rename act as if they had. For processes that run
/// a script beside the one which does all that, and hosts that run it for its model.
void keep_quiet(lua_State* L);

}  // namespace perilune::lua
