// SPDX-License-Identifier: MIT
#include "base/options.hpp"

#include <algorithm>
#include <iostream>

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
    } else if (word == "--param") {
      options.problem = "'--param' comes after the script, as in: perilune script.lua --param k=120";
      break;
    } else {
      options.problem = "unknown option '" + std::string(word) + "'";
      break;
    }
  }
  options.script = i < argc ? i : argc;
  return options;
}

std::span<const Usage> usage_forms() {
  static constexpr Usage forms[] = {
      {"perilune [options] [script [arguments]]", "runs a script, or starts the interactive mode"},
      {"perilune run script [arguments] [--shard i/N] [--results file]",
       "runs a script with a part of the jobs of its sweeps; finished jobs are lines of the file, and not done again"},
      {"perilune merge files > file", "joins the jobs of shards in their order, and names those that are missing"},
      {"perilune init [folder]", "starts a project: settings for editors and luacheck, and a first script"},
      {"perilune bench [--only name] [--json file] [--svg folder] [--peers folder]",
       "measures problems by several methods, beside programs for other libraries where these are built"},
      {"perilune exercise list|report", "the exercises of the course, and your scores, in whatever folder"},
      {"perilune exercise start id [folder] [--student name]", "a folder with a statement and a script to begin with"},
      {"perilune exercise check [id] [script] [--json file] [--student name]",
       "runs a script in a sandbox and checks what it hands in; exit code 0 only at full score"},
      {"perilune exercise hint [id]", "one hint more; in the folder of an exercise, id may be left out, as for check"},
      {"perilune exercise pack [id ...] folder",
       "for lecturers: writes what students get, without answers, and with checks that do not lie open"},
      {"perilune exercise grade folder [id ...] [--csv file] [--jobs n]",
       "for lecturers: checks what a class handed in, a folder or script for each student, n at a time"},
      {"perilune exercise verify [id]", "for authors: checks reference solutions, and right and wrong variants"},
      {"perilune doc topic", "shows a page of help: perilune doc spring"},
      {"perilune doc --json|--luacheck|--man", "prints all that the module offers, settings for luacheck, this page"},
      {"perilune doc --meta|--markdown folder", "writes annotations for editors, or the reference"}};
  return forms;
}

std::span<const Usage> option_texts() {
  static constexpr Usage texts[] = {{"-e stat", "run the statement 'stat'"},
                                    {"-i", "enter interactive mode after running the script"},
                                    {"-l mod", "require library 'mod' into global 'mod'"},
                                    {"-l g=mod", "require library 'mod' into global 'g'"},
                                    {"-v", "show the version"},
                                    {"-E", "ignore environment variables (LUA_INIT, LUA_PATH, ...)"},
                                    {"-W", "turn warnings on, and show full tracebacks"},
                                    {"-h, --help", "show this text"},
                                    {"--version", "show the version and leave"},
                                    {"--param k=120", "after the script: another value for its parameter 'k'"},
                                    {"--", "stop handling options"},
                                    {"-", "run the standard input, and stop handling options"}};
  return texts;
}

std::span<const Usage> exit_codes() {
  static constexpr Usage codes[] = {
      {"0", "ok"}, {"1", "script error"}, {"2", "wrong usage"}, {"3", "numerical failure"}, {"130", "interrupted"}};
  return codes;
}

std::string usage() {
  std::string text;
  for (const Usage& each : usage_forms()) {
    text += (text.empty() ? "usage: " : "       ") + std::string(each.form) + "\n";
  }
  text += "options:\n";
  for (const Usage& option : option_texts()) {
    std::string form(option.form);
    form.resize(std::max<size_t>(form.size(), 13), ' ');
    text += "  " + form + "  " + std::string(option.text) + "\n";
  }
  text +=
      "Without a script: interactive mode on a terminal, else the standard input is run.\n"
      "A script that is named like a subcommand is run as ./doc.\n"
      "exit codes:";
  for (const Usage& code : exit_codes()) {
    text += (code.form == "0" ? " " : ", ") + std::string(code.form) + " " + std::string(code.text);
  }
  return text + "\n";
}

int wrong_usage(const std::string& problem) {
  std::cerr << "perilune: " << problem << '\n';
  // Of a subcommand its own forms are enough.
  const std::string command = "perilune " + problem.substr(0, problem.find_first_of(" :")) + " ";
  std::string forms;
  for (const Usage& each : usage_forms()) {
    if (each.form.starts_with(command))
      forms += (forms.empty() ? "usage: " : "       ") + std::string(each.form) + "\n";
  }
  std::cerr << (forms.empty() ? usage() : forms + "more: perilune --help\n");
  return 2;
}

}  // namespace perilune::lua
