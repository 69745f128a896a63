// SPDX-License-Identifier: MIT
#include "ranks/link.hpp"

#include <unistd.h>

#include <algorithm>
#include <thread>

#include "error.hpp"
#include "ranks/archive.hpp"

namespace perilune::ranks {

void Link::require_size(std::string_view content) {
  constexpr std::size_t most = std::size_t{1} << 30;  // the transport counts with an int
  if (content.size() >= most) throw NumericalError("what one process has to tell another exceeds a gibibyte");
}

void Link::send(int to, Kind kind, std::string_view content) {
  require_size(content);
  std::string bytes(1, static_cast<char>(kind));
  bytes += content;
  transport_.send(to, bytes.data(), bytes.size());
}

std::optional<Message> Link::poll() {
  Message message;
  std::size_t count = 0;
  if (!transport_.probe(&message.from, &count)) return {};
  message.content.resize(count);
  transport_.receive(message.from, message.content.data(), count);
  message.kind = static_cast<Kind>(message.content.at(0));
  message.content.erase(0, 1);
  rest_ = shortest_rest;
  return message;
}

std::chrono::microseconds Link::next_rest() {
  constexpr std::chrono::microseconds longest{1000};
  const std::chrono::microseconds rest = rest_;
  rest_ = std::min(3 * rest_ / 2, longest);
  return rest;
}

std::optional<Message> Link::poll_or_rest() {
  std::optional<Message> message = poll();
  if (!message) std::this_thread::sleep_for(next_rest());
  return message;
}

Message Link::wait() {
  while (true) {
    if (std::optional<Message> message = poll_or_rest()) return *std::move(message);
  }
}

void Link::abort(int code) {
  transport_.abort(code);
  _exit(code);
}

template <class Archive>
static void archive_fields(Archive& archive, Stage& stage) {
  archive(stage.number, stage.title, stage.bytes);
}

template <class Archive>
static void archive_fields(Archive& archive, JobReport& report) {
  archive(report.job, report.text);
}

std::string content_of(const Stage& stage) { return packed(stage); }
std::string content_of(const JobReport& report) { return packed(report); }
Stage stage_of(const Message& message) { return unpacked<Stage>(message.content); }
JobReport report_of(const Message& message) { return unpacked<JobReport>(message.content); }

}  // namespace perilune::ranks
