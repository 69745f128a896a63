// SPDX-License-Identifier: MIT
// Runs one script as the executable would, in a fresh interpreter state of this process.
#pragma once
#include <string>

namespace perilune::fuzz {

struct Outcome {
  int exit_code = 0;  // 0, 1, 3, 130, or that of os.exit
  bool called_exit = false;
  std::string report;  // of the error that ended it
};

/// `name`: of the script in messages. Processes cannot be started, and temporary files are made in the working folder.
Outcome run_script(const std::string& script, const std::string& name);

/// The file of finished jobs that sweeps read and write.
inline constexpr const char* jobs_file = "jobs.jsonl";

}  // namespace perilune::fuzz
