// SPDX-License-Identifier: MIT
// Files that scripts and commands write: what was there before stays until the new file is complete.
#pragma once
#include <array>
#include <ostream>
#include <streambuf>
#include <string>

namespace perilune::lua {

/// A file that is written beside the one it will replace, in the same folder. Until replace() the old one is as it was;
/// whatever ends the process, but for SIGKILL, removes what was begun. The permissions and the owner of an old file are
/// kept and symbolic links followed. Written directly, for they cannot be replaced: pipes, devices and what else is no
/// regular file, files with several names, and those in a folder where this user may not make any or not give them to
/// the same owner.
class OutputFile {
 public:
  /// Throws Error naming the file and the reason; see file_access.hpp for those that scripts may not write.
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Throws Error where something cannot be written, and Interrupted, rather than to have a state that says so.
  std::ostream& stream() { return stream_; }
  /// Writes the rest. Throws Error like the stream.
  void close();
  /// After close(): gives the file its name. Throws Error.
  void replace();

 private:
  class Buffer : public std::streambuf {
   public:
    explicit Buffer(OutputFile& file);

   protected:
    int_type overflow(int_type next) override;
    int sync() override;

   private:
    OutputFile& file_;
    std::array<char, 1 << 14> bytes_;
  };

  void open_directly();
  bool open_beside();
  void write(const char* bytes, std::size_t count);
  void drop() noexcept;
  void remember() noexcept;  // among the files that a signal removes
  void forget() noexcept;
  [[noreturn]] void fail(int reason) const;

  std::string path_;       // as the script calls it
  std::string target_;     // where links lead
  std::string temporary_;  // empty: written directly
  int file_ = -1;
  Buffer buffer_;
  std::ostream stream_;
  OutputFile* older_ = nullptr;  // the list of unfinished files

  friend void remove_unfinished_files() noexcept;
};

/// Writes a file by write(std::ostream&). Throws Error naming the file and the reason; then the old one is as it was.
template <class Write>
void write_file(const std::string& path, Write&& write) {
  OutputFile file(path);
  write(file.stream());
  file.close();
  file.replace();
}

/// For handlers of signals that are about to end the process.
void remove_unfinished_files() noexcept;

}  // namespace perilune::lua
