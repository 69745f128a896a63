// SPDX-License-Identifier: MIT
#include "course/similarity.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <unordered_map>

namespace perilune::lua {

namespace {

constexpr std::size_t run_length = 12;   // tokens
constexpr std::size_t fewest_runs = 30;  // of one's own, for a comparison

constexpr std::array<std::string_view, 22> keywords = {
    "and", "break", "do",  "else", "elseif", "end",    "false",  "for",  "function", "goto",  "if",
    "in",  "local", "nil", "not",  "or",     "repeat", "return", "then", "true",     "until", "while"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Takes a text of Lua apart; what is not Lua becomes tokens of single characters.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  /// The next token, empty at the end.
  std::string_view next() {
    while (skip_space() || skip_comment()) continue;
    const std::size_t begin = at_;
    if (at_ == text_.size()) return {};
    if (const std::size_t size = long_bracket(at_)) {
      at_ += size;
    } else if (peek(0) == '"' || peek(0) == '\'') {
      skip_quoted();
    } else if (is_letter(peek(0))) {
      while (is_letter(peek(0)) || is_digit(peek(0))) ++at_;
    } else if (is_digit(peek(0)) || (peek(0) == '.' && is_digit(peek(1)))) {
      skip_number();
    } else {
      at_ += operator_size();
    }
    return text_.substr(begin, at_ - begin);
  }

 private:
  char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  bool skip_space() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (text_[at_] == ';' || static_cast<unsigned char>(text_[at_]) <= ' ')) ++at_;
    return at_ > begin;
  }

  bool skip_comment() {
    if (peek(0) != '-' || peek(1) != '-') return false;
    at_ += 2;
    const std::size_t size = long_bracket(at_);
    at_ = size ? at_ + size : std::min(text_.find('\n', at_), text_.size());
    return true;
  }

  // The size of the long text that begins there, [==[ ... ]==]; 0 if none does.
  std::size_t long_bracket(std::size_t begin) const {
    std::size_t at = begin;
    if (at >= text_.size() || text_[at++] != '[') return 0;
    while (at < text_.size() && text_[at] == '=') ++at;
    if (at >= text_.size() || text_[at] != '[') return 0;
    const std::string end = "]" + std::string(at - begin - 1, '=') + "]";
    const std::size_t found = text_.find(end, at + 1);
    return (found == text_.npos ? text_.size() : found + end.size()) - begin;
  }

  void skip_quoted() {
    const char quote = text_[at_++];
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_ + 1, text_.size());
  }

  void skip_number() {
    while (is_letter(peek(0)) || is_digit(peek(0)) || peek(0) == '.') {
      const char c = peek(0);
      ++at_;
      if ((c == 'e' || c == 'E' || c == 'p' || c == 'P') && (peek(0) == '-' || peek(0) == '+')) ++at_;
    }
  }

  std::size_t operator_size() const {
    for (const std::string_view each : {"...", "..", "==", "~=", "<=", ">=", "//", "::", "<<", ">>"}) {
      if (text_.substr(at_).starts_with(each)) return each.size();
    }
    return 1;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// What the token is, but for what who copies changes first: names, numbers and texts.
std::string_view kind_of(std::string_view token) {
  if (is_digit(token[0]) || (token[0] == '.' && token.size() > 1 && is_digit(token[1]))) return "0";
  if (token[0] == '"' || token[0] == '\'' || (token[0] == '[' && token.size() > 1)) return "\"";
  const bool is_name = is_letter(token[0]) && std::find(keywords.begin(), keywords.end(), token) == keywords.end();
  return is_name ? "name" : token;
}

// Hashes of all runs, in order, each once.
std::vector<std::uint64_t> runs_of(std::string_view text) {
  std::vector<std::uint64_t> kinds, runs;
  Scanner scanner(text);
  for (std::string_view token = scanner.next(); !token.empty(); token = scanner.next()) {
    kinds.push_back(std::hash<std::string_view>()(kind_of(token)));
  }
  for (std::size_t first = 0; first + run_length <= kinds.size(); ++first) {
    std::uint64_t hash = 14695981039346656037u;
    for (std::size_t k = first; k < first + run_length; ++k) hash = (hash ^ kinds[k]) * 1099511628211u;
    runs.push_back(hash);
  }
  std::sort(runs.begin(), runs.end());
  runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
  return runs;
}

std::vector<std::uint64_t> own_runs(const std::string& script, const std::vector<std::uint64_t>& starter) {
  if (script.size() > longest_compared) return {};
  const std::vector<std::uint64_t> all = runs_of(script);
  std::vector<std::uint64_t> own;
  std::set_difference(all.begin(), all.end(), starter.begin(), starter.end(), std::back_inserter(own));
  return own;
}

}  // namespace

std::vector<Similar> similar_scripts(const std::vector<std::string>& scripts, const std::string& starter) {
  const std::vector<std::uint64_t> begun = runs_of(starter);
  std::vector<std::size_t> counts;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> owners;  // of a run, in order
  for (std::size_t k = 0; k < scripts.size(); ++k) {
    const std::vector<std::uint64_t> own = own_runs(scripts[k], begun);
    counts.push_back(own.size());
    if (own.size() < fewest_runs) continue;
    for (const std::uint64_t run : own) owners[run].push_back(k);
  }
  const std::size_t n = scripts.size();
  std::vector<std::uint32_t> common(n * n);
  for (const auto& [run, all] : owners) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = i + 1; j < all.size(); ++j) ++common[n * all[i] + all[j]];
    }
  }
  std::vector<Similar> found;
  for (std::size_t first = 0; first < n; ++first) {
    for (std::size_t second = first + 1; second < n; ++second) {
      const std::size_t smaller = std::min(counts[first], counts[second]);
      if (smaller < fewest_runs) continue;
      const double share = static_cast<double>(common[n * first + second]) / static_cast<double>(smaller);
      if (share >= similar_share) found.push_back({first, second, share});
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Similar& a, const Similar& b) { return a.share > b.share; });
  return found;
}

bool same_tokens(std::string_view script, std::string_view other) {
  Scanner one(script), two(other);
  for (;;) {
    const std::string_view a = one.next(), b = two.next();
    if (a != b) return false;
    if (a.empty()) return true;
  }
}

}  // namespace perilune::lua
