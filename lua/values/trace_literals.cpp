// SPDX-License-Identifier: MIT
// The numbers in a Lua function's code, read from its dump. The layout is that of Lua 5.4 (ldump.c, lopcodes.h); with
// any other there are simply no literals to try.
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "values/trace_scan.hpp"

namespace perilune::lua {

namespace {

int append(lua_State*, const void* data, size_t size, void* target) {
  static_cast<std::string*>(target)->append(static_cast<const char*>(data), size);
  return 0;
}

class DumpReader {
 public:
  DumpReader(const std::string& dump, std::vector<double>& numbers) : dump_(dump), numbers_(numbers) {}

  void read() {
    static constexpr char expected[] = "\x1bLua\x54\x00\x19\x93\r\n\x1a\n\x04\x08\x08";
    constexpr size_t size = sizeof expected - 1;
    if (dump_.compare(0, size, expected, size) != 0) return;
    position_ = size + 8 + 8 + 1;  // a sample integer, a sample float, the number of upvalues
    read_function();
  }

 private:
  void need(size_t count) const {
    if (count > dump_.size() - position_) throw std::out_of_range("dump");
  }
  void skip(size_t count) {
    need(count);
    position_ += count;
  }
  std::uint8_t byte() {
    need(1);
    return static_cast<std::uint8_t>(dump_[position_++]);
  }
  size_t size() {
    size_t value = 0;
    for (int i = 0; i < 10; ++i) {
      const std::uint8_t part = byte();
      value = value << 7 | (part & 0x7f);
      if (part & 0x80) break;
    }
    return value;
  }
  template <class T>
  T raw() {
    T value;
    need(sizeof value);
    std::memcpy(&value, dump_.data() + position_, sizeof value);
    position_ += sizeof value;
    return value;
  }
  void skip_string() {
    const size_t length = size();
    if (length > 0) skip(length - 1);
  }

  void read_instruction(std::uint32_t instruction) {
    constexpr std::uint32_t load_integer = 1, load_float = 2, add_immediate = 21, equal_immediate = 61;
    const std::uint32_t code = instruction & 0x7f;
    if (code == load_integer || code == load_float) {
      numbers_.push_back(static_cast<double>(static_cast<std::int64_t>(instruction >> 15) - 65535));
    } else if (code == equal_immediate) {
      numbers_.push_back(static_cast<double>(static_cast<int>(instruction >> 16 & 0xff) - 127));
    } else if (code == add_immediate) {
      numbers_.push_back(static_cast<double>(static_cast<int>(instruction >> 24 & 0xff) - 127));
    }
  }

  void read_function() {
    skip_string();  // source
    size();         // first line
    size();         // last line
    skip(3);        // parameters, vararg, stack size
    for (size_t n = size(); n > 0; --n) read_instruction(raw<std::uint32_t>());
    for (size_t n = size(); n > 0; --n) {
      switch (byte()) {
        case 0x13:
          numbers_.push_back(raw<double>());
          break;
        case 0x03:
          numbers_.push_back(static_cast<double>(raw<std::int64_t>()));
          break;
        case 0x04:
        case 0x14:
          skip_string();
          break;
        default:  // nil, false, true
          break;
      }
    }
    skip(3 * size());  // upvalues
    for (size_t n = size(); n > 0; --n) read_function();
    skip(size());  // lines
    for (size_t n = size(); n > 0; --n) {
      size();
      size();
    }
    for (size_t n = size(); n > 0; --n) {
      skip_string();
      size();
      size();
    }
    for (size_t n = size(); n > 0; --n) skip_string();
  }

  const std::string& dump_;
  std::vector<double>& numbers_;
  size_t position_ = 0;
};

}  // namespace

std::vector<double> literals_of(lua_State* L, int function) {
  std::vector<double> numbers;
  std::string dump;
  lua_pushvalue(L, function);
  const bool dumped = lua_dump(L, append, &dump, 1) == 0;
  lua_pop(L, 1);
  if (!dumped) return numbers;
  try {
    DumpReader(dump, numbers).read();
  } catch (const std::out_of_range&) {
    // A layout that we do not know.
  }
  return numbers;
}

}  // namespace perilune::lua
