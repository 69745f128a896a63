// SPDX-License-Identifier: MIT
// One step of the direct and adjoint equations of the stabilized index-1 form (Schaffer 2005, eqs. 4.113 and 4.194),
// which have the same shape,
//   x' = y - Phi_q^T chi',  M y' + Phi_q^T psi' + D1 y + D2 x = s,  Phi_q y + Phi_q' x = r',  Phi_q x = r,
// by Radau IIA of order 5. Being stiffly accurate it satisfies both constraints at every mesh point. Dense: the work of
// a step grows with the cube of the number of coordinates.
#pragma once
#include <array>
#include <optional>

#include "linalg/decompositions.hpp"

namespace perilune::sensitivity {

inline constexpr std::size_t radau_stage_count = 3;

/// The equations at one time; one column of s, r, r' for every solution that is wanted.
struct StabilizedEquations {
  Eigen::MatrixXd mass, of_rate, of_position, jacobian, jacobian_rate;  // M, D1, D2, Phi_q, Phi_q'
  Eigen::MatrixXd force, position, rate;                                // s, r, r'
  Eigen::MatrixXd border = {};  // what stands at psi' where it is not the transpose of `jacobian`
  Eigen::MatrixXd across = {}, across_by_position = {}, across_rate = {};  // A, (A v)_q and r' of rows on velocities
};

/// The solutions at one stage: x, y, y', psi'.
struct StageSolution {
  Eigen::MatrixXd position, rate, acceleration, multipliers;
};

/// x and y through a step of length h (negative: backward).
class RadauStep {
 public:
  using Equations = std::array<StabilizedEquations, radau_stage_count>;
  using Solutions = std::array<StageSolution, radau_stage_count>;

  RadauStep();

  /// Where a stage stands in the step, from 0 to 1, and its weight in integrals over the step.
  double node(std::size_t stage) const { return c_[static_cast<Eigen::Index>(stage)]; }
  double weight(std::size_t stage) const { return b_[static_cast<Eigen::Index>(stage)]; }

  /// From x and y, which satisfy the constraints, to the stages, the last of which is the end.
  const Solutions& solve(double h, const Equations& at, const Eigen::MatrixXd& x, const Eigen::MatrixXd& y);

 private:
  struct Feasible;
  using AllFeasible = std::array<Feasible, radau_stage_count>;
  /// M, D1 and D2 of a stage in the directions that the constraints leave open.
  struct Rows {
    Eigen::MatrixXd mass, of_rate, of_position;
  };

  /// x, y and y' of all stages.
  void place(double h, const AllFeasible& feasible, const Eigen::MatrixXd& xi, const Eigen::MatrixXd& x,
             const Eigen::MatrixXd& y);
  /// s - M y' - D1 y - D2 x.
  static Eigen::MatrixXd left_over(const StabilizedEquations& e, const StageSolution& s);
  /// The derivative of M y' + D1 y + D2 x at stage i by xi of stage k, in those directions.
  Eigen::MatrixXd response(double h, Eigen::Index i, Eigen::Index k, const Rows& rows,
                           const AllFeasible& feasible) const;
  /// That of y.
  Eigen::MatrixXd rate_response(double h, Eigen::Index i, Eigen::Index k, const AllFeasible& feasible) const;

  Eigen::Matrix3d w_;  // inverse of the tableau
  Eigen::Vector3d b_, c_;
  Solutions solutions_;
};

}  // namespace perilune::sensitivity
