// SPDX-License-Identifier: MIT
// The pattern that the matrices of constrained motion, statics and assembly have in common.
#pragma once
#include "linalg/sparse_pattern.hpp"
#include "poll.hpp"
#include "system/system.hpp"

namespace perilune::system {

/// Entries of [A Phi_q^T; Phi_q 0], where A has those of the mass matrix, stiffness and damping.
inline linalg::Entries kkt_entries(const System& s) {
  linalg::Entries entries;
  const int n = s.coordinate_count();
  Poll poll;
  s.nn().for_each([&](int i, int j) {
    poll();
    entries.emplace(i, j);
  });
  s.mn().for_each([&](int i, int j) {
    poll();
    entries.emplace(n + i, j);
    entries.emplace(j, n + i);
  });
  return entries;
}

}  // namespace perilune::system
