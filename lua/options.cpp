#include "options.hpp"

#include <string_view>

namespace perilune::lua {

Options parse_options(int argc, const char* const* argv) {
  Options options;
  int i = 1;
  for (; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word.empty() || word[0] != '-' || word == "-") break;
    if (word == "--") {
      ++i;
      break;
    }
    if (word == "-h" || word == "--help") {
      options.help = true;
    } else if (word == "--version") {
      options.version_only = true;
    } else if (word == "-v") {
      options.version = true;
    } else if (word == "-i") {
      options.interactive = true;
    } else if (word == "-E") {
      options.ignore_environment = true;
    } else if (word == "-W") {
      options.warnings = true;
      options.actions.push_back({'W', ""});
    } else if (word[1] == 'e' || word[1] == 'l') {
      std::string_view text = word.substr(2);
      if (text.empty()) {
        // As in the stock interpreter, a lone "-e" or "-l" must be followed by something that is no option.
        if (i + 1 == argc || argv[i + 1][0] == '-') {
          options.problem = "'" + std::string(word) + "' needs an argument";
          break;
        }
        text = argv[++i];
      }
      if (word[1] == 'e') options.has_statement = true;
      options.actions.push_back({word[1], std::string(text)});
    } else {
      options.problem = "unknown option '" + std::string(word) + "'";
      break;
    }
  }
  options.script = i < argc ? i : argc;
  return options;
}

std::string usage() {
  return R"(usage: perilune [options] [script [arguments]]
       perilune doc --json
options:
  -e stat     run the statement 'stat'
  -i          enter interactive mode after running the script
  -l mod      require library 'mod' into global 'mod'
  -l g=mod    require library 'mod' into global 'g'
  -v          show the version
  -E          ignore environment variables (LUA_INIT, LUA_PATH, ...)
  -W          turn warnings on, and show full tracebacks
  -h, --help  show this text
  --version   show the version and leave
  --          stop handling options
  -           run the standard input, and stop handling options
Without a script: interactive mode on a terminal, else the standard input is run.
A script that is named like a subcommand is run as ./doc.
exit codes: 0 ok, 1 script error, 2 wrong usage, 3 numerical failure, 130 interrupted
)";
}

}  // namespace perilune::lua
