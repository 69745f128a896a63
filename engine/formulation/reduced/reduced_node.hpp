// SPDX-License-Identifier: MIT
// One node of a motion in independent coordinates z = B q (Zhu 2014, section 2.5):
//   q' = R z' + S b,   q'' = R z'' + S c,   [S R] = [Phi_q; B]^-1
// with R = [-G; 1] and S = [Phi_u^-1; 0] in the order dependent, independent coordinates. Everything is done with the
// factors of Phi_u; R stands as the dense matrix G, S nowhere.
//
// Where velocities are constrained, more of them are dependent than positions. R is that of velocities then, and dq = P
// dp with an R of positions of its own, P; of the independent positions p the first are z, the others roll. The rolling
// velocities follow from z' and the positions, and so do the rolling accelerations. Their positions are integrated.
//
// Where forces read multipliers, what eliminates these from the equations is not R^T and S^T: with U = Phi_q^T -
// Q_lambda in the place of Phi_q^T, it is L = [-H; 1], L^T U = 0, with the left slopes H = U_u^-T U_z^T, and the
// factors of U_u. Wherever equations are reduced, not motions, these are meant.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "formulation/absolute/dynamics.hpp"
#include "formulation/motion.hpp"
#include "formulation/reduced/dependents.hpp"
#include "linalg/dense_lu.hpp"

namespace perilune::formulation {

class ReducedNode {
 public:
  ReducedNode(std::shared_ptr<const System> system, std::shared_ptr<const Data> data, const Formulation& formulation);

  Dynamics& dynamics() { return dynamics_; }
  const Dynamics& dynamics() const { return dynamics_; }
  void set_partition(std::shared_ptr<const Partition> partition);
  const std::vector<int>& independent() const { return partition_->independent; }
  /// z, then the rolling coordinates.
  const std::vector<int>& independent_positions() const { return positions().split().independent; }
  const std::vector<int>& rolling() const { return partition_->rolling; }

  /// The dependent entries of x.q and x.v from the independent ones by Newton's method, which starts from theirs.
  /// Leaves the factors of Phi_u there. Throws NumericalError, also where a constraint that was left out as redundant
  /// does not hold.
  void complete(const Node& x, Effort& effort);
  /// Factors Phi_u where the system was last evaluated; false where it is singular. factor() throws instead.
  bool try_factor();
  void factor(const Node& x);
  /// R, and P, from the factors of Phi_u.
  void find_slopes();
  /// What reduces the equations where the system was last evaluated. Nothing to do unless forces read multipliers.
  /// Throws NumericalError where these leave the multipliers undetermined.
  void find_left_slopes(const Node& x);
  /// Largest entry of G.
  double largest_slope() const;

  /// While it lives, everything is as if no force read accelerations and multipliers: from there Newton's method
  /// starts.
  class WithoutReading {
   public:
    explicit WithoutReading(ReducedNode& node) : node_(node) { node_.is_metric_ = true; }
    ~WithoutReading() { node_.is_metric_ = false; }
    WithoutReading(const WithoutReading&) = delete;
    WithoutReading& operator=(const WithoutReading&) = delete;

   private:
    ReducedNode& node_;
  };

  // Where the system was last evaluated, with the factors of Phi_u and R from there:
  /// a = R z'' + S c, z'' being the independent entries of x.a; lambda = S^T (Q - M a); residual = R^T (M a - Q), one
  /// number per independent coordinate. Forces that read accelerations and multipliers have to read zeros, and are
  /// evaluated anew; x.lambda is a guess then.
  void settle(const Node& x, double* residual);
  /// R^T M R, and the matrices that linearize the residual in z' and z (Zhu 2014, section 3.4): R^T (C R + 2 M R') and
  /// R^T (K R + C R' + M R'') with the system's stiffness and damping, which linearize() has to have found. Below each
  /// stand minus the rows of the rolling accelerations that follow: of R, and of their derivatives by z' and p. Row by
  /// row: d, d and p columns.
  void reduce_mass();
  void reduce_rates();
  const std::vector<double>& mass() const { return mass_; }
  const std::vector<double>& damping() const { return damping_; }
  const std::vector<double>& stiffness() const { return stiffness_; }

  // Directions stand side by side as in TangentNode; numbers z stack q, v and data.
  /// Adds P dp to q, what v follows with and R dv to v, for `count` directions of independent positions and velocities.
  void move(int count, const double* dp, const double* dv, double* z) const;
  /// The dependent entries of dq and dv from the independent ones and the data.
  void complete_tangent(int count, double* z);
  /// Leaves in of_positions and of_rates (m each) the weights of Phi and Phi' whose transposed derivatives it took.
  void complete_adjoint(double* z, double* of_positions, double* of_rates);
  /// For right-hand sides f (n), g (m) of M a + Phi_q^T lambda = f, Phi_q a = g: R^T (f - M S g).
  void reduce_force(int count, const double* fg, double* out);
  /// Below these d rows: the rolling accelerations that follow from g alone, as z'' stays.
  void rolling_tangent(int count, const double* fg, double* out);
  void rolling_adjoint(const double* y, double* fg);
  /// Solves these equations where z'' is known already: f, g become a, lambda.
  void solve_rest(int count, const double* acceleration, double* fg);
  /// Transpose of solve_rest: from abar, lbar to fbar, gbar (n + m, stacked); adds to the adjoint of z''.
  void solve_rest_adjoint(const double* abar, const double* lbar, double* acceleration, double* fg);
  /// Transpose of reduce_force: adds to fbar, gbar.
  void reduce_force_adjoint(const double* y, double* fg);
  /// Transpose of move().
  void move_adjoint(const double* z, double* dp, double* dv) const;

  double pivot_ratio() const { return all_.pivot_ratio(); }
  /// Of the solvers for the dependent coordinates: velocities', and positions' where these differ.
  void add_pivoting(std::vector<linalg::Pivoting>& to);
  void set_pivoting(std::span<const linalg::Pivoting> kept);
  std::size_t pivoting_count() const { return system().constrains_velocities() ? 2 : 1; }

 private:
  int n() const { return dynamics_.n(); }
  int m() const { return dynamics_.m(); }
  int d() const { return all_.d(); }
  int p() const { return positions().d(); }
  Dependents& positions() { return of_positions_ ? *of_positions_ : all_; }
  const Dependents& positions() const { return of_positions_ ? *of_positions_ : all_; }
  const System& system() const { return dynamics_.system(); }
  double correct_positions(const Node& x);
  /// `taken`: from the velocities (n) since the system was evaluated.
  void check_left_out(const Node& x, double size, const double* taken) const;
  [[noreturn]] void fail(const Node& x, const char* why) const;
  double* room(std::vector<double>& of, int rows, int count) const;

  /// The dependent rows of accelerations that satisfy the constraints.
  void complete_accelerations(const Node& x);
  /// Those of r, the residual without them, by Phi_u.
  void find_multipliers(const double* r, double* lambda);
  /// The multipliers that forces read; leaves the residual, whose dependent rows are zero, and the system evaluated
  /// there. In the span of what rubs, which may not do, or else by Newton's method.
  void settle_multipliers(const Node& x, double* r);
  bool follow_loads(const Node& x, double* r);
  /// Minus the rolling rows of x (n rows), below the d rows that `out` has already.
  void add_rolling_rows(int count, const double* x, std::vector<double>& out) const;
  /// (Phi'')_v in the rows of all constraints.
  std::span<const double> by_velocity();
  bool has_left_slopes() const { return left_ && !is_metric_; }
  const std::vector<double>& left_slopes() const { return has_left_slopes() ? left_slopes_ : all_.slopes(); }
  /// R_a.
  std::span<const double> inertia() const {
    return is_metric_ ? dynamics_.workspace().mass : dynamics_.workspace().inertia;
  }
  /// Solves U_u lambda = x, and the transpose.
  void solve_multipliers(double* x);
  void solve_multipliers_transposed(double* x);
  void solve_multipliers_many(int count, double* x);

  Dynamics dynamics_;
  std::shared_ptr<const Partition> partition_;
  Dependents all_;                          // of velocities
  std::optional<Dependents> of_positions_;  // where they differ
  std::optional<linalg::DenseLu> left_;     // of U_u^T, where forces read multipliers
  std::vector<double> left_matrix_, left_slopes_, left_column_;
  bool is_metric_ = false;
  std::vector<int> place_;  // of each coordinate among the dependent ones, or -1 - its place among the independent ones
  std::vector<double> slope_rates_;  // dependent rows of R', or of what v follows with when p moves: m x p
  std::vector<double> mass_, damping_, stiffness_;
  std::vector<double> full_, other_, low_, one_, step_, by_velocity_;
};

}  // namespace perilune::formulation
