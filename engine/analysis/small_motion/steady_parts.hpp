// SPDX-License-Identifier: MIT
// What steady motions and their derivatives by parameters are computed from.
#pragma once
#include <cmath>
#include <utility>
#include <vector>

#include "linalg/decompositions.hpp"
#include "model/model.hpp"

namespace perilune::analysis::steady {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Eigen::VectorXd;

// Of accelerations and of neighbours' ones: what runs that have come to be steady, and rounding, leave.
constexpr double tolerance = 1e-7;

inline double largest(const MatrixXd& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }

// Quaternions as four numbers (e0, e), in the order of the coordinates.
inline Vector4d product(const Vector4d& a, const Vector4d& b) {
  Vector4d out;
  const Vector3d u = a.tail<3>(), w = b.tail<3>();
  out[0] = a[0] * b[0] - u.dot(w);
  out.tail<3>() = a[0] * w + b[0] * u + u.cross(w);
  return out;
}

inline Vector4d pure(const Vector3d& x) { return {0, x[0], x[1], x[2]}; }
inline Vector4d conjugate(const Vector4d& p) { return {p[0], -p[1], -p[2], -p[3]}; }

inline Vector4d parameters(const std::vector<double>& x, int first) {
  const double* p = x.data() + first + 3;
  return {p[0], p[1], p[2], p[3]};
}

/// Gravity, which may depend on parameters, and its derivative by one of them where `by` is the number of one, else 0.
std::pair<Vector3d, Vector3d> gravity_of(const model::Model& model, const std::vector<double>& parameters, int by);

/// The rate about some axes (columns) that turns vectors, least squares: matrix * shares = right.
struct CommonTurn {
  MatrixXd matrix, inverse;  // of the directions that the vectors tell
  VectorXd right, shares;
  bool is_open = false;  // the vectors do not tell all of it

  CommonTurn(const MatrixXd& axes, const std::vector<std::pair<Vector3d, Vector3d>>& vectors)
      : matrix(crossed(axes, vectors)), right(matrix.rows()) {
    double size = 0;
    Index row = 0;
    for (const auto& [vector, rate] : vectors) {
      right.segment<3>(row) = rate;
      size = std::hypot(size, vector.norm());
      row += 3;
    }
    const Eigen::JacobiSVD<MatrixXd> svd(matrix, Eigen::ComputeThinU | Eigen::ComputeThinV);
    // Rates below this share of the largest say nothing of the direction in which they turn.
    constexpr double negligible = 1e-9;
    VectorXd scale = svd.singularValues();
    for (double& value : scale) {
      is_open |= !(value > negligible * size);
      value = value > negligible * size ? 1 / value : 0;
    }
    inverse = svd.matrixV() * scale.asDiagonal() * svd.matrixU().transpose();
    shares = inverse * right;
  }
  static MatrixXd crossed(const MatrixXd& axes, const std::vector<std::pair<Vector3d, Vector3d>>& vectors) {
    MatrixXd out(3 * static_cast<Index>(vectors.size()), axes.cols());
    for (std::size_t k = 0; k < vectors.size(); ++k) {
      for (Index j = 0; j < axes.cols(); ++j) {
        out.block<3, 1>(3 * static_cast<Index>(k), j) = Vector3d(axes.col(j)).cross(vectors[k].first);
      }
    }
    return out;
  }
};

}  // namespace perilune::analysis::steady
