// SPDX-License-Identifier: MIT
// Reads JSON documents of moderate size into a tree.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace perilune::format {

/// One JSON value. The members of an object keep their order.
struct JsonValue {
  using Array = std::vector<JsonValue>;
  struct Member;  // a pair would have to know the size of what it is a part of
  using Object = std::vector<Member>;
  std::variant<std::nullptr_t, bool, double, std::string, Array, Object> value;
  /// A number that is written without fraction and exponent and fits in 64 bits; doubles do not tell all of these apart.
  std::optional<std::int64_t> integer = std::nullopt;

  /// The member of an object; nullptr if there is none, or this is no object.
  const JsonValue* find(std::string_view key) const;
  const double* number() const { return std::get_if<double>(&value); }
  const std::string* text() const { return std::get_if<std::string>(&value); }
};

struct JsonValue::Member {
  std::string name;
  JsonValue value;
};

/// The document as a tree; numbers are the nearest doubles. A byte order mark in front is skipped. Throws perilune::Error, with the place in the text, if it
/// is not one JSON value (RFC 8259), or nested more than 100 deep.
JsonValue read_json(std::string_view text);

}  // namespace perilune::format
