// SPDX-License-Identifier: MIT
// Where coordinates have no mass of their own, and what is done about it.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "linalg/frontal_graph.hpp"
#include "linalg/frontal_plan.hpp"

namespace perilune::linalg {

namespace {

/// A constraint's entries at a coordinate.
struct Along {
  int constraint;
  double row = 0, column = 0;
};

/// What a constraint's coordinates weigh: along it, and all.
struct Weight {
  double along = 0, all = 0, square = 0;
};

}  // namespace

void FrontalPlan::suspect(const FrontalPattern& pattern, const FrontalKnowledge& knowledge, const Graph& graph,
                          const double* values, Suspects& suspects) const {
  const auto n = static_cast<std::size_t>(pattern.size);
  const auto each_entry = [&](auto&& visit) {
    for (std::size_t e = 0; e < pattern.entries.size(); ++e) {
      const auto [i, j, slot] = pattern.entries[e];
      if (knowledge.counts[e]) visit(i, j, values[slot]);
    }
  };
  std::vector<std::vector<Along>> constraints(n);  // by coordinate, ascending
  std::vector<double> mass(n, 0.0);
  std::map<std::pair<int, int>, Along> found;  // by coordinate and constraint
  each_entry([&](int i, int j, double x) {
    if (i == j) mass[at(i)] = std::abs(x);
    if (is_constraint[at(i)] && !is_constraint[at(j)]) found[{j, i}].row = x;
    if (is_constraint[at(j)] && !is_constraint[at(i)]) found[{i, j}].column = x;
  });
  std::vector<Weight> weights(n);
  for (auto& [at_both, each] : found) {
    const auto [coordinate, constraint] = at_both;
    each.constraint = constraint;
    weights[at(constraint)].all += each.row != 0 && each.column != 0 ? mass[at(coordinate)] : 0;
    weights[at(constraint)].square += std::abs(each.row * each.column);
  }
  const auto is_small = [&](int i) {
    const std::vector<int>& list = graph.mutual[at(i)];
    return list.size() <= Square::most &&
           std::none_of(list.begin(), list.end(), [&](int j) { return is_constraint[at(j)] != 0; });
  };
  for (const auto& [at_both, each] : found) {
    if (is_small(each.constraint)) constraints[at(at_both.first)].push_back(each);
  }
  each_entry([&](int i, int j, double x) {
    for (const Along& left : constraints[at(i)]) {
      for (const Along& right : constraints[at(j)]) {
        if (left.constraint == right.constraint) weights[at(left.constraint)].along += left.column * x * right.row;
      }
    }
  });
  constexpr double little = 1e-4;
  std::vector<char> is_joined(n, 0), is_patient(n, 0), is_held(n, 0);
  for (const int c : suspects.joined) is_joined[at(c)] = 1;
  for (const int i : suspects.patient) is_patient[at(i)] = 1;
  for (int c = 0; c < pattern.size; ++c) {
    const Weight& w = weights[at(c)];
    if (!is_constraint[at(c)] || is_joined[at(c)] || !is_small(c) || w.square == 0) continue;
    if (std::abs(w.along) > little * w.all * w.square) continue;
    is_joined[at(c)] = 1;
    suspects.joined.push_back(c);
  }
  for (const auto& [at_both, each] : found) {
    if (is_joined[at(each.constraint)] && each.row * each.column != 0) is_held[at(at_both.first)] = 1;
  }
  // A coordinate without mass, such as a joint's angle, has a pivot once those that hold it are gone.
  for (const auto& [at_both, each] : found) {
    const int i = at_both.first;
    const Weight& w = weights[at(each.constraint)];
    if (is_held[at(i)] || is_patient[at(i)] || w.square == 0) continue;
    if (mass[at(i)] > little * w.all * std::abs(each.row * each.column) / w.square) continue;
    is_patient[at(i)] = 1;
    suspects.patient.push_back(i);
  }
}

std::vector<FrontalPlan::FoundExtra> FrontalPlan::find_squares(const FrontalPattern& pattern,
                                                               const FrontalKnowledge& knowledge, Graph& graph,
                                                               const std::vector<int>& joined) {
  std::vector<FoundExtra> extras_found;
  if (joined.empty()) return extras_found;
  struct Touch {
    int row = -1, column = -1;  // slots
  };
  std::vector<int> number(graph.neighbours.size(), -1), diagonal(number.size());
  std::vector<std::map<int, Touch>> touches(joined.size());  // by coordinate
  for (const int c : joined) {
    number[at(c)] = static_cast<int>(squares.size());
    squares.push_back({c, 0, 0, {}, {}, {}, {}});
  }
  for (std::size_t k = 0; k < pattern.entries.size(); ++k) {
    const auto [i, j, slot] = pattern.entries[k];
    if (i == j) diagonal[at(i)] = slot;
    if (i == j || !knowledge.counts[k]) continue;
    if (const int n = number[at(i)]; n >= 0) touches[at(n)][j].row = slot;
    if (const int n = number[at(j)]; n >= 0) touches[at(n)][i].column = slot;
  }
  // Entries that have come since may leave no square of it.
  std::vector<Square> kept;
  for (std::size_t n = 0; n < squares.size(); ++n) {
    Square s = squares[n];
    bool is_simple = true;
    for (auto& [j, touch] : touches[n]) {
      if (pattern.is_symmetric) touch.row = touch.column = std::max(touch.row, touch.column);
      is_simple = is_simple && !is_constraint[at(j)];
      if (touch.row < 0 || touch.column < 0 || ++s.count > Square::most) continue;
      const auto a = at(s.count - 1);
      s.coordinate[a] = j;
      s.row[a] = touch.row;
      s.column[a] = touch.column;
      s.own[a] = diagonal[at(j)];
    }
    if (!is_simple || s.count > Square::most || s.count == 0) continue;
    s.diagonal = diagonal[at(s.constraint)];
    const auto square = static_cast<int>(kept.size());
    kept.push_back(s);
    for (const auto& [i, left] : touches[n]) {
      for (const auto& [j, right] : touches[n]) {
        if (left.column < 0 || right.row < 0 || (pattern.is_symmetric && j > i)) continue;
        const bool is_left = left.row >= 0, is_right = right.column >= 0;  // T, and R, work on it
        if (!is_left && !is_right) continue;
        extras_found.push_back(
            {{square, is_left && is_right ? Extra::Both : Extra::One, left.column, right.row, 0}, i, j});
        graph.add(i, j);
      }
      if (left.row < 0 || left.column < 0) continue;
      extras_found.push_back({{square, Extra::Border, left.column, -1, 0}, i, s.constraint});
      if (!pattern.is_symmetric) extras_found.push_back({{square, Extra::Border, -1, left.row, 0}, s.constraint, i});
    }
  }
  squares = std::move(kept);
  graph.close();
  return extras_found;
}

}  // namespace perilune::linalg
