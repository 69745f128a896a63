// SPDX-License-Identifier: MIT
#include "session/word_help.hpp"

#include <algorithm>
#include <set>

#include "base/suggest.hpp"
#include "words/words.hpp"

namespace perilune::lua {

namespace {

constexpr size_t answer_width = 100;
constexpr size_t most_names = 6;

std::vector<std::string> split(const std::string& phrase) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin < phrase.size();) {
    const size_t end = std::min(phrase.find(' ', begin), phrase.size());
    parts.push_back(phrase.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool has_part(const std::string& phrase, const std::string& part) {
  return (" " + phrase + " ").find(" " + part + " ") != std::string::npos;
}

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (size_t k = 0; k < std::min(names.size(), most_names); ++k) {
    text += (text.empty() ? "" : ", ") + ("help \"" + names[k] + "\"");
  }
  return text;
}

}  // namespace

std::string page(const Word& word, std::string_view asked) {
  std::string text = wrapped(std::string(asked) + ": " + std::string(word.text), " ", 0, answer_width) + "\n";
  if (!word.example.empty()) text += "example:\n  " + wrapped(word.example, " ", 2, answer_width) + "\n";
  text += "see also: " + std::string(word.see) + "\n";
  if (!word.page.empty()) text += "page: docs/" + std::string(word.page) + "\n";
  return text;
}

std::string nearest_word(std::string_view phrase) {
  const std::string asked = plain_phrase(phrase);
  // Fewer slips than in names of topics: of two thousand words some are always near.
  size_t nearest = std::clamp<size_t>(asked.size() / 4, 1, 2) + 1;
  std::string found;
  for (const Word* word : all_words()) {
    for (const std::string_view name : names_of(*word)) {
      if (asked.size() < 4 || name[0] != asked[0] || name.size() + 2 < asked.size() || asked.size() + 2 < name.size()) {
        continue;
      }
      const size_t distance = edit_distance(asked, plain_phrase(name));
      if (distance >= nearest) continue;
      nearest = distance;
      found = name;
    }
  }
  return found;
}

std::string parts_of(std::string_view phrase, const std::vector<std::string>& topics) {
  const std::string asked = plain_phrase(phrase);
  const std::vector<std::string> parts = split(asked);
  std::set<std::string> known;
  for (const std::string& topic : topics) known.insert(plain_phrase(topic));
  std::vector<std::string> inside;
  for (size_t length = parts.size(); length-- > 1;) {  // the longest first
    for (size_t begin = 0; begin + length <= parts.size(); ++begin) {
      std::string part = parts[begin];
      for (size_t k = 1; k < length; ++k) part += " " + parts[begin + k];
      const bool is_covered = std::any_of(inside.begin(), inside.end(),
                                          [&part](const std::string& longer) { return has_part(longer, part); });
      if (part.size() > 2 && !is_covered && (known.count(part) != 0 || find_word(part))) inside.push_back(part);
    }
  }
  if (!inside.empty()) return "\nof its parts there is " + list_of(inside);
  std::vector<std::string> around;
  for (const Word* word : all_words()) {
    for (const std::string_view name : names_of(*word)) {
      if (!asked.empty() && has_part(plain_phrase(name), asked)) around.emplace_back(name);
    }
  }
  return around.empty() ? "" : "\nthere is " + list_of(around);
}

}  // namespace perilune::lua
