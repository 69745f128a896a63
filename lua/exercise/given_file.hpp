// SPDX-License-Identifier: MIT
// given.lua: the numbers of a student, as `perilune exercise start` writes them.
#pragma once
#include <filesystem>
#include <string>

#include "exercise/plain.hpp"

namespace perilune::lua {

constexpr const char* given_file = "given.lua";

/// What the file has: the values, numbers and lists of numbers, as a Lua table.
std::string given_text(const Plain& given, const std::string& student);
/// Whose numbers the file says it has; empty where it does not say so.
std::string owner_of_given(const std::filesystem::path& file);

}  // namespace perilune::lua
