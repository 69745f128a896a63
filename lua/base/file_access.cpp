// SPDX-License-Identifier: MIT
#include "base/file_access.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

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
bool discards = false;

bool is_inside(const std::string& path) {
  std::error_code failure;
  const fs::path real = fs::weakly_canonical(fs::current_path() / path, failure);
  if (failure || path.find('\0') != path.npos) return false;
  const fs::path inner = real.lexically_relative(confinement->folder);
  constexpr std::ptrdiff_t deepest = 16;  // what is removed in the end need not be a cave
  if (inner.empty() || inner == "." || std::distance(inner.begin(), inner.end()) > deepest) return false;
  // Hidden files are not the script's: the record of results is one, and ".." leads out.
  return std::none_of(inner.begin(), inner.end(), [](const fs::path& part) { return part.string().starts_with('.'); });
}

bool is_plain_file_or_new(const std::string& path) {
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  return !fs::exists(status) || fs::is_regular_file(status);
}

// Nothing of the file system but this folder, for good. Without Landlock nothing happens.
void confine_by_kernel(const fs::path& folder) {
  constexpr std::uint64_t truncate = 1 << 14;  // known from the third version on
  std::uint64_t allowed = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_WRITE_FILE |
                          LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE;
  std::uint64_t known = 2 * LANDLOCK_ACCESS_FS_MAKE_SYM - 1;
  const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return;
  if (version >= 3) {
    allowed |= truncate;
    known |= truncate;
  }
  landlock_ruleset_attr rules{};
  rules.handled_access_fs = known;
  const int set = static_cast<int>(syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0));
  landlock_path_beneath_attr beneath{};
  beneath.allowed_access = allowed;
  beneath.parent_fd = open(folder.c_str(), O_PATH | O_CLOEXEC);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (set >= 0 && beneath.parent_fd >= 0 &&
      syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) == 0) {
    syscall(SYS_landlock_restrict_self, set, 0);
  }
  close(beneath.parent_fd);
  close(set);
}

}  // namespace

void confine_files(const fs::path& folder, int most_written) {
  confinement = Confinement{fs::canonical(folder), most_written};
  confine_by_kernel(confinement->folder);
}

void discard_written_files() { discards = true; }

std::string written_path(const std::string& path) { return discards ? "/dev/null" : path; }

void require_writable(const std::string& path) {
  if (!confinement) return;
  std::error_code failure;
  if (!is_inside(path) || (!is_plain_file_or_new(path) && !fs::is_directory(path, failure))) {
    throw Error("'" + path + "' cannot be written: a checked script only writes in a folder of its own, which is " +
                "empty at first");
  }
  if (confinement->written_left-- <= 0) throw Error("the script writes too many files");
}

bool may_read(const std::string& path) { return !confinement || (is_inside(path) && is_plain_file_or_new(path)); }

void require_readable(const std::string& path) {
  if (!may_read(path)) {
    throw Error("'" + path + "' cannot be read: a checked script only reads itself and what it has written");
  }
}

}  // namespace perilune::lua
