// SPDX-License-Identifier: MIT
// The equations of motion in one formulation, as integrators and sensitivities see them: points, where positions and
// velocities are known, and groups of nodes that an implicit step solves for; both with their derivatives. One object
// per thread.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formulation/formulation.hpp"
#include "formulation/kept_matrix.hpp"
#include "formulation/node.hpp"
#include "formulation/point_chain.hpp"
#include "linalg/linear_solver.hpp"
#include "system/system.hpp"

namespace perilune::formulation {

using system::Data;
using system::System;

class Projection;
class StepSolver;

/// Work done so far.
struct Effort {
  long evaluations = 0, factorizations = 0, jacobians = 0, newton_iterations = 0;
};

/// What a form settles where a step starts and keeps throughout it: the independent coordinates, ascending. Whoever
/// visits the step again has to keep to it, for the steps to be smooth functions of the parameters. Null for most
/// forms.
using Choice = std::shared_ptr<const std::vector<int>>;

/// What a form remembers of earlier steps. With the same nodes and the same memory, the next step is the same to the
/// last bit.
struct Memory {
  Choice choice;
  int group_size = 0;                       // that the matrix of several nodes is made for
  std::vector<linalg::Pivoting> pivoting;   // of every solver, in the form's own order
  std::optional<StepScheme> scheme = {};    // that the last solvers are of
  bool expects_smooth = true;               // by that scheme
  std::shared_ptr<KeptMatrix> matrix = {};  // null: none is kept
  MatrixService service = {};
  bool operator==(const Memory&) const = default;
};

/// At which sides the switches of the model are held (expr::Quantity::Side). Null: none is.
using Sides = std::shared_ptr<const std::vector<double>>;

class Motion {
 public:
  virtual ~Motion() = default;
  /// Whoever visits a step again has to hold the same sides.
  void set_sides(const Sides& sides);
  const Sides& sides() const { return sides_; }
  virtual const System& system() const = 0;
  virtual const Data& data() const = 0;
  int n() const { return system().coordinate_count(); }
  int m() const { return system().constraint_count(); }
  /// Nodes carry u and mu of their own.
  virtual bool has_own_rate() const { return false; }

  /// Before every step of length h, at the node it starts from, and before the first point at its proposals: keeps the
  /// choice if there is one that is good for the whole step. Throws NumericalError (singular position).
  virtual void choose(const Node& /*start*/, double /*h*/) {}
  virtual Choice choice() const { return nullptr; }
  /// In place of choose(), where nodes are visited again. Null: as if none had been made.
  virtual void set_choice(const Choice&) {}

  virtual Memory memory() = 0;
  /// Of a motion of the same form, system and data.
  virtual void set_memory(const Memory& memory) = 0;
  /// After attempts that came to nothing: the next step makes a matrix of its own, so that what has to be remembered
  /// for its sake stays small.
  virtual void forget_matrix() {}

  /// From the proposals in x.q and x.v to a point of the motion. Throws NumericalError (singular position, non-finite
  /// forces).
  virtual void point(const Node& x) = 0;
  /// The same within a step, for nobody who reads multipliers: where these cost something they are NaN.
  virtual void point_on_the_way(const Node& x) { point(x); }
  /// point() for all of a chain at once, with those of other fibers' motions; the last one counts as found just now.
  /// False where that cannot be: then numbers of its points are of no use. Of forms without rates of their own.
  virtual bool points_in_lanes(const PointChain&) { return false; }
  /// Of what is proposed for points the coordinates that count, ascending; of the others what was found where the step
  /// starts is as good. Null: all.
  virtual const std::vector<int>* proposed() const { return nullptr; }
  /// From proposals in q and v and guesses in a and lambda to a solution, by Newton's method, until the last correction
  /// of the accelerations is below `tolerance`, relative, or at the limit that rounding sets. Throws NumericalError.
  virtual void solve(const Coupling& coupling, std::span<const Node> x, double tolerance) = 0;
  /// What the system said at the i-th node of the point or group found just now; after Newton's method within its last
  /// correction. Right after the call only.
  virtual const system::Workspace& workspace(std::size_t i) const = 0;
  /// Whether that is at hand anyway: else it is evaluated for whoever asks.
  virtual bool evaluates_nodes() const { return true; }
  /// A sentence about how the form goes about this system, where a user may expect something else; mostly empty.
  virtual const std::string& remark() const {
    static const std::string none;
    return none;
  }
  /// Smallest pivot over largest of the matrix factored last, in (0, 1]; 1 where there is none.
  virtual double pivot_ratio() const = 0;

  /// The matrix of the point just found, as numbers that speed up linearize_point there; empty when that is not cheap.
  virtual std::span<const double> factor_numbers() const { return {}; }
  enum class Here { Again, Just };  // whether the very last call was the one that found these nodes
  /// Derivatives at a point found earlier; tangent_point and adjoint_point refer to the last call.
  virtual void linearize_point(const Node& x, Here here, std::span<const double> factor) = 0;
  /// Whether points just found without multipliers have derivatives, as far as nobody reads those of multipliers.
  virtual bool differentiates_without_multipliers() const { return false; }
  /// In: the tangents of the proposals and the data in y.z. Out: those of the point in y.z, y.x (y.u, y.mu).
  virtual void tangent_point(int count, const TangentNode& y) = 0;
  /// In: adjoints of the point. Out: those of the proposals in y.z; the data's are added to. a and lambda are lost.
  virtual void adjoint_point(const AdjointNode& y) = 0;

  /// The same for nodes that were solved for together.
  virtual void linearize_group(const Coupling& coupling, std::span<const Node> x) = 0;
  virtual void tangent_group(const Coupling& coupling, int count, std::span<const TangentNode> y) = 0;
  virtual void adjoint_group(const Coupling& coupling, std::span<const AdjointNode> y) = 0;

  /// Whether steps end with nodes that are projected onto the constraints, and what does so.
  virtual bool projects() const { return false; }
  virtual Projection* projection() { return nullptr; }
  /// What makes steps by a scheme, null for forms that do not have them. The caller goes on with its solve(), or with
  /// its derivatives.
  virtual StepSolver* step_solver(const StepScheme& /*scheme*/) { return nullptr; }

  /// The adjoints are sums of -R_z^T w for residuals R of n + m numbers per node (Dynamics), one for every law of the
  /// constraints: what second derivatives build on. Not true of every formulation.
  virtual bool has_residuals() const { return false; }
  struct ResidualWeights {
    ConstraintLaw law;
    std::span<const double> w;  // node by node
  };
  /// Before adjoints of which they are asked for: what is faster without does without, else.
  virtual void keep_residual_weights() {}
  /// Of the last adjoint.
  virtual std::span<const ResidualWeights> residual_weights() const { return {}; }

  const Effort& effort() const { return effort_; }

 protected:
  Effort effort_;

 private:
  friend std::unique_ptr<Motion> make_motion(std::shared_ptr<const System> system, std::shared_ptr<const Data> data,
                                             const Formulation& formulation);
  Sides sides_;
  std::shared_ptr<Data> held_;  // data() itself, of a system with switches: sides change on the way
};

std::unique_ptr<Motion> make_motion(std::shared_ptr<const System> system, std::shared_ptr<const Data> data,
                                    const Formulation& formulation);

}  // namespace perilune::formulation
