// SPDX-License-Identifier: MIT
#include "formulation/tree/growth.hpp"

namespace perilune::formulation {

std::variant<std::vector<Branch>, Loop> grow_branches(int bodies, const std::vector<std::pair<int, int>>& ends) {
  const auto count = static_cast<std::size_t>(bodies);
  std::vector<std::vector<int>> joints_at(count + 1);  // of the ground last
  const auto at = [&](int body) { return body == ground_of_trees ? count : static_cast<std::size_t>(body); };
  for (std::size_t k = 0; k < ends.size(); ++k) {
    joints_at[at(ends[k].first)].push_back(static_cast<int>(k));
    joints_at[at(ends[k].second)].push_back(static_cast<int>(k));
  }
  std::vector<Branch> branches;
  std::vector<char> is_reached(count, 0), is_used(ends.size(), 0);
  const auto reach = [&](const Branch& branch) {
    is_reached[static_cast<std::size_t>(branch.body)] = 1;
    branches.push_back(branch);
  };
  // The joint that closes a loop, or none.
  const auto follow = [&](int from, int place) {
    for (const int joint : joints_at[at(from)]) {
      const auto k = static_cast<std::size_t>(joint);
      if (is_used[k]) continue;
      const int to = ends[k].first == from ? ends[k].second : ends[k].first;
      if (is_reached[static_cast<std::size_t>(to)]) return joint;
      is_used[k] = 1;
      reach({to, place, joint});
    }
    return Branch::no_joint;
  };
  if (const int loop = follow(ground_of_trees, ground_of_trees); loop >= 0) return Loop{loop};
  std::size_t next = 0;
  // What the ground does not reach begins with its first body.
  for (int body = 0;; ++body) {
    for (; next < branches.size(); ++next) {
      if (const int loop = follow(branches[next].body, static_cast<int>(next)); loop >= 0) return Loop{loop};
    }
    while (body < bodies && is_reached[static_cast<std::size_t>(body)]) ++body;
    if (body >= bodies) return branches;
    reach({body, ground_of_trees, Branch::no_joint});
  }
}

}  // namespace perilune::formulation
