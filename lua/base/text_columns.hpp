// SPDX-License-Identifier: MIT
// Columns of text below each other.
#pragma once
#include <string>
#include <vector>

namespace perilune::lua {

using TextRows = std::vector<std::vector<std::string>>;

/// A line "\n  ..." for each row, the columns aligned: the first to the left, the others to the right.
std::string aligned(const TextRows& rows);

/// Whether the terminal shows braille dots and the like: unless TERM is dumb.
bool has_unicode();

}  // namespace perilune::lua
