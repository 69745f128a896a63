// SPDX-License-Identifier: MIT
// Which files scripts may write: any, unless the process runs a student's script, or is one of several that run the
// same.
#pragma once
#include <filesystem>
#include <string>

namespace perilune::lua {

/// From now on, in this process, files are read and written below this folder only, and at most so many are written.
/// The functions below see to that; where the kernel has Landlock, it does so too, for whatever forgets to ask them.
void confine_files(const std::filesystem::path& folder, int most_written);

/// From now on what this process writes goes nowhere: another one, which does the same, writes it.
void discard_written_files();
/// Where what is written to this path goes.
std::string written_path(const std::string& path);

/// Every function that opens or makes a file for a script asks these first. They throw Error where the process is
/// confined and the path leads out of the folder (by links too), or to a hidden file in it, or is one file too many.
void require_writable(const std::string& path);
void require_readable(const std::string& path);
/// Where what cannot be read is no error.
bool may_read(const std::string& path);

}  // namespace perilune::lua
