// SPDX-License-Identifier: MIT
// What help draws of a friction law.
#pragma once
#include <string>

#include "model/friction/friction_kinds.hpp"

namespace perilune::lua {

/// A sentence with the law's numbers and the load, and lines of text of at most 64 columns, each ended by a newline.
/// A mass on a rail that rubs by this very law is driven to and fro by a sine, and its second turn is drawn: of a law
/// of the slip, friction (N, against the slip) over the slip (m/s) while it grows from 0 to five times the law's
/// largest speed; of one with states of its own, over the displacement (m), a loop of eight times the way in which such
/// bristles bend, with slips up to twice that speed. unicode: in braille dots, else ASCII. Throws Error where the law
/// refuses the numbers it is drawn with.
std::string friction_picture(const model::FrictionKind& kind, bool unicode);

}  // namespace perilune::lua
