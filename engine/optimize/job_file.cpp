// SPDX-License-Identifier: MIT
#include "optimize/job_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "error.hpp"

namespace perilune::optimize {

namespace {

std::string reason() { return std::strerror(errno); }

std::string whole_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error("cannot read '" + path + "': " + reason());
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The complete lines, and how many characters they have.
std::vector<std::string> complete_lines(const std::string& text, std::size_t& size) {
  std::vector<std::string> lines;
  size = 0;
  for (std::size_t end; (end = text.find('\n', size)) != text.npos; size = end + 1) {
    lines.push_back(text.substr(size, end - size));
  }
  return lines;
}

}  // namespace

std::vector<std::string> read_lines(const std::string& path) {
  std::size_t size = 0;
  return complete_lines(whole_text(path), size);
}

JobFile::JobFile(const std::string& path) : path_(path), file_(open(path.c_str(), O_RDWR | O_CREAT | O_APPEND, 0666)) {
  if (file_ < 0) throw Error("cannot write '" + path + "': " + reason());
  try {
    if (flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      throw Error("'" + path + "' is being written by another process; each needs a file of its own");
    }
    std::size_t size = 0;
    lines_ = complete_lines(whole_text(path), size);
    if (ftruncate(file_, static_cast<off_t>(size)) != 0) throw Error("cannot write '" + path + "': " + reason());
  } catch (...) {
    close(file_);
    throw;
  }
}

JobFile::~JobFile() { close(file_); }

void JobFile::append(const std::string& line) {
  const off_t before = lseek(file_, 0, SEEK_END);
  const std::string text = line + "\n";
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = write(file_, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const std::string problem = "cannot write '" + path_ + "': " + reason();
      // Lines that are written later, when there is space again, must not continue half a line.
      const bool is_whole = ftruncate(file_, before) == 0;
      throw Error(problem + (is_whole ? "" : "; its last line is not complete"));
    }
    written += static_cast<std::size_t>(count);
  }
  lines_.push_back(line);
}

}  // namespace perilune::optimize
