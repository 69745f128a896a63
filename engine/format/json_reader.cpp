// SPDX-License-Identifier: MIT
#include "format/json_reader.hpp"

#include <charconv>
#include <cstdint>

#include "error.hpp"
#include "format/text.hpp"

namespace perilune::format {

namespace {

constexpr int deepest = 100;

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  JsonValue document() {
    JsonValue read = value(0);
    skip_space();
    if (at_ < text_.size()) fail("the end of the text");
    return read;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    throw Error("not valid JSON: expected " + expected + " at character " + std::to_string(at_ + 1));
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  bool take(char c) {
    skip_space();
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  JsonValue value(int depth) {
    if (depth > deepest) fail("less than 100 nested values");
    skip_space();
    switch (peek()) {
      case '{':
        return {object(depth)};
      case '[':
        return {array(depth)};
      case '"':
        return {string()};
      default:
        if (take_word("null")) return {nullptr};
        if (take_word("true")) return {true};
        if (take_word("false")) return {false};
        return number();
    }
  }

  JsonValue::Object object(int depth) {
    JsonValue::Object members;
    ++at_;
    if (take('}')) return members;
    do {
      skip_space();
      if (peek() != '"') fail("a name in quotes");
      std::string name = string();
      if (!take(':')) fail("':'");
      members.push_back({std::move(name), value(depth + 1)});
    } while (take(','));
    if (!take('}')) fail("',' or '}'");
    return members;
  }

  JsonValue::Array array(int depth) {
    JsonValue::Array items;
    ++at_;
    if (take(']')) return items;
    do items.push_back(value(depth + 1));
    while (take(','));
    if (!take(']')) fail("',' or ']'");
    return items;
  }

  // What from_chars takes is a little more than JSON: inf, nan, .5, 01.
  JsonValue number() {
    const std::size_t digits = at_ + (peek() == '-' ? 1 : 0);
    const auto digit = [&](std::size_t i) { return i < text_.size() && text_[i] >= '0' && text_[i] <= '9'; };
    double read = 0;
    if (!digit(digits) || (text_[digits] == '0' && digit(digits + 1))) fail("a value");
    const auto [end, problem] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), read);
    if (problem != std::errc() || end[-1] == '.') fail("a number");
    const std::string_view token = text_.substr(at_, static_cast<std::size_t>(end - text_.data()) - at_);
    at_ += token.size();
    JsonValue out{read};
    std::int64_t whole = 0;
    const auto [last, misfit] = std::from_chars(token.data(), token.data() + token.size(), whole);
    const bool is_whole = misfit == std::errc() && last == token.data() + token.size();
    if (is_whole && token != "-0") out.integer = whole;  // the sign of -0 is a double's
    return out;
  }

  std::uint32_t code_unit() {
    std::uint32_t unit = 0;
    if (at_ + 4 > text_.size()) fail("four hexadecimal digits");
    const auto [end, problem] = std::from_chars(text_.data() + at_, text_.data() + at_ + 4, unit, 16);
    if (problem != std::errc() || end != text_.data() + at_ + 4) fail("four hexadecimal digits");
    at_ += 4;
    return unit;
  }

  void escaped(std::string& out) {
    constexpr std::string_view letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
    const char c = peek();
    if (c != 'u') {
      const std::size_t which = c == '\0' ? letters.npos : letters.find(c);
      if (which == letters.npos) fail("an escape sequence");
      out += meant[which];
      ++at_;
      return;
    }
    ++at_;
    std::uint32_t point = code_unit();
    if (point >= 0xD800 && point < 0xDC00 && take_word("\\u")) {
      point = 0x10000 + ((point - 0xD800) << 10) + ((code_unit() - 0xDC00) & 0x3FF);
    } else if (point >= 0xD800 && point < 0xE000) {
      point = 0xFFFD;
    }
    append_utf8(out, point);
  }

  std::string string() {
    std::string out;
    ++at_;
    while (peek() != '"') {
      if (at_ >= text_.size() || static_cast<unsigned char>(text_[at_]) < ' ') fail("the end of a string");
      if (text_[at_] != '\\') {
        out += text_[at_++];
      } else {
        ++at_;
        escaped(out);
      }
    }
    ++at_;
    return out;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  const auto* members = std::get_if<Object>(&value);
  if (!members) return nullptr;
  for (const auto& [name, member] : *members) {
    if (name == key) return &member;
  }
  return nullptr;
}

JsonValue read_json(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  return Reader(text).document();
}

}  // namespace perilune::format
