// SPDX-License-Identifier: MIT
// Scripts that somebody handed in.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>

namespace perilune::lua {

/// The text of a file that somebody handed in. Throws Error if it cannot be read, is no plain file (a link may lead to
/// the work of another) or has more bytes than `most`.
std::string handed_in_text(const std::filesystem::path& file, std::size_t most);

}  // namespace perilune::lua
