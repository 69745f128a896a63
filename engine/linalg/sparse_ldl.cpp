// SPDX-License-Identifier: MIT
#include "linalg/sparse_ldl.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "linalg/lanes.hpp"

namespace perilune::linalg {

namespace {

/// A pivot that is smaller than this beside the numbers that it is the sum of has too few digits left.
constexpr double weakest_pivot = 1e-8;

// Rows i to i + R of the front, from its columns `first` on: minus the products of `count` eliminated rows.
template <int R>
void update(double* row, const double* scaled, const double* eliminated, int count, int first, int length, int i) {
  const auto block = [&]<int W>(int j) {
    Lanes<W> sum[R];
    for (int r = 0; r < R; ++r) sum[r] = Lanes<W>(row + r * length + j);
    const double *left = scaled + i, *right = eliminated + j;
    for (int k = 0; k < count; ++k, left += length, right += length) {
      const Lanes<W> x(right);
      for (int r = 0; r < R; ++r) sum[r].subtract(left[r], x);
    }
    for (int r = 0; r < R; ++r) sum[r].store(row + r * length + j);
  };
  int j = first;
  for (; j + 8 <= length; j += 8) block.template operator()<8>(j);
  if (j < length) block.template operator()<4>(j);
}

}  // namespace

bool SparseLdl::factor(const double* values) {
  const bool is_same = method_ && is_known(values);
  if (is_same && eliminate(values)) return true;
  LdlKnowledge knowledge = is_same ? method_->knowledge : awakened(values);
  // Each round sees all pivots that are lost, and knows what to do about some kinds of them.
  constexpr int most_rounds = 6;
  for (int round = 0; round < most_rounds; ++round) {
    if ((is_same || round > 0) && !learn(knowledge)) return false;
    if (adopt(std::move(knowledge), values)) return true;
    knowledge = method_->knowledge;
  }
  return false;
}

void SparseLdl::set_method(std::shared_ptr<const LdlMethod> method) {
  if (method_ == method) return;
  method_ = std::move(method);
  if (method_) make_room();
}

double SparseLdl::pivot_ratio() const {
  double largest = 0, smallest = INFINITY;
  for (int k = 0; k < n_; ++k) {
    const double size = std::abs(inverse()[k]);
    largest = std::max(largest, size);
    smallest = std::min(smallest, size);
  }
  return largest > 0 ? smallest / largest : 1;
}

bool SparseLdl::restore(std::span<const double> numbers) {
  if (numbers.size() != numbers_.size() || numbers.empty() || numbers.back() != numbers_.back()) return false;
  std::copy(numbers.begin(), numbers.end(), numbers_.begin());
  return true;
}

bool SparseLdl::is_known(const double* values) const {
  for (const int slot : method_->dormant) {
    if (values[slot] != 0) return false;
  }
  return true;
}

LdlKnowledge SparseLdl::awakened(const double* values) const {
  LdlKnowledge out;
  if (method_) out = method_->knowledge;
  out.counts.resize(entries_.size(), 0);
  // Where entries wake up again and again, the others will, too.
  constexpr int most_awakenings = 20;
  const bool all = method_ && method_->round > most_awakenings;
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    out.counts[e] = all || out.counts[e] || entries_[e].row == entries_[e].column || values[entries_[e].slot] != 0;
  }
  return out;
}

bool SparseLdl::learn(LdlKnowledge& knowledge) const {
  const auto n = static_cast<std::size_t>(n_);
  const std::vector<char>& is_constraint = method_->plan.is_constraint;
  std::vector<char> is_joined(n, 0), is_patient(n, 0);
  for (const int j : knowledge.joined) is_joined[static_cast<std::size_t>(j)] = 1;
  for (const int j : knowledge.patient) is_patient[static_cast<std::size_t>(j)] = 1;
  std::vector<std::vector<int>> neighbours(n);
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    if (!knowledge.counts[e] || entries_[e].row == entries_[e].column) continue;
    neighbours[static_cast<std::size_t>(entries_[e].row)].push_back(entries_[e].column);
    neighbours[static_cast<std::size_t>(entries_[e].column)].push_back(entries_[e].row);
  }
  const auto can_join = [&](int c) {
    const std::vector<int>& list = neighbours[static_cast<std::size_t>(c)];
    return is_constraint[static_cast<std::size_t>(c)] && list.size() <= LdlPlan::Square::most &&
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

bool SparseLdl::adopt(LdlKnowledge knowledge, const double* values) {
  std::vector<int> dormant;
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    if (!knowledge.counts[e]) dormant.push_back(entries_[e].slot);
  }
  LdlPlan plan(n_, entries_, knowledge, values);
  static std::atomic<long> made = 0;
  const int round = method_ ? method_->round + 1 : 0;
  auto method = std::make_shared<LdlMethod>(
      LdlMethod{std::move(knowledge), std::move(dormant), std::move(plan), true, round, static_cast<double>(++made)});
  method_ = method;
  make_room();
  if (!eliminate(values)) return false;
  // Where even that is not enough, pivots have to be chosen.
  constexpr double rounding = 1e-14, most = 1e-12;
  method->refines = largest_error(false) > rounding;
  if (method->refines && !(largest_error(true) <= most)) return false;
  if (!method->refines) make_room();
  return method->refines || eliminate(values);
}

void SparseLdl::make_room() {
  const LdlPlan& plan = method_->plan;
  memory_.resize(plan.memory);
  local_.resize(static_cast<std::size_t>(plan.longest) * 4);
  work_.resize(static_cast<std::size_t>(n_) * 12);
  strength_.resize(plan.squares.size());
  numbers_.assign(plan.factor + static_cast<std::size_t>(n_) + plan.squares.size() * LdlPlan::Square::most +
                      (method_->refines ? plan.loads.size() : 0) + 1,
                  0.0);
  numbers_.back() = method_->number;
}

double SparseLdl::largest_error(bool refined) {
  const LdlPlan& plan = method_->plan;
  const auto n = static_cast<std::size_t>(n_);
  std::vector<double> mass(n, 0.0), heaviest(n, 0.0), largest(n, 0.0), x(n), b(n, 0.0), residual, scale(n, 0.0);
  for (std::size_t e = 0; e < plan.loads.size(); ++e) {
    if (plan.loads[e].row == plan.loads[e].column) mass[static_cast<std::size_t>(plan.loads[e].row)] = entries()[e];
  }
  const auto each = [&](auto&& visit) {
    for (std::size_t e = 0; e < plan.loads.size(); ++e) {
      const auto i = static_cast<std::size_t>(plan.loads[e].row), j = static_cast<std::size_t>(plan.loads[e].column);
      visit(i, j, entries()[e]);
      if (i != j) visit(j, i, entries()[e]);
    }
  };
  each([&](std::size_t i, std::size_t j, double a) {
    if (i == j) return;
    heaviest[i] = std::max(heaviest[i], mass[j]);
    largest[i] = std::max(largest[i], std::abs(a));
  });
  for (std::size_t k = 0; k < n; ++k) {
    const bool is_multiplier = plan.is_constraint[static_cast<std::size_t>(plan.order[k])];
    x[k] = std::cos(static_cast<double>(k * k)) * (is_multiplier && largest[k] > 0 ? heaviest[k] / largest[k] : 1);
  }
  subtract_product<1>(x.data(), b.data());
  x = b;
  solve_once<1>(x.data());
  for (int correction = refined ? 1 : 0;; --correction) {
    residual = b;
    subtract_product<1>(x.data(), residual.data());
    if (correction == 0) break;
    solve_once<1>(residual.data());
    for (std::size_t k = 0; k < n; ++k) x[k] += residual[k];
  }
  each([&](std::size_t i, std::size_t j, double a) { scale[i] += std::abs(a * x[j]); });
  double worst = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const double terms = scale[k] + std::abs(b[k]);
    if (!std::isfinite(terms)) return INFINITY;
    if (terms > 0) worst = std::max(worst, std::abs(residual[k]) / terms);
  }
  return worst;
}

void SparseLdl::weigh_squares(const double* values) {
  double* scaled = square_numbers();
  for (std::size_t k = 0; k < strength_.size(); ++k, scaled += LdlPlan::Square::most) {
    const LdlPlan::Square& s = method_->plan.squares[k];
    double mass = 0, square = 0;
    for (int a = 0; a < s.count; ++a) {
      const double x = values[s.slot[static_cast<std::size_t>(a)]];
      mass += std::abs(values[s.own[static_cast<std::size_t>(a)]]);
      square += x * x;
    }
    const double compliance = -values[s.diagonal];
    if (mass == 0) mass = method_->plan.usual_mass;
    double strength = square > 0 ? mass / square : 0;
    if (strength * compliance > 0.5) strength = 0.5 / compliance;
    strength_[k] = {2 * strength - strength * strength * compliance, -strength * compliance};
    for (int a = 0; a < s.count; ++a) scaled[a] = strength * values[s.slot[static_cast<std::size_t>(a)]];
  }
}

void SparseLdl::assemble(const Front& f, const double* values) {
  const LdlPlan& plan = method_->plan;
  double* front = memory_.data() + f.memory;
  const std::ptrdiff_t length = f.length;
  double* magnitude = front + f.height * length;
  std::fill(front, magnitude + length, 0.0);
  for (int k = f.first_load; k < f.end_load; ++k) {
    const LdlPlan::Load& load = plan.loads[static_cast<std::size_t>(k)];
    front[load.to] = values[load.slot];
  }
  for (int k = f.first_extra; k < f.end_extra; ++k) {
    const LdlPlan::Extra& e = plan.extras[static_cast<std::size_t>(k)];
    const LdlPlan::Square& s = plan.squares[static_cast<std::size_t>(e.square)];
    const auto& [weight, of_row] = strength_[static_cast<std::size_t>(e.square)];
    const double x = values[s.slot[static_cast<std::size_t>(e.a)]];
    front[e.to] += e.b < 0 ? of_row * x : weight * x * values[s.slot[static_cast<std::size_t>(e.b)]];
  }
  for (int k = 0; k < f.width; ++k) magnitude[k] = std::abs(front[k * (length + 1)]);
  for (int c = f.first_child; c < f.end_child; ++c) {
    const Front& child = plan.fronts[static_cast<std::size_t>(plan.children[static_cast<std::size_t>(c)])];
    const int left = child.height - child.width;
    const int* to = plan.in_parent.data() + child.in_parent;
    const double* from = memory_.data() + child.memory + child.width * (child.length + 1);
    for (int i = 0; i < left; ++i, from += child.length) {
      double* row = front + to[i] * length;
      for (int j = i; j < left; ++j) row[to[j]] += from[j];
    }
    for (int j = 0; j < left; ++j) magnitude[to[j]] += from[j];
  }
}

bool SparseLdl::eliminate(const double* values) {
  const LdlPlan& plan = method_->plan;
  lost_.clear();
  weigh_squares(values);
  for (std::size_t e = 0; method_->refines && e < plan.loads.size(); ++e) entries()[e] = values[plan.loads[e].slot];
  for (const Front& f : plan.fronts) {
    assemble(f, values);
    double *front = memory_.data() + f.memory, *factor = numbers_.data() + f.factor, *inverses = inverse() + f.first;
    const int length = f.length, width = f.width, height = f.height;
    double* magnitude = front + height * length;
    for (int k = 0; k < width; ++k) {
      double *row = front + k * length, *scaled = factor + k * length;
      const int first = k & ~3;
      update<1>(row, factor, front, k, first, length, k);
      double pivot = row[k];
      if (!(std::abs(pivot) > weakest_pivot * magnitude[k])) {
        lost_.push_back(plan.order[static_cast<std::size_t>(f.first + k)]);
        if (!std::isfinite(magnitude[k])) return false;
        pivot = pivot < 0 ? -magnitude[k] : magnitude[k];
        if (pivot == 0) pivot = 1;
      }
      const double inverse = 1 / pivot;
      inverses[k] = inverse;
      for (int j = first; j < length; j += 4) {
        Lanes<4> x(row + j);
        x.scale(inverse);
        x.store(scaled + j);
      }
      for (int j = first; j <= k; ++j) scaled[j] = 0;
      for (int j = first; j < length; ++j) magnitude[j] += std::abs(scaled[j] * row[j]);
    }
    int i = width;
    for (; i + 2 <= height; i += 2) update<2>(front + i * length, factor, front, width, i & ~3, length, i);
    if (i < height) update<1>(front + i * length, factor, front, width, i & ~3, length, i);
  }
  return lost_.empty();
}

template <int W>
void SparseLdl::subtract_product(const double* x, double* y) const {
  const double* value = entries();
  for (const LdlPlan::Load& e : method_->plan.loads) {
    const std::ptrdiff_t i = e.row * W, j = e.column * W;
    Lanes<W> sum(y + i);
    sum.subtract(*value, Lanes<W>(x + j));
    sum.store(y + i);
    if (i != j) {
      Lanes<W> other(y + j);
      other.subtract(*value, Lanes<W>(x + i));
      other.store(y + j);
    }
    ++value;
  }
}

template <int W>
void SparseLdl::solve_once(double* y) {
  const LdlPlan& plan = method_->plan;
  const double *scaled = square_numbers(), *inverses = inverse();
  for (const LdlPlan::Square& s : plan.squares) {
    const Lanes<W> x(y + s.constraint * W);
    for (int a = 0; a < s.count; ++a) {
      double* to = y + s.coordinate[static_cast<std::size_t>(a)] * W;
      Lanes<W> sum(to);
      sum.add(scaled[a], x);
      sum.store(to);
    }
    scaled += LdlPlan::Square::most;
  }
  for (const Front& f : plan.fronts) {
    const int *row = plan.rows.data() + f.rows, length = f.length, width = f.width, height = f.height;
    const double* factor = numbers_.data() + f.factor;
    double* own = y + static_cast<std::ptrdiff_t>(f.first) * W;
    for (int j = 1; j < height; ++j) {
      double* to = y + static_cast<std::ptrdiff_t>(row[j]) * W;
      Lanes<W> sum(to);
      const int before = std::min(j, width);
      for (int k = 0; k < before; ++k) sum.subtract(factor[k * length + j], Lanes<W>(own + k * W));
      sum.store(to);
    }
  }
  double* z = local_.data();
  for (std::size_t s = plan.fronts.size(); s-- > 0;) {
    const Front& f = plan.fronts[s];
    const int *row = plan.rows.data() + f.rows, length = f.length, width = f.width, height = f.height;
    double* own = y + static_cast<std::ptrdiff_t>(f.first) * W;
    for (int j = width; j < height; ++j) Lanes<W>(y + static_cast<std::ptrdiff_t>(row[j]) * W).store(z + j * W);
    const double* factor = numbers_.data() + f.factor + static_cast<std::ptrdiff_t>(width - 1) * length;
    for (int k = width - 1; k >= 0; --k, factor -= length) {
      Lanes<W> x(own + k * W);
      x.scale(inverses[f.first + k]);
      for (int j = height - 1; j >= width; --j) x.subtract(factor[j], Lanes<W>(z + j * W));
      for (int j = width - 1; j > k; --j) x.subtract(factor[j], Lanes<W>(own + j * W));
      x.store(own + k * W);
    }
  }
  scaled = square_numbers();
  for (const LdlPlan::Square& s : plan.squares) {
    Lanes<W> sum(y + s.constraint * W);
    for (int a = 0; a < s.count; ++a) {
      sum.add(scaled[a], Lanes<W>(y + s.coordinate[static_cast<std::size_t>(a)] * W));
    }
    sum.store(y + s.constraint * W);
    scaled += LdlPlan::Square::most;
  }
}

template <int W>
void SparseLdl::solve_block(double* b, std::ptrdiff_t stride) {
  const auto numbers = static_cast<std::ptrdiff_t>(n_) * W;
  double *y = work_.data(), *left = y + numbers;
  const int* order = method_->plan.order.data();
  for (int k = 0; k < n_; ++k) Lanes<W>(b + order[k] * stride).store(y + k * W);
  if (method_->refines) {
    std::copy_n(y, numbers, left);
    solve_once<W>(y);
    subtract_product<W>(y, left);
    solve_once<W>(left);
    for (std::ptrdiff_t k = 0; k < numbers; ++k) y[k] += left[k];
  } else {
    solve_once<W>(y);
  }
  for (int k = 0; k < n_; ++k) Lanes<W>(y + k * W).store(b + order[k] * stride);
}

void SparseLdl::solve(double* b, int count) {
  for_each_block(count, [&]<int W, int S>(int first) { solve_block<W>(b + first, S ? S : count); });
}

}  // namespace perilune::linalg
