// SPDX-License-Identifier: MIT
// Arrays of numbers as base64 text, little-endian.
#pragma once
#include <bit>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace perilune::format {

std::string base64(std::string_view bytes);
/// The bytes of such a text; none if it is no such text.
std::optional<std::string> from_base64(std::string_view text);

template <class T>
std::string base64_of(const std::vector<T>& values) {
  static_assert(std::endian::native == std::endian::little && std::is_arithmetic_v<T>);
  return base64({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

}  // namespace perilune::format
