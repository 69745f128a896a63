// SPDX-License-Identifier: MIT
#include "formulation/absolute/coupled_matrix.hpp"

#include <algorithm>

#include "formulation/regularization.hpp"
#include "formulation/step_failure.hpp"
#include "poll.hpp"

namespace perilune::formulation {

namespace {

std::shared_ptr<const linalg::MatrixLayout> layout_of(const System& s, int size) {
  linalg::Entries entries;
  const int n = s.coordinate_count(), m = s.constraint_count(), block = n + m;
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column < size; ++column) {
      const int r = row * block, c = column * block;
      Poll poll;
      s.nn().for_each([&](int i, int j) {
        poll();
        entries.emplace(r + i, c + j);
      });
      s.mn().for_each([&](int i, int j) { entries.emplace(r + n + i, c + j); });
      if (row != column) continue;
      s.mn().for_each([&](int i, int j) { entries.emplace(r + j, c + n + i); });
      s.nr().for_each([&](int i, int j) { entries.emplace(r + i, c + n + j); });
      for (int k = 0; k < block; ++k) entries.emplace(r + k, c + k);
    }
  }
  std::vector<char> is_multiplier(static_cast<std::size_t>(size * block), 0);
  for (int k = 0; k < size * block; ++k) is_multiplier[static_cast<std::size_t>(k)] = k % block >= n;
  return std::make_shared<linalg::MatrixLayout>(linalg::SparsePattern(size * block, size * block, entries),
                                                is_multiplier);
}

}  // namespace

CoupledMatrix::CoupledMatrix(const Dynamics& dynamics, int size)
    : size_(size),
      n_(dynamics.n()),
      m_(dynamics.m()),
      regularization_(dynamics.regularization()),
      solver_(layout_of(dynamics.system(), size)) {
  const int block = dynamics.n() + dynamics.m();
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column < size; ++column) {
      slots_.push_back(dynamics.block_slots(solver_.layout(), row * block, column * block, row == column));
    }
  }
}

void CoupledMatrix::factor(const Coupling& coupling, std::span<const std::unique_ptr<Dynamics>> nodes, double t) {
  double* values = solver_.values();
  std::fill_n(values, solver_.value_count(), 0.0);
  for (int i = 0; i < size_; ++i) {
    for (int j = 0; j < size_; ++j) {
      nodes[static_cast<std::size_t>(i)]->add_block(slots_[static_cast<std::size_t>(i * size_ + j)], coupling.va(i, j),
                                                    coupling.q_total(i, j), i == j, values);
    }
  }
  if (!solver_.factor()) fail_singular_step(t);
}

bool CoupledMatrix::factor_values(std::span<const double> values) {
  std::copy(values.begin(), values.end(), solver_.values());
  return solver_.factor();
}

void CoupledMatrix::solve(double* x) {
  solver_.solve(x);
  if (regularization_ == 0) return;
  undo_regularization(regularization_, n_, m_, size_, x, correction_, [&](double* b) { solver_.solve(b); });
}

void CoupledMatrix::solve_transposed(double* x) {
  solver_.solve_transposed(x);
  if (regularization_ == 0) return;
  undo_regularization(regularization_, n_, m_, size_, x, correction_, [&](double* b) { solver_.solve_transposed(b); });
}

void CoupledMatrix::solve_many(double* x, int count) {
  solver_.solve_many(x, count);
  if (regularization_ == 0) return;
  undo_regularization(regularization_, n_ * count, m_ * count, size_, x, correction_,
                      [&](double* b) { solver_.solve_many(b, count); });
}

}  // namespace perilune::formulation
