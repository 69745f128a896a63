// SPDX-License-Identifier: MIT
// Saddle-point matrices [M J^T; J -1e-9] of chains and ladders, factored and solved: the solvers behind LinearSolver
// against each other, and small ones against Eigen's dense LU, in one run. Shows where dense_limit and symmetric_limit
// belong.
#include <klu.h>

#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "linalg/frontal.hpp"
#include "linalg/linear_solver.hpp"

namespace {

using perilune::linalg::DenseLu;

template <class F>
double seconds(F&& f, int count = 500) {
  double best = 1e9;
  for (int round = 0; round < 7; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < count; ++k) f();
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

/// A ladder of spatial bodies, 6 coordinates each: constraints of five rows between neighbours on either side and
/// across, in two rows of `length` bodies.
std::vector<Eigen::Triplet<double>> ladder(int length) {
  std::vector<Eigen::Triplet<double>> out;
  const auto couple = [&](int i, int j, double x) {
    out.emplace_back(i, j, x);
    if (i != j) out.emplace_back(j, i, x);
  };
  const int n = 12 * length;
  int row = n;
  for (int i = 0; i < n; ++i) couple(i, i, 1 + 0.5 * std::sin(i));
  const auto join = [&](int a, int b) {
    for (int c = 0; c < 5; ++c, ++row) {
      couple(row, row, -1e-9);
      for (int i = 0; i < 6; ++i) {
        couple(row, 6 * a + i, std::sin(0.7 * row * (i + 1)));
        if (b >= 0) couple(row, 6 * b + i, std::cos(1.3 * row * (i + 2)));
      }
    }
  };
  join(0, -1);
  for (int k = 0; k < length; ++k) {
    if (k > 0) join(k, k - 1);
    if (k > 0 && k % 3 != 0) join(length + k, length + k - 1);  // fewer rows than coordinates
    if (k % 3 == 0) join(k, length + k);
  }
  return out;
}

/// Blocks against KLU, for matrices that are too large for the others: as they are, and as those of implicit steps are,
/// whose constraints' rows have another scale than their columns.
template <bool symmetric>
void compare(const char* name, const std::vector<Eigen::Triplet<double>>& matrix) {
  using namespace perilune::linalg;
  perilune::linalg::Entries places;
  int n = 0;
  for (const auto& e : matrix) {
    places.emplace(e.row(), e.col());
    n = std::max(n, e.row() + 1);
  }
  const SparsePattern pattern(n, n, places);
  std::vector<char> is_multiplier(static_cast<std::size_t>(n), 0);
  for (const auto& e : matrix) {
    if (e.row() == e.col()) is_multiplier[static_cast<std::size_t>(e.row())] = e.value() < 0;
  }
  LinearSolver pivoting(std::make_shared<MatrixLayout>(pattern));
  Frontal<symmetric> blocks(
      pattern, [&](int i, int j) { return pattern.slot(i, j); }, symmetric ? std::vector<char>() : is_multiplier);
  std::vector<double> values(pattern.size());
  for (const auto& e : matrix) {
    const double scale = !symmetric && is_multiplier[static_cast<std::size_t>(e.row())] ? 0.01 : 1;
    values[static_cast<std::size_t>(pattern.slot(e.row(), e.col()))] = scale * e.value();
    pivoting.values()[pivoting.layout().slot(e.row(), e.col())] = scale * e.value();
  }
  std::vector<double> x(static_cast<std::size_t>(n));
  const int count = std::max(2, 100000 / n);
  if (!pivoting.factor() || !blocks.factor(values.data())) {
    std::printf("%s of %d rows: singular\n", name, n);
    return;
  }
  const double reference = seconds([&] { pivoting.factor(); }, count);
  const double factor = seconds([&] { blocks.factor(values.data()); }, count);
  const double solve_reference = seconds([&] { std::fill(x.begin(), x.end(), 1.0), pivoting.solve(x.data()); }, count);
  const double solve = seconds([&] { std::fill(x.begin(), x.end(), 1.0), blocks.solve(x.data(), 1); }, count);
  std::printf("%-6s %-9s %6d   %.2f  %.2f%s%s\n", name, symmetric ? "symmetric" : "other", n, factor / reference,
              solve / solve_reference, blocks.method()->refines ? "   (solved twice)" : "",
              blocks.pays() ? "" : "   (KLU is used)");
}

std::vector<Eigen::Triplet<double>> triplets(const Eigen::MatrixXd& A) {
  std::vector<Eigen::Triplet<double>> out;
  for (int i = 0; i < A.rows(); ++i) {
    for (int j = 0; j < A.cols(); ++j) {
      if (A(i, j) != 0) out.emplace_back(i, j, A(i, j));
    }
  }
  return out;
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
  std::printf("size   blocks over KLU with its check of growth: factorization, solution\n");
  const auto compare_both = [](const char* name, const std::vector<Eigen::Triplet<double>>& matrix) {
    compare<true>(name, matrix);
    compare<false>(name, matrix);
  };
  for (const int bars : {20, 40, 100, 400}) compare_both("chain", triplets(chain(bars)));
  for (const int length : {5, 10, 20, 50, 200}) compare_both("ladder", ladder(length));
  return 0;
}
