// The border between C++ exceptions and Lua errors. Every C function that a script can reach is registered as
// `guarded<f>`; it may throw anything derived from std::exception, and scripts see a string with their own position.
#pragma once
#include <exception>
#include <lua.hpp>
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

/// Raises with the script's position in front. No C++ exception may be alive here.
[[noreturn]] void raise_at_script(lua_State* L, const Caught& caught);

/// The kind of an uncaught error: the one recorded last if its text is (part of) this one, else an ordinary one.
Failure failure_of(lua_State* L, std::string_view text);

/// Turns exceptions derived from std::exception into Lua errors. Lua's own exceptions are not derived from it, and
/// pass.
template <lua_CFunction F>
int guarded(lua_State* L) {
  Caught caught;
  try {
    return F(L);
  } catch (const std::exception& error) {
    caught = describe(error);
  }
  raise_at_script(L, caught);
}

}  // namespace perilune::lua
