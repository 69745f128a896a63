// SPDX-License-Identifier: MIT
// Where the files are that come with the executable.
#pragma once
#include <filesystem>

namespace perilune::lua {

/// The scripts that come with the program: beside an executable in the build folder the sources' scripts; else
/// share/perilune/scripts, relative to the executable in bin, or where it was installed. It need not exist.
std::filesystem::path provided_scripts();
/// The folder with exercises/: the environment variable PERILUNE_DATA if set, else the provided scripts.
std::filesystem::path data_folder();

}  // namespace perilune::lua
