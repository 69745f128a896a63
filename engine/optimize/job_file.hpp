// SPDX-License-Identifier: MIT
// A file of lines that survives the end of its writer: what was complete is found again, half a line is dropped.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace perilune::optimize {

/// The complete lines of a file. Throws Error if it cannot be read.
std::vector<std::string> read_lines(const std::string& path);

class JobFile {
 public:
  /// Opens or makes the file for this process alone, until the object ends. Throws Error naming the file and the
  /// reason.
  explicit JobFile(const std::string& path);
  ~JobFile();
  JobFile(const JobFile&) = delete;
  JobFile& operator=(const JobFile&) = delete;

  const std::string& path() const { return path_; }
  /// What was there when it was opened, and what was appended since.
  const std::vector<std::string>& lines() const { return lines_; }
  /// Writes a line and its newline at once. Throws Error.
  void append(const std::string& line);

 private:
  std::string path_;
  int file_;
  std::vector<std::string> lines_;
};

}  // namespace perilune::optimize
