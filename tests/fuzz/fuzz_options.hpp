// SPDX-License-Identifier: MIT
// The command line of the fuzzer.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "worker.hpp"

namespace perilune::fuzz {

struct Options {
  std::uint64_t seed = 0;  // 0: a new one
  std::uint64_t first = 0, inputs = ~0ull >> 1;
  double seconds = 1e300;
  std::uint64_t batch = 1000;     // inputs of one process
  std::string kinds = "0012223";  // 0 scripts, 1 mutants, 2 calls, 3 files; as often as they stand here
  std::string keep = "findings";
  std::string repeat;  // a script
  bool show = false;   // print the first input instead of running it
  std::vector<std::string> corpus;
  Limits limits;
};

/// Throws std::runtime_error.
inline Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--show") {
      options.show = true;
      continue;
    }
    if (i + 1 == argc) throw std::runtime_error("what is '" + word + "'? The head of tests/fuzz/main.cpp tells");
    const std::string value = argv[++i];
    if (word == "--seed")
      options.seed = std::stoull(value);
    else if (word == "--first")
      options.first = std::stoull(value);
    else if (word == "--inputs")
      options.inputs = std::stoull(value);
    else if (word == "--seconds")
      options.seconds = std::stod(value);
    else if (word == "--batch")
      options.batch = std::stoull(value);
    else if (word == "--kinds")
      options.kinds = value;
    else if (word == "--keep")
      options.keep = value;
    else if (word == "--repeat")
      options.repeat = value;
    else if (word == "--corpus")
      options.corpus.push_back(value);
    else if (word == "--limit")
      options.limits.seconds = std::stod(value);
    else if (word == "--grace")
      options.limits.grace = std::stod(value);
    else
      throw std::runtime_error("unknown option '" + word + "'");
  }
  if (options.kinds.find_first_not_of("0123") != std::string::npos || options.kinds.empty()) {
    throw std::runtime_error("--kinds takes digits from 0 to 3");
  }
  return options;
}

}  // namespace perilune::fuzz
