// SPDX-License-Identifier: MIT
#include "format/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace perilune::format {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

template <class... Format>
std::string to_text(double value, Format... format) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::array<char, 512> buffer;  // fixed notation of 1e308 takes more than 300 characters
  const auto [end, failure] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format...);
  return std::string(buffer.data(), failure == std::errc() ? end : buffer.data());
}

std::string without_negative_zero(std::string text) {
  if (text.starts_with('-') && text.find_first_of("123456789i") == std::string::npos) text.erase(0, 1);
  return text;
}

struct Interval {
  char32_t first, last;
};

bool any_contains(const auto& intervals, char32_t c) {
  return std::any_of(std::begin(intervals), std::end(intervals),
                     [c](const Interval& interval) { return interval.first <= c && c <= interval.last; });
}

int terminal_width(char32_t c) {
  static constexpr Interval kZero[] = {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}};
  static constexpr Interval kWide[] = {{0x1100, 0x115F},   {0x2E80, 0xA4CF},   {0xAC00, 0xD7A3},  {0xF900, 0xFAFF},
                                       {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},  {0x1F300, 0x1F64F},
                                       {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
  if (any_contains(kZero, c)) return 0;
  return any_contains(kWide, c) ? 2 : 1;
}

}  // namespace

std::string shortest(double value) { return to_text(value); }

std::string fixed(double value, int decimals) {
  return without_negative_zero(to_text(value, std::chars_format::fixed, std::clamp(decimals, 0, 100)));
}

std::string significant(double value, int digits) {
  return without_negative_zero(to_text(value, std::chars_format::general, std::clamp(digits, 1, 17)));
}

char32_t next_code_point(std::string_view text, std::size_t& position) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(position++);
  if (lead < 0x80) return lead;
  if (lead < 0xC2 || lead > 0xF4) return kReplacement;
  const int following = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
  char32_t c = lead & (0x3F >> following);
  for (int i = 0; i < following; ++i) {
    // The second byte is narrower after these leads: that excludes overlong forms, surrogates and what is past
    // U+10FFFF.
    unsigned low = 0x80, high = 0xBF;
    if (i == 0) {
      if (lead == 0xE0) low = 0xA0;
      if (lead == 0xED) high = 0x9F;
      if (lead == 0xF0) low = 0x90;
      if (lead == 0xF4) high = 0x8F;
    }
    if (position >= text.size() || byte(position) < low || byte(position) > high) return kReplacement;
    c = (c << 6) | (byte(position++) & 0x3FU);
  }
  return c;
}

void append_utf8(std::string& text, char32_t c) {
  const auto put = [&](char32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6));
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

int terminal_width(std::string_view text) {
  int width = 0;
  for (std::size_t i = 0; i < text.size();) width += terminal_width(next_code_point(text, i));
  return width;
}

std::string terminal_text(std::string_view text, int width, bool unicode) {
  std::string clean;
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = next_code_point(text, i);
    const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x2028 && c <= 0x202E) ||
                         (c >= 0x2066 && c <= 0x2069);  // line breaks and changes of writing direction
    if (c < 0x80 && !control) {
      clean += static_cast<char>(c);
    } else if (unicode) {
      append_utf8(clean, control ? kReplacement : c);
    } else {
      clean += '?';
    }
  }
  if (terminal_width(clean) <= width) return clean;
  const std::string_view ellipsis = unicode ? "…" : "~";
  std::string cut;
  int used = 1;
  for (std::size_t i = 0; i < clean.size() && width > 0;) {
    const char32_t c = next_code_point(clean, i);
    used += terminal_width(c);
    if (used > width) break;
    append_utf8(cut, c);
  }
  return width > 0 ? cut.append(ellipsis) : cut;
}

std::string xml_text(std::string_view text) {
  std::string escaped;
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = next_code_point(text, i);
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default: {
        const bool forbidden = (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0xFFFE || c == 0xFFFF;
        append_utf8(escaped, forbidden ? kReplacement : c);
      }
    }
  }
  return escaped;
}

}  // namespace perilune::format
