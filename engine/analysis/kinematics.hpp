// SPDX-License-Identifier: MIT
// Kinematic analysis of mechanisms whose motion the constraints determine (drivers among them): at every time
//   Phi(q, t) = 0,  Phi_q v = -Phi_t,  Phi_q a = -(Phi'' at a = 0),  Phi_q^T lambda = Q - M a (inverse dynamics).
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analysis/assembly.hpp"
#include "integrator/integrator.hpp"

namespace perilune::analysis {

/// One position after another, each found from the one before.
class DrivenMotion {
 public:
  DrivenMotion(std::shared_ptr<const System> system, std::shared_ptr<const Data> data);

  /// The position at t near q, then v, a and lambda. Throws NumericalError naming the time when there is none, or when
  /// the position is singular.
  void solve(double t, double* q, double* v, double* a, double* lambda);
  /// The state at t from the state at t0 in the same arrays, in as many steps as it takes not to lose the branch.
  void advance(double t0, double t, double* q, double* v, double* a, double* lambda);
  /// The state at t, within the mesh, from the point before.
  void between(const integrator::Mesh& mesh, double t, double* q, double* v, double* a, double* lambda);
  /// What was noticed on the way, once each time the motion comes near a singular position.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  /// One position of a motion with its rates, n numbers each.
  struct Instant {
    const double *q, *v, *a;
  };
  /// Whether both may be of one motion that takes h from one to the other: else it has jumped on the way.
  bool is_smooth(const Instant& from, const Instant& to, double h) const;
  bool position(double t, std::vector<double>& q);
  void rates(double t, const double* q, double* v, double* a, double* lambda);
  void check_rank(double t, const double* q);
  /// Solves Phi_q x = b (m numbers, in `b`) for x (n).
  void solve_constraints(const double* b, double* x);
  void solve_reactions(const double* force, double* lambda);
  /// By Newton's method, where forces read them. `at` reads `lambda`.
  void correct_reactions(const system::Kinematics& at, double* lambda);

  std::shared_ptr<const System> system_;
  std::shared_ptr<const Data> data_;
  int n_, m_;
  ConstraintSolver constraints_;
  std::vector<double> x_, force_;
  std::vector<std::string> warnings_;
  bool is_near_singular_ = false;
};

struct KinematicsResult {
  integrator::Solution solution;
  ConsistentState initial;
  std::vector<std::string> warnings;
  std::shared_ptr<DrivenMotion> motion;  // for the times in between
};

/// At the given ascending times. Throws Error when degrees of freedom remain, NumericalError when the start fails; a
/// failure on the way is reported in the solution.
KinematicsResult kinematics(std::shared_ptr<const System> system, std::shared_ptr<const Data> data,
                            const std::vector<double>& times, const integrator::Progress& progress);

}  // namespace perilune::analysis
