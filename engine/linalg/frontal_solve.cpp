// SPDX-License-Identifier: MIT
// Solutions, several at a time.
#include <algorithm>

#include "linalg/frontal.hpp"
#include "linalg/lanes.hpp"

namespace perilune::linalg {

template <bool symmetric>
template <int W, bool transposed>
void Frontal<symmetric>::subtract_product(const double* x, double* y) const {
  const double* value = entries();
  const auto subtract = [&](std::ptrdiff_t row, std::ptrdiff_t column) {
    Lanes<W> sum(y + row * W);
    sum.subtract(*value, Lanes<W>(x + column * W));
    sum.store(y + row * W);
  };
  for (const FrontalPlan::Load& e : method_->plan.loads) {
    if (!transposed) subtract(e.row, e.column);
    if (transposed || (symmetric && e.row != e.column)) subtract(e.column, e.row);
    ++value;
  }
}

template <bool symmetric>
template <int W, bool transposed>
void Frontal<symmetric>::solve_once(double* y) {
  const FrontalPlan& plan = method_->plan;
  const double *squares = square_numbers(), *inverses = inverse();
  // Of the transposed matrix L D U is U^T D L^T, and what squares do from the left they do from the right.
  constexpr std::ptrdiff_t second = sides - 1, on_left = transposed ? second : 0, on_right = transposed ? 0 : second;
  const double* scaled = squares + on_left * Square::most;
  for (const Square& s : plan.squares) {
    const Lanes<W> x(y + s.constraint * W);
    for (int a = 0; a < s.count; ++a) {
      double* to = y + s.coordinate[static_cast<std::size_t>(a)] * W;
      Lanes<W> sum(to);
      sum.add(scaled[a], x);
      sum.store(to);
    }
    scaled += sides * Square::most;
  }
  for (const Front& f : plan.fronts) {
    const int *row = plan.rows.data() + f.rows, length = f.length, width = f.width, height = f.height;
    const double* factor = numbers_.data() + f.factor + on_left * width * length;
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
    const double* factor =
        numbers_.data() + f.factor + static_cast<std::ptrdiff_t>(on_right * width + width - 1) * length;
    for (int k = width - 1; k >= 0; --k, factor -= length) {
      Lanes<W> x(own + k * W);
      x.scale(inverses[f.first + k]);
      for (int j = height - 1; j >= width; --j) x.subtract(factor[j], Lanes<W>(z + j * W));
      for (int j = width - 1; j > k; --j) x.subtract(factor[j], Lanes<W>(own + j * W));
      x.store(own + k * W);
    }
  }
  scaled = squares + on_right * Square::most;
  for (const Square& s : plan.squares) {
    Lanes<W> sum(y + s.constraint * W);
    for (int a = 0; a < s.count; ++a) {
      sum.add(scaled[a], Lanes<W>(y + s.coordinate[static_cast<std::size_t>(a)] * W));
    }
    sum.store(y + s.constraint * W);
    scaled += sides * Square::most;
  }
}

template <bool symmetric>
template <int W, bool transposed>
void Frontal<symmetric>::solve_block(double* b, std::ptrdiff_t stride) {
  const auto numbers = static_cast<std::ptrdiff_t>(n_) * W;
  double *y = work_.data(), *left = y + numbers;
  const int* order = method_->plan.order.data();
  for (int k = 0; k < n_; ++k) Lanes<W>(b + order[k] * stride).store(y + k * W);
  const int corrections = this->corrections();
  double* right = left + numbers;
  if (corrections > 0) std::copy_n(y, numbers, right);
  solve_once<W, transposed>(y);
  for (int k = 0; k < corrections; ++k) {
    std::copy_n(right, numbers, left);
    subtract_product<W, transposed>(y, left);
    solve_once<W, transposed>(left);
    for (std::ptrdiff_t i = 0; i < numbers; ++i) y[i] += left[i];
  }
  for (int k = 0; k < n_; ++k) Lanes<W>(y + k * W).store(b + order[k] * stride);
}

template <bool symmetric>
void Frontal<symmetric>::solve(double* b, int count) {
  for_each_block(count, [&]<int W, int S>(int first) { solve_block<W, false>(b + first, S ? S : count); });
}

template <bool symmetric>
void Frontal<symmetric>::solve_transposed(double* b, int count) {
  for_each_block(count, [&]<int W, int S>(int first) { solve_block<W, !symmetric>(b + first, S ? S : count); });
}

template void Frontal<true>::solve(double*, int);
template void Frontal<true>::solve_transposed(double*, int);
template void Frontal<false>::solve(double*, int);
template void Frontal<false>::solve_transposed(double*, int);
template void Frontal<true>::solve_once<1, false>(double*);
template void Frontal<false>::solve_once<1, false>(double*);
template void Frontal<false>::solve_once<1, true>(double*);
template void Frontal<true>::subtract_product<1, false>(const double*, double*) const;
template void Frontal<false>::subtract_product<1, false>(const double*, double*) const;
template void Frontal<false>::subtract_product<1, true>(const double*, double*) const;

}  // namespace perilune::linalg
