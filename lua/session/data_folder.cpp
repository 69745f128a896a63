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

std::filesystem::path state_folder() {
  namespace fs = std::filesystem;
  fs::path folder;
  if (const char* state = std::getenv("XDG_STATE_HOME"); state && state[0] == '/') {
    folder = state;
  } else if (const char* home = std::getenv("HOME"); home && home[0] == '/') {
    folder = fs::path(home) / ".local" / "state";
  } else {
    return {};
  }
  folder /= "perilune";
  std::error_code failure;
  fs::create_directories(folder, failure);
  return failure ? fs::path() : folder;
}

}  // namespace perilune::lua
