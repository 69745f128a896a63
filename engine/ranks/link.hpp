// SPDX-License-Identifier: MIT
// Messages between the first process and the others.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ranks/transport.hpp"

namespace perilune::ranks {

enum class Kind : char {
  // To the first.
  Ask = 'A',     // stage: for jobs
  Result = 'R',  // job, bytes
  Failed = 'F',  // job, text
  Done = 'D',    // stage, with the last results of a feed: nothing is left to ask for
  Share = 'S',   // stage, with bytes
  Bye = 'B',     // text of what ended the script; empty: it came to its end
  // From the first.
  Jobs = 'J',     // their numbers; none: there are no more
  Outcome = 'O',  // bytes
  Error = 'E',    // text: the stage has failed
  Quit = 'Q'      // the run is over
};

struct Message {
  int from = 0;
  Kind kind{};
  std::string content;
};

/// Which of the stages that are spread, what it is, and what a process has for it.
struct Stage {
  std::uint64_t number = 0;
  std::string title, bytes = {};
};

class Link {
 public:
  explicit Link(const PeriluneTransport& transport) : transport_(transport) {}
  int number() const { return transport_.number; }
  int size() const { return transport_.size; }

  /// Throws NumericalError for more bytes than a message may have.
  static void require_size(std::string_view content);
  void send(int to, Kind kind, std::string_view content = {});
  std::optional<Message> poll();
  /// Waits, without keeping a processor busy.
  Message wait();
  /// The pause before who waits looks again, which leaves the processor to those that work: half of what it has
  /// waited since the last message, up to a millisecond.
  std::chrono::microseconds next_rest();
  /// The next message, if it is there within such a pause.
  std::optional<Message> poll_or_rest();
  void finish() { transport_.finish(); }
  [[noreturn]] void abort(int code);

 private:
  const PeriluneTransport& transport_;
  static constexpr std::chrono::microseconds shortest_rest{20};
  std::chrono::microseconds rest_ = shortest_rest;
};

std::string content_of(const Stage& stage);
Stage stage_of(const Message& message);
/// What is said of a job: Result and Failed.
struct JobReport {
  std::uint64_t job = 0;
  std::string text;
};
std::string content_of(const JobReport& report);
JobReport report_of(const Message& message);

}  // namespace perilune::ranks
