// SPDX-License-Identifier: MIT
// Files that scripts read.
#pragma once
#include <string>
#include <vector>

namespace perilune::lua {

/// All that is in the file. `reader`: whose errors these are. Throws Error where the process may not read it, where it
/// is a folder or cannot be opened, and Interrupted on Ctrl-C.
std::string file_bytes(const std::string& reader, const std::string& path);

/// The paths that file_bytes has read in this thread, each once, in order.
const std::vector<std::string>& files_read();

/// A file that stands for another one.
struct StoredFile {
  std::string name, stored;  // as the script calls it; where it is
};

/// While it lives, file_bytes in this thread reads the stored files in place of those with their names.
class UseStoredFiles {
 public:
  explicit UseStoredFiles(std::vector<StoredFile> files);
  ~UseStoredFiles();
  UseStoredFiles(const UseStoredFiles&) = delete;
  UseStoredFiles& operator=(const UseStoredFiles&) = delete;
};

}  // namespace perilune::lua
