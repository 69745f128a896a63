// SPDX-License-Identifier: MIT
// Folders for what lasts no longer than a task.
#pragma once
#include <filesystem>

namespace perilune::lua {

/// A new folder among the temporary files that nobody else can read; removed with all that is in it at the end.
class ScratchFolder {
 public:
  /// Throws Error if it cannot be made.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace perilune::lua
