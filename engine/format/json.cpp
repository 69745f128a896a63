// SPDX-License-Identifier: MIT
#include "format/json.hpp"

#include <cmath>
#include <ostream>
#include <stdexcept>

#include "error.hpp"
#include "format/text.hpp"

namespace perilune::format {

JsonWriter::JsonWriter(std::ostream& out, int indent) : out_(out), indent_(indent) {
  if (indent < 0) throw std::logic_error("JsonWriter: the indent must not be negative");
}

JsonWriter& JsonWriter::begin_object() { return begin(true); }
JsonWriter& JsonWriter::end_object() { return end(true); }
JsonWriter& JsonWriter::begin_array() { return begin(false); }
JsonWriter& JsonWriter::end_array() { return end(false); }

JsonWriter& JsonWriter::key(std::string_view name) {
  if (levels_.empty() || !levels_.back().object) throw std::logic_error("JsonWriter: a key outside an object");
  if (key_pending_) throw std::logic_error("JsonWriter: a key where the value of the previous key is due");
  if (!levels_.back().empty) write(",");
  levels_.back().empty = false;
  new_line();
  write(json_string(name));
  write(indent_ > 0 ? ": " : ":");
  key_pending_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  // Readers that keep integers apart would lose the sign of "-0".
  return scalar(number == 0 && std::signbit(number) ? std::string("-0.0") : shortest(number));
}

JsonWriter& JsonWriter::real(double number) {
  const bool is_whole = std::isfinite(number) && number == std::trunc(number);
  const std::string text = is_whole ? shortest(number) : std::string();
  return is_whole && text.find_first_of(".e") == text.npos ? scalar(text + ".0") : value(number);
}

JsonWriter& JsonWriter::value(std::string_view text) { return scalar(json_string(text)); }
JsonWriter& JsonWriter::null() { return scalar("null"); }
JsonWriter& JsonWriter::integer(std::int64_t number) { return scalar(std::to_string(number)); }
JsonWriter& JsonWriter::integer(std::uint64_t number) { return scalar(std::to_string(number)); }

JsonWriter& JsonWriter::scalar(std::string_view text) {
  check_interrupt();
  before_value(false);
  write(text);
  return *this;
}

JsonWriter& JsonWriter::begin(bool object) {
  before_value(true);
  levels_.push_back({.object = object, .broken_lines = object});
  write(object ? "{" : "[");
  return *this;
}

JsonWriter& JsonWriter::end(bool object) {
  if (levels_.empty() || levels_.back().object != object) {
    throw std::logic_error(object ? "JsonWriter: end_object without begin_object"
                                  : "JsonWriter: end_array without begin_array");
  }
  if (key_pending_) throw std::logic_error("JsonWriter: the object ends where the value of a key is due");
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.empty && level.broken_lines) new_line();
  write(object ? "}" : "]");
  return *this;
}

void JsonWriter::before_value(bool container) {
  if (levels_.empty()) {
    if (root_written_) throw std::logic_error("JsonWriter: a second top-level value");
    root_written_ = true;
    return;
  }
  Level& level = levels_.back();
  if (level.object) {
    if (!key_pending_) throw std::logic_error("JsonWriter: a value without a key in an object");
    key_pending_ = false;
    return;
  }
  if (!level.empty) write(",");
  if (container) level.broken_lines = true;
  if (level.broken_lines) {
    new_line();
  } else if (!level.empty && indent_ > 0) {
    write(" ");
  }
  level.empty = false;
}

void JsonWriter::new_line() {
  if (indent_ == 0) return;
  write("\n");
  write(std::string(levels_.size() * static_cast<std::size_t>(indent_), ' '));
}

void JsonWriter::write(std::string_view text) { out_.write(text.data(), static_cast<std::streamsize>(text.size())); }

std::string json_string(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string json = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = next_code_point(text, i);
    switch (c) {
      case '"':
        json += "\\\"";
        break;
      case '\\':
        json += "\\\\";
        break;
      case '\b':
        json += "\\b";
        break;
      case '\f':
        json += "\\f";
        break;
      case '\n':
        json += "\\n";
        break;
      case '\r':
        json += "\\r";
        break;
      case '\t':
        json += "\\t";
        break;
      default:
        if (c < 0x20 || c == 0x7F || c == '<') {
          json += "\\u00";
          json += kHex[c >> 4];
          json += kHex[c & 0xF];
        } else {
          append_utf8(json, c);
        }
    }
  }
  return json += '"';
}

void write_json(const Table& table, std::ostream& out) {
  row_count(table);
  JsonWriter json(out);
  json.begin_object().key("columns").begin_array();
  for (const Column& column : table.columns) {
    json.begin_object().key("name").value(column.name).key("unit").value(column.unit).key("values").begin_array();
    for (const double number : column.values) json.value(number);
    json.end_array().end_object();
  }
  json.end_array().end_object();
  out << '\n';
}

}  // namespace perilune::format
