// SPDX-License-Identifier: MIT
// What is typed or pasted into the interactive mode as one chunk: its statements at the top level.
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace perilune::lua {

struct Statement {
  enum class Kind {
    value,     // a call, or an expression, which is no statement to Lua
    returned,  // "return ..."
    other
  };
  struct Local {
    std::string name;
    bool is_constant = false;
  };
  Kind kind = Kind::other;
  std::size_t begin = 0, end = 0;  // positions of its first byte, and behind its last one
  int line = 0;                    // on which it begins, from 0 on
  std::vector<Local> locals;       // that it declares, without what is to be closed at the end of the chunk
  std::vector<std::string> assigned;
};

struct Block {
  std::vector<Statement> statements;  // without empty ones
  std::set<std::string> names;        // all of the code, those of fields too
};

/// Of code that Lua takes, the statements are those of Lua. Of other code the last one may be an expression.
Block read_block(std::string_view code);

}  // namespace perilune::lua
