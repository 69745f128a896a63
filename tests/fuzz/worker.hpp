// SPDX-License-Identifier: MIT
// Runs inputs one after the other in a process of its own, so that a crash ends that process only.
#pragma once
#include <atomic>
#include <cstdint>
#include <string>

namespace perilune::fuzz {

/// In memory that parent and worker share.
struct Progress {
  std::atomic<std::uint64_t> input{0};  // the one in work
  std::atomic<bool> busy{false};
  std::atomic<std::uint64_t> inputs{0}, simulated{0}, interrupted{0}, out_of_memory{0}, slow_answers{0};
  std::atomic<std::uint64_t> by_kind[4] = {};    // inputs: scripts, mutants, calls, files
  std::atomic<std::uint64_t> exits[5] = {};      // 0, 1, 3, 130, others
  std::atomic<std::uint64_t> slowest_answer{0};  // microseconds of processor time from SIGINT to the end
};

struct Limits {
  double seconds = 2;        // of processor time, before an input is interrupted
  double grace = 5;          // and to answer that
  std::uint64_t memory = 4;  // GiB of address space; not under sanitizers, which need terabytes
};

inline constexpr int script_kind = 0, mutant_kind = 1, call_kind = 2, file_kind = 3;

struct Input {
  std::string script;
  int kind = script_kind;
};

/// Prepares this process: limits, an unprivileged user, its own session, output to the file. `folder`: where scripts
/// write; made empty after each input.
void enter_worker(const Limits& limits, const std::string& folder, int output);
/// Runs an input; lines "kind\tkey" of findings go to the descriptor `findings`.
void work(const Input& input, std::uint64_t number, const Limits& limits, Progress& progress, int output, int findings);
/// Memory that nobody can reach any more, as the leak sanitizer sees it: writes its report and returns true.
bool has_leaks();

inline constexpr int hang_code = 97;       // exit codes of a worker: an input did not answer the interrupt
inline constexpr int sanitizer_code = 98;  // a sanitizer's report
inline constexpr int leak_code = 96;

}  // namespace perilune::fuzz
