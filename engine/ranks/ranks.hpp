// SPDX-License-Identifier: MIT
// One script in several processes, on one machine or many. Every process runs the whole script, and so comes to the
// same calls in the same order with the same arguments; where there is much to do, each does a share, and all get the
// whole. The first process (number 0) hands out the work, and is the only one whose files and prints count. A process
// that comes to something else than the first did is found out by the title of what it asks for, and the script ends
// with a sentence.
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "ranks/transport.hpp"

namespace perilune::ranks {

/// From now on there are several. Once, before all else.
void join(const PeriluneTransport& transport);
/// Of this process, from 0; of all. 0 and 1 where nothing was joined.
int number();
int size();
/// Whether what this thread does may be spread: there are several processes, and it is within no job that is spread
/// over these or over threads (parallel.hpp), whose order would be another one in each process.
bool may_spread();

/// 0 ... count - 1: the jobs of work of which nothing is done yet.
std::vector<std::size_t> all_jobs(std::size_t count);

struct Work {
  std::string title;  // all that it depends on, as far as that can be known
  /// In ascending order. Asked of the first process alone; what it throws is an Error in every process.
  std::function<std::vector<std::size_t>()> jobs;
  /// What came of a job, as bytes that every process understands. Called in any process, by several threads.
  std::function<std::string(std::size_t job)> compute;
  /// In the first process, after each job, one at a time.
  std::function<void(std::size_t job, const std::string& bytes)> arrived;
  /// In the first process, at the end: what all are to get.
  std::function<std::string()> outcome;
};
/// Every job once, on the threads of all processes. Returns what `outcome` returned, in each.
/// An exception of a job is an Error in every process, the one of the lowest number; so is one of `arrived`, which
/// passes through in the first. Throws Interrupted on Ctrl-C, and Error where processes have parted.
std::string spread(const Work& work);

/// Jobs that come to light one after the other, in the first process.
struct Feed {
  std::string title;  // as of Work
  /// In the first process alone: calls `add` with each job, as bytes that every process understands, and goes on while
  /// others do them. Where many wait, `add` does one itself. What it throws passes through in the first and is an Error
  /// in the others.
  std::function<void(const std::function<void(std::string job)>& add)> find;
  /// What came of a job, as bytes. Called in any process, by several threads.
  std::function<std::string(const std::string& job)> compute;
  /// As of Work; jobs are numbered in the order in which they were added.
  std::function<void(std::size_t job, const std::string& bytes)> arrived;
  std::function<std::string()> outcome;
};
/// As spread(), but that the other processes wait for jobs while the first is finding them.
std::string feed(const Feed& feed);

/// What every process has here, by its number, in each of them.
std::vector<std::string> gather(const std::string& title, const std::string& mine);

/// The end of the script in this process, with this exit code and what was said of it, where that is not 0. In the
/// first it waits for the others; returns what is to be said of them. Nothing can be spread any more.
std::string leave(int code, const std::string& failure);

}  // namespace perilune::ranks
