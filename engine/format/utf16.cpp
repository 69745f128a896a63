// SPDX-License-Identifier: MIT
#include "format/utf16.hpp"

namespace perilune::format {

namespace {

/// The character that begins at `at`, which moves behind it.
std::uint32_t next_character(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) -> std::uint32_t { return i < text.size() ? text[i] & 0xffu : 0; };
  const std::uint32_t first = byte(at);
  const std::size_t more = first >= 0xf0 && first < 0xf8   ? 3
                           : first >= 0xe0 && first < 0xf0 ? 2
                           : first >= 0xc2 && first < 0xe0 ? 1
                                                           : 0;
  std::uint32_t code = more == 0 ? first : first & (0x3fu >> more);
  for (std::size_t i = 1; i <= more; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) {
      ++at;
      return first;
    }
    code = code << 6 | (byte(at + i) & 0x3f);
  }
  at += more + 1;
  return code;
}

void append(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
    return;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  out += static_cast<char>((0xff00u >> (more + 1) & 0xff) | code >> 6 * more);
  for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | (code >> 6 * i & 0x3f));
}

bool is_high(std::uint32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool is_low(std::uint32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

}  // namespace

std::vector<std::uint16_t> utf16_of(std::string_view text) {
  std::vector<std::uint16_t> units;
  for (std::size_t at = 0; at < text.size();) {
    const std::uint32_t code = next_character(text, at);
    if (code >= 0x10000) {
      units.push_back(static_cast<std::uint16_t>(0xd800 + ((code - 0x10000) >> 10)));
      units.push_back(static_cast<std::uint16_t>(0xdc00 + ((code - 0x10000) & 0x3ff)));
    } else {
      units.push_back(static_cast<std::uint16_t>(code));
    }
  }
  return units;
}

std::string utf8_of(const std::vector<std::uint16_t>& units) {
  std::string text;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const std::uint32_t unit = units[i];
    if (is_high(unit) && i + 1 < units.size() && is_low(units[i + 1])) {
      append(text, 0x10000 + ((unit - 0xd800) << 10) + (units[++i] - 0xdc00u));
    } else {
      append(text, unit);
    }
  }
  return text;
}

}  // namespace perilune::format
