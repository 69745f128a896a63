// SPDX-License-Identifier: MIT
// The border between C++ exceptions and Lua errors. Every C function that a script can reach is registered as
// `guarded<f>`; it may throw anything derived from std::exception, and scripts see a string with their own position.
#pragma once
#include <exception>
#include <lua.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace perilune::lua {

/// What kind of error ended a script: it decides the exit code of the process.
enum class Failure { script, numerical, interrupted };

/// 1, 3 or 130.
int exit_code(Failure kind);

struct Caught {
  std::string message;
  Failure kind = Failure::script;
};

/// The message and kind of an exception of the engine. Never throws.
Caught describe(const std::exception& error) noexcept;

/// "file:line: " of the innermost Lua function at `level` or further out; empty outside of Lua code.
std::string script_position(lua_State* L, int level);

/// Raises a Lua error with exactly this text. Error values are plain strings, so `pcall` users can search them; the
/// kind is kept aside, in the registry, for failure_of.
[[noreturn]] void raise(lua_State* L, Failure kind, const std::string& text);

/// The kind of an uncaught error: the one recorded last if its text is (part of) this one, else an ordinary one.
Failure failure_of(lua_State* L, std::string_view text);

/// Thrown to raise the value on top of the stack as it is. Where the interpreter is compiled as C, lua_error would jump
/// over destructors; this does not.
struct Raised {};

/// Pushes the text of an error with the script's position in front, for lua_error.
void push_error(lua_State* L, const Caught& caught);

/// Turns exceptions derived from std::exception, and Raised, into Lua errors when everything in F is destroyed. Lua's
/// own exceptions are neither, and pass.
template <lua_CFunction F>
int guarded(lua_State* L) {
  {
    std::optional<Caught> caught;
    try {
      return F(L);
    } catch (const Raised&) {
    } catch (const std::exception& error) {
      caught = describe(error);
    }
    if (caught) push_error(L, *caught);
  }
  return lua_error(L);
}

}  // namespace perilune::lua
