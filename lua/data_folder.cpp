#include "data_folder.hpp"

#include <cstdlib>

namespace perilune::lua {

std::filesystem::path data_folder() {
  namespace fs = std::filesystem;
  if (const char* given = std::getenv("PERILUNE_DATA"); given && *given) return given;
  std::error_code failure;
  const fs::path folder = fs::read_symlink("/proc/self/exe", failure).parent_path();
  if (fs::equivalent(folder, PERILUNE_BINARY_FOLDER, failure)) return PERILUNE_SOURCE_DATA;
  const fs::path beside = folder.parent_path() / "share" / "perilune";
  return fs::is_directory(beside, failure) ? beside : fs::path(PERILUNE_INSTALLED_DATA);
}

}  // namespace perilune::lua
