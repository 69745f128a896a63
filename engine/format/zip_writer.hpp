// SPDX-License-Identifier: MIT
// Archives of files, as zip.
#pragma once
#include <memory>
#include <string>

namespace perilune::format {

class ZipWriter {
 public:
  /// Throws Error where the file cannot be made.
  explicit ZipWriter(const std::string& path);
  ~ZipWriter();
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  /// A file of this name with these bytes. Throws Error.
  void add(const std::string& name, const std::string& bytes);
  /// Completes the archive. Throws Error.
  void close();

 private:
  std::string path_;
  void* archive_ = nullptr;
};

}  // namespace perilune::format
