// SPDX-License-Identifier: MIT
// What singular positions and redundant constraints do to a run.
//
// Where constraints lose their rank, branches of the motion cross. The slightest gap of the constraints closes the
// crossing: the exact solution of the equations with that gap turns sharply from one branch into the other, and
// integrators with small steps follow it. The motion of the mechanism itself is smooth there. So it is the velocity
// that tells: on a branch it changes as smoothly as elsewhere, and beside it by much in next to no time, without a
// force that would do that.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "formulation/motion.hpp"
#include "integrator/integrator.hpp"

namespace perilune::integrator {

using formulation::Motion;
using formulation::Node;

/// For the end of a message about a run that failed at the end of this mesh: what is wrong with its constraints, and
/// what minds less. Empty if nothing is.
std::string explain_failed_run(const Motion& motion, const formulation::Formulation& formulation, bool is_explicit,
                               const Mesh& mesh);

/// Watches the mesh points of a run for a branch that is left in a singular position. It costs some additions per
/// coordinate and step; the rank of the constraints is asked for where velocities change suddenly.
class BranchWatch {
 public:
  BranchWatch(const Motion& motion, formulation::Formulation formulation, bool is_explicit);

  /// The next mesh point of the run, or its first. Throws NumericalError where the branch was left just before.
  void follow(const Node& x);

 private:
  static constexpr std::size_t kinds = 2;  // lengths, and all others
  using Sizes = std::array<double, kinds>;
  struct Point {
    double t = 0;
    std::vector<double> q, v, a;
    void set(const Node& x, std::size_t n);
  };

  /// The largest entry of each kind.
  template <class Entry>
  Sizes sizes(Entry&& entry) const;
  bool is_sudden(const Sizes& acceleration, const Sizes& defect, double factor) const;
  void check_passage(const Node& x);
  /// Smallest pivot ratio of the constraints on the way to the peak, and the joint of that constraint.
  double margin(const std::vector<double>& q, double t, std::string* weakest);
  bool is_forced();

  const Motion& motion_;
  formulation::Formulation formulation_;
  bool is_explicit_, has_begun_ = false, is_in_spike_ = false;
  bool is_tree_ = false;  // for certain
  std::size_t n_;
  std::array<std::vector<std::size_t>, kinds> of_kind_;  // coordinates
  Point first_, last_, calm_, before_peak_, peak_;
  Sizes fastest_{}, travelled_{}, defects_{};  // of v; integral of |a|; sum of what accelerations do not explain
  double time_ = 0, highest_ = 0;
  long steps_ = 0;
};

}  // namespace perilune::integrator
