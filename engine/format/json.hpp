// SPDX-License-Identifier: MIT
// A streaming JSON writer, and tables as JSON.
#pragma once
#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "format/table.hpp"

namespace perilune::format {

/// Writes one JSON document, piece by piece, without keeping it in memory. Calls that would make the document invalid
/// throw std::logic_error before anything is written. With an indent, members of objects and nested containers start
/// new lines while plain values of an array share one; indent 0 writes no spaces at all.
///
/// Numbers read back to the same double; NaN and infinities, which JSON lacks, become null. Text is UTF-8, malformed
/// bytes become U+FFFD, and `<` is escaped so that a document may stand inside an HTML script element.
class JsonWriter {
 public:
  explicit JsonWriter(std::ostream& out, int indent = 2);

  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  /// Names the next value of the innermost object.
  JsonWriter& key(std::string_view name);
  JsonWriter& value(double number);
  /// The same for readers that tell integers from other numbers: 3 becomes "3.0".
  JsonWriter& real(double number);
  JsonWriter& value(std::string_view text);
  /// Keeps a string literal from being taken for anything but text.
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  /// bool and every integer type, without a detour through double.
  template <std::integral T>
  JsonWriter& value(T number) {
    if constexpr (std::is_same_v<T, bool>) {
      return scalar(number ? "true" : "false");
    } else if constexpr (std::is_unsigned_v<T>) {
      return integer(static_cast<std::uint64_t>(number));
    } else {
      return integer(static_cast<std::int64_t>(number));
    }
  }
  JsonWriter& null();

  /// True once the one top-level value has been written and closed.
  bool complete() const { return root_written_ && levels_.empty(); }

 private:
  struct Level {
    bool object;
    bool empty = true;
    bool broken_lines;  // whether the closing bracket starts a new line
  };

  JsonWriter& integer(std::int64_t number);
  JsonWriter& integer(std::uint64_t number);
  JsonWriter& scalar(std::string_view text);
  JsonWriter& begin(bool object);
  JsonWriter& end(bool object);
  void before_value(bool container);
  void new_line();
  void write(std::string_view text);

  std::ostream& out_;
  int indent_;
  std::vector<Level> levels_;
  bool key_pending_ = false;
  bool root_written_ = false;
};

/// The text as a JSON string, quotes included.
std::string json_string(std::string_view text);

/// Writes {"columns":[{"name":...,"unit":...,"values":[...]}]}. Throws perilune::Error if column lengths differ.
void write_json(const Table& table, std::ostream& out);

}  // namespace perilune::format
