// SPDX-License-Identifier: MIT
#include "session/data_folder.hpp"

#include <cstdlib>

namespace perilune::lua {

std::filesystem::path provided_scripts() {
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::path folder = fs::read_symlink("/proc/self/exe", failure).parent_path();
  if (fs::equivalent(folder, PERILUNE_BINARY_FOLDER, failure)) return PERILUNE_SOURCE_SCRIPTS;
  const fs::path beside = folder.parent_path() / "share" / "perilune" / "scripts";
  return fs::is_directory(beside, failure) ? beside : fs::path(PERILUNE_INSTALLED_SCRIPTS);
}

std::filesystem::path data_folder() {
  const char* given = std::getenv("PERILUNE_DATA");
  return given && *given ? std::filesystem::path(given) : provided_scripts();
}

}  // namespace perilune::lua
