// SPDX-License-Identifier: MIT
// The second derivatives at one point as far as they are known, from products with directions.
#pragma once
#include <Eigen/Core>
#include <functional>
#include <vector>

namespace perilune::optimize {

/// Products cost runs, and steps from one point ask for many: where a step was too long, along directions of the one
/// before. So each product is kept with its direction, orthogonal to the others, and never more are asked for than
/// there are variables.
class Curvature {
 public:
  using Product = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

  /// `product`: of the Hessian with a direction of unit length (n each). May throw, which changes nothing here.
  explicit Curvature(Product product) : product_(std::move(product)) {}

  /// Another point.
  void forget();

  /// The Hessian times a direction (n).
  Eigen::VectorXd times(const Eigen::VectorXd& direction);

 private:
  Product product_;
  std::vector<Eigen::VectorXd> basis_, images_;  // orthonormal directions, and their products
};

/// Eigenvalues of the Hessian in the subspace that was looked at, and the vector of the least.
struct LeastCurvature {
  double least = 0, largest = 0;  ///< the latter by magnitude
  Eigen::VectorXd direction;      ///< (n), of unit length
  bool is_exact = false;          ///< the subspace is all that is free
};

/// Along the variables that are `free` (n), at least one, by the method of Lanczos with at most `most` products.
LeastCurvature least_curvature(Curvature& curvature, const std::vector<char>& free, Eigen::Index most);

}  // namespace perilune::optimize
