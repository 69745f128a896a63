// SPDX-License-Identifier: MIT
// Input lines for the interactive mode: edited, with history and completion, on a terminal; plain otherwise.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "session/complete.hpp"

namespace perilune::lua {

enum class Input { line, cancelled, end };

class LineReader {
 public:
  /// What can stand at the end of a line up to the cursor.
  using Completer = std::function<Completion(const std::string& text)>;

  virtual ~LineReader() = default;
  /// Shows the prompt and reads one line, without its end. Cancelled: the user pressed Ctrl-C.
  virtual Input read(const std::string& prompt, std::string& line) = 0;
  virtual void remember(const std::string& /*line*/) {}
};

/// An editor if both standard input and output are a terminal.
std::unique_ptr<LineReader> make_line_reader(LineReader::Completer completer);

}  // namespace perilune::lua
