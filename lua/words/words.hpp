// SPDX-License-Identifier: MIT
// Words of mechanics, numerics and other programs, and what they lead to here: data alone. `help` answers by them, the
// reference lists them, and "did you mean" knows by them what books call otherwise.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perilune::lua {

struct Word {
  std::string_view names;        // "hinge|pin joint": the same thing, what most people say first; in the singular
  std::string_view text;         // what it is, in one or two sentences, and what does it here, or that nothing does
  std::string_view see;          // topics of help, "revolute, spherical"
  std::string_view page;         // in docs, "howto/friction.md"; empty where the topics are all there is
  std::string_view example;      // one line about m, its bodies rod, block and wheel, point P, joints hinge and slide
  std::string_view called = {};  // the method or function of the module that is exactly this
};

std::span<const Word> words_of_mechanisms();
std::span<const Word> words_of_motion();
std::span<const Word> words_of_forces();
std::span<const Word> words_of_equations();
std::span<const Word> words_of_analysis();
std::span<const Word> words_of_programs();

/// All of them.
const std::vector<const Word*>& all_words();

/// Its names one by one.
std::vector<std::string_view> names_of(const Word& word);

/// The word that has this name; null if none has.
const Word* find_word(std::string_view name);

/// A phrase as it is compared: small letters, singular, blanks for underscores and hyphens, one of two spellings.
std::string plain_phrase(std::string_view phrase);

}  // namespace perilune::lua
