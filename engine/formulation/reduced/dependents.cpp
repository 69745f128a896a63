// SPDX-License-Identifier: MIT
#include "formulation/reduced/dependents.hpp"

#include <algorithm>
#include <cmath>

namespace perilune::formulation {

void Dependents::set_split(const Split& split) {
  split_ = &split;
  solver_.reset();
  if (split.layout) solver_.emplace(split.layout);
  slopes_.clear();
}

bool Dependents::try_factor(std::span<const double> jacobian) {
  if (!solver_) return true;
  double* values = solver_->values();
  std::fill_n(values, solver_->value_count(), 0.0);
  for (const auto& [from, to] : split_->to_factor) values[to] = jacobian[from];
  for (const int to : split_->ones) values[to] = 1;
  return solver_->factor();
}

void Dependents::find_slopes(std::span<const double> jacobian) {
  slopes_.assign(static_cast<std::size_t>(rows()) * static_cast<std::size_t>(d()), 0.0);
  if (!solver_ || d() == 0) return;
  for (const Split::Entry& entry : split_->independent_entries) {
    slopes_[static_cast<std::size_t>(entry.row * d() + entry.column)] = jacobian[entry.from];
  }
  solver_->solve_many(slopes_.data(), d());
}

double Dependents::largest_slope() const {
  double largest = 0;
  for (double g : slopes_) largest = std::max(largest, std::abs(g));
  return largest;
}

void Dependents::gather(int count, const double* x, double* out) const {
  for (int i : split_->dependent) {
    std::copy_n(x + i * count, count, out);
    out += count;
  }
  std::fill_n(out, static_cast<int>(split_->left_out.size()) * count, 0.0);
}

void Dependents::add_to_dependent(int count, const double* low, double* x) const {
  for (int i : split_->dependent) {
    for (int c = 0; c < count; ++c) x[i * count + c] += *low++;
  }
}

void Dependents::spread(int count, const double* low, int n, double* x) const {
  std::fill_n(x, n * count, 0.0);
  for (const int i : split_->dependent) {
    std::copy_n(low, count, x + i * count);
    low += count;
  }
}

void Dependents::add_reduced(const std::vector<double>& slopes, int count, const double* x, double* out) const {
  for (int k = 0; k < d(); ++k) {
    const double* own = x + split_->independent[static_cast<std::size_t>(k)] * count;
    for (int c = 0; c < count; ++c) out[k * count + c] += own[c];
  }
  const double* slope = slopes.data();
  for (int i : split_->dependent) {
    const double* from = x + i * count;
    for (int k = 0; k < d(); ++k) {
      const double g = *slope++;
      if (g == 0) continue;  // chains have many
      for (int c = 0; c < count; ++c) out[k * count + c] -= g * from[c];
    }
  }
}

void Dependents::expand(const std::vector<double>& slopes, int count, const double* z, double* x) const {
  for (int k = 0; k < d(); ++k) {
    std::copy_n(z + k * count, count, x + split_->independent[static_cast<std::size_t>(k)] * count);
  }
  const double* slope = slopes.data();
  for (int i : split_->dependent) {
    double* to = x + i * count;
    std::fill_n(to, count, 0.0);
    for (int k = 0; k < d(); ++k) {
      const double g = *slope++;
      for (int c = 0; c < count; ++c) to[c] -= g * z[k * count + c];
    }
  }
}

void Dependents::write_r(double* r) const {
  for (int k = 0; k < d(); ++k) {
    double* own = r + split_->independent[static_cast<std::size_t>(k)] * d();
    std::fill_n(own, d(), 0.0);
    own[k] = 1;
  }
  const double* slope = slopes_.data();
  for (const int i : split_->dependent) {
    for (int k = 0; k < d(); ++k) r[i * d() + k] = -*slope++;
  }
}

}  // namespace perilune::formulation
