// SPDX-License-Identifier: MIT
// Orders of elimination of sparse matrices with a symmetric pattern, in which some unknowns wait for others.
#pragma once
#include <amd.h>

#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "error.hpp"

namespace perilune::linalg {

[[noreturn]] inline void fail_for_memory(int rows) {
  throw NumericalError("the factors of a matrix with " + std::to_string(rows) + " rows need more memory than there is");
}

/// An order of approximately minimum degree for the pattern of A + A^T, given by columns, and how many entries are
/// foreseen below the diagonal of its factor if it is followed.
struct OrderByDegree {
  std::vector<int> order;
  double entries = 0;

  OrderByDegree(const std::vector<int>& column_start, const std::vector<int>& row) : order(column_start.size() - 1) {
    double info[AMD_INFO];
    const auto n = static_cast<int>(order.size());
    std::iota(order.begin(), order.end(), 0);
    if (row.empty()) return;  // any order will do, where AMD asks for entries
    if (amd_order(n, column_start.data(), row.data(), order.data(), nullptr, info) < AMD_OK) fail_for_memory(n);
    entries = info[AMD_LNZ];
  }
};

/// Who waits for whom.
struct Waiting {
  std::vector<int> missing;                   // how many others an unknown waits for
  std::vector<std::vector<int>> waiting_for;  // who waits for an unknown

  explicit Waiting(std::size_t n) : missing(n, 0), waiting_for(n) {}
  /// `late` waits for `early`, and for as many others as it has been said of.
  void add(int late, int early) {
    waiting_for[static_cast<std::size_t>(early)].push_back(late);
    ++missing[static_cast<std::size_t>(late)];
  }
  /// `order`, but for unknowns that come later since they wait.
  std::vector<int> apply(const std::vector<int>& order) {
    std::vector<int> out;
    std::vector<char> has_come(order.size(), 0), is_placed(order.size(), 0);
    auto place = [&](int j) {
      out.push_back(j);
      is_placed[static_cast<std::size_t>(j)] = 1;
    };
    std::size_t told = 0;  // placed unknowns of which those that wait know
    for (const int next : order) {
      has_come[static_cast<std::size_t>(next)] = 1;
      if (missing[static_cast<std::size_t>(next)] <= 0) place(next);
      for (; told < out.size(); ++told) {
        for (const int j : waiting_for[static_cast<std::size_t>(out[told])]) {
          if (--missing[static_cast<std::size_t>(j)] == 0 && has_come[static_cast<std::size_t>(j)]) place(j);
        }
      }
    }
    for (const int j : order) {  // what waits for each other
      if (!is_placed[static_cast<std::size_t>(j)]) place(j);
    }
    return out;
  }
};

}  // namespace perilune::linalg
