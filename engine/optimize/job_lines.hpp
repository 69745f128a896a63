// SPDX-License-Identifier: MIT
// Jobs of sweeps as lines of JSON, which several processes write and one joins:
//   {"script":"a.lua","sweep":1,"design":"5e6f...","job":3,"jobs":20,"parameters":{"k":120},"values":{"cost":1.5},
//    "gradients":{"cost":{"k":-0.25}}}        or "failure":"..." in place of the values
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "format/json_reader.hpp"
#include "optimize/sweep.hpp"

namespace perilune::optimize {

/// What all lines of a sweep have in common.
struct SweepTitle {
  std::string script;    // the name of its file
  int number = 1;        // which of the script's sweeps
  std::string design;    // a fingerprint of all that the results depend on
  std::size_t jobs = 0;  // how many there are in all
  std::vector<std::string> parameters, objectives;
};

/// Without a newline. The numbers read back to the same bits.
std::string job_line(const SweepTitle& title, const Trial& trial);

struct JobLine {
  std::string script;
  int sweep = 1;
  std::string design;
  std::size_t job = 1, jobs = 1;  // from 1
  format::JsonValue content;
};
/// Throws Error if the text is not a line of a job.
JobLine read_job_line(std::string_view text);
/// Throws Error if the line lacks a number of the sweep.
Trial trial_of(const JobLine& line, const SweepTitle& title);

/// A file of lines, with the name that messages give it.
struct NamedLines {
  std::string name;
  std::vector<std::string> lines;
};
struct Merged {
  std::vector<std::string> lines;    // in the order of sweeps and jobs, each job once
  std::vector<std::string> missing;  // "sweep 1: jobs 3, 7-9 of 20"
  std::vector<std::string> repeated;
};
/// Joins what several processes wrote. Throws Error, naming file and line, for what is no job, for files of different
/// designs, and for a job with two different results.
Merged merge_jobs(const std::vector<NamedLines>& files);

}  // namespace perilune::optimize
