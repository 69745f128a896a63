// SPDX-License-Identifier: MIT
// What a fmi3Instance points to, and how its functions do what a host asks for: exceptions end there, and their
// sentences go to the host's log.
#pragma once
#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>

#include "error.hpp"
#include "exchange/instance.hpp"

#define PERILUNE_FMI extern "C" __attribute__((visibility("default")))

namespace perilune::lua {

using Mode = Instance::Mode;
using Kind = Instance::Kind;

/// What a fmi3Instance points to.
struct Host {
  fmi3InstanceEnvironment environment;
  fmi3LogMessageCallback log;
  std::unique_ptr<Instance> instance;
  bool warns = true;        // else errors alone are told
  bool has_failed = false;  // a call has returned fmi3Error: only what brings the instance back is left

  void say(fmi3Status status, const std::string& sentence) const {
    if (!log || (status < fmi3Error && !warns)) return;
    std::string text;
    for (const char c : sentence) text += c == '#' ? "##" : std::string(1, c);  // one alone would refer to a variable
    log(environment, status, status == fmi3Warning ? warning_category : error_category, text.c_str());
  }
  static constexpr const char *warning_category = "logStatusWarning", *error_category = "logStatusError";
};

/// Runs what a host asks for, also of an instance that has failed: the log, and what only turns states into bytes and
/// back, do not touch the simulation.
template <class Do>
fmi3Status call_always(fmi3Instance handle, Do&& what) {
  if (!handle) return fmi3Error;
  Host& host = *static_cast<Host*>(handle);
  fmi3Status status = fmi3OK;
  try {
    what(*host.instance);
  } catch (const NumericalError& error) {
    host.say(fmi3Discard, error.what());
    status = fmi3Discard;
  } catch (const std::exception& error) {
    host.say(fmi3Error, error.what());
    status = fmi3Error;
    host.has_failed = true;
  }
  for (const std::string& warning : host.instance->take_warnings()) {
    host.say(fmi3Warning, warning);
    status = std::max(status, fmi3Warning);
  }
  return status;
}

/// The same of what an instance that has failed does not take.
template <class Do>
fmi3Status call(fmi3Instance handle, Do&& what) {
  return call_always(handle, [&](Instance& unit) {
    if (static_cast<Host*>(handle)->has_failed) {
      throw Error(
          "an earlier call has returned fmi3Error, after which the simulation cannot go on: call fmi3Reset, or "
          "fmi3SetFMUState with a state from before, or fmi3FreeInstance");
    }
    what(unit);
  });
}

/// The same of what brings back an instance that has failed.
template <class Do>
fmi3Status call_back(fmi3Instance handle, Do&& what) {
  return call_always(handle, [&](Instance& unit) {
    what(unit);
    static_cast<Host*>(handle)->has_failed = false;
  });
}

inline void require(bool is_right, const char* sentence) {
  if (!is_right) throw Error(sentence);
}

/// That a host gives places to read from and write to.
template <class... Pointer>
void require_given(const char* function, Pointer... pointers) {
  if (((pointers == nullptr) || ...)) throw Error(std::string(function) + ": a null pointer was given");
}

inline void require_mode(const Instance& instance, std::initializer_list<Mode> modes, const char* function) {
  if (std::find(modes.begin(), modes.end(), instance.mode()) == modes.end()) {
    throw Error(std::string(function) + " does not belong to this mode of the unit");
  }
}

inline constexpr std::initializer_list<Mode> running = {Mode::Event, Mode::Continuous, Mode::Step};

}  // namespace perilune::lua
