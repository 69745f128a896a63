// SPDX-License-Identifier: MIT
// Random numbers that are the same for a seed on every machine, unlike the distributions of the standard library.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace perilune::fuzz {

/// splitmix64: any seed is a good one, and neighbouring seeds have nothing in common.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// From 0 to count - 1; 0 where count is 0.
  std::size_t below(std::size_t count) { return count == 0 ? 0 : static_cast<std::size_t>(bits() % count); }
  /// In [0, 1).
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  bool chance(double probability) { return unit() < probability; }

  template <class T>
  const T& pick(const std::vector<T>& list) {
    return list[below(list.size())];
  }
  const char* pick(std::initializer_list<const char*> list) { return list.begin()[below(list.size())]; }

 private:
  std::uint64_t state_;
};

}  // namespace perilune::fuzz
