// SPDX-License-Identifier: MIT
// The linear solver, dense and sparse, against Eigen.
#include <Eigen/Dense>
#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <random>

#include "linalg/linear_solver.hpp"
#include "sparse_places.hpp"

using namespace perilune::linalg;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// A solver for matrices of one pattern.
struct Fixed {
  Places entries;
  LinearSolver solver;
  explicit Fixed(const Places& pattern, int n)
      : entries(pattern), solver(std::make_shared<MatrixLayout>(pattern_of(n, n, pattern))) {}
  explicit Fixed(const MatrixXd& a) : Fixed(nonzeros(a), static_cast<int>(a.rows())) {}

  void load(const MatrixXd& a) {
    for (const auto& [i, j] : entries) solver.values()[solver.layout().slot(i, j)] = a(i, j);
  }
  bool factor(const MatrixXd& a, bool symmetric = false) {
    load(a);
    return solver.factor(symmetric);
  }
  /// Largest error of A x = b and of A^T x = b relative to x, for a random x.
  double error(const MatrixXd& a, std::mt19937& random) {
    const VectorXd x = random_vector(static_cast<int>(a.rows()), random);
    VectorXd b = a * x, c = a.transpose() * x;
    solver.solve(b.data());
    solver.solve_transposed(c.data());
    return std::max((b - x).norm(), (c - x).norm()) / x.norm();
  }
};

/// Sparse, with a zero-free diagonal at `shift` places to the right, so that rows must be swapped.
MatrixXd random_matrix(int n, int shift, std::mt19937& random) {
  std::uniform_real_distribution<double> any(-1, 1);
  MatrixXd a = MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    a(i, (i + shift) % n) = any(random) < 0 ? -3 : 3;
    for (int k = 0; k < 3; ++k) a(i, static_cast<int>(random() % static_cast<unsigned>(n))) += any(random);
  }
  return a;
}

/// [M J^T; J -1/alpha] of a chain of n coordinates with masses around `mass`; the last constraint repeats the first.
MatrixXd saddle_point(int n, int m, double alpha, double mass, bool redundant, std::mt19937& random) {
  std::uniform_real_distribution<double> any(0.5, 1.5);
  MatrixXd a = MatrixXd::Zero(n + m, n + m);
  for (int i = 0; i < n; ++i) a(i, i) = mass * 4 * any(random);
  for (int i = 0; i + 1 < n; ++i) a(i, i + 1) = a(i + 1, i) = mass * any(random);
  for (int k = 0; k < m; ++k) {
    for (int i = 2 * k; i < std::min(2 * k + 4, n); ++i) a(n + k, i) = a(i, n + k) = any(random) - 1.0 * (i % 2);
  }
  if (redundant) {
    a.row(n + m - 1).head(n) = a.row(n).head(n);
    a.col(n + m - 1).head(n) = a.col(n).head(n);
  }
  for (int k = 0; k < m; ++k) a(n + k, n + k) = -1 / alpha;
  return a;
}

double condition(const MatrixXd& a) {
  const auto singular = Eigen::JacobiSVD<MatrixXd>(a).singularValues();
  return singular[0] / singular[singular.size() - 1];
}

}  // namespace

TEST_CASE("a solver goes on from the pivots of another, to the last bit") {
  std::mt19937 random(5);
  const std::pair<bool, int> kinds[] = {{false, 0}, {true, 0}, {true, 4}};  // symmetric; beyond those of a chain
  for (const auto& [is_symmetric, wide] : kinds) {
    for (const int n : {10, 40, 90}) {
      CAPTURE(is_symmetric, wide, n);
      MatrixXd base = is_symmetric ? saddle_point(n, n / 4, 1e7, 1, false, random) : random_matrix(n, 3, random);
      for (int i = 0; i < n; ++i) {
        for (int j = i + 2; j < std::min(n, i + 2 + wide); ++j) base(i, j) = base(j, i) = 0.001;
      }
      const int size = static_cast<int>(base.rows());
      // Blocks are for those that have more to do in them.
      const bool is_small = size <= symmetric_limit, in_blocks = is_symmetric && !is_small && wide > 0;
      auto scaled = [&](int k) {  // the same pattern; other entries are the largest
        MatrixXd a = base;
        for (int i = 0; i < size; ++i) {
          for (int j = 0; j <= i; ++j) {
            const double factor = std::exp(2 * std::sin(k * (1 + i + 3 * j)));
            a(i, j) *= factor;
            if (i != j) a(j, i) *= is_symmetric ? factor : 1 / factor;
          }
        }
        return a;
      };
      auto solution = [&](Fixed& fixed, int k) {
        REQUIRE(fixed.factor(scaled(k), is_symmetric));
        VectorXd x = VectorXd::Ones(size);
        fixed.solver.solve(x.data());
        return x;
      };
      Fixed first(nonzeros(base), size), second(nonzeros(base), size);
      const Pivoting fresh = first.solver.pivoting();
      solution(first, 1);
      const Pivoting kept = first.solver.pivoting();
      const VectorXd expected = solution(first, 2);
      solution(second, 3);
      second.solver.set_pivoting(kept);
      CHECK(solution(second, 2) == expected);
      second.solver.set_pivoting(fresh);
      solution(second, 1);
      CHECK(solution(second, 2) == expected);
      CHECK((kept.sequence != nullptr) == (size > dense_limit && !in_blocks && !(is_symmetric && is_small)));
      CHECK((kept.method != nullptr) == in_blocks);
    }
  }
}

TEST_CASE("linear systems of all sizes, with rows to swap") {
  std::mt19937 random(11);
  for (int n = 1; n <= 60; ++n) {
    INFO("size " << n);
    const MatrixXd a = random_matrix(n, n / 3, random);
    Fixed fixed(a);
    CHECK(fixed.solver.layout().is_dense() == (n <= dense_limit));
    REQUIRE(fixed.factor(a));
    CHECK(fixed.error(a, random) <= 1e-14 * condition(a));
    for (const auto& [i, j] : fixed.entries) {  // factor() leaves the matrix intact
      CHECK(fixed.solver.values()[fixed.solver.layout().slot(i, j)] == a(i, j));
    }
  }
  CHECK(dense_limit < 60);
}

TEST_CASE("saddle points, with and without pivoting, with many right-hand sides") {
  std::mt19937 random(12);
  for (double alpha : {1e3, 1e9, std::numeric_limits<double>::infinity()}) {
    for (int n = 2; n <= 40; n += n < 12 ? 1 : 7) {
      for (bool symmetric : {false, true}) {
        const int m = n / 2;
        INFO(n << " coordinates, alpha " << alpha << (symmetric ? ", symmetric" : ""));
        const MatrixXd a = saddle_point(n, m, alpha, 1, false, random);
        Places pattern = nonzeros(a);
        for (int i = 0; i < n + m; ++i) pattern.emplace(i, i);
        Fixed fixed(pattern, n + m);
        REQUIRE(fixed.factor(a, symmetric));
        CHECK(fixed.error(a, random) <= 1e-14 * condition(a));
        for (int count : {1, 2, 3, 4, 7}) {
          const MatrixXd x = MatrixXd::Random(count, n + m);
          MatrixXd b = x * a.transpose();
          fixed.solver.solve_many(b.data(), count);
          CHECK((b - x).norm() <= 1e-14 * condition(a) * x.norm());
        }
      }
    }
  }
}

TEST_CASE("a redundant constraint of the penalty form is no singularity, whatever the masses") {
  std::mt19937 random(13);
  for (int n : {6, 24}) {  // dense and sparse
    for (double mass : {1e-6, 1.0, 2e4}) {
      for (double alpha : {1e6, 1e9, 1e12}) {
        INFO(n << " coordinates, mass " << mass << ", alpha " << alpha);
        const MatrixXd a = saddle_point(n, n / 2, alpha, mass, true, random);
        Fixed fixed(a);
        REQUIRE(fixed.factor(a));
        const VectorXd x = random_vector(static_cast<int>(a.rows()), random);
        VectorXd b = a * x;
        const VectorXd given = b;
        fixed.solver.solve(b.data());
        // The multipliers share the load arbitrarily to within rounding; what they balance is determined.
        CHECK((a * b - given).norm() <= 1e-10 * given.norm());
      }
    }
  }
}

TEST_CASE("a kept pivot sequence is given up when the values ask for other pivots") {
  int regular = 0;
  for (int n : {20, 50}) {
    std::mt19937 random(static_cast<unsigned>(n));
    // Two entries per row that may be pivots: on the diagonal, and one to the right.
    const MatrixXd a = random_matrix(n, 0, random) + 0.7 * random_matrix(n, 1, random);
    Fixed fixed(a);
    REQUIRE(fixed.factor(a));
    for (int trial = 0; trial < 45; ++trial) {
      const double factor = std::pow(10.0, -(trial % 15));
      MatrixXd changed = a;
      for (const auto& [i, j] : fixed.entries) changed(i, j) *= 1 + 0.5 * random_vector(1, random)[0];
      for (int i = 0; i < n; ++i) changed(i, i) *= factor;
      const double c = condition(changed);
      if (c > 1e6) continue;
      ++regular;
      INFO("size " << n << ", diagonal times " << factor << ", condition " << c);
      REQUIRE(fixed.factor(changed));
      CHECK(fixed.error(changed, random) <= 1e-12 * c);
    }
    REQUIRE(fixed.factor(a));
    CHECK(fixed.error(a, random) <= 1e-12);
  }
  CHECK(regular > 80);
}

TEST_CASE("a matrix that becomes singular on a kept pivot sequence is reported") {
  std::mt19937 random(18);
  for (int n : {6, 30}) {
    const MatrixXd a = random_matrix(n, 0, random);
    for (int row = 0; row < n; ++row) {
      // The row becomes a multiple of another to within rounding, so no pivot is exactly zero.
      MatrixXd singular = a;
      const int other = (row + 1) % n;
      Places pattern = nonzeros(a);
      for (int j = 0; j < n; ++j) {
        singular(row, j) = a(other, j) / 3 * 1.7;
        if (a(other, j) != 0) pattern.emplace(row, j);
      }
      Fixed fixed(pattern, n);
      INFO("size " << n << ", row " << row);
      REQUIRE(fixed.factor(a));
      CHECK_FALSE(fixed.factor(singular));
    }
  }
}

TEST_CASE("singular matrices are reported, and the solver stays usable") {
  std::mt19937 random(14);
  for (int n : {3, 8, 16, 17, 40}) {
    for (bool first : {true, false}) {  // as the first matrix of a solver, and after a regular one
      INFO("size " << n << (first ? "" : ", after a regular matrix"));
      const MatrixXd a = random_matrix(n, 1, random);
      MatrixXd dependent = a, empty = a;
      Places pattern = nonzeros(a);
      for (int j = 0; j < n; ++j) pattern.emplace(n - 1, j);
      dependent.row(n - 1) = 2 * a.row(0) - a.row(1);
      empty.col(n / 2).setZero();
      Fixed fixed(pattern, n);
      if (!first) REQUIRE(fixed.factor(a));
      CHECK_FALSE(fixed.factor(dependent));
      CHECK_FALSE(fixed.factor(empty));
      CHECK(fixed.solver.singular_row() == n / 2);
      REQUIRE(fixed.factor(a));
      CHECK(fixed.solver.singular_row() == -1);
      CHECK(fixed.error(a, random) <= 1e-14 * condition(a));
      CHECK(fixed.solver.factorization_count() == (first ? 3 : 4));
    }
  }
}

TEST_CASE("a matrix that is refused by its condition names one of its own columns") {
  std::mt19937 random(19);
  for (int n : {3, 8, 16, 17, 40}) {
    // The last three rows and columns stand alone; column n - 2 is column n - 1 but for rounding.
    MatrixXd a = random_matrix(n, 0, random);
    a.rightCols(3).setZero();
    a.bottomRows(3).setZero();
    a.bottomRightCorner(3, 3) << 2, 1, 1, 0.3, 1 / 3.0, 1 / 3.0 + 1e-16, 0.6, 0.1 + 0.7, 0.8;
    Places pattern = nonzeros(a);
    Fixed fixed(pattern, n);
    INFO("size " << n);
    REQUIRE_FALSE(fixed.factor(a));
    CHECK(fixed.solver.singular_row() >= n - 2);
    CHECK(fixed.solver.singular_row() < n);
    a(n - 1, n - 1) = std::nan("");
    REQUIRE_FALSE(fixed.factor(a));
    CHECK(fixed.solver.singular_row() == -1);
  }
}

TEST_CASE("a body that carries many others, and multipliers that an order by degree would eliminate first") {
  std::mt19937 random(21);
  std::uniform_real_distribution<double> any(0.5, 1.5);
  for (const bool is_hub : {true, false}) {
    for (const double compliance : {0.0, 1e-9}) {
      const int parts = 20, n = 3 * parts, m = 2 * (parts - 1);
      MatrixXd a = MatrixXd::Zero(n + m, n + m);
      for (int i = 0; i < n; ++i) a(i, i) = any(random);
      for (int k = 0; k < m; ++k) {
        const int second = k / 2 + 1, first = is_hub ? 0 : second - 1;
        a(n + k, 3 * first + k % 2) = a(3 * first + k % 2, n + k) = -1;
        a(n + k, 3 * second + k % 2) = a(3 * second + k % 2, n + k) = 1;
        for (const int part : {first, second}) a(n + k, 3 * part + 2) = a(3 * part + 2, n + k) = any(random);
      }
      Places pattern = nonzeros(a);
      for (int k = 0; k < m; ++k) {
        pattern.emplace(n + k, n + k);
        a(n + k, n + k) = -compliance;
      }
      INFO((is_hub ? "hub" : "chain") << ", compliance " << compliance);
      Fixed fixed(pattern, n + m);
      REQUIRE(fixed.factor(a));
      CHECK(fixed.error(a, random) <= 1e-14 * condition(a));
      a(0, 0) = 0;  // a diagonal that is lost later asks for an exchange
      REQUIRE(fixed.factor(a));
      CHECK(fixed.error(a, random) <= 1e-14 * condition(a));
    }
  }
}

TEST_CASE("numbers that are not finite are refused wherever they stand") {
  std::mt19937 random(15);
  const double infinity = std::numeric_limits<double>::infinity();
  for (int n : {2, 5, 16, 20}) {
    const MatrixXd regular = MatrixXd::Identity(n, n) * 2;
    Places full;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) full.emplace(i, j);
    }
    for (bool symmetric : {false, true}) {
      for (double bad : {std::nan(""), infinity, -infinity}) {
        for (const auto& [i, j] : {std::pair{0, 0}, {n - 1, n - 1}, {0, n - 1}, {n - 1, 0}, {n / 2, 0}, {0, 1}}) {
          INFO("size " << n << ", " << bad << " at " << i << ", " << j << (symmetric ? ", symmetric" : ""));
          MatrixXd a = regular;
          a(i, j) = bad;
          if (symmetric) a(j, i) = bad;
          Fixed fixed(full, n);
          CHECK_FALSE(fixed.factor(a, symmetric));
          REQUIRE(fixed.factor(regular, symmetric));
          CHECK(fixed.error(regular, random) <= 1e-15);
        }
      }
    }
  }
}

TEST_CASE("symmetric systems whose entries come and go") {
  // Coupling terms that vanish at the first point must not be forgotten later.
  std::mt19937 random(16);
  for (int trial = 0; trial < 30; ++trial) {
    const int n = 6, m = 3;
    MatrixXd a = saddle_point(n, m, 1e9, 1, false, random);
    Places full;
    for (int i = 0; i < n + m; ++i) {
      for (int j = 0; j < n + m; ++j) full.emplace(i, j);
    }
    Fixed fixed(full, n + m);
    for (int step = 0; step < 6; ++step) {
      MatrixXd b = a;
      const int i = static_cast<int>(random() % n), j = static_cast<int>(random() % n);
      if (i != j && step > 0) b(i, j) = b(j, i) = 0.25 * step;
      if (step == 3) b = a;
      INFO("trial " << trial << ", step " << step);
      REQUIRE(fixed.factor(b, true));
      CHECK(fixed.error(b, random) <= 1e-14 * condition(b));
    }
  }
}

TEST_CASE("a factorization kept as numbers solves again") {
  std::mt19937 random(17);
  const MatrixXd a = saddle_point(6, 3, 1e9, 1, false, random), b = saddle_point(6, 3, 1e6, 2, false, random);
  Fixed fixed(a);
  REQUIRE(fixed.factor(a, true));
  const std::vector<double> numbers(fixed.solver.factor_numbers().begin(), fixed.solver.factor_numbers().end());
  REQUIRE_FALSE(numbers.empty());
  REQUIRE(fixed.factor(b, true));
  CHECK(fixed.error(b, random) <= 1e-14 * condition(b));
  CHECK(fixed.error(a, random) > 1e-3);
  REQUIRE(fixed.solver.restore(numbers));
  CHECK(fixed.error(a, random) <= 1e-14 * condition(a));
  CHECK_FALSE(fixed.solver.restore(std::vector<double>(numbers.begin() + 1, numbers.end())));
}

TEST_CASE("a kept factorization is refused once the pattern of non-zeros has grown") {
  using perilune::linalg::SmallLdl;
  Places full;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) full.emplace(i, j);
  }
  SmallLdl ldl(pattern_of(3, 3, full), [](int i, int j) { return 3 * i + j; });
  double a[9] = {4, 1, 0, 1, 5, 0, 0, 0, 6};
  REQUIRE(ldl.factor(a));
  const std::vector<double> kept = ldl.numbers();
  CHECK(ldl.restore(kept));
  a[2] = a[6] = 2;  // the same number of entries may now stand in another order
  REQUIRE(ldl.factor(a));
  CHECK_FALSE(ldl.restore(kept));
  REQUIRE(ldl.factor(a));
  const std::vector<double> again = ldl.numbers();
  double b[3] = {1, 2, 3};
  CHECK(ldl.restore(again));
  ldl.solve(b, 1);
  CHECK(4 * b[0] + b[1] + 2 * b[2] == Approx(1));
  CHECK(b[0] + 5 * b[1] == Approx(2));
  CHECK(2 * b[0] + 6 * b[2] == Approx(3));
}
