// SPDX-License-Identifier: MIT
// Sparsity patterns, and where layouts of matrices have their entries.
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <iterator>
#include <random>
#include <vector>

#include "linalg/linear_solver.hpp"
#include "linalg/slot_walk.hpp"
#include "sparse_places.hpp"

using namespace perilune::linalg;
using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST_CASE("a pattern has each place once, in order, however its entries come") {
  std::mt19937 random(3);
  for (const auto& [rows, columns, count] : {std::array{1, 1, 0}, std::array{9, 5, 40}, std::array{40, 60, 700}}) {
    CAPTURE(rows, columns, count);
    Places places;
    Entries entries;
    for (int k = 0; k < count; ++k) {
      const int i = static_cast<int>(random() % static_cast<unsigned>(rows)),
                j = static_cast<int>(random() % static_cast<unsigned>(columns));
      // Side by side, as the coordinates of a body are, and some of them twice.
      for (int beside = j; beside < std::min(j + 3, columns); ++beside) {
        places.emplace(i, beside);
        entries.emplace(i, beside);
      }
    }
    const SparsePattern pattern(rows, columns, entries);
    std::vector<std::pair<int, int>> found;
    pattern.for_each([&](int i, int j) { found.emplace_back(i, j); });
    CHECK(found == std::vector<std::pair<int, int>>(places.begin(), places.end()));
    // Positions are the same, in order or not.
    SlotWalk walk(pattern);
    int number = 0;
    for (const auto& [i, j] : places) CHECK(walk(i, j) == number++);
    std::shuffle(found.begin(), found.end(), random);
    for (const auto& [i, j] : found) {
      CHECK(walk(i, j) == std::distance(places.begin(), places.find({i, j})));
      CHECK(walk(i, j) == pattern.slot(i, j));
    }
  }
}

TEST_CASE("entries of a matrix stand where its layout says, with a symmetric pattern and without") {
  for (const bool is_symmetric : {true, false}) {
    CAPTURE(is_symmetric);
    const int n = 30;
    Places places;
    for (int i = 0; i < n; ++i) {
      places.emplace(i, i);
      places.emplace(i, (i + 7) % n);
      if (is_symmetric) places.emplace((i + 7) % n, i);
    }
    const MatrixLayout layout(pattern_of(n, n, places));
    // Column by column, as KLU has them.
    int number = 0;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        if (places.contains({i, j})) CHECK(layout.slot(i, j) == number++);
      }
    }
  }
}

TEST_CASE("products with a sparsity pattern") {
  std::mt19937 random(5);
  for (const auto& [rows, columns] :
       std::vector<std::pair<int, int>>{{1, 1}, {5, 3}, {4, 9}, {12, 12}, {0, 3}, {3, 0}}) {
    MatrixXd a = MatrixXd::Zero(rows, columns);
    for (int k = 0; k < rows * columns / 2; ++k) {
      a(static_cast<int>(random() % static_cast<unsigned>(rows)),
        static_cast<int>(random() % static_cast<unsigned>(columns))) = 1.0 + static_cast<double>(random() % 8);
    }
    const SparsePattern pattern = pattern_of(rows, columns, nonzeros(a));
    CHECK(pattern.rows() == rows);
    CHECK(pattern.columns() == columns);
    std::vector<double> values(pattern.size());
    Places visited;
    pattern.for_each([&](int i, int j) {
      values[static_cast<std::size_t>(pattern.slot(i, j))] = a(i, j);
      CHECK(static_cast<std::size_t>(pattern.slot(i, j)) == visited.size());
      visited.emplace(i, j);
    });
    CHECK(visited == nonzeros(a));
    const VectorXd x = random_vector(columns, random), y = random_vector(rows, random);
    VectorXd sum = y, transposed = x;
    pattern.multiply(values.data(), x.data(), sum.data(), -0.5);
    pattern.multiply_transposed(values.data(), y.data(), transposed.data(), 2);
    CHECK((sum - (y - 0.5 * a * x)).norm() <= 1e-14 * (1 + sum.norm()));
    CHECK((transposed - (x + 2 * a.transpose() * y)).norm() <= 1e-14 * (1 + transposed.norm()));
    for (int count : {1, 2, 3, 4, 5, 8, 11}) {
      const MatrixXd many = MatrixXd::Random(count, columns);  // column-major: directions are interleaved
      MatrixXd result = MatrixXd::Random(count, rows), expected = result - many * a.transpose();
      pattern.subtract_product(values.data(), many.data(), result.data(), count);
      CHECK((result - expected).norm() <= 1e-14 * (1 + expected.norm()));
      pattern.negative_product(values.data(), many.data(), result.data(), count);
      CHECK((result + many * a.transpose()).norm() <= 1e-14 * (1 + result.norm()));
      const MatrixXd others = MatrixXd::Random(count, columns);
      std::vector<double> twice(values);
      for (double& value : twice) value *= 2;
      pattern.negative_products(values.data(), many.data(), twice.data(), others.data(), result.data(), count);
      CHECK((result + (many + 2 * others) * a.transpose()).norm() <= 1e-14 * (1 + result.norm()));
    }
  }
}
