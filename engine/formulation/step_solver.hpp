// SPDX-License-Identifier: MIT
// Steps with equations of their own, in place of points and implicit nodes: all their nodes follow from the one before
// the step.
#pragma once
#include <span>

#include "formulation/node.hpp"
#include "linalg/linear_solver.hpp"
#include "system/system.hpp"

namespace perilune::formulation {

class StepSolver {
 public:
  virtual ~StepSolver() = default;
  /// The nodes x of a step of length h from a point of the motion; their times are given. `tolerance`: of Newton's
  /// method, where it is used. Throws NumericalError.
  virtual void solve(double h, const Node& start, std::span<const Node> x, double tolerance) = 0;
  /// What the system said at the i-th node, if that is a point in time; right after solve() only.
  virtual const system::Workspace& workspace(std::size_t i) const = 0;
  /// After solve() or linearize(), from the tangents of the start; those of the data are with every node. All nodes
  /// still exist. `by_length`: how h changes with each direction; null where it does not.
  virtual void tangent(int count, const TangentNode& start, std::span<const TangentNode> x,
                       const double* by_length) = 0;
  /// For adjoint(), where the nodes were found earlier.
  virtual void linearize(double h, const Node& start, std::span<const Node> x) = 0;
  /// In: adjoints of the nodes, which are lost. Those of the start and the data are added to.
  virtual void adjoint(const AdjointNode& start, std::span<const AdjointNode> x) = 0;
  /// What it expects of the next step by the last one, and what its matrices keep: see Memory.
  virtual bool expects_smooth() const { return true; }
  virtual void expect_smooth(bool /*is_smooth*/) {}
  virtual std::vector<linalg::Pivoting> pivoting() = 0;
  virtual void set_pivoting(std::span<const linalg::Pivoting> kept) = 0;
};

}  // namespace perilune::formulation
