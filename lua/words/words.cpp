// SPDX-License-Identifier: MIT
#include "words/words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_map>
#include <utility>

namespace perilune::lua {

namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// "Bodies" -> "body", "gears" -> "gear"; "axis", "mass" stay.
void make_singular(std::string& word) {
  if (word.size() < 4 || word.back() != 's') return;
  if (word.ends_with("ies")) {
    word.replace(word.size() - 3, 3, "y");
  } else if (!word.ends_with("ss") && !word.ends_with("us") && !word.ends_with("is")) {
    word.pop_back();
  }
}

// "Linearisation" -> "linearization", but not "noise".
void spell_with_z(std::string& word) {
  for (const std::string_view end : {"isation", "ising", "iser", "ised", "ise"}) {
    if (word.size() > end.size() + 3 && word.ends_with(end)) word[word.size() - end.size() + 1] = 'z';
  }
}

}  // namespace

const std::vector<const Word*>& all_words() {
  static const std::vector<const Word*> all = [] {
    std::vector<const Word*> list;
    for (const auto words : {words_of_mechanisms(), words_of_motion(), words_of_forces(), words_of_equations(),
                             words_of_analysis(), words_of_programs()}) {
      for (const Word& word : words) list.push_back(&word);
    }
    return list;
  }();
  return all;
}

std::vector<std::string_view> names_of(const Word& word) {
  std::vector<std::string_view> names;
  for (std::string_view rest = word.names; !rest.empty();) {
    const size_t end = std::min(rest.find('|'), rest.size());
    names.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return names;
}

const Word* find_word(std::string_view name) {
  static const std::unordered_map<std::string, const Word*> by_phrase = [] {
    std::unordered_map<std::string, const Word*> map;
    for (const Word* word : all_words()) {
      for (const std::string_view each : names_of(*word)) map.emplace(plain_phrase(each), word);
    }
    return map;
  }();
  const auto found = by_phrase.find(plain_phrase(name));
  return found == by_phrase.end() ? nullptr : found->second;
}

std::string plain_phrase(std::string_view phrase) {
  // Both what is asked and what is known are changed alike.
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> spellings = {
      {{"centre", "center"},
       {"tyre", "tire"},
       {"colour", "color"},
       {"modell", "model"},
       {"licence", "license"},
       {"behaviour", "behavior"}}};
  std::string text = " ", word;
  const auto end_word = [&] {
    if (word.ends_with("'s")) word.resize(word.size() - 2);
    std::replace(word.begin(), word.end(), '\'', ' ');  // "d'Alembert"
    make_singular(word);
    spell_with_z(word);
    if (!word.empty() && word != "the" && word != "a" && word != "an") text += word + " ";
    word.clear();
  };
  for (const char c : phrase) {
    if (std::string_view(" _-\t\n?!,/\"").find(c) != std::string_view::npos) {
      end_word();
    } else {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  end_word();
  for (const auto& [from, to] : spellings) replace_all(text, from, to);
  for (const std::string_view question : {" how to ", " how do i ", " what is "}) {
    if (text.starts_with(question) && text.size() > question.size()) text.erase(0, question.size() - 1);
  }
  return text.size() < 2 ? "" : text.substr(1, text.size() - 2);
}

}  // namespace perilune::lua
