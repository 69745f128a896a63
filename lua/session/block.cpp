// SPDX-License-Identifier: MIT
#include "session/block.hpp"

#include <algorithm>
#include <cctype>

namespace perilune::lua {

namespace {

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// The position behind a long bracket "[==[ ... ]==]" that begins at k; k if none does.
size_t behind_long_bracket(std::string_view code, size_t k) {
  size_t level = k + 1;
  while (level < code.size() && code[level] == '=') ++level;
  if (code[k] != '[' || level >= code.size() || code[level] != '[') return k;
  const std::string closing = "]" + std::string(level - k - 1, '=') + "]";
  const size_t end = code.find(closing, level);
  return end == code.npos ? code.size() : end + closing.size();
}

size_t behind_string(std::string_view code, size_t k) {
  const char quote = code[k];
  for (++k; k < code.size() && code[k] != quote; ++k) k += code[k] == '\\';
  return std::min(k + 1, code.size());
}

class Reader {
 public:
  explicit Reader(std::string_view code) : code_(code) { block_.code = code; }

  Block read() {
    while (skip_blanks()) {
      note_start();
      const char c = code_[at_];
      if (c == '"' || c == '\'') {
        at_ = behind_string(code_, at_);
      } else if (const size_t end = behind_long_bracket(code_, at_); end != at_) {
        at_ = end;
      } else if (is_letter(c)) {
        read_word();
        continue;
      } else {
        if (c == '(' || c == '{' || c == '[') ++brackets_;
        if (c == ')' || c == '}' || c == ']') --brackets_;
        ++at_;
      }
      previous_ = c;
    }
    for (auto change = insertions_.rbegin(); change != insertions_.rend(); ++change) {
      block_.code.insert(*change, " = nil");
    }
    return std::move(block_);
  }

 private:
  // Comments, too. False at the end.
  bool skip_blanks() {
    for (; at_ < code_.size(); ++at_) {
      if (code_.substr(at_).starts_with("--")) {
        const bool is_long = at_ + 2 < code_.size() && behind_long_bracket(code_, at_ + 2) != at_ + 2;
        at_ = is_long ? behind_long_bracket(code_, at_ + 2) : std::min(code_.find('\n', at_), code_.size());
        if (at_ >= code_.size()) return false;
      }
      if (!is_blank(code_[at_])) return true;
    }
    return false;
  }

  bool at_top() const { return depth_ == 0 && brackets_ == 0; }

  void note_start() {
    const auto line = static_cast<int>(std::count(code_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                                  code_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
    counted_ = at_;
    line_ += line;
    const bool is_first = block_.starts.empty() || line > 0;
    if (is_first && at_top() && is_letter(code_[at_])) block_.starts.push_back(line_);
  }

  std::string_view word() {
    const size_t begin = at_;
    while (at_ < code_.size() && is_letter(code_[at_])) ++at_;
    return code_.substr(begin, at_ - begin);
  }

  void read_word() {
    const size_t begin = at_;
    const std::string_view name = word();
    if (name == "local" && at_top()) {
      read_local(begin);
      previous_ = ' ';
      return;
    }
    if (name == "function" || name == "do" || name == "if" || name == "repeat") ++depth_;
    if (name == "end" || name == "until") --depth_;
    const char before = previous_;
    previous_ = name.back();
    if (!at_top() || before == '.' || before == ':' || std::isdigit(static_cast<unsigned char>(name[0]))) return;
    const size_t here = at_;
    skip_blanks();
    const bool is_assigned = at_ < code_.size() && code_[at_] == '=' && code_.substr(at_, 2) != "==";
    if (is_assigned) block_.assigned.push_back({std::string(name), line_, Assigned::Kind::global});
    at_ = here;
  }

  // Behind "local" at the top level.
  void read_local(size_t begin) {
    std::vector<std::pair<size_t, size_t>> blanked{{begin, 5}};
    std::vector<Assigned> names;
    size_t behind = at_;
    bool has_value = false;
    for (;;) {
      if (!skip_blanks() || !is_letter(code_[at_])) break;
      const size_t start = at_;
      const std::string_view name = word();
      if (name == "function") {
        at_ = start;  // it is read as others are
        has_value = true;
        break;
      }
      names.push_back({std::string(name), line_, Assigned::Kind::local});
      behind = at_;
      skip_blanks();
      if (at_ < code_.size() && code_[at_] == '<') {
        const size_t end = std::min(code_.find('>', at_), code_.size() - 1);
        if (code_.substr(at_, end - at_).find("close") != code_.npos) return;
        names.back().kind = Assigned::Kind::constant;  // the other attribute is "close"
        blanked.emplace_back(at_, end + 1 - at_);
        at_ = end + 1;
        skip_blanks();
      }
      if (at_ < code_.size() && code_[at_] == ',') {
        ++at_;
        continue;
      }
      has_value = at_ < code_.size() && code_[at_] == '=';
      break;
    }
    if (names.empty() && !has_value) return;  // no Lua: the parser says so
    for (const auto& [from, count] : blanked) block_.code.replace(from, count, std::string(count, ' '));
    block_.assigned.insert(block_.assigned.end(), names.begin(), names.end());
    if (has_value) return;
    insertions_.push_back(behind);
    at_ = behind;
  }

  std::string_view code_;
  Block block_;
  std::vector<size_t> insertions_;  // behind names without a value
  size_t at_ = 0, counted_ = 0;
  int line_ = 0, depth_ = 0, brackets_ = 0;
  char previous_ = ' ';
};

}  // namespace

Block read_block(std::string_view code) { return Reader(code).read(); }

}  // namespace perilune::lua
