// Where the files are that come with the executable.
#pragma once
#include <filesystem>

namespace perilune::lua {

/// The folder with exercises/: the environment variable PERILUNE_DATA if set; beside an executable in the build folder
/// the sources' scripts; else share/perilune, relative to the executable in bin, or where it was installed. It need
/// not exist.
std::filesystem::path data_folder();

}  // namespace perilune::lua
