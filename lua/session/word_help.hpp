// SPDX-License-Identifier: MIT
// What help says about words of mechanics that are no topics, and about phrases that it does not know.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace perilune::lua {

struct Word;

/// Some ten lines about the word, under the name by which it was asked for.
std::string page(const Word& word, std::string_view asked);

/// The name of a word that the phrase is probably a slip of, with the same first letter; empty if none is near.
std::string nearest_word(std::string_view phrase);

/// "\nof its parts there is help \"gear\", help \"tooth\"" of a phrase that neither topics nor words know: what is
/// known of its parts, or the phrases that have it as a part; empty if that is nothing. `topics` are what help has
/// pages for.
std::string parts_of(std::string_view phrase, const std::vector<std::string>& topics);

}  // namespace perilune::lua
