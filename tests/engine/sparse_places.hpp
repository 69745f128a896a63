// SPDX-License-Identifier: MIT
// Where sparse matrices of tests have entries.
#pragma once
#include <Eigen/Dense>
#include <random>
#include <set>
#include <utility>

#include "linalg/sparse_pattern.hpp"

using Places = std::set<std::pair<int, int>>;

inline Eigen::VectorXd random_vector(int n, std::mt19937& random) {
  std::uniform_real_distribution<double> any(-1, 1);
  Eigen::VectorXd x(n);
  for (int i = 0; i < n; ++i) x[i] = any(random);
  return x;
}

inline perilune::linalg::SparsePattern pattern_of(int rows, int columns, const Places& places) {
  perilune::linalg::Entries entries;
  for (const auto& [i, j] : places) entries.emplace(i, j);
  return {rows, columns, entries};
}

inline Places nonzeros(const Eigen::MatrixXd& a) {
  Places entries;
  for (int i = 0; i < a.rows(); ++i) {
    for (int j = 0; j < a.cols(); ++j) {
      if (a(i, j) != 0) entries.emplace(i, j);
    }
  }
  return entries;
}
