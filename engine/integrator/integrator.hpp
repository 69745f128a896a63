// SPDX-License-Identifier: MIT
// Time integration of a Motion. Integrators choose plans and step lengths; `March` executes them.
#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "blocks.hpp"
#include "integrator/event/constraint_jump.hpp"
#include "integrator/event/crossing.hpp"
#include "integrator/march.hpp"
#include "integrator/method/runge_kutta.hpp"

namespace perilune::integrator {

/// Of adaptive methods. A local error counts against absolute + relative |y|, root mean square.
struct Tolerances {
  double relative = 1e-8;
  double absolute = 1e-10;
  double initial_step = 0;  // 0: chosen from the tolerances
  double max_step = std::numeric_limits<double>::infinity();
};

/// Of implicit methods: the last Newton correction of the accelerations, relative.
inline constexpr double usual_newton_tolerance = 1e-11;

struct Rk4 {
  double step = 1e-3;  // s
};
/// Dormand and Prince's pairs of order 5 (seven stages) or 8 (thirteen), adaptive.
struct DormandPrince {
  Tolerances tolerances;
  int order = 5;
};
/// Implicit trapezoidal rule (Zhu 2014, eq. 2.5): Newton with the exact Jacobian on the accelerations and multipliers.
struct Trapezoidal {
  double step = 1e-3;
  double tolerance = usual_newton_tolerance;
};
/// Singly diagonally implicit Runge-Kutta method of order 4 in five stages, L-stable (Hairer and Wanner, Solving
/// Ordinary Differential Equations II, IV.6, table 6.5): the same Newton iteration at every stage.
struct Sdirk4 {
  double step = 1e-3;
  double tolerance = usual_newton_tolerance;
};
/// Radau IIA of order 3 (two stages) or 5 (three), L-stable and stiffly accurate; all stages are solved for together.
struct Radau {
  int order = 5;
  double step = 0;  // 0: adaptive
  Tolerances tolerances;
  double tolerance = usual_newton_tolerance;
};
/// Newmark's method; second order and without damping for beta = 1/4, gamma = 1/2.
struct Newmark {
  double step = 1e-3;
  double beta = 0.25;
  double gamma = 0.5;
  double tolerance = usual_newton_tolerance;
};
/// Hilber, Hughes and Taylor; alpha in [-1/3, 0].
struct Hht {
  double step = 1e-3;
  double alpha = -0.05;
  double tolerance = usual_newton_tolerance;
};
/// Generalized-alpha (Arnold and Bruels 2007); rho in [0, 1]: what a step leaves of very high frequencies.
struct GeneralizedAlpha {
  double step = 1e-3;
  double rho = 0.8;
  double tolerance = usual_newton_tolerance;
};

/// Backward differentiation formulas of orders 1 to max_order <= 5, on any mesh. Constant steps have the order
/// max_order.
struct Bdf {
  int max_order = 5;
  double step = 0;  // 0: adaptive, in order and step
  Tolerances tolerances;
  double tolerance = usual_newton_tolerance;
};

/// Rosenbrock methods of order 3 (RODAS3, four stages) or 4 (RODAS, six stages), stiffly accurate and L-stable:
/// linearly implicit, with one matrix per step and no iteration. Made for stiff dampers, friction and controllers. Very
/// stiff springs are problems of index 3 in the limit: adaptive steps become shorter the stiffer they are, and constant
/// ones can be quite wrong where such a spring turns. radau does not feel it.
struct Rosenbrock {
  int order = 4;
  double step = 0;  // 0: adaptive
  Tolerances tolerances;
};

/// The variational integrator of a discrete Lagrangian with one point per step, at t + alpha h (Ebrahimi 2019, section
/// 3.1): of second order for alpha = 1/2, else of first. Keeps momenta to rounding, and has no drift of the energy.
struct Variational {
  double step = 1e-3;
  double alpha = 0.5;
  double tolerance = usual_newton_tolerance;
};

using Integrator = std::variant<Rk4, DormandPrince, Trapezoidal, Sdirk4, Radau, Newmark, Hht, GeneralizedAlpha, Bdf,
                                Rosenbrock, Variational>;
std::string name_of(const Integrator& integrator);
/// Its nodes are points: nothing has to be solved for several accelerations at once.
bool is_explicit(const Integrator& integrator);
/// The constant step of a method; 0 for an adaptive one.
double fixed_step(const Integrator& integrator);
/// What an adaptive method chooses its steps by, null for a method of constant step.
const Tolerances* tolerances_of(const Integrator& integrator);
/// The same method with another constant step. Throws Error for an adaptive one.
Integrator with_step(const Integrator& integrator, double step);
/// The tableau of a Runge-Kutta method, null for others.
const Tableau* tableau_of(const Integrator& integrator);
/// Empty when the formulation can be integrated by this method, else a sentence that says why not and what can.
std::string objection(const formulation::Formulation& formulation, const Integrator& integrator);
/// The same for forces that read accelerations and multipliers, of which index-3 steps give wrong ones unless the
/// integrator damps them.
std::string objection(const formulation::Formulation& formulation, const Integrator& integrator,
                      const system::System& system);

struct Statistics {
  long steps = 0, rejected = 0, evaluations = 0, jacobians = 0, factorizations = 0, newton_iterations = 0;
  long stability_limited = 0;  // steps of an explicit method as long as it is stable, whatever the accuracy
};

/// Told now and then how far a run has come: time and step (s).
using Progress = std::function<void(double t, double h, const Statistics& statistics)>;

enum class Status { Completed, Failed, Interrupted };

/// The motion on the mesh of accepted steps.
class Mesh {
 public:
  Mesh() = default;
  Mesh(int coordinates, int constraints)
      : n(coordinates), m(constraints), points_(static_cast<std::size_t>(3 * coordinates + constraints)) {}

  int n = 0, m = 0;
  std::vector<double> t;
  std::size_t size() const { return t.size(); }
  const double* q_at(std::size_t k) const { return points_.row(k); }
  const double* v_at(std::size_t k) const { return points_.row(k) + n; }
  const double* a_at(std::size_t k) const { return points_.row(k) + 2 * n; }
  const double* lambda_at(std::size_t k) const { return points_.row(k) + 3 * n; }
  void reserve(std::size_t points);
  /// Forgets all but the first points.
  void truncate(std::size_t points);
  void append(double time, const double* qs, const double* vs, const double* as, const double* lambdas);
  /// Dense output: quintic Hermite interpolation of q (v and a are its derivatives) between mesh points, error O(h^6)
  /// in q and O(h^5) in v. The time is clamped to the mesh. `hint` speeds up monotone access.
  void interpolate(double time, double* qs, double* vs, std::size_t& hint) const;

 private:
  Blocks<double> points_;  // q, v, a, lambda
};

/// The steps of a run, so that it can be repeated: with other parameters, or to differentiate it.
struct Steps {
  struct Step {
    const Plan* plan;
    double h;
    double end;                  // time
    formulation::Choice choice;  // the formulation's
    formulation::Sides sides;    // of the switches
    int event = -1;              // the switch whose function is zero at the end, whatever the parameters
    bool moves_along = false;    // its end, with the start, where that moves with the parameters
    std::shared_ptr<const EndSlopes> slopes{};
  };
  formulation::Choice start_choice;  // at the initial point
  Blocks<Step> steps;
  std::vector<std::shared_ptr<const Plan>> plans;  // owners
  int copies = 0;                                  // of the initial point
  int ring = 0;                                    // nodes kept on the way
  double newton_tolerance = 0;
};

/// How a run ended where its stop condition became zero: derivatives with respect to the length of the last step.
struct Stop {
  double slope = 0;                // of the condition
  std::vector<double> objectives;  // of the objectives, then of q (n) and v (n)
};

/// Where a switch of the model changed its side; steps of adaptive methods end there.
struct Event {
  double t;
  int number;        // of the switch in the system that moved
  std::string name;  // of the switch
};

/// A switch that changed its side again and again, each time after a few steps, is not followed until steps are longer.
struct LetGo {
  double t;
  std::string name;
};

/// Two switches changed their sides at the same time, and what one of them does depends on the side of the other.
struct Entangled {
  double t;
  std::string first, second;
};

/// A fixed step went across a jump.
struct SteppedOver {
  double t;
  std::string what;  // jumps: "the force of \"f\""
};

/// What acts jumps where a condition changed, by a law that decides itself: nothing follows when with other parameters.
struct OwnJump {
  double t;
  std::string what;  // jumps: "the force of \"f\""
};

/// What acts has an infinite slope where a condition changed, as a root has at zero.
struct InfiniteSlope {
  double t;
  std::string what;  // has it: "the force of \"f\""
};

struct Solution {
  Mesh mesh;
  Steps steps;
  Statistics statistics;
  Status status = Status::Completed;
  std::string message;  // why it stopped
  std::optional<Stop> stop;
  std::vector<Event> events;
  std::vector<SteppedOver> stepped_over;       // the first of each switch
  std::vector<LetGo> let_go;                   // likewise, where derivatives or integrals depend on it
  std::vector<Entangled> entangled;            // where somebody differentiates
  std::vector<InfiniteSlope> infinite_slopes;  // likewise
  std::vector<OwnJump> own_jumps;
  std::vector<int> jumps_at_start;               // switches right where they jump when the run begins; likewise
  std::vector<int> jumps_at_end;                 // the same when it ends, of those that change with time alone
  std::vector<ConstraintJump> constraint_jumps;  // the first of each constraint, to which the formulation gave way
};

/// Ends a run where a function of the motion becomes zero; the last step is shortened accordingly.
class StopCondition {
 public:
  virtual ~StopCondition() = default;
  virtual double value(const Node& x) = 0;
  /// When, after the start of a step (s), the function has another sign than `at_start` for the first time, if that is
  /// before its end.
  virtual std::optional<double> crossing(const Node& start, const Node& end, double at_start) = 0;
  /// Derivatives of the function, and behind it of the objectives, if the run ended with the step just attempted, by
  /// its length.
  virtual std::vector<double> slopes(const March& march, const StepSlopes& of_nodes) = 0;
};

struct Options {
  double start = 0, end = 1;
  const Steps* repeat = nullptr;  // the steps of another run
  std::vector<StepListener*> listeners;
  Progress progress;  // called now and then
  StopCondition* stop = nullptr;
  Integrals* integrals = nullptr;  // one of the listeners
  FindPoint find;                  // for conditions on accelerations and multipliers; may be empty
  bool keeps_mesh = true;          // else only its first and its last point
  bool end_moves = false;          // the last step will be made again with other lengths
  formulation::Sides sides = {};   // of the switches at the end of the run that this one goes on from; null: of none
};

/// Never throws for a numerical failure or an interruption on the way: the solution says so and keeps what was
/// computed. Throws NumericalError when the start itself fails, Error for senseless options.
Solution integrate(Motion& motion, const double* q0, const double* v0, const formulation::Formulation& formulation,
                   const Integrator& integrator, const Options& options);

}  // namespace perilune::integrator
