// SPDX-License-Identifier: MIT
// Checks as text that does not show what they expect to who only looks at it: in the executable, and in what students
// get. It is no secret, for the program that opens it is at hand, and its source is public.
#pragma once
#include <string>
#include <string_view>

namespace perilune::lua {

std::string sealed(std::string_view text);
/// The text that was sealed. Throws Error if this is none, or has changed since.
std::string unsealed(std::string_view text);

}  // namespace perilune::lua
