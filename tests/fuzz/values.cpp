// SPDX-License-Identifier: MIT
#include "values.hpp"

#include <cmath>
#include <cstdio>

namespace perilune::fuzz {

std::string plain_number(Random& random, double low, double high) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", random.between(low, high));
  return text;
}

std::string extreme_number(Random& random) {
  return random.pick({"0",
                      "-0.0",
                      "-1",
                      "1",
                      "0.5",
                      "5e-324",
                      "-5e-324",
                      "2.2e-308",
                      "1e-300",
                      "1e-20",
                      "1e-9",
                      "1e9",
                      "1e20",
                      "1e100",
                      "1e154",
                      "-1e155",
                      "1e300",
                      "1.7e308",
                      "-1.7e308",
                      "math.huge",
                      "-math.huge",
                      "0/0",
                      "-(0/0)",
                      "2^31",
                      "2^31 - 1",
                      "-2^31",
                      "2^32",
                      "2^53",
                      "2^53 + 1",
                      "2^63",
                      "-2^63",
                      "math.maxinteger",
                      "math.mininteger",
                      "1e308 * 10",
                      "255",
                      "256",
                      "65536",
                      "3",
                      "7.5",
                      "1 // 1",
                      "0x7fffffff",
                      "0xffffffff",
                      "1e15",
                      "1e16",
                      "100000"});
}

std::string quoted(const std::string& bytes) {
  std::string text = "\"";
  for (const char c : bytes) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text.append(1, '\\').append(1, c);
    } else if (code >= 32 && code < 127) {
      text += c;
    } else {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\x%02x", code);
      text += escape;
    }
  }
  return text + "\"";
}

std::string random_string(Random& random, std::size_t most) {
  std::string bytes;
  const std::size_t size = random.below(most + 1);
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(random.below(256));
  return quoted(bytes);
}

std::string hostile_value(Random& random) {
  switch (random.below(4)) {
    case 0:
      return extreme_number(random);
    case 1:
      return random_string(random, 12);
    case 2:
      return "{" + extreme_number(random) + ", " + extreme_number(random) + ", " + extreme_number(random) + "}";
    default:
      break;
  }
  return random.pick({"nil",
                      "true",
                      "false",
                      "{}",
                      "\"\"",
                      "\"x\"",
                      "\"%s%n%d\"",
                      "string.rep(\"x\", 100000)",
                      "string.rep(\"é\", 300)",
                      "\"a\\0b\"",
                      "\"P.x\"",
                      "\"../\"",
                      "{{}}",
                      "{{{{{}}}}}",
                      "{1, nil, 3}",
                      "{[2] = 1}",
                      "{[0] = 1, 2}",
                      "{[2^53] = 1}",
                      "{[1.5] = 2}",
                      "{x = 1}",
                      "{1, x = 2}",
                      "setmetatable({}, {__index = function() error \"no fields\" end})",
                      "setmetatable({1, 2}, {__len = function() return 1e9 end})",
                      "setmetatable({}, {__index = function(_, k) return k end})",
                      "setmetatable({}, {__tostring = function() return 1 end})",
                      "print",
                      "function() end",
                      "function(s) return s end",
                      "function(s) return 0/0 end",
                      "function(s) return 1, 2, 3, 4, 5 end",
                      "function(s) return {s} end",
                      "function(s) error \"mine\" end",
                      "function(s) return s.x end",
                      "function(...) return ... end",
                      "coroutine.create(print)",
                      "coroutine.wrap(function() coroutine.yield(1) end)",
                      "io.stdout",
                      "m",
                      "mbs",
                      "{m}",
                      "m.ground",
                      "{m.ground, m.ground}",
                      "mbs.rk4 {}",
                      "mbs.maggi {}",
                      "mbs.adjoint {}",
                      "mbs.lbfgsb {}",
                      "mbs.trust_region {}",
                      "mbs.cobyla {}",
                      "math.sin",
                      "_G",
                      "_ENV",
                      "require",
                      "select",
                      "string",
                      "mbs.lt",
                      "mbs.spline",
                      "m.signals",
                      "{1, 2, 3, 4, 5, 6, 7, 8, 9}",
                      "{\"x\", \"y\"}",
                      "{true, false}",
                      "{print}",
                      "{0, 0}",
                      "{0, 0, 0}",
                      "{1, 1}",
                      "table.pack(string.byte(string.rep(\"x\", 1000), 1, -1))"});
}

}  // namespace perilune::fuzz
