// SPDX-License-Identifier: MIT
// Saddle-point matrices [M J^T; J -1e-9] of chains, factored and solved: the solvers behind LinearSolver against each
// other and against Eigen's dense LU, in one run. Shows where dense_limit belongs.
#include <klu.h>

#include <Eigen/Dense>
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "linalg/linear_solver.hpp"

namespace {

using perilune::linalg::DenseLu;

template <class F>
double seconds(F&& f) {
  double best = 1e9;
  for (int round = 0; round < 7; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < 500; ++k) f();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

/// A chain of bars between points in the plane: 2 coordinates and 1 constraint per bar.
Eigen::MatrixXd chain(int bars) {
  const int n = 2 * bars, size = 3 * bars;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
  for (int k = 0; k < bars; ++k) {
    for (int d = 0; d < 2; ++d) {
      A(2 * k + d, 2 * k + d) = 2.0 / 3;
      if (k > 0) A(2 * k + d, 2 * k - 2 + d) = A(2 * k - 2 + d, 2 * k + d) = 1.0 / 6;
      const double j = 2 * (d == 0 ? std::cos(k) : std::sin(k));
      A(n + k, 2 * k + d) = A(2 * k + d, n + k) = j;
      if (k > 0) A(n + k, 2 * k - 2 + d) = A(2 * k - 2 + d, n + k) = -j;
    }
    A(n + k, n + k) = -1e-9;
  }
  return A;
}

}  // namespace

int main() {
  using namespace perilune::linalg;
  std::printf("size   time relative to Eigen's dynamic PartialPivLU: symmetric small, dense, KLU\n");
  for (int bars : {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32}) {
    const Eigen::MatrixXd A = chain(bars);
    const int n = static_cast<int>(A.rows());
    perilune::linalg::Entries entries;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (A(i, j) != 0 || i == j) entries.emplace(i, j);
      }
    }
    const SparsePattern pattern(n, n, entries);
    const Eigen::VectorXd b = Eigen::VectorXd::Ones(n);
    Eigen::VectorXd x(n);
    Eigen::PartialPivLU<Eigen::MatrixXd> eigen(n);
    const double reference = seconds([&] {
      eigen.compute(A);
      x = eigen.solve(b);
    });

    const int length = DenseLu::row_length(n);
    std::vector<double> rows(static_cast<std::size_t>(n * length), 0.0);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) rows[static_cast<std::size_t>(i * length + j)] = A(i, j);
    }
    DenseLu dense(n);
    const double by_dense = seconds([&] {
      dense.factor(rows.data());
      x = b;
      dense.solve(x.data());
    });
    SmallLdl symmetric(pattern, [length](int i, int j) { return i * length + j; });
    const double by_symmetric = seconds([&] {
      symmetric.factor(rows.data());
      x = b;
      symmetric.solve(x.data(), 1);
    });

    std::vector<int> start(pattern.row_start()), row(pattern.column());
    std::vector<double> values;
    pattern.for_each([&](int i, int j) { values.push_back(A(i, j)); });
    klu_common common;
    klu_defaults(&common);
    klu_symbolic* analysis = klu_analyze(n, start.data(), row.data(), &common);
    klu_numeric* numeric = klu_factor(start.data(), row.data(), values.data(), analysis, &common);
    const double by_klu = seconds([&] {
      klu_refactor(start.data(), row.data(), values.data(), analysis, numeric, &common);
      x = b;
      klu_solve(analysis, numeric, n, 1, x.data(), &common);
    });
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&analysis, &common);
    std::printf("%4d   %.2f  %.2f  %.2f%s\n", n, by_symmetric / reference, by_dense / reference, by_klu / reference,
                n <= dense_limit ? "" : "   (KLU is used)");
  }
  return 0;
}
