// SPDX-License-Identifier: MIT
#include "base/suggest.hpp"

#include <algorithm>
#include <vector>

#include "words/words.hpp"

namespace perilune::lua {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

// How many slips a word of this length may have.
size_t tolerance(size_t length) { return length <= 4 ? 1 : length <= 8 ? 2 : 3; }

// What other programs and books call things that have another name here.
std::string_view synonym_of(const std::string& word) {
  const Word* known = find_word(word);
  return known ? known->called : std::string_view();
}

template <typename String>
std::string closest_of(std::string_view word, std::span<const String> candidates) {
  const std::string wanted = lower(word);
  size_t best_distance = tolerance(wanted.size()) + 1;
  std::string_view best;
  std::string_view beginning;
  int beginnings = 0;
  for (const std::string_view candidate : candidates) {
    if (candidate == word) continue;
    const std::string name = lower(candidate);
    const size_t longer = std::max(name.size(), wanted.size());
    if (longer - std::min(name.size(), wanted.size()) < best_distance) {
      const size_t distance = edit_distance(wanted, name);
      if (distance < best_distance && distance < std::min(name.size(), wanted.size())) {
        best_distance = distance;
        best = candidate;
      }
    }
    if (wanted.size() >= 3 && name.starts_with(wanted)) {
      beginning = candidate;
      ++beginnings;
    }
  }
  if (best.empty() && beginnings == 1) best = beginning;
  const std::string_view synonym = best.empty() ? synonym_of(wanted) : std::string_view();
  for (const std::string_view candidate : candidates) {
    if (!synonym.empty() && candidate == synonym) best = candidate;
  }
  return std::string(best);
}

}  // namespace

size_t edit_distance(std::string_view a, std::string_view b) {
  const size_t columns = b.size() + 1;
  std::vector<size_t> before(columns), above(columns), row(columns);
  for (size_t j = 0; j < columns; ++j) above[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t cost = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + cost});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

std::string closest(std::string_view word, std::span<const std::string_view> candidates) {
  return closest_of(word, candidates);
}

std::string closest(std::string_view word, std::span<const std::string> candidates) {
  return closest_of(word, candidates);
}

std::string did_you_mean(std::string_view suggestion) {
  if (suggestion.empty()) return {};
  return " (did you mean '" + std::string(suggestion) + "'?)";
}

std::string meaning_of(std::string_view word) {
  const Word* known = find_word(word);
  if (!known) return {};
  const std::string name(word);
  return "\n" + wrapped(name + ": " + std::string(known->text), " ", 0, 100) + "\nmore: help \"" + name + "\"";
}

std::string wrapped(std::string_view list, std::string_view separator, size_t indent, size_t width) {
  std::string text;
  size_t column = indent;
  while (!list.empty()) {
    const size_t found = list.find(separator);
    const std::string_view word = list.substr(0, found == list.npos ? found : found + separator.size());
    const size_t visible = word.find_last_not_of(' ') + 1;
    if (column > indent && column + visible > width) {
      while (!text.empty() && text.back() == ' ') text.pop_back();
      text.append("\n").append(indent, ' ');
      column = indent;
    }
    text += word;
    column += word.size();
    list.remove_prefix(word.size());
  }
  return text;
}

std::string suggestion_or_list(std::string_view word, std::span<const std::string> names, std::string_view heading) {
  if (const std::string near = closest(word, names); !near.empty()) return did_you_mean(near);
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return "\n" + std::string(heading) + ":\n  " + wrapped(list, ", ", 2, 100);
}

}  // namespace perilune::lua
