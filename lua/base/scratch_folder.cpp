// SPDX-License-Identifier: MIT
#include "base/scratch_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "error.hpp"

namespace perilune::lua {

namespace {

namespace fs = std::filesystem;

}  // namespace

ScratchFolder::ScratchFolder() {
  std::error_code failure;
  fs::path place = fs::temp_directory_path(failure);
  if (failure) place = "/tmp";
  std::string name = (place / "perilune-XXXXXX").string();
  if (!mkdtemp(name.data())) {
    throw Error("cannot make a folder in '" + place.string() + "': " + std::strerror(errno));
  }
  path_ = fs::canonical(name);
}

ScratchFolder::~ScratchFolder() {
  std::error_code failure;
  fs::remove_all(path_, failure);
}

}  // namespace perilune::lua
