// SPDX-License-Identifier: MIT
// Text between UTF-8, which scripts have, and units of UTF-16, which files of Octave and MATLAB have.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perilune::format {

/// A byte that is no UTF-8 stands for the character of its number.
std::vector<std::uint16_t> utf16_of(std::string_view text);
std::string utf8_of(const std::vector<std::uint16_t>& units);

}  // namespace perilune::format
