// SPDX-License-Identifier: MIT
// Which scripts may have been copied from each other: those that share most of their runs of tokens.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace perilune::lua {

/// Two of the scripts, and what part of the shorter one's runs of tokens the other has, too.
struct Similar {
  std::size_t first, second;
  double share;
};

/// From this share on scripts are said to be similar. Solutions of the same exercise by other ways share 40 to 80 %,
/// copies with one thing changed more than 90 % (tests/exercises/test_similarity.cpp).
constexpr double similar_share = 0.85;
/// Longer scripts are not compared.
constexpr std::size_t longest_compared = 64 << 10;

/// Comments, spaces, and what names, numbers and texts are do not count; neither do runs that the starter has. Scripts
/// with little of their own are not compared. The most similar pairs first.
std::vector<Similar> similar_scripts(const std::vector<std::string>& scripts, const std::string& starter);

/// Whether both are the same but for comments and spaces.
bool same_tokens(std::string_view script, std::string_view other);

}  // namespace perilune::lua
