// SPDX-License-Identifier: MIT
// What a student's script can reach: Lua without the operating system, files of the current folder, and perilune.
#pragma once
#include <cstddef>
#include <lua.hpp>
#include <map>
#include <memory>
#include <string>

#include "exercise/plain.hpp"

namespace perilune::lua {

/// An interpreter whose memory is limited, with a restricted standard library: no os.execute, os.exit, io.popen, debug,
/// package, or binary chunks; files as file_access.hpp says; `require` knows perilune and `given`. math.random is
/// seeded. It counts the calls of perilune's functions.
class Sandbox {
 public:
  /// Throws Error if there is no memory for it.
  Sandbox(std::size_t memory, std::int64_t seed, const Plain& given);
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  lua_State* state() const { return state_.get(); }
  /// By name: "model:simulate", "mbs.rk4".
  std::map<std::string, std::int64_t> calls() const;
  /// What may be used on top, by those who read the answers of a script that used all it had.
  void allow_more(std::size_t memory) { memory_.limit += memory; }

 private:
  struct Memory {
    std::size_t used = 0, limit = 0;
  };
  static void* allocate(void* memory, void* block, std::size_t old_size, std::size_t new_size);

  Memory memory_;
  std::unique_ptr<lua_State, void (*)(lua_State*)> state_;
};

}  // namespace perilune::lua
