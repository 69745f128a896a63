// SPDX-License-Identifier: MIT
// Lines of words, as ASCII STL and OBJ have them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "poll.hpp"

namespace perilune::mesh {

class TextReader {
 public:
  explicit TextReader(std::string_view bytes);

  /// Goes to the next line that has words; false at the end.
  bool next();
  /// Of the line, without what follows a "#"; a line that ends in a backslash goes on in the next one.
  const std::vector<std::string_view>& words() const { return words_; }
  std::uint32_t line() const { return line_; }
  /// The word with this index as a finite number. Throws Error with the line if it is none, or missing.
  double number(std::size_t index) const;
  /// "line 12: " and the problem.
  [[noreturn]] void fail(const std::string& problem) const;

 private:
  std::string_view rest_;
  std::vector<std::string_view> words_;
  std::uint32_t line_ = 0, lines_read_ = 0;
  Poll poll_;
};

/// A word of a file for a message: in quotation marks, without what a terminal would obey, and not too long.
std::string quoted(std::string_view word);

}  // namespace perilune::mesh
