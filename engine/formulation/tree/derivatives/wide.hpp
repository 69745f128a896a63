// SPDX-License-Identifier: MIT
// Sweeps that are made twice, for processors with registers of four numbers and for all. A sweep is a type with
// static bool run(arguments).
#pragma once

namespace perilune::formulation {

#if defined(__x86_64__)
#define PERILUNE_WIDE __attribute__((target("avx2")))
#else
#define PERILUNE_WIDE
#endif

template <class Sweep, class... Arguments>
PERILUNE_WIDE bool in_wide_registers(const Arguments&... arguments) {
  return Sweep::run(arguments...);
}
template <class Sweep, class... Arguments>
bool in_any_registers(const Arguments&... arguments) {
  return Sweep::run(arguments...);
}
template <class Sweep, class... Arguments>
bool in_registers(bool is_wide, const Arguments&... arguments) {
  return is_wide ? in_wide_registers<Sweep>(arguments...) : in_any_registers<Sweep>(arguments...);
}

}  // namespace perilune::formulation
