// SPDX-License-Identifier: MIT
// The piecewise adjoint (Schaffer 2005, chapter 5): the adjoint equations of the stabilized index-1 form over shooting
// intervals that are visited in forward order, on several threads. With independent coordinates mu^v of the interval's
// end, every solution on an interval is
//   y = (mu^v, mu^v') = v + Y s,  s = y at the end of the interval,  v = 0 and Y = 1 there (eqs. 5.39 to 5.41),
// so that the gradient is affine in the s, which back substitution finds once the motion is at its end (eq. 5.78).
#pragma once
#include <functional>

#include "sensitivity/continuous/continuous_matrices.hpp"
#include "sensitivity/gradient.hpp"
#include "sensitivity/independent_coordinates/selection.hpp"

namespace perilune::sensitivity {

/// mu^v: entries of mu from which the others follow at a boundary, where the motion stood when this was made.
class BoundaryCoordinates {
 public:
  explicit BoundaryCoordinates(LinearizedMotion& motion)
      : at_(motion), t_(motion.point().t), selection_(rows_of(motion.system(), true)) {}

  /// Either comes before what follows. The best ones; these.
  void choose() { selection_.choose(at_.jacobian, t_); }
  void take(std::vector<Eigen::Index> independent) { selection_.take(std::move(independent), at_.jacobian); }

  Eigen::Index freedoms() const { return selection_.freedoms(); }
  /// mu^v and mu^v' of every column.
  Eigen::MatrixXd pick(const Eigen::MatrixXd& mu, const Eigen::MatrixXd& rate) const;
  /// mu and mu' that keep to the constraints on them, with these right-hand sides (of m rows) and independent entries.
  struct Both {
    Eigen::MatrixXd mu, rate;
  };
  Both spread(const Eigen::MatrixXd& top, const Eigen::MatrixXd& top_rate, const Eigen::MatrixXd& independent,
              const Eigen::MatrixXd& independent_rate) const;

 private:
  AdjointRows at_;
  double t_;
  Selection selection_;
};

/// Chooses the independent coordinates of the interval before boundary `number` (0: the start of the motion; it has no
/// interval), where the motion stands. The interval after it is asked as well (`from_after`), since what it hands over
/// has to be in the other's coordinates: the source leaves this transformation out, and is wrong where they differ.
using ChooseCoordinates = std::function<void(BoundaryCoordinates& coordinates, std::size_t number, bool from_after)>;

/// The best ones at each boundary.
void choose_best(BoundaryCoordinates& coordinates, std::size_t number, bool from_after);

Gradient piecewise_adjoint(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                           const PiecewiseAdjoint& method, const ChooseCoordinates& choose);

}  // namespace perilune::sensitivity
