// SPDX-License-Identifier: MIT
// Errors of searches, by the name of the call that asked for them.
#pragma once
#include "error.hpp"
#include "values/args.hpp"

namespace perilune::lua {

/// What `search` returns. What makes no sense in its problem is said by the call's name; what did not succeed, or was
/// interrupted, says so itself.
template <class Search>
auto said_by(const Args& args, Search&& search) {
  try {
    return search();
  } catch (const NumericalError&) {
    throw;
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& problem) {
    args.fail(problem.what());
  }
}

}  // namespace perilune::lua
