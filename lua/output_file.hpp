// Files that scripts write.
#pragma once
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "error.hpp"
#include "file_access.hpp"

namespace perilune::lua {

/// Writes a file by write(std::ostream&). Throws Error naming the file and the reason.
template <class Write>
void write_file(const std::string& path, Write&& write) {
  require_writable(path);
  std::ofstream out(path);
  if (!out) throw Error("cannot write '" + path + "': " + std::strerror(errno));
  write(out);
  out.close();
  if (!out) throw Error("cannot write '" + path + "': the disk may be full");
}

}  // namespace perilune::lua
