// SPDX-License-Identifier: MIT
// The friction laws that scripts make. What declares a law, checks its numbers or explains it reads the list here.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/force/force_kinds.hpp"
#include "model/friction/friction.hpp"

namespace perilune::model {

/// What was given for the fields, or their defaults. Without a default there may be nothing.
template <class Number>
struct GivenFriction {
  std::map<std::string, Number, std::less<>> numbers;

  const Number& number(std::string_view field) const { return numbers.find(field)->second; }
  std::optional<Number> optional_number(std::string_view field) const {
    const auto found = numbers.find(field);
    return found == numbers.end() ? std::nullopt : std::optional(found->second);
  }
};

struct FrictionKind {
  std::string_view name;  // "brown_mcphee"
  std::string_view summary;
  std::vector<ForceField> fields;
  std::string_view equations;
  std::vector<std::string_view> see_also;
  Friction (*make)(const GivenFriction<Symbol>& given);
  /// "static must not be less than dynamic", at the parameters' present values; empty if nothing is wrong.
  std::string (*fault)(const GivenFriction<double>& given) = nullptr;
};

/// In the order of the reference.
const std::vector<FrictionKind>& friction_kinds();
/// nullptr if there is none of this name.
const FrictionKind* find_friction_kind(std::string_view name);

}  // namespace perilune::model
