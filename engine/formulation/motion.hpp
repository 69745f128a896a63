// The equations of motion in one formulation, as integrators and sensitivities see them: points, where positions and
// velocities are known, and groups of nodes that an implicit step solves for; both with their derivatives. One object
// per thread.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "formulation/formulation.hpp"
#include "formulation/node.hpp"
#include "system/system.hpp"

namespace perilune::formulation {

using system::Data;
using system::System;

/// Work done so far.
struct Effort {
  long evaluations = 0, factorizations = 0, jacobians = 0, newton_iterations = 0;
};

class Motion {
 public:
  virtual ~Motion() = default;
  virtual const System& system() const = 0;
  virtual const Data& data() const = 0;
  int n() const { return system().coordinate_count(); }
  int m() const { return system().constraint_count(); }
  /// Nodes carry u and mu of their own.
  virtual bool has_own_rate() const { return false; }
  /// Points have other velocities than proposed, and keep those too.
  virtual bool corrects_velocities() const { return false; }

  /// From the proposals in x.q and x.v to a point of the motion. Throws NumericalError (singular position, non-finite
  /// forces).
  virtual void point(const Node& x) = 0;
  /// From proposals in q and v and guesses in a and lambda to a solution, by Newton's method, until the last correction
  /// of the accelerations is below `tolerance`, relative, or at the limit that rounding sets. Throws NumericalError.
  virtual void solve(const Coupling& coupling, std::span<const Node> x, double tolerance) = 0;

  /// The matrix of the point just found, as numbers that speed up linearize_point there; empty when that is not cheap.
  virtual std::span<const double> factor_numbers() const { return {}; }
  enum class Here { Again, Just };  // whether the very last call was the one that found these nodes
  /// Derivatives at a point found earlier; tangent_point and adjoint_point refer to the last call.
  virtual void linearize_point(const Node& x, Here here, std::span<const double> factor) = 0;
  /// In: the tangents of the proposals and the data in y.z. Out: those of the point in y.z, y.x (y.u, y.mu).
  virtual void tangent_point(int count, const TangentNode& y) = 0;
  /// In: adjoints of the point. Out: those of the proposals in y.z; the data's are added to. a and lambda are lost.
  virtual void adjoint_point(const AdjointNode& y) = 0;

  /// The same for nodes that were solved for together.
  virtual void linearize_group(const Coupling& coupling, std::span<const Node> x) = 0;
  virtual void tangent_group(const Coupling& coupling, int count, std::span<const TangentNode> y) = 0;
  virtual void adjoint_group(const Coupling& coupling, std::span<const AdjointNode> y) = 0;

  const Effort& effort() const { return effort_; }

 protected:
  Effort effort_;
};

std::unique_ptr<Motion> make_motion(std::shared_ptr<const System> system, std::shared_ptr<const Data> data,
                                    const Formulation& formulation);

}  // namespace perilune::formulation
