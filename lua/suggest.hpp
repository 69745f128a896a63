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

}  // namespace perilune::lua
