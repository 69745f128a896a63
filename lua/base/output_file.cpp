// SPDX-License-Identifier: MIT
#include "base/output_file.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/file_access.hpp"
#include "error.hpp"

namespace perilune::lua {

namespace {

namespace fs = std::filesystem;

std::atomic<OutputFile*> newest{nullptr};

constexpr std::array<int, 3> ending_signals = {SIGINT, SIGTERM, SIGHUP};
std::array<struct sigaction, ending_signals.size()> previous_actions;

void on_end(int signal) {
  remove_unfinished_files();
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

// Only where a signal would end the process: while a script runs, Ctrl-C is an error of the script.
void watch_signals() {
  for (std::size_t k = 0; k < ending_signals.size(); ++k) {
    sigaction(ending_signals[k], nullptr, &previous_actions[k]);
    if (previous_actions[k].sa_handler != SIG_DFL) continue;
    struct sigaction action = {};
    action.sa_handler = on_end;
    sigemptyset(&action.sa_mask);
    sigaction(ending_signals[k], &action, nullptr);
  }
}

void leave_signals() {
  for (std::size_t k = 0; k < ending_signals.size(); ++k) {
    if (previous_actions[k].sa_handler == SIG_DFL) sigaction(ending_signals[k], &previous_actions[k], nullptr);
  }
}

bool is_of_process(const fs::path& folder) {
  struct statfs info = {};
  return statfs(folder.empty() ? "." : folder.c_str(), &info) == 0 && info.f_type == PROC_SUPER_MAGIC;
}

struct Target {
  fs::path path;               // after all links
  bool is_of_process = false;  // a link like /proc/self/fd/1, which leads to what is open rather than to a name
};

Target followed(fs::path path) {
  constexpr int most_links = 40;
  std::error_code failure;
  for (int i = 0; i < most_links; ++i) {
    const fs::path next = fs::read_symlink(path, failure);
    if (failure) return {path};
    if (is_of_process(path.parent_path())) return {path, true};
    path = path.parent_path() / next;
  }
  return {path};
}

}  // namespace

OutputFile::Buffer::Buffer(OutputFile& file) : file_(file) { setp(bytes_.data(), bytes_.data() + bytes_.size()); }

std::streambuf::int_type OutputFile::Buffer::overflow(int_type next) {
  sync();
  if (traits_type::eq_int_type(next, traits_type::eof())) return traits_type::not_eof(next);
  *pptr() = traits_type::to_char_type(next);
  pbump(1);
  return next;
}

int OutputFile::Buffer::sync() {
  const auto count = static_cast<std::size_t>(pptr() - pbase());
  setp(bytes_.data(), bytes_.data() + bytes_.size());
  file_.write(bytes_.data(), count);
  return 0;
}

OutputFile::OutputFile(const std::string& path) : path_(path), buffer_(*this), stream_(&buffer_) {
  require_writable(path);
  stream_.exceptions(std::ios::badbit);  // what the buffer throws arrives as it is
  const Target target = followed(written_path(path));
  target_ = target.path.string();
  if (target.is_of_process || !open_beside()) open_directly();
}

OutputFile::~OutputFile() { drop(); }

void OutputFile::fail(int reason) const { throw Error("cannot write '" + path_ + "': " + std::strerror(reason)); }

// A file that the process has open already goes on where it is, so that what was printed before is not overwritten.
void OutputFile::open_directly() {
  std::fflush(stdout);
  if (target_ == "/proc/self/fd/1") {
    file_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  } else if (target_ == "/proc/self/fd/2") {
    file_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
  } else {
    while ((file_ = open(target_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY | O_CLOEXEC, 0666)) < 0 &&
           errno == EINTR) {
      check_interrupt();
    }
  }
  if (file_ < 0) fail(errno);
}

// False where the file cannot be replaced. Throws Error where it may not be written.
bool OutputFile::open_beside() {
  struct stat old = {};
  const bool exists = stat(target_.c_str(), &old) == 0;
  if (exists && (!S_ISREG(old.st_mode) || old.st_nlink > 1)) return false;
  if (exists && faccessat(AT_FDCWD, target_.c_str(), W_OK, AT_EACCESS) != 0) fail(errno);
  const fs::path folder = fs::path(target_).parent_path();
  static unsigned long number = 0;  // of all files, so that many at once find free names soon
  while (file_ < 0) {
    temporary_ = (folder / (".perilune-" + std::to_string(getpid()) + "-" + std::to_string(number++))).string();
    remember();  // before the file is there, since a signal may end the process as soon as it is
    file_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, exists ? 0600 : 0666);
    if (file_ >= 0) break;
    const int reason = errno;
    forget();
    if (reason == EEXIST || reason == EINTR) continue;
    if (exists && (reason == EACCES || reason == EPERM)) return false;
    fail(reason);
  }
  struct stat made = {};
  const bool is_same =
      !exists ||
      (fstat(file_, &made) == 0 &&
       ((made.st_uid == old.st_uid && made.st_gid == old.st_gid) || fchown(file_, old.st_uid, old.st_gid) == 0) &&
       fchmod(file_, old.st_mode & 0777) == 0);
  if (!is_same) drop();
  return is_same;
}

void OutputFile::write(const char* bytes, std::size_t count) {
  check_interrupt();
  while (count > 0) {
    const ssize_t done = ::write(file_, bytes, count);
    if (done < 0 && errno == EINTR) {
      check_interrupt();
    } else if (done < 0) {
      fail(errno);
    } else {
      bytes += done;
      count -= static_cast<std::size_t>(done);
    }
  }
}

void OutputFile::close() {
  stream_.flush();
  const int file = file_;
  file_ = -1;
  if (::close(file) != 0 && errno != EINTR) fail(errno);
}

void OutputFile::replace() {
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  forget();
}

void OutputFile::drop() noexcept {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
  if (temporary_.empty()) return;
  unlink(temporary_.c_str());
  forget();
}

void OutputFile::remember() noexcept {
  if (!newest.load()) watch_signals();
  older_ = newest.load();
  newest.store(this);
}

void OutputFile::forget() noexcept {
  if (newest.load() == this) {
    newest.store(older_);
  } else {
    OutputFile* newer = newest.load();
    while (newer && newer->older_ != this) newer = newer->older_;
    if (newer) newer->older_ = older_;
  }
  temporary_.clear();
  if (!newest.load()) leave_signals();
}

void remove_unfinished_files() noexcept {
  for (const OutputFile* file = newest.load(); file; file = file->older_) unlink(file->temporary_.c_str());
}

}  // namespace perilune::lua
