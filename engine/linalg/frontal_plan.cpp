// SPDX-License-Identifier: MIT
#include "linalg/frontal_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "linalg/elimination_order.hpp"
#include "linalg/frontal_graph.hpp"
#include "poll.hpp"

namespace perilune::linalg {

namespace {

using Lists = FrontalPlan::Graph::Lists;

/// Per place in an order of elimination: its parent in the tree of elimination (-1: none), and the places behind it
/// where the factor has entries.
struct EliminationTree {
  std::vector<int> parent;
  Lists below;
  double operations = 0;  // ends where there are more of them than allowed

  EliminationTree(const Lists& neighbours, const std::vector<int>& order, double allowed)
      : parent(order.size(), -1), below(order.size()) {
    std::vector<int> place(order.size()), seen(order.size(), -1);
    for (std::size_t k = 0; k < order.size(); ++k) place[at(order[k])] = static_cast<int>(k);
    Lists children(order.size());
    Poll poll;
    for (std::size_t k = 0; k < order.size(); ++k) {
      poll();
      std::vector<int>& mine = below[k];
      const auto add = [&](int p) {
        if (p <= static_cast<int>(k) || seen[at(p)] == static_cast<int>(k)) return;
        seen[at(p)] = static_cast<int>(k);
        mine.push_back(p);
      };
      for (const int j : neighbours[at(order[k])]) add(place[at(j)]);
      for (const int child : children[k]) {
        for (const int p : below[at(child)]) add(p);
      }
      std::sort(mine.begin(), mine.end());
      operations += static_cast<double>((mine.size() + 1) * mine.size());
      if (operations > allowed) return;
      if (mine.empty()) continue;
      parent[k] = mine.front();
      children[at(mine.front())].push_back(static_cast<int>(k));
    }
  }
};

/// The same order, but that whole branches of the tree follow each other.
std::vector<int> by_branches(const std::vector<int>& order, const std::vector<int>& parent) {
  // Children are smaller than their parents: from the end, each takes its place right before what was placed.
  const std::size_t n = order.size();
  std::vector<int> weight(n, 1), next(n), out(n);
  for (std::size_t k = 0; k < n; ++k) {
    if (parent[k] >= 0) weight[at(parent[k])] += weight[k];
  }
  int roots = static_cast<int>(n);
  for (std::size_t k = n; k-- > 0;) {
    int& end = parent[k] >= 0 ? next[at(parent[k])] : roots;
    const int own = end - 1;  // the last place of the branch
    end -= weight[k];
    next[k] = own;
    out[at(own)] = order[k];
  }
  return out;
}

}  // namespace

FrontalPlan::FrontalPlan(const FrontalPattern& pattern, const FrontalKnowledge& knowledge, const double* values)
    : is_symmetric(pattern.is_symmetric), is_constraint(at(pattern.size), 1) {
  tell_multipliers(pattern, values);
  Graph graph(pattern, knowledge);
  Suspects suspects{knowledge.joined, knowledge.patient};
  // What stiffness adds to the mass matrix may hide from the pivots that there is no mass.
  if (!is_symmetric) suspect(pattern, knowledge, graph, values, suspects);
  std::vector<FoundExtra> extras_found = find_squares(pattern, knowledge, graph, suspects.joined);
  choose_order(graph, suspects.patient);
  build_fronts(graph);
  touched = std::move(graph.mutual);
  list_loads(pattern, knowledge, std::move(extras_found));
}

void FrontalPlan::tell_multipliers(const FrontalPattern& pattern, const double* values) {
  // Coordinates may have no mass for now (an Euler parameter of a body that is not turned), or ever.
  int last = -1, masses = 0;
  double logarithms = 0;
  for (const MatrixEntry& e : pattern.entries) {
    if (e.row != e.column || !(values[e.slot] > 0) || !std::isfinite(values[e.slot])) continue;
    last = std::max(last, e.row);
    logarithms += std::log(values[e.slot]);
    ++masses;
  }
  if (masses > 0) usual_mass = std::exp(logarithms / masses);
  if (pattern.is_multiplier.empty()) {
    std::fill_n(is_constraint.begin(), last + 1, 0);
  } else {
    is_constraint = pattern.is_multiplier;
  }
}

void FrontalPlan::choose_order(const Graph& graph, const std::vector<int>& patient) {
  const std::size_t n = graph.neighbours.size();
  std::vector<int> start{0}, row;
  for (const std::vector<int>& list : graph.neighbours) {
    row.insert(row.end(), list.begin(), list.end());
    start.push_back(static_cast<int>(row.size()));
  }
  const OrderByDegree by_degree(start, row);
  std::vector<char> is_patient(n, 0);
  for (const int i : patient) is_patient[at(i)] = 1;
  for (const Square& s : squares) is_patient[at(s.constraint)] = 1;
  // A multiplier has a pivot once coordinates that it touches are gone, and the best one when all are. Where a body
  // carries many others, that would leave the multipliers of all for the end: then half of them has to do.
  const auto try_share = [&](int share, double allowed) {
    Waiting waiting(n);
    for (std::size_t i = 0; i < n; ++i) {
      if (!is_constraint[i] && !is_patient[i]) continue;
      const std::vector<int>& list = graph.mutual[i];
      const auto is_coordinate = [&](int j) { return !is_constraint[at(j)]; };
      // What touches multipliers alone is a coordinate without mass: it waits for these.
      const bool is_massless = !is_constraint[i] || std::none_of(list.begin(), list.end(), is_coordinate);
      for (const int j : list) {
        const bool waits_itself = is_coordinate(j) && is_patient[at(j)];
        if (is_massless != is_coordinate(j) && !waits_itself) waiting.add(static_cast<int>(i), j);
      }
      if (!is_patient[i] && !is_massless) waiting.missing[i] = (waiting.missing[i] + share - 1) / share;
    }
    std::vector<int> found = waiting.apply(by_degree.order);
    const EliminationTree tree(graph.neighbours, found, allowed);
    if (tree.operations > allowed) return;
    order = by_branches(found, tree.parent);
    operations = tree.operations;
  };
  try_share(2, std::numeric_limits<double>::infinity());
  try_share(1, 3 * operations);
}

void FrontalPlan::build_fronts(const Graph& graph) {
  const EliminationTree tree(graph.neighbours, order, std::numeric_limits<double>::infinity());
  struct Group {
    int first, end;
    double zeros;  // entries that it has too many
  };
  std::vector<Group> groups;
  const auto height = [&](const Group& g) {
    return static_cast<double>(g.end - g.first) + static_cast<double>(tree.below[at(g.end - 1)].size());
  };
  // Unknowns next to each other share a front where one is the parent of the other, and their entries are about the
  // same: a front costs more than a few operations with zeros.
  for (int k = 0; k < size(); ++k) {
    groups.push_back({k, k + 1, 0});
    while (groups.size() > 1) {
      const Group child = groups[groups.size() - 2], own = groups.back();
      const int parent = tree.parent[at(child.end - 1)];
      if (parent < own.first || parent >= own.end) break;
      const double child_width = child.end - child.first, width = own.end - child.first;
      const double zeros = child.zeros + own.zeros + child_width * (height(own) + child_width - height(child));
      if (zeros > 0.15 * width * (height(own) + child_width) && width > 4) break;
      groups.pop_back();
      groups.back() = {child.first, own.end, zeros};
    }
  }
  std::vector<int> front_of(order.size()), parent;
  for (std::size_t s = 0; s < groups.size(); ++s) {
    for (int k = groups[s].first; k < groups[s].end; ++k) front_of[at(k)] = static_cast<int>(s);
  }
  constexpr int lanes = 4;
  Lists children_of(groups.size());
  for (std::size_t s = 0; s < groups.size(); ++s) {
    const Group& g = groups[s];
    const std::vector<int>& below = tree.below[at(g.end - 1)];
    Front f{};
    f.first = g.first;
    f.width = g.end - g.first;
    f.height = f.width + static_cast<int>(below.size());
    f.length = (f.height + lanes - 1) / lanes * lanes;
    f.rows = rows.size();
    f.factor = factor;
    factor += at(sides()) * at(f.width) * at(f.length);
    longest = std::max(longest, f.length);
    for (int k = g.first; k < g.end; ++k) rows.push_back(k);
    rows.insert(rows.end(), below.begin(), below.end());
    fronts.push_back(f);
    parent.push_back(below.empty() ? -1 : front_of[at(below.front())]);
    if (!below.empty()) children_of[at(parent.back())].push_back(static_cast<int>(s));
  }
  for (std::size_t s = 0; s < fronts.size(); ++s) {
    fronts[s].first_child = static_cast<int>(children.size());
    children.insert(children.end(), children_of[s].begin(), children_of[s].end());
    fronts[s].end_child = static_cast<int>(children.size());
  }
  place_fronts(parent);
}

void FrontalPlan::place_fronts(const std::vector<int>& parent) {
  std::vector<std::pair<std::size_t, std::size_t>> spare;  // size and place
  const auto numbers = [this](const Front& f) { return at(sides()) * at(f.height + 1) * at(f.length); };
  for (std::size_t s = 0; s < fronts.size(); ++s) {
    Front& f = fronts[s];
    f.in_parent = in_parent.size();
    for (int k = f.width; k < f.height; ++k) {
      const Front& p = fronts[at(parent[s])];
      const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(p.rows);
      in_parent.push_back(static_cast<int>(std::lower_bound(begin, begin + p.height, rows[f.rows + at(k)]) - begin));
    }
    const auto found = std::min_element(spare.begin(), spare.end(), [&](const auto& a, const auto& b) {
      return std::pair(a.first < numbers(f), a.first) < std::pair(b.first < numbers(f), b.first);
    });
    if (found != spare.end() && found->first >= numbers(f)) {
      f.memory = found->second;
      spare.erase(found);
    } else {
      f.memory = memory;
      memory += numbers(f);
    }
    for (int c = f.first_child; c < f.end_child; ++c) {
      const Front& child = fronts[at(children[at(c)])];
      spare.emplace_back(numbers(child), child.memory);
    }
    if (parent[s] < 0) spare.emplace_back(numbers(f), f.memory);
  }
}

void FrontalPlan::list_loads(const FrontalPattern& pattern, const FrontalKnowledge& knowledge,
                             std::vector<FoundExtra> found) {
  std::vector<int> place(order.size()), front_of(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[at(order[k])] = static_cast<int>(k);
  for (std::size_t s = 0; s < fronts.size(); ++s) {
    for (int k = 0; k < fronts[s].width; ++k) front_of[at(fronts[s].first + k)] = static_cast<int>(s);
  }
  const auto find = [&](int row, int column, int& to) {
    const auto [low, high] = std::minmax(place[at(row)], place[at(column)]);
    const Front& f = fronts[at(front_of[at(low)])];
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(f.rows);
    to = (low - f.first) * f.length + static_cast<int>(std::lower_bound(begin, begin + f.height, high) - begin);
    if (!is_symmetric && low != place[at(row)]) to += (f.height + 1) * f.length;
    return front_of[at(low)];
  };
  std::vector<std::pair<int, Load>> by_front;
  for (std::size_t e = 0; e < pattern.entries.size(); ++e) {
    if (!knowledge.counts[e]) continue;
    const auto [row, column, slot] = pattern.entries[e];
    Load load{slot, 0, place[at(row)], place[at(column)]};
    const int front = find(row, column, load.to);
    by_front.emplace_back(front, load);
  }
  std::vector<std::pair<int, Extra>> extra_by_front;
  for (FoundExtra& each : found) {
    const int front = find(each.row, each.column, each.extra.to);
    extra_by_front.emplace_back(front, each.extra);
  }
  const auto distribute = [&](auto& from, auto& to, int Front::*first, int Front::*end) {
    std::stable_sort(from.begin(), from.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::size_t next = 0;
    for (std::size_t s = 0; s < fronts.size(); ++s) {
      fronts[s].*first = static_cast<int>(next);
      for (; next < from.size() && from[next].first == static_cast<int>(s); ++next) to.push_back(from[next].second);
      fronts[s].*end = static_cast<int>(next);
    }
  };
  for (Square& s : squares) {  // from here on by place
    s.constraint = place[at(s.constraint)];
    for (int a = 0; a < s.count; ++a) s.coordinate[at(a)] = place[at(s.coordinate[at(a)])];
  }
  distribute(by_front, loads, &Front::first_load, &Front::end_load);
  distribute(extra_by_front, extras, &Front::first_extra, &Front::end_extra);
}

}  // namespace perilune::linalg
