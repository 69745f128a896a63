#include "file_access.hpp"

#include <algorithm>
#include <optional>

#include "error.hpp"

namespace perilune::lua {

namespace {

namespace fs = std::filesystem;

struct Confinement {
  fs::path folder;
  int written_left;
};
std::optional<Confinement> confinement;

bool is_inside(const std::string& path) {
  std::error_code failure;
  const fs::path real = fs::weakly_canonical(path, failure);
  if (failure || path.find('\0') != path.npos) return false;
  const fs::path inner = real.lexically_relative(confinement->folder);
  if (inner.empty() || inner == ".") return false;
  // Hidden files are not the script's: the record of results is one, and ".." leads out.
  return std::none_of(inner.begin(), inner.end(), [](const fs::path& part) { return part.string().starts_with('.'); });
}

bool is_plain_file_or_new(const std::string& path) {
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  return !fs::exists(status) || fs::is_regular_file(status);
}

}  // namespace

void confine_files(const fs::path& folder, int most_written) {
  confinement = Confinement{fs::canonical(folder), most_written};
}

void require_writable(const std::string& path) {
  if (!confinement) return;
  std::error_code failure;
  if (!is_inside(path) || (!is_plain_file_or_new(path) && !fs::is_directory(path, failure))) {
    throw Error("'" + path + "' cannot be written: a checked script only writes files in its own folder");
  }
  if (confinement->written_left-- <= 0) throw Error("the script writes too many files");
}

void require_readable(const std::string& path) {
  if (!confinement) return;
  if (!is_inside(path) || !is_plain_file_or_new(path)) {
    throw Error("'" + path + "' cannot be read: a checked script only reads files in its own folder");
  }
}

}  // namespace perilune::lua
