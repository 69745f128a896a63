// SPDX-License-Identifier: MIT
// The graph of a matrix, as plans of elimination read it. For the files of FrontalPlan alone.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "linalg/frontal_plan.hpp"

namespace perilune::linalg {

inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Who touches whom, without what is zero so far.
struct FrontalPlan::Graph {
  using Lists = std::vector<std::vector<int>>;
  Lists neighbours;
  Lists mutual;  // of these, whom its row and its column touch

  Graph(const FrontalPattern& pattern, const FrontalKnowledge& knowledge)
      : neighbours(at(pattern.size)), mutual(neighbours.size()) {
    Lists row(neighbours.size());
    for (std::size_t e = 0; e < pattern.entries.size(); ++e) {
      const auto [i, j, slot] = pattern.entries[e];
      if (!knowledge.counts[e] || i == j) continue;
      add(i, j);
      row[at(i)].push_back(j);
    }
    close();
    if (pattern.is_symmetric) {
      mutual = neighbours;
      return;
    }
    std::vector<int> touched_by(neighbours.size(), -1);  // last row
    Lists column(neighbours.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      for (const int j : row[i]) column[at(j)].push_back(static_cast<int>(i));
    }
    for (std::size_t i = 0; i < row.size(); ++i) {
      for (const int j : row[i]) touched_by[at(j)] = static_cast<int>(i);
      for (const int j : column[i]) {
        if (touched_by[at(j)] == static_cast<int>(i)) mutual[i].push_back(j);
      }
      std::sort(mutual[i].begin(), mutual[i].end());
    }
  }
  void add(int i, int j) {
    if (i == j) return;
    neighbours[at(i)].push_back(j);
    neighbours[at(j)].push_back(i);
  }
  void close() {
    for (std::vector<int>& list : neighbours) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }
};

}  // namespace perilune::linalg
