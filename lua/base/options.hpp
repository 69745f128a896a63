// SPDX-License-Identifier: MIT
// The command line: that of the stock interpreter, and a little more.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perilune::lua {

struct Options {
  /// What to do before the script, in the order of the command line.
  struct Action {
    char letter;  // e: run a statement, l: require a module, W: turn warnings on
    std::string text;
  };

  bool help = false;
  bool version_only = false;        // --version
  bool version = false;             // -v
  bool interactive = false;         // -i
  bool ignore_environment = false;  // -E
  bool warnings = false;            // -W
  bool has_statement = false;       // -e
  std::vector<Action> actions;
  int script = 0;       // index in argv of the script; argc if there is none
  std::string problem;  // not empty: the command line is wrong
};

Options parse_options(int argc, const char* const* argv);

/// The pieces of the usage, and of the manual page.
struct Usage {
  std::string_view form, text;
};
std::span<const Usage> usage_forms();
std::span<const Usage> option_texts();
std::span<const Usage> exit_codes();

std::string usage();
/// Prints the problem and the usage on the standard error. Returns the exit code.
int wrong_usage(const std::string& problem);

}  // namespace perilune::lua
