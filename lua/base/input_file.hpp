// SPDX-License-Identifier: MIT
// Files that scripts read.
#pragma once
#include <string>

namespace perilune::lua {

/// All that is in the file. `reader`: whose errors these are. Throws Error where the process may not read it, where it
/// is a folder or cannot be opened, and Interrupted on Ctrl-C.
std::string file_bytes(const std::string& reader, const std::string& path);

}  // namespace perilune::lua
