// SPDX-License-Identifier: MIT
// What the first process does for the others: hands out jobs, collects results, and notices who parts from it.
#pragma once
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "error.hpp"
#include "ranks/link.hpp"
#include "ranks/ranks.hpp"

namespace perilune::ranks {

/// Processes do not do the same any more.
class Parted : public Error {
 public:
  using Error::Error;
};

class FirstRank {
 public:
  explicit FirstRank(Link& link) : link_(link) {}
  // As the functions of ranks.hpp.
  std::string spread(const Work& work, const Stage& stage);
  std::string feed(const Feed& feed, const Stage& stage);
  /// The list of what all have.
  std::string gather(const Stage& stage);
  /// Waits for the end of the others, for a short while where the first has failed with a code. Returns what ended one
  /// of them, if that is not to be expected.
  std::string dismiss(int code);

 private:
  void tell_all(Kind kind, const std::string& content);
  /// The end of a stage, where the others wait for its outcome: what one of its jobs failed of, or what else happened.
  std::string conclude(const std::optional<std::string>& failure, const std::exception_ptr& problem,
                       const std::function<std::string()>& outcome);
  /// Throws Parted where the message does not belong to the stage.
  void require_same(const Message& message, const Stage& stage);

  Link& link_;
  std::set<int> left_;  // processes that have come to their end
};

}  // namespace perilune::ranks
