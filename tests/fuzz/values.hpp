// SPDX-License-Identifier: MIT
// Values as Lua text: reasonable ones, and those that break what was not made for them.
#pragma once
#include <string>

#include "random.hpp"

namespace perilune::fuzz {

/// 0.53: two significant digits, between the bounds.
std::string plain_number(Random& random, double low, double high);
/// -0.0, 5e-324, 2^53, math.huge, 0/0, ...
std::string extreme_number(Random& random);
/// A value of any type: numbers, strings (long, with zeros, with patterns), tables (nested, with holes, with
/// metatables), functions, coroutines, nil.
std::string hostile_value(Random& random);
/// A quoted string of random bytes, as escapes.
std::string random_string(Random& random, std::size_t most);
/// The text as a Lua literal, whatever bytes it has.
std::string quoted(const std::string& bytes);

}  // namespace perilune::fuzz
