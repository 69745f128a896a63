// SPDX-License-Identifier: MIT
#include "base/input_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/file_access.hpp"
#include "error.hpp"

namespace perilune::lua {

std::string file_bytes(const std::string& reader, const std::string& path) {
  require_readable(path);
  if (std::filesystem::is_directory(path)) throw Error(reader + ": '" + path + "' is a folder");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error("cannot read '" + path + "': " + std::strerror(errno));
  std::string bytes, piece(std::size_t{1} << 16, '\0');
  while (file) {
    check_interrupt();
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    bytes.append(piece, 0, static_cast<std::size_t>(file.gcount()));
  }
  return bytes;
}

}  // namespace perilune::lua
