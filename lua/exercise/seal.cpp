// SPDX-License-Identifier: MIT
#include "exercise/seal.hpp"

#include <charconv>
#include <cstdint>

#include "error.hpp"

namespace perilune::lua {

namespace {

// The first line is this and the hash of the text; then come the bytes in hexadecimal digits, some of them a line.
constexpr std::string_view heading = "sealed checks of perilune, version 1: ";
constexpr std::size_t bytes_a_line = 48;

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

// Adds a stream of random bits, or takes it away again: splitmix64 from the hash on.
std::string mixed(std::string_view text, std::uint64_t state) {
  std::string bytes;
  for (const char c : text) {
    state += 0x9e3779b97f4a7c15u;
    std::uint64_t z = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    bytes.push_back(static_cast<char>(static_cast<unsigned char>(c) ^ static_cast<unsigned char>(z >> 56)));
  }
  return bytes;
}

[[noreturn]] void fail(const std::string& what) { throw Error("these sealed checks " + what + "; get them again"); }

unsigned digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  fail("have changed since they were sealed");
}

}  // namespace

std::string sealed(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  const std::uint64_t hash = hash_of(text);
  std::string out(heading);
  for (int shift = 60; shift >= 0; shift -= 4) out.push_back(digits[(hash >> shift) & 15]);
  std::size_t count = 0;
  for (const char c : mixed(text, hash)) {
    if (count++ % bytes_a_line == 0) out.push_back('\n');
    const auto byte = static_cast<unsigned char>(c);
    out.push_back(digits[byte >> 4]);
    out.push_back(digits[byte & 15]);
  }
  return out + "\n";
}

std::string unsealed(std::string_view text) {
  constexpr std::size_t hash_digits = 16;
  if (!text.starts_with(heading) || text.size() < heading.size() + hash_digits) {
    fail("are none that this version of perilune can read");
  }
  text.remove_prefix(heading.size());
  std::uint64_t hash = 0;
  std::from_chars(text.data(), text.data() + hash_digits, hash, 16);
  text.remove_prefix(hash_digits);
  std::string digits, bytes;
  for (const char c : text) {
    if (c != '\n' && c != '\r') digits.push_back(c);  // mail may have changed how lines end
  }
  for (std::size_t k = 0; k + 1 < digits.size(); k += 2) {
    bytes.push_back(static_cast<char>(16 * digit(digits[k]) + digit(digits[k + 1])));
  }
  std::string opened = mixed(bytes, hash);
  if (hash_of(opened) != hash) fail("have changed since they were sealed");
  return opened;
}

}  // namespace perilune::lua
