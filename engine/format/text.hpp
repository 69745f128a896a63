// SPDX-License-Identifier: MIT
// Numbers and UTF-8 text as the writers need them. Nothing here depends on the locale.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace perilune::format {

/// The shortest decimal text that reads back to the same double; "nan", "inf" and "-inf" when it is not finite.
std::string shortest(double value);

/// Fixed notation with the given number of decimals; zero never carries a sign.
std::string fixed(double value, int decimals);

/// As printf's %g with the given number of significant digits; zero never carries a sign.
std::string significant(double value, int digits);

/// Reads the code point at `position` (which must be inside the text) and moves past it.
/// Malformed UTF-8 reads as U+FFFD, one for each longest broken sequence.
char32_t next_code_point(std::string_view text, std::size_t& position);

/// Appends one code point as UTF-8.
void append_utf8(std::string& text, char32_t code_point);

/// Columns that the text takes in a terminal: 0 for combining marks, 2 for wide East Asian characters and emoji.
int terminal_width(std::string_view text);

/// Text that is safe in a terminal line: no control characters (a name must not move the cursor), valid UTF-8, and
/// only ASCII when `unicode` is false; cut with an ellipsis to `width` columns.
std::string terminal_text(std::string_view text, int width, bool unicode);

/// Text as XML character data or attribute value: escaped, and without the characters that XML 1.0 forbids.
std::string xml_text(std::string_view text);

}  // namespace perilune::format
