// SPDX-License-Identifier: MIT
// What of an input's outcome is a finding.
#pragma once
#include <optional>
#include <string>

#include "session.hpp"

namespace perilune::fuzz {

struct Finding {
  std::string kind;  // "no line", "nan", "crash", ...
  std::string key;   // the same for findings that are probably one
};

/// nullopt where all is well. `output`: what the script wrote to its standard output and error. `own_words`: it makes
/// messages of its own, with numbers of its own.
std::optional<Finding> judge(const Outcome& outcome, const std::string& output, bool own_words);
/// Of a process that ended: the key is the reason with the frames of the program nearest to it.
Finding crash(const std::string& reason, const std::string& output);

}  // namespace perilune::fuzz
