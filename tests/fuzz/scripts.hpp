// SPDX-License-Identifier: MIT
// Inputs: whole scripts, each of them one file that `perilune` runs by itself.
#pragma once
#include <string>
#include <vector>

#include "random.hpp"

namespace perilune::fuzz {

/// Printed by generated scripts when a simulation ends, and for what is wrong though no error came of it.
inline constexpr const char* simulated_mark = "fuzz: simulated";
inline constexpr const char* fault_mark = "fuzz: fault: ";

/// A model from the schema's constructors, a simulation, and calls of whatever reads it; with some probability in a
/// wrong order, with values that do not fit, or with objects of another model.
std::string generated_script(Random& random);
/// Expressions and single calls, many of them wrong, without a simulation.
std::string generated_calls(Random& random);
/// A script that writes a broken file and reads it: .mat, JSON lines of a sweep, tables of splines, chunks of Lua.
std::string broken_file_script(Random& random);

/// What changes at every line and word of a script that exists.
class Mutator {
 public:
  /// The examples of the schema, and the scripts below the folders.
  explicit Mutator(const std::vector<std::string>& folders);
  std::string mutant(Random& random) const;
  std::size_t size() const { return corpus_.size(); }

 private:
  std::vector<std::string> corpus_;
  std::vector<std::string> words_;  // names and numbers in all of them
};

}  // namespace perilune::fuzz
