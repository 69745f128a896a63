// SPDX-License-Identifier: MIT
// "Did you mean": the nearest of a list of names.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace perilune::lua {

/// Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours.
size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate that `word` is probably a slip of, or else the only one that it begins; empty if nothing is near.
/// Letter case is ignored.
std::string closest(std::string_view word, std::span<const std::string_view> candidates);
std::string closest(std::string_view word, std::span<const std::string> candidates);

/// " (did you mean 'name'?)", or nothing.
std::string did_you_mean(std::string_view suggestion);

/// On lines of their own, what a word of books or of other programs leads to here; nothing for other words.
std::string meaning_of(std::string_view word);

/// The list with line breaks at separators, so that no line is longer than `width`; the first line begins in the column
/// `indent`, and so do the others.
std::string wrapped(std::string_view list, std::string_view separator, size_t indent, size_t width);

/// What follows "x has no field 'word'": the suggestion, or where nothing is near, on lines of their own, all names.
std::string suggestion_or_list(std::string_view word, std::span<const std::string> names, std::string_view heading);

}  // namespace perilune::lua
