// SPDX-License-Identifier: MIT
// Ctrl-C in loops whose rounds are so short that even to ask for it would be felt.
#pragma once
#include "error.hpp"

namespace perilune {

/// Asks for Ctrl-C every 64th time: what is short goes through, so that a script that goes on after an interrupt can
/// still look at what it has.
class Poll {
 public:
  void operator()() {
    if (++count_ % 64 == 0) check_interrupt();
  }

 private:
  unsigned count_ = 0;
};

}  // namespace perilune
