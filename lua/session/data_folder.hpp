// SPDX-License-Identifier: MIT
// Where the files are that come with the executable, and those that it keeps for its user.
#pragma once
#include <filesystem>

namespace perilune::lua {

/// The scripts that come with the program: beside an executable in the build folder the sources' scripts; else
/// share/perilune/scripts, relative to the executable in bin, or where it was installed. It need not exist.
std::filesystem::path provided_scripts();
/// The folder with exercises/: the environment variable PERILUNE_DATA if set, else the provided scripts.
std::filesystem::path data_folder();

/// What the program remembers of this user: perilune in $XDG_STATE_HOME or ~/.local/state, made if need be; empty if
/// there is no place for it.
std::filesystem::path state_folder();

}  // namespace perilune::lua
