// SPDX-License-Identifier: MIT
// Where the entries of [M Phi_q^T; Phi_q 0] stand.
#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "system/kkt_entries.hpp"
#include "system/last_layout.hpp"

namespace perilune::formulation {

inline std::shared_ptr<const linalg::MatrixLayout> bordered_layout(
    const std::shared_ptr<const system::System>& system) {
  thread_local system::LastLayout last;
  return last.of(system, {}, [&] {
    const system::System& s = *system;
    linalg::Entries entries = system::kkt_entries(s);
    const int n = s.coordinate_count(), m = s.constraint_count();
    // Both ways, so that the pattern is symmetric: the matrix is where no force reads a multiplier.
    s.nr().for_each([&](int i, int j) {
      entries.emplace(i, n + j);
      entries.emplace(n + j, i);
    });
    for (int k = 0; k < m; ++k) entries.emplace(n + k, n + k);
    std::vector<char> is_multiplier(static_cast<std::size_t>(n + m), 0);
    std::fill(is_multiplier.begin() + n, is_multiplier.end(), 1);
    return std::make_shared<linalg::MatrixLayout>(linalg::SparsePattern(n + m, n + m, entries), is_multiplier);
  });
}

}  // namespace perilune::formulation
