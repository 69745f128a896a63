// SPDX-License-Identifier: MIT
#include "formulation/tree/growth.hpp"

#include <map>

namespace perilune::formulation {

Growth grow_branches(int bodies, const std::vector<std::pair<int, int>>& ends, const std::vector<int>& ranks) {
  const auto count = static_cast<std::size_t>(bodies);
  std::vector<std::vector<int>> joints_at(count + 1);  // of the ground last
  const auto at = [&](int body) { return body == ground_of_trees ? count : static_cast<std::size_t>(body); };
  for (std::size_t k = 0; k < ends.size(); ++k) {
    joints_at[at(ends[k].first)].push_back(static_cast<int>(k));
    joints_at[at(ends[k].second)].push_back(static_cast<int>(k));
  }
  Growth out;
  std::vector<char> is_reached(count + 1, 0), is_used(ends.size(), 0);
  is_reached[count] = 1;
  const auto reach = [&](const Branch& branch) {
    is_reached[at(branch.body)] = 1;
    if (branch.joint != Branch::no_joint) is_used[static_cast<std::size_t>(branch.joint)] = 1;
    out.branches.push_back(branch);
  };
  // What may hang on a body, in the order of its joints; of several joints to one body the best one counts.
  std::vector<Branch> leads;
  std::map<int, std::size_t> best;
  const auto follow = [&](int from, int place) {
    for (const int joint : joints_at[at(from)]) {
      const auto k = static_cast<std::size_t>(joint);
      const int to = ends[k].first == from ? ends[k].second : ends[k].first;
      if (ranks[k] < 0 || is_reached[at(to)]) continue;
      const auto [known, is_new] = best.try_emplace(to, leads.size());
      if (!is_new && ranks[k] > ranks[static_cast<std::size_t>(leads[known->second].joint)]) {
        known->second = leads.size();
      }
      leads.push_back({to, place, joint});
    }
  };
  const auto reach_leads = [&] {
    for (std::size_t i = 0; i < leads.size(); ++i) {
      if (best.at(leads[i].body) == i) reach(leads[i]);
    }
    leads.clear();
    best.clear();
  };
  follow(ground_of_trees, ground_of_trees);
  reach_leads();
  std::size_t next = 0;
  // What the ground does not reach begins with its first body.
  for (int body = 0;; ++body) {
    while (next < out.branches.size()) {
      for (const std::size_t end = out.branches.size(); next < end; ++next) {
        follow(out.branches[next].body, static_cast<int>(next));
      }
      reach_leads();
    }
    while (body < bodies && is_reached[static_cast<std::size_t>(body)]) ++body;
    if (body >= bodies) break;
    reach({body, ground_of_trees, Branch::no_joint});
  }
  for (std::size_t k = 0; k < ends.size(); ++k) {
    if (!is_used[k]) out.cuts.push_back(static_cast<int>(k));
  }
  return out;
}

}  // namespace perilune::formulation
