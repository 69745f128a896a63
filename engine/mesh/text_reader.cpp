// SPDX-License-Identifier: MIT
#include "mesh/text_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "error.hpp"
#include "format/text.hpp"

namespace perilune::mesh {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

}  // namespace

TextReader::TextReader(std::string_view bytes) : rest_(bytes) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
}

bool TextReader::next() {
  words_.clear();
  while (!rest_.empty()) {
    poll_();
    ++lines_read_;
    if (words_.empty()) line_ = lines_read_;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    text = text.substr(0, text.find('#'));
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    const bool goes_on = text.ends_with('\\');
    if (goes_on) text.remove_suffix(1);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t begin = at;
      while (at < text.size() && !is_blank(text[at])) ++at;
      if (at > begin) words_.push_back(text.substr(begin, at - begin));
      while (at < text.size() && is_blank(text[at])) ++at;
    }
    if (!words_.empty() && !goes_on) return true;
  }
  return !words_.empty();
}

double TextReader::number(std::size_t index) const {
  if (index >= words_.size()) {
    fail("a number is missing after " + quoted(words_.back()) + "; is the file cut off?");
  }
  std::string_view word = words_[index];
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) {
    fail("expected a number with a decimal point, got " + quoted(words_[index]));
  }
  return value;
}

void TextReader::fail(const std::string& problem) const {
  throw Error("line " + std::to_string(line_) + ": " + problem);
}

std::string quoted(std::string_view word) { return "\"" + format::terminal_text(word, 40, true) + "\""; }

}  // namespace perilune::mesh
