// SPDX-License-Identifier: MIT
#include "exercise/handed_in.hpp"

#include <fstream>

#include "error.hpp"

namespace perilune::lua {

namespace fs = std::filesystem;

std::string handed_in_text(const fs::path& file, std::size_t most) {
  std::error_code failure;
  const fs::file_status status = fs::symlink_status(file, failure);
  if (fs::is_symlink(status)) {
    throw Error("'" + file.string() + "' is a link, perhaps to the work of another; name the file itself");
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) throw Error("'" + file.string() + "' is no file");
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error("cannot open '" + file.string() + "'");
  std::string text(most + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > most) {
    throw Error("'" + file.string() + "' has more than " + std::to_string(most >> 20) + " MiB, too many for a script");
  }
  text.shrink_to_fit();
  return text;
}

}  // namespace perilune::lua
