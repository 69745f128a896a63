// SPDX-License-Identifier: MIT
// What the command line asks of a script beside the script's own arguments: --param, and with `perilune run` also
// --shard and --results.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perilune::lua {

struct RunOptions {
  struct Override {
    std::string text;  // "k=120"
    bool used = false;
    std::string name() const { return text.substr(0, text.find('=')); }
    /// Nothing if there is no number.
    std::optional<double> value() const;
  };
  std::vector<Override> parameters;
  bool is_run = false;  // of `perilune run`, which alone takes words away from the script
  std::size_t shard = 1, shards = 1;
  bool has_shard = false;             // one is named, though it may be all there is: its jobs are kept
  std::string results;                // file of finished jobs; empty: none is kept
  std::string script;                 // its path
  std::vector<std::string> words;     // its arguments
  std::vector<std::string> declared;  // names of all parameters so far
  int sweeps = 0;                     // how many there were so far

  bool keeps_jobs() const { return !results.empty(); }
  /// The last value given for this parameter. Throws Error if that is no number.
  std::optional<double> value_of(const std::string& parameter);
  /// Throws Error if a parameter was given that is not among the declared ones.
  void require_declared() const;
  /// What the script left undone, as an Error.
  void require_used() const;
};

/// Those of this process, which runs one script.
RunOptions& run_options();

/// Takes "--param k=120" and "--param=k=120" out of the words from `first` on, up to a lone "--".
void take_parameters(std::vector<std::string>& words, std::size_t first, RunOptions& options);
/// Takes all that `perilune run` understands. Returns what is wrong with it; nothing if all is well.
std::string take_run_options(std::vector<std::string>& words, RunOptions& options);
/// "sweep.2-of-8.jsonl": the file of finished jobs where none is named; empty where no shard is named.
std::string default_results(const RunOptions& options);

}  // namespace perilune::lua
