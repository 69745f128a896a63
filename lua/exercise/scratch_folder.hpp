// SPDX-License-Identifier: MIT
// Where a script that is checked runs: alone with a copy of itself.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>

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

/// The text of a file that somebody handed in. Throws Error if it cannot be read, is no plain file (a link may lead to
/// the work of another) or has more bytes than `most`.
std::string handed_in_text(const std::filesystem::path& file, std::size_t most);

}  // namespace perilune::lua
