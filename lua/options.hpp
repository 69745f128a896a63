// The command line: that of the stock interpreter, and a little more.
#pragma once
#include <string>
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

std::string usage();

}  // namespace perilune::lua
