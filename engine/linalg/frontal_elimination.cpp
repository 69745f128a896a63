// SPDX-License-Identifier: MIT
// The elimination itself. Of a front the rows of U stand in its first half, D included, and those of L^T, D included,
// in its second; of a symmetric one these are the same.
#include <algorithm>
#include <cmath>

#include "linalg/frontal.hpp"
#include "linalg/lanes.hpp"

namespace perilune::linalg {

namespace {

/// A pivot that is smaller than this beside the numbers that it is the sum of has too few digits left.
constexpr double weakest_pivot = 1e-8;
/// The same of a constraint that follows from others, whose pivot is its compliance: that is known, and rounding of the
/// others beside it moves what they leave undetermined. How much is seen by what solutions leave of the equations.
constexpr double weakest_compliance = 5e-15;

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

template <bool symmetric>
void Frontal<symmetric>::weigh_squares(const double* values) {
  double* scaled = square_numbers();
  for (std::size_t k = 0; k < strength_.size(); ++k, scaled += sides * Square::most) {
    const Square& s = method_->plan.squares[k];
    double mass = 0, square = 0;
    for (int a = 0; a < s.count; ++a) {
      const auto i = static_cast<std::size_t>(a);
      mass += std::abs(values[s.own[i]]);
      square += values[s.column[i]] * values[s.row[i]];
    }
    const double compliance = -values[s.diagonal];
    if (mass == 0) mass = method_->plan.usual_mass;
    double strength = square != 0 ? mass / square : 0;
    if (strength * compliance > 0.5) strength = 0.5 / compliance;
    strength_[k] = {{2 * strength - strength * strength * compliance, strength, -strength * compliance}};
    for (int a = 0; a < s.count; ++a) {
      scaled[a] = strength * values[s.column[static_cast<std::size_t>(a)]];
      if (!symmetric) scaled[Square::most + a] = strength * values[s.row[static_cast<std::size_t>(a)]];
    }
  }
}

template <bool symmetric>
void Frontal<symmetric>::assemble(const Front& f, const double* values) {
  const FrontalPlan& plan = method_->plan;
  double* front = memory_.data() + f.memory;
  const std::ptrdiff_t length = f.length, half = (f.height + 1) * length;
  std::fill(front, front + sides * half, 0.0);
  for (int k = f.first_load; k < f.end_load; ++k) {
    const FrontalPlan::Load& load = plan.loads[static_cast<std::size_t>(k)];
    front[load.to] = values[load.slot];
  }
  for (int k = f.first_extra; k < f.end_extra; ++k) {
    const FrontalPlan::Extra& e = plan.extras[static_cast<std::size_t>(k)];
    double term = strength_[static_cast<std::size_t>(e.square)].factor[e.factor];
    if (e.of_column >= 0) term *= values[e.of_column];
    if (e.of_row >= 0) term *= values[e.of_row];
    front[e.to] += term;
  }
  for (int k = 0; k < f.width; ++k) {
    own_[static_cast<std::size_t>(k)] = std::abs(front[k * (length + 1)]);
    if (symmetric) front[f.height * length + k] = own_[static_cast<std::size_t>(k)];
  }
  for (int c = f.first_child; c < f.end_child; ++c) {
    const Front& child = plan.fronts[static_cast<std::size_t>(plan.children[static_cast<std::size_t>(c)])];
    const int left = child.height - child.width;
    const int* to = plan.in_parent.data() + child.in_parent;
    for (int side = 0; side < sides; ++side) {
      const std::ptrdiff_t half_of_child = (child.height + 1) * child.length;
      const double* from = memory_.data() + child.memory + side * half_of_child + child.width * (child.length + 1);
      double* half_front = front + side * half;
      for (int i = 0; i < left; ++i, from += child.length) {
        double* row = half_front + to[i] * length;
        for (int j = i; j < left; ++j) row[to[j]] += from[j];
      }
      double* sums = half_front + f.height * length;
      for (int j = 0; j < left; ++j) sums[to[j]] += from[j];
    }
  }
}

template <bool symmetric>
double Frontal<symmetric>::magnitude(const Front& f, int k) const {
  const double* sums = memory_.data() + f.memory + f.height * f.length + k;
  if (symmetric) return *sums;
  // No entry of L D U is larger than the root of such a product of its row and its column, which does not depend on
  // what rows and columns are scaled by.
  return own_[static_cast<std::size_t>(k)] + std::sqrt(sums[0] * sums[(f.height + 1) * f.length]);
}

template <bool symmetric>
bool Frontal<symmetric>::is_compliance(const Front& f, int k, double pivot, double size) {
  if (!method_->knowledge.leans_on_compliance) return false;
  const FrontalPlan& plan = method_->plan;
  const auto unknown = static_cast<std::size_t>(plan.order[static_cast<std::size_t>(f.first + k)]);
  const double own = own_[static_cast<std::size_t>(k)];
  const bool is = plan.is_constraint[unknown] && std::abs(pivot) > 0.5 * own && own > weakest_compliance * size;
  leans_on_compliance_ = leans_on_compliance_ || is;
  return is;
}

template <bool symmetric>
bool Frontal<symmetric>::eliminate_one(const Front& f, int k) {
  const std::ptrdiff_t length = f.length, half = (f.height + 1) * length, first = k & ~3;
  double *front = memory_.data() + f.memory, *row = front + k * length;
  double *lower = numbers_.data() + f.factor, *upper = lower + (sides - 1) * f.width * length;
  update<1>(row, lower, front, k, static_cast<int>(first), f.length, k);
  if (!symmetric) update<1>(row + half, front, lower, k, static_cast<int>(first), f.length, k);
  double pivot = row[k];
  const double size = magnitude(f, k);
  if (!(std::abs(pivot) > weakest_pivot * size) && !is_compliance(f, k, pivot, size)) {
    lost_.push_back(method_->plan.order[static_cast<std::size_t>(f.first + k)]);
    if (!std::isfinite(size)) return false;
    pivot = pivot < 0 ? -size : size;
    if (pivot == 0) pivot = 1;
  }
  const double inverse_pivot = 1 / pivot;
  inverse()[f.first + k] = inverse_pivot;
  const auto scale = [&](const double* from, double* scaled, double* sums) {
    for (std::ptrdiff_t j = first; j < length; j += 4) {
      Lanes<4> x(from + j);
      x.scale(inverse_pivot);
      x.store(scaled + j);
    }
    for (std::ptrdiff_t j = first; j <= k; ++j) scaled[j] = 0;
    for (std::ptrdiff_t j = first; j < length; ++j) sums[j] += std::abs(scaled[j] * from[j]);
  };
  double* sums = front + f.height * length;
  scale(row + (sides - 1) * half, lower + k * length, sums + (sides - 1) * half);
  if (!symmetric) scale(row, upper + k * length, sums);
  return true;
}

template <bool symmetric>
bool Frontal<symmetric>::eliminate(const double* values) {
  const FrontalPlan& plan = method_->plan;
  lost_.clear();
  leans_on_compliance_ = false;
  weigh_squares(values);
  for (std::size_t e = 0; keeps_entries() && e < plan.loads.size(); ++e) entries()[e] = values[plan.loads[e].slot];
  for (const Front& f : plan.fronts) {
    assemble(f, values);
    for (int k = 0; k < f.width; ++k) {
      if (!eliminate_one(f, k)) return false;
    }
    const int length = f.length, width = f.width, height = f.height, half = (height + 1) * length;
    double *front = memory_.data() + f.memory, *lower = numbers_.data() + f.factor;
    const auto update_rest = [&](double* rows, const double* left, const double* right) {
      int i = width;
      for (; i + 2 <= height; i += 2) update<2>(rows + i * length, left, right, width, i & ~3, length, i);
      if (i < height) update<1>(rows + i * length, left, right, width, i & ~3, length, i);
    };
    update_rest(front, lower, front);
    if (!symmetric) update_rest(front + half, front, lower);
  }
  return lost_.empty();
}

template void Frontal<true>::weigh_squares(const double*);
template void Frontal<true>::assemble(const Front&, const double*);
template bool Frontal<true>::eliminate(const double*);
template void Frontal<false>::weigh_squares(const double*);
template void Frontal<false>::assemble(const Front&, const double*);
template bool Frontal<false>::eliminate(const double*);

}  // namespace perilune::linalg
