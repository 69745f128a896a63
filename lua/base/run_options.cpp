// SPDX-License-Identifier: MIT
#include "base/run_options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "base/suggest.hpp"
#include "error.hpp"

namespace perilune::lua {

namespace {

/// Takes "--name value" or "--name=value" at words[i]; true if it stood there. Without a value it stays.
bool take(std::vector<std::string>& words, std::size_t i, const std::string& option, std::string& value) {
  const auto at = words.begin() + static_cast<std::ptrdiff_t>(i);
  if (words[i].starts_with(option + "=")) {
    value = words[i].substr(option.size() + 1);
    words.erase(at);
    return true;
  }
  if (words[i] != option || i + 1 == words.size()) return false;
  value = words[i + 1];
  words.erase(at, at + 2);
  return true;
}

bool read_count(std::string_view text, std::size_t& count) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), count);
  return problem == std::errc() && end == text.data() + text.size();
}

bool read_shard(const std::string& text, RunOptions& options) {
  const std::size_t slash = text.find('/');
  return slash != text.npos && read_count(text.substr(0, slash), options.shard) &&
         read_count(text.substr(slash + 1), options.shards) && options.shard >= 1 && options.shard <= options.shards;
}

}  // namespace

std::optional<double> RunOptions::Override::value() const {
  const std::size_t equals = text.find('=');
  if (equals == text.npos) return std::nullopt;
  double number = 0;
  const char *begin = text.data() + equals + 1, *end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(begin, end, number);
  if (begin == end || problem != std::errc() || stop != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<double> RunOptions::value_of(const std::string& parameter) {
  declared.push_back(parameter);
  std::optional<double> last;
  for (Override& given : parameters) {
    if (given.name() != parameter) continue;
    given.used = true;
    last = given.value();
    if (!last) throw Error("--param needs a name and a number, as in --param k=120; got '" + given.text + "'");
  }
  return last;
}

void RunOptions::require_declared() const {
  for (const Override& given : parameters) {
    if (given.used) continue;
    const std::string name = given.name();
    if (!given.value()) throw Error("--param needs a name and a number, as in --param k=120; got '" + given.text + "'");
    throw Error("--param " + given.text + ": no parameter '" + name + "' is declared before this" +
                (declared.empty() ? "; there are none" : suggestion_or_list(name, declared, "the parameters")));
  }
}

void RunOptions::require_used() const {
  if (!is_run && declared.empty()) return;  // a script without models may have a --param of its own
  require_declared();
  if (keeps_jobs() && sweeps == 0) {
    throw Error("--shard and --results are for scripts with mbs.sweep, but " + script + " made no sweep");
  }
}

RunOptions& run_options() {
  static RunOptions options;
  return options;
}

void take_parameters(std::vector<std::string>& words, std::size_t first, RunOptions& options) {
  std::string text;
  for (std::size_t i = first; i < words.size() && words[i] != "--";) {
    if (take(words, i, "--param", text)) {
      options.parameters.push_back({text});
    } else {
      ++i;
    }
  }
}

std::string take_run_options(std::vector<std::string>& words, RunOptions& options) {
  take_parameters(words, 1, options);
  std::string text;
  for (std::size_t i = 1; i < words.size() && words[i] != "--";) {
    if (take(words, i, "--shard", text)) {
      options.has_shard = true;
      if (!read_shard(text, options))
        return "--shard needs i/N, from 1/N to N/N, as in --shard 2/8; got '" + text + "'";
    } else if (take(words, i, "--results", text)) {
      if (text.empty()) return "--results needs the name of a file";
      options.results = text;
    } else if (words[i] == "--shard" || words[i] == "--results" || words[i] == "--param") {
      return "'" + words[i] + "' needs an argument";
    } else {
      ++i;
    }
  }
  return {};
}

std::string default_results(const RunOptions& options) {
  if (!options.has_shard) return {};
  return std::filesystem::path(options.script).stem().string() + "." + std::to_string(options.shard) + "-of-" +
         std::to_string(options.shards) + ".jsonl";
}

}  // namespace perilune::lua
