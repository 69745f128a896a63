// SPDX-License-Identifier: MIT
#include "optimize/newton/curvature.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>

#include "linalg/decompositions.hpp"

namespace perilune::optimize {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double negligible = 1e-9;  // part of a direction that is known up to it

/// What the orthonormal `basis` leaves of a vector. Twice is enough.
VectorXd remainder(VectorXd v, const std::vector<VectorXd>& basis) {
  for (int round = 0; round < 2; ++round) {
    for (const VectorXd& q : basis) v -= q.dot(v) * q;
  }
  return v;
}

}  // namespace

void Curvature::forget() {
  basis_.clear();
  images_.clear();
}

VectorXd Curvature::times(const VectorXd& direction) {
  const VectorXd rest = remainder(direction, basis_);
  const double length = rest.norm();
  if (length > negligible * direction.norm()) {
    // Once more, since a small rest is less orthogonal once it has unit length.
    const VectorXd unit = remainder(rest / length, basis_).normalized();
    images_.reserve(images_.size() + 1);
    VectorXd image = product_(unit);
    basis_.push_back(unit);
    images_.push_back(std::move(image));
  }
  VectorXd out = VectorXd::Zero(direction.size());
  for (std::size_t k = 0; k < basis_.size(); ++k) out += basis_[k].dot(direction) * images_[k];
  return out;
}

LeastCurvature least_curvature(Curvature& curvature, const std::vector<char>& free, Index most) {
  const auto n = static_cast<Index>(free.size());
  const auto held_out = [&](VectorXd v) {
    for (Index i = 0; i < n; ++i) {
      if (!free[static_cast<std::size_t>(i)]) v[i] = 0;
    }
    return v;
  };
  const Index count = std::count(free.begin(), free.end(), 1);
  std::mt19937 random(1);
  std::vector<VectorXd> basis, images;
  VectorXd next = VectorXd::Zero(n);
  while (static_cast<Index>(basis.size()) < std::min(count, most)) {
    VectorXd rest = remainder(next, basis);
    if (!(rest.norm() > negligible * next.norm())) {  // the products so far stay among themselves
      for (Index i = 0; i < n; ++i) next[i] = static_cast<double>(random()) / 4294967296.0 - 0.5;
      rest = remainder(held_out(next), basis);
    }
    basis.push_back(remainder(rest.normalized(), basis).normalized());
    images.push_back(held_out(curvature.times(basis.back())));
    next = images.back();
  }
  const auto size = static_cast<Index>(basis.size());
  MatrixXd reduced(size, size), along(n, size);
  for (Index j = 0; j < size; ++j) {
    along.col(j) = basis[static_cast<std::size_t>(j)];
    for (Index i = 0; i < size; ++i) {
      reduced(i, j) = basis[static_cast<std::size_t>(i)].dot(images[static_cast<std::size_t>(j)]);
    }
  }
  const Eigen::SelfAdjointEigenSolver<MatrixXd> parts(0.5 * (reduced + reduced.transpose()));
  LeastCurvature out;
  out.least = parts.eigenvalues()[0];
  out.largest = parts.eigenvalues().lpNorm<Eigen::Infinity>();
  out.direction = along * parts.eigenvectors().col(0);
  out.is_exact = size == count;
  return out;
}

}  // namespace perilune::optimize
