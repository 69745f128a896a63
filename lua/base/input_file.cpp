// SPDX-License-Identifier: MIT
#include "base/input_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/file_access.hpp"
#include "error.hpp"

namespace perilune::lua {

namespace {

thread_local std::vector<std::string> read_so_far;
thread_local std::vector<StoredFile> in_place;

std::string stored_path(const std::string& path) {
  const auto found =
      std::find_if(in_place.begin(), in_place.end(), [&](const auto& file) { return file.name == path; });
  return found == in_place.end() ? path : found->stored;
}

}  // namespace

std::string file_bytes(const std::string& reader, const std::string& path) {
  require_readable(path);
  const std::string place = stored_path(path);
  if (std::filesystem::is_directory(place)) throw Error(reader + ": '" + path + "' is a folder");
  std::ifstream file(place, std::ios::binary);
  if (!file) throw Error("cannot read '" + path + "': " + std::strerror(errno));
  std::string bytes, piece(std::size_t{1} << 16, '\0');
  while (file) {
    check_interrupt();
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    bytes.append(piece, 0, static_cast<std::size_t>(file.gcount()));
  }
  if (in_place.empty() && std::find(read_so_far.begin(), read_so_far.end(), path) == read_so_far.end()) {
    read_so_far.push_back(path);
  }
  return bytes;
}

const std::vector<std::string>& files_read() { return read_so_far; }

UseStoredFiles::UseStoredFiles(std::vector<StoredFile> files) { in_place = std::move(files); }

UseStoredFiles::~UseStoredFiles() { in_place.clear(); }

}  // namespace perilune::lua
