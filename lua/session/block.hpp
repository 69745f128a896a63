// SPDX-License-Identifier: MIT
// What is typed or pasted into the interactive mode as one chunk, as text.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace perilune::lua {

/// A variable that gets a value at the top level.
struct Assigned {
  enum class Kind { global, local, constant };
  std::string name;
  int line = 0;  // from 0 on
  Kind kind = Kind::global;
};

struct Block {
  /// The code with what is local at its top level made global, on the same lines: the session is one long script to
  /// its user, but each chunk is a function of its own to Lua. What is to be closed stays local.
  std::string code;
  /// In order.
  std::vector<Assigned> assigned;
  /// Lines, from 0 on, at which something begins at the top level.
  std::vector<int> starts;
};

Block read_block(std::string_view code);

}  // namespace perilune::lua
