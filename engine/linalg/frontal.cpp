// SPDX-License-Identifier: MIT
// What is known of the matrices, and what plan follows from it.
#include "linalg/frontal.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace perilune::linalg {

template <bool symmetric>
bool Frontal<symmetric>::factor(const double* values) {
  const bool is_same = method_ && is_known(values);
  if (is_same && eliminate(values)) {
    if (symmetric && !leans_on_compliance_) return true;
    if (symmetric && largest_error<false>(method_->corrections) <= most_left) return true;
    // A pivot that has become small by itself, without a difference of large numbers, is seen by what it does. Another
    // plan, for these values, knows it.
    constexpr double most = 1e-9;
    error_ = symmetric ? 0 : largest_error<false>(0);
    if (!symmetric && error_ <= most) return true;
    if (adopt(method_->knowledge, values)) return true;
  }
  FrontalKnowledge knowledge = is_same ? method_->knowledge : awakened(values);
  // Each round sees all pivots that are lost, and knows what to do about some kinds of them.
  constexpr int most_rounds = 6;
  for (int round = 0; round < most_rounds; ++round) {
    if ((is_same || round > 0) && !learn(knowledge)) break;
    if (adopt(std::move(knowledge), values)) return true;
    knowledge = method_->knowledge;
  }
  if (method_->knowledge.leans_on_compliance) return false;
  knowledge = method_->knowledge;
  knowledge.leans_on_compliance = true;
  return adopt(std::move(knowledge), values);
}

template <bool symmetric>
void Frontal<symmetric>::set_method(std::shared_ptr<const FrontalMethod> method) {
  if (method_ == method) return;
  method_ = std::move(method);
  if (method_) make_room();
}

template <bool symmetric>
double Frontal<symmetric>::pivot_ratio() const {
  double largest = 0, smallest = INFINITY;
  for (int k = 0; k < n_; ++k) {
    const double size = std::abs(inverse()[k]);
    largest = std::max(largest, size);
    smallest = std::min(smallest, size);
  }
  return largest > 0 ? smallest / largest : 1;
}

template <bool symmetric>
bool Frontal<symmetric>::restore(std::span<const double> numbers) {
  if (numbers.size() != numbers_.size() || numbers.empty() || numbers.back() != numbers_.back()) return false;
  std::copy(numbers.begin(), numbers.end(), numbers_.begin());
  return true;
}

template <bool symmetric>
bool Frontal<symmetric>::is_known(const double* values) const {
  for (const int slot : method_->dormant) {
    if (values[slot] != 0) return false;
  }
  return true;
}

template <bool symmetric>
FrontalKnowledge Frontal<symmetric>::awakened(const double* values) const {
  FrontalKnowledge out;
  if (method_) out = method_->knowledge;
  out.counts.resize(pattern_.entries.size(), 0);
  // Where entries wake up again and again, the others will, too.
  constexpr int most_awakenings = symmetric ? 20 : 3;
  const bool all = method_ && method_->round > most_awakenings;
  for (std::size_t e = 0; e < pattern_.entries.size(); ++e) {
    out.counts[e] = all || out.counts[e] || pattern_.entries[e].row == pattern_.entries[e].column ||
                    values[pattern_.entries[e].slot] != 0;
  }
  return out;
}

template <bool symmetric>
bool Frontal<symmetric>::learn(FrontalKnowledge& knowledge) const {
  const auto n = static_cast<std::size_t>(n_);
  const std::vector<char>& is_constraint = method_->plan.is_constraint;
  std::vector<char> is_joined(n, 0), is_patient(n, 0);
  for (const int j : knowledge.joined) is_joined[static_cast<std::size_t>(j)] = 1;
  for (const int j : knowledge.patient) is_patient[static_cast<std::size_t>(j)] = 1;
  const std::vector<std::vector<int>>& neighbours = method_->plan.touched;
  const auto can_join = [&](int c) {
    const std::vector<int>& list = neighbours[static_cast<std::size_t>(c)];
    return is_constraint[static_cast<std::size_t>(c)] && list.size() <= FrontalPlan::Square::most &&
           std::none_of(list.begin(), list.end(), [&](int j) { return is_constraint[static_cast<std::size_t>(j)]; });
  };
  bool is_new = false;
  const auto note = [&](std::vector<char>& is_noted, std::vector<int>& list, int c) {
    if (std::exchange(is_noted[static_cast<std::size_t>(c)], 1)) return;
    list.push_back(c);
    is_new = true;
  };
  for (const int j : lost_) {
    if (is_constraint[static_cast<std::size_t>(j)]) {
      note(is_patient, knowledge.patient, j);
      if (can_join(j)) note(is_joined, knowledge.joined, j);
      continue;
    }
    // A coordinate is joined by the constraint with the fewest entries.
    int best = -1;
    for (const int c : neighbours[static_cast<std::size_t>(j)]) {
      const bool is_better = best < 0 || neighbours[static_cast<std::size_t>(c)].size() <
                                             neighbours[static_cast<std::size_t>(best)].size();
      if (is_better && can_join(c)) best = c;
    }
    best >= 0 ? note(is_joined, knowledge.joined, best) : note(is_patient, knowledge.patient, j);
  }
  return is_new;
}

template <bool symmetric>
bool Frontal<symmetric>::adopt(FrontalKnowledge knowledge, const double* values) {
  std::vector<int> dormant;
  for (std::size_t e = 0; e < pattern_.entries.size(); ++e) {
    if (!knowledge.counts[e]) dormant.push_back(pattern_.entries[e].slot);
  }
  FrontalPlan plan(pattern_, knowledge, values);
  static std::atomic<long> made = 0;
  const int round = method_ ? method_->round + 1 : 0;
  auto method = std::make_shared<FrontalMethod>(FrontalMethod{
      std::move(knowledge), std::move(dormant), std::move(plan), 1, round, static_cast<double>(++made), {}});
  method_ = method;
  error_ = 0;
  make_room();
  if (!eliminate(values)) return false;
  // Where even that is not enough, pivots have to be chosen.
  const auto error = [&](int corrections) {
    double worst = 0;
    if constexpr (!symmetric) {
      method->probe = make_probe<true>();
      worst = largest_error<true>(corrections);
    }
    method->probe = make_probe<false>();
    return std::max(worst, largest_error<false>(corrections));
  };
  // The compliance of constraints that follow from others has few digits, so that one correction may not do.
  constexpr int most_corrections = 2;
  method->corrections = error(0) > rounding ? 1 : 0;
  while (method->corrections > 0 && !(error(method->corrections) <= most_left)) {
    if (++method->corrections > most_corrections) return false;
  }
  if (keeps_entries()) return true;
  make_room();
  return eliminate(values);
}

template <bool symmetric>
void Frontal<symmetric>::make_room() {
  const FrontalPlan& plan = method_->plan;
  memory_.resize(plan.memory);
  own_.resize(static_cast<std::size_t>(plan.longest));
  local_.resize(static_cast<std::size_t>(plan.longest) * 4);
  work_.resize(static_cast<std::size_t>(n_) * 12);
  strength_.resize(plan.squares.size());
  numbers_.assign(plan.factor + static_cast<std::size_t>(n_) +
                      static_cast<std::size_t>(sides) * plan.squares.size() * Square::most +
                      (keeps_entries() ? plan.loads.size() : 0) + 1,
                  0.0);
  numbers_.back() = method_->number;
}

template <bool symmetric>
template <bool transposed>
std::vector<double> Frontal<symmetric>::make_probe() const {
  const FrontalPlan& plan = method_->plan;
  const auto n = static_cast<std::size_t>(n_);
  std::vector<double> mass(n, 0.0), heaviest(n, 0.0), largest(n, 0.0);
  for (std::size_t e = 0; e < plan.loads.size(); ++e) {
    if (plan.loads[e].row == plan.loads[e].column) mass[static_cast<std::size_t>(plan.loads[e].row)] = entries()[e];
  }
  const auto visit = [&](std::size_t i, std::size_t j, double a) {
    if (i == j) return;
    heaviest[j] = std::max(heaviest[j], mass[i]);
    largest[j] = std::max(largest[j], std::abs(a));
  };
  for (std::size_t e = 0; e < plan.loads.size(); ++e) {
    const auto i = static_cast<std::size_t>(plan.loads[e].row), j = static_cast<std::size_t>(plan.loads[e].column);
    if (!transposed) visit(i, j, entries()[e]);
    if (transposed || symmetric) visit(j, i, entries()[e]);
  }
  std::vector<double> probe(n);
  for (std::size_t k = 0; k < n; ++k) {
    const bool is_multiplier = plan.is_constraint[static_cast<std::size_t>(plan.order[k])];
    probe[k] = std::cos(static_cast<double>(k * k)) * (is_multiplier && largest[k] > 0 ? heaviest[k] / largest[k] : 1);
  }
  return probe;
}

template <bool symmetric>
template <bool transposed>
double Frontal<symmetric>::largest_error(int corrections) {
  const FrontalPlan& plan = method_->plan;
  const auto n = static_cast<std::size_t>(n_);
  probed_.assign(4 * n, 0.0);
  double *b = probed_.data(), *x = b + n, *residual = x + n, *scale = residual + n;
  subtract_product<1, transposed>(method_->probe.data(), b);
  std::copy_n(b, n, x);
  solve_once<1, transposed>(x);
  for (;; --corrections) {
    std::copy_n(b, n, residual);
    subtract_product<1, transposed>(x, residual);
    if (corrections == 0) break;
    solve_once<1, transposed>(residual);
    for (std::size_t k = 0; k < n; ++k) x[k] += residual[k];
  }
  const auto visit = [&](std::size_t i, std::size_t j, double a) { scale[i] += std::abs(a * x[j]); };
  for (std::size_t e = 0; e < plan.loads.size(); ++e) {
    const auto i = static_cast<std::size_t>(plan.loads[e].row), j = static_cast<std::size_t>(plan.loads[e].column);
    if (!transposed) visit(i, j, entries()[e]);
    if (transposed || (symmetric && i != j)) visit(j, i, entries()[e]);
  }
  double worst = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const double terms = scale[k] + std::abs(b[k]);
    if (!std::isfinite(terms)) return INFINITY;
    if (terms > 0) worst = std::max(worst, std::abs(residual[k]) / terms);
  }
  return worst;
}

template class Frontal<true>;
template class Frontal<false>;

}  // namespace perilune::linalg
