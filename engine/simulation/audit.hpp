// SPDX-License-Identifier: MIT
// What a run knows about its own quality, from numbers that are at hand anyway: what the system said at the nodes.
//
// Energy. With T = v^T M v / 2 and M a + Phi_q^T lambda = Q, Phi' = Phi_q v + Phi_t,
//   T(t) - T(0) = integral of v^T M a,   v^T M a = v^T Q + lambda^T Phi_t - lambda^T Phi',
// where v^T Q is the power of gravity, springs, laws and dampers, lambda^T Phi_t that of drivers, and -lambda^T Phi'
// would be zero on the constraints: forms that only draw towards them gain or lose what it adds up to. Both integrals
// are summed up step by step by the integrator's own rule at its own nodes, from the first steps and every 32nd after
// them, which stands for 32; of BDF, whose rule reaches back, and of forms that do not leave the constraints, from all.
// Where nodes are found without evaluating the system, fewer steps are taken, nothing is asked of the others, and all
// but masses only at the ends of those taken.
// The second is known of every step besides, by the trapezoidal rule between mesh points: what is taken from some is
// how far the nodes within a step are from that. It is all there is where redundant constraints contradict each other
// away from the mesh points, and press hard. (Where the mass matrix varies by more than with Euler parameters, its rate
// is missing in the first, and only the second is known. Forms that ask for positions take velocities as they come:
// what the multipliers would do along their drift is not done.)
//
// Drift. By how much the coordinates would have to change for a constraint to hold: |Phi_i| over the length of its
// gradient; that of the velocities likewise. Euler parameters and the like have no length: theirs is told apart.
//
// Forms of index 3 keep the constraints of positions, and take velocities as differences of these: their local errors
// are those of positions, and how far the velocities are off is seen from theirs alone, unless steps are projected.
//
// Of constant steps the energy itself is followed besides (energy_balance.hpp): their errors have no bound, and a sum
// taken from the same nodes need not see them, nor one over some of the steps.
//
// A figure is a warning where it exceeds what the tolerances of the integrator promise by a factor of 1000: they are
// those of one step. Constant steps promise nothing; they are measured as if with a relative tolerance of 1e-6.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "integrator/integrator.hpp"
#include "simulation/energy_balance.hpp"
#include "simulation/quality.hpp"
#include "simulation/rolling_limits.hpp"
#include "simulation/step_sample.hpp"
#include "system/masses.hpp"

namespace perilune::simulation {

using formulation::Motion;
using formulation::Node;
using integrator::Integrator;
using integrator::March;
using integrator::StepListener;

class Audit final : public StepListener {
 public:
  /// `differentiated`: somebody goes along and differentiates the steps.
  Audit(const Motion& motion, const formulation::Formulation& formulation, const Integrator& integrator,
        bool differentiated);
  void start(const March& march) override;
  void begin_step(const March& march) override;
  void group(const March& march, std::size_t g) override;
  void accept(const March& march) override;
  bool reads_multipliers() const override { return false; }
  bool reads_motion() const override { return sample_.takes(); }
  Quality quality() const;
  /// Sentences for the user. `has_jumped`: the run failed, or went across a jump, which says itself where energy comes
  /// from or goes to.
  std::vector<std::string> warnings(bool has_jumped) const;

 private:
  /// Tolerances are those of one step: what a run may add up to.
  static constexpr double allowance = 1000;
  struct Worst {
    double size = 0, t = 0;
    int constraint = -1;
    void keep(double other, double time, int index = -1) {
      if (other > size) *this = {other, time, index};
    }
  };
  struct Slip {  // of a constraint on velocities
    int row;
    double now = 0, speed_now = 0;  // at the point noted last
    Worst worst = {};
    double fastest = 0;
  };
  struct Leak {
    double sum = 0, largest = 0;
    int of_largest = -1;  // constraint
  };
  /// Of the mesh point at the end of the step just attempted.
  struct Point {
    double excess = 0;   // drift over what is allowed
    int of_excess = -1;  // constraint
    Leak leak;
    bool has_figures = false;  // the others
    double kinetic = 0, position = 0, velocity = 0, normalization = 0, pivot_ratio = 1;
    double speed = 0, force = 0;  // force: sum of |Q| over the coordinates
    int of_velocity = -1;
    double any_velocity = 0;  // with those of Euler parameters and the like (1/s)
    int of_any_velocity = -1;
  };
  /// Takes the end of a step, or the start of the run.
  void keep(double t);
  const double* moving(const Node& x);
  using Mass = std::span<const double>;
  /// x^T M y
  double mass_product(Mass mass, const double* x, const double* y) const;
  double kinetic(Mass mass, const Node& x);
  void power(const March& march, int i, Mass mass);
  /// At the i-th node of the group found just now, where the masses are all that is asked for.
  Mass mass_at(const Node& x, std::size_t i);
  /// lambda^T Phi' and its largest term; 0 where the constraints are as good as fulfilled by construction.
  Leak leak(const Node& x, const system::Workspace& w) const;
  /// The integral to the end of the step, by the integrator's rule, from its values in slots of the ring.
  double integral(const March& march, const std::vector<double>& total, const std::vector<double>& rate) const;
  void note(const Node& x, const system::Workspace& w);
  /// How far constraints on velocities are violated, and how fast their coordinates are.
  void note_slips(const Node& x, const system::Workspace& w);
  void note_figures(const Node& x, const system::Workspace& w);
  void follow_pivots(double t);
  /// Lengths of the constraints' gradients, and what drift the tolerances allow.
  void measure(const Node& x, const system::Workspace& w);
  bool has_plain_mass(const system::Workspace& w) const;
  /// What energies are measured by; not by one that has blown up or vanished.
  double energy() const { return lost_balance() ? balance_.due() : std::max(most_kinetic_, rest_energy_); }
  void note_balance(const Node& x, Mass mass);
  bool lost_balance() const { return balances_ && balance_.is_off(rest_energy_); }
  /// What steps add up to, as far as the balance lets them.
  double bounded(double error) const { return balances_ ? balance_.bound(error) : error; }
  std::string remedy() const;
  std::string say_lost_balance() const;

  const Motion& motion_;
  const system::System& system_;
  bool spares_nodes_ = false;  // they are found without evaluating the system
  bool is_explicit_, is_adaptive_, sums_all_, may_leak_, is_reduced_, offers_maggi_, follows_pivots_;
  double absolute_, relative_;
  double mass_ = 0;      // sum of the diagonal
  double gyration_ = 0;  // m: the largest rotational inertia over the largest mass, as a length
  /// An entry of the mass matrix above its diagonal.
  struct MassEntry {
    int row, column;
    std::size_t at;
  };
  std::vector<std::size_t> diagonal_;  // entries of the mass matrix
  std::vector<MassEntry> couplings_;
  // Of the choice of independent coordinates, over all nodes, and where it was smallest (s).
  double smallest_pivot_ratio_ = 1, largest_pivot_ratio_ = 0, passage_ = 0;
  double force_steps_ = 0;  // sum of |Q| over the coordinates and the steps
  std::vector<char> is_length_, is_internal_, is_square_;
  bool has_states_ = false, has_plain_mass_ = true;
  StepSample sample_;
  std::vector<double> v_;                 // without first-order states
  std::optional<system::Masses> masses_;  // of nodes that are found without evaluating the system
  std::vector<Slip> slips_;
  RollingLimits rolling_limits_;
  std::vector<double> inverse_, weight_, load_;  // of gradients; of what is allowed; forces of constraints
  std::vector<double> power_, work_;             // by slot of the ring: v^T M a and its integral
  std::vector<double> leak_, leak_work_;         // likewise: lambda^T Phi'
  double last_kinetic_ = 0, last_work_ = 0, last_leak_ = 0, last_leak_work_ = 0;
  bool knows_last_ = false;      // last_kinetic_, and the power at that mesh point
  double gap_ = 0, leaked_ = 0;  // sums so far: kinetic energy without work; work of the constraints
  double gap_variance_ = 0;      // of the first
  double rest_energy_ = 0, most_kinetic_ = 0, most_error_ = 0, most_gap_ = 0, most_leaked_ = 0;
  bool balances_ = false;  // of constant steps
  bool has_balance_point_ = false;
  EnergyBalance balance_;
  EnergyBalance::Point balance_point_;  // at the end of the step just attempted
  system::Measure::DualWork law_work_;
  double since_balance_point_ = 0;  // s
  long steps_since_balance_point_ = 0;
  double position_ = 0, speed_ = 0, normalization_ = 0, least_pivot_ratio_ = 1;
  Point point_;
  Worst excess_, velocity_, any_velocity_, gap_step_, leak_step_;
  long steps_ = 0;
};

}  // namespace perilune::simulation
