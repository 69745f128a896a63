// SPDX-License-Identifier: MIT
// A short text that tells apart what its parts tell apart: FNV-1a with 64 bits.
#pragma once
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace perilune {

class Fingerprint {
 public:
  Fingerprint& add(std::string_view text) {
    add_number(text.size());
    return add_bytes(text.data(), text.size());
  }
  Fingerprint& add(const std::vector<double>& numbers) {
    add_number(numbers.size());
    return add_bytes(numbers.data(), numbers.size() * sizeof(double));
  }
  Fingerprint& add_number(std::uint64_t number) { return add_bytes(&number, sizeof number); }

  std::uint64_t value() const { return hash_; }
  /// 16 hexadecimal digits.
  std::string text() const {
    char digits[20];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash_));
    return digits;
  }

 private:
  Fingerprint& add_bytes(const void* data, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      hash_ = (hash_ ^ static_cast<const unsigned char*>(data)[i]) * 0x100000001b3;
    }
    return *this;
  }
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace perilune
