// SPDX-License-Identifier: MIT
// How a link moves and what acts on it, in space and in the plane: both at its reference point.
#pragma once
#include <Eigen/Geometry>

namespace perilune::formulation {

/// In space turns and moves have three components each, in the plane one and two.
template <int turns, int moves>
struct Motion {
  Eigen::Matrix<double, turns, 1> turn = Eigen::Matrix<double, turns, 1>::Zero();
  Eigen::Matrix<double, moves, 1> move = Eigen::Matrix<double, moves, 1>::Zero();
};

template <int turns, int moves>
struct Wrench {
  Eigen::Matrix<double, turns, 1> moment = Eigen::Matrix<double, turns, 1>::Zero();
  Eigen::Matrix<double, moves, 1> force = Eigen::Matrix<double, moves, 1>::Zero();
};

template <int turns, int moves>
double power(const Motion<turns, moves>& motion, const Wrench<turns, moves>& wrench) {
  return motion.turn.dot(wrench.moment) + motion.move.dot(wrench.force);
}

/// Of a force at this arm.
inline Eigen::Vector3d moment_at(const Eigen::Vector3d& arm, const Eigen::Vector3d& force) { return arm.cross(force); }
inline Eigen::Matrix<double, 1, 1> moment_at(const Eigen::Vector2d& arm, const Eigen::Vector2d& force) {
  return Eigen::Matrix<double, 1, 1>(arm.x() * force.y() - arm.y() * force.x());
}

}  // namespace perilune::formulation
