// SPDX-License-Identifier: MIT
// What the integrators share: the run's bookkeeping around their choice of plans and step lengths.
#pragma once
#include <array>
#include <map>

#include "integrator/event/singular_passage.hpp"
#include "integrator/event/switches.hpp"
#include "integrator/event/ticks.hpp"
#include "integrator/integrator.hpp"

namespace perilune::integrator {

/// One run in progress.
class Run {
 public:
  Run(March& march, const Options& options, Solution& out);
  March& march() { return march_; }
  const March& march() const { return march_; }
  /// Before the first step: what is sampled at the start of the run.
  void start_ticks();
  bool has_ticks() const { return ticks_ && ticks_->is_left(); }
  /// The time (s) at which a step has to end: of the next tick, or of the end of the run.
  double until() const { return ticks_ ? ticks_->next() : options_.end; }
  bool is_done() const { return is_stopped() || t() >= options_.end; }
  const Options& options() const { return options_; }
  Solution& solution() { return out_; }
  double t() const { return march_.t(); }
  /// Keeps the plan alive as long as the solution.
  const Plan& keep(Plan plan);
  /// Takes the step just attempted: mesh, record of steps, statistics, progress, Ctrl-C. Shortens it where the stop
  /// condition became zero on the way, or where a switch of the model changed its side.
  void accept(double end);
  /// The same whatever the stop condition and the switches say.
  void take(double end) { take(end, -1, nullptr); }
  /// Of a model with switches, before the first step: steps end where these change their sides.
  void watch_switches();
  /// After the last step, for those who differentiate: notes the switches of time alone that jump where the run ends.
  void note_end();
  /// Of a run with objectives: whether what acts goes on with a power between 1 and 2 of the time from a place that the
  /// motion passes less than `within` (s) from its start, as the force of a Hertzian contact does from the touch on.
  /// Its slope has an infinite rate there, of which derivatives are off by far more than the motion, but for short
  /// steps.
  bool begins_with_bend(double within);
  bool has_switches() const { return switches_.has_value(); }
  /// Ends the run where it leaves its branch; the watch has to outlive it.
  void watch_branch(BranchWatch& branch) { branch_ = &branch; }
  /// Constraints that ask for a jump are no reason to end.
  void give_way() { gives_way_ = true; }
  /// Steps beside events are fitted to what derivatives need. Not where velocities are differences of positions, which
  /// take no short steps.
  void fit_steps_to_events() { fits_events_ = true; }
  /// Of a motion that stays where a law changes its side, the name of the switch; else empty.
  std::string rests_on() const;
  /// A switch has just changed its side: what is known of the steps before says nothing about the next.
  bool starts_anew() const { return starts_anew_ || (has_ticked_ && short_plan_); }
  /// Makes a step of a run that is repeated. It ends at its event, if it did; then the next one is as much longer.
  void attempt_again(const Steps::Step& step);
  void take_again(const Steps::Step& step);
  /// Events less than this (s) apart are at the same time.
  double shortest() const { return 1e-9 * (options_.end - options_.start); }
  /// The stop condition became zero.
  bool is_stopped() const { return out_.stop.has_value(); }
  /// Of the last step of the run that is repeated: it is made to end at the stop condition, too.
  void accept_at_stop();
  /// For methods whose plans depend on the steps before: the plan of a step whose length is changed, or of the first
  /// after an event.
  void set_short_plan(const Plan& plan) { short_plan_ = &plan; }
  const Plan& short_plan() const { return *short_plan_; }
  void set_newton_tolerance(double tolerance) { newton_tolerance_ = tolerance; }
  double newton_tolerance() const { return newton_tolerance_; }

 private:
  /// Some function at the end of a step of this length.
  using AtEnd = std::function<double(double)>;
  void take(double end, int event, std::shared_ptr<const EndSlopes> slopes, bool moves_along = false);
  /// Attempts the step with another length; the value of the stop condition at its end.
  double attempt(double h);
  /// The stop condition became zero on the step just attempted, and the run has ended there.
  bool ends_at_stop();
  bool is_across_stop(double value) const;
  /// A zero between 0 and h, the values at both given, or a length a little beyond it.
  double bracketed(double at_low, double h, double at_high, const AtEnd& value) const;
  /// The same starting from h, with the value there.
  double nearby(double h, double at_h, const AtEnd& value) const;
  /// The condition may have another sign at the end of a step of this length; false if it has not.
  bool end_at_stop(double h);
  void end_at(double h, double full);
  bool stop_jumps(double h, double full);

  /// Attempts the step with another length, heard by nobody; the value of a switch at its end.
  double probe(double h, int number);
  struct Located {
    int number;
    double h;
  };
  /// The first event on the step attempted last.
  std::optional<Located> first_event();
  /// The first event where a switch may have changed its side after this time, if it has.
  std::optional<Located> located(int number, double after);
  /// Laws that end with a power of what becomes zero, as contacts do, have steep derivatives right before that: where
  /// there are objectives, steps towards it become shorter by and by. Returns the end of the step attempted.
  double approach(double end);
  /// An event right after the end of a step would have no step of its own, nor derivatives: the step becomes shorter.
  /// Returns the end of the step attempted.
  double keep_clear(double end);
  /// Attempts another step in place of the one just attempted; this once more, and false, where it fails.
  bool replaced_by(const Plan& plan, double h);
  /// The step attempted ends at an event.
  void accept_at(const Located& event, double full);
  /// Takes the step attempted, which ends at an event (-1: none) or moves along with its start. False where it ends at
  /// none, nor at one that only touches zero, and is not held.
  bool finish(double end, int event, bool moves_along = false);
  /// Whether the step attempted does, where its start follows an event: that it takes up the shift of its start makes
  /// its error another, by more the shorter it is, so that the short steps behind events leave this to longer ones.
  bool moves_along(double end) const;
  /// After a step that ends at no event.
  void go_on();
  /// Of a switch, and those that came to zero together with it.
  void change_side(int number);
  void flip(int number);
  /// Takes a step of hardly any length h that ends at this event, which came together with the one where it starts:
  /// with other parameters there may be some time between them. False of a switch that only jumped across zero: there
  /// is no such step.
  bool end_at_once(int number, double h);
  const Plan& own_sliver_plan();
  /// Right behind an event: goes on to a tick that is hardly later.
  void reach_tick();
  /// Notes where what this switch does at x, or when, depends on one that has just changed, or the other way round:
  /// then the order matters, and derivatives are others on either side.
  void note_entangled(int number);
  /// Of two switches, the first of which has changed its side at x and the second not yet.
  bool are_entangled(int first, int second);
  /// A step of fixed length did not end where this switch changed its side: noted where something jumps there. A force
  /// with a kink differs from what it was before, too, but by the opposite at both ends of the step.
  void step_over(int number);
  /// Refuses or notes what constraints ask for at a state less than `since` (s) from where a switch changes its side.
  void check_constraints(const Node& x, const formulation::Sides& before, const formulation::Sides& after,
                         double since);
  /// All switches let go but one.
  formulation::Sides held(int number, double side) const;
  /// How accelerations at a point differ by the side of a switch.
  std::vector<double> difference_by_side(int number, double t, const std::vector<double>& state);
  /// The same of the integrands.
  std::vector<double> rates_by_side(int number, const Node& x);
  /// How what acts goes on where a condition changes; steep: with an infinite slope on one of its sides, as a root.
  enum class Edge { Smooth, Jump, Steep };
  /// From what acts at five times: -8 dt, -dt, 0, dt, 8 dt.
  static Edge edge_of(const std::array<std::span<const double>, 5>& acting);
  /// At the end of a step, switches that are only watched: jumps are noted, and refused where somebody differentiates;
  /// infinite slopes are noted then. Looks at switches that are held, too, since one may be where the other is.
  /// `full`: the step before it was shortened. True where the motion was asked for other points.
  bool note_jumps(const Node& x, double full);
  /// Notes the switches that are held and jump where the run begins.
  void note_start();
  /// Switches that are held, at zero at a point, and something jumps by their side there.
  std::vector<int> jumping_at(const Node& x);
  bool jumps_at(int number, const Node& x);
  /// Whether it does so at the time `at` (s) after a point, seen within 8 dt.
  bool bends(const Node& x, double at, double dt);
  /// Where such a switch changes its side, with what has the edge.
  std::pair<Edge, std::string> edge_at(int number, const Node& x, double dt);
  /// Positions and velocities dt (s) after a point, by its accelerations.
  std::vector<double> along(const Node& x, double dt) const;
  /// Accelerations at a state, and the integrands behind them.
  std::vector<double> acting(double t, const std::vector<double>& state, bool with_rates);
  /// The step attempted ended at a tick.
  void tick();
  /// What is sampled jumps, and so may the functions of switches.
  void change_sides_at_tick();
  /// The point anew, from which the next step starts.
  void restart();
  /// Of the step attempted, where an end of it moves with the parameters and somebody wants to know.
  std::shared_ptr<const EndSlopes> slopes(int event, bool moves_along);
  bool differentiates() const;

  March& march_;
  const Options& options_;
  Solution& out_;
  const Plan* plan_ = nullptr;  // of the step that is shortened
  const Plan* short_plan_ = nullptr;
  BranchWatch* branch_ = nullptr;
  double newton_tolerance_ = 0;
  std::optional<double> last_value_;  // of the stop condition
  std::optional<Switches> switches_;
  bool watches_ = false, gives_way_ = false, fits_events_ = false;
  bool starts_anew_ = false;
  bool start_moves_ = false;       // the time where the coming step starts follows an event, which the parameters move
  double flipped_at_ = 0;          // when a switch changed its side most recently
  int along_ = 0;                  // steps since the event
  int approaches_ = 0;             // how many steps in a row were shortened
  double before_event_ = 0;        // length of the step that met it
  std::vector<int> flipped_here_;  // switches that have changed their sides since then
  const Plan *restart_plan_ = nullptr, *sliver_plan_ = nullptr;
  std::optional<Ticks> ticks_;
  std::map<std::pair<int, std::vector<int>>, const Plan*> tick_plans_;  // by where the step before ended, what is due
  bool has_ticked_ = false;                                             // right before the coming step
  std::vector<char> tried_;                                             // how often steps went across each switch
  std::vector<double> last_state_;  // before the step of fixed length: positions, velocities
};

/// The mesh of a fixed-step method: whole steps, the last one shortened to end exactly. It takes no memory.
class FixedGrid {
 public:
  FixedGrid(double start, double end, double step);
  std::size_t steps() const { return steps_; }
  /// The time of a point, from 0 to steps().
  double operator[](std::size_t k) const { return k < steps_ ? start_ + static_cast<double>(k) * step_ : end_; }

 private:
  double start_, end_, step_;
  std::size_t steps_;
};

/// A length for the first step (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.4), for local
/// errors that are proportional to h^(order + 1).
double first_step(March& march, const Tolerances& tolerances, double length, int order);

/// Length and fate of adaptive steps.
class StepControl {
 public:
  /// `order`: local errors are proportional to h^(order + 1).
  StepControl(Run& run, const Tolerances& tolerances, int order);
  bool is_done() const;
  /// Length of the next attempt.
  double h();
  /// Takes or rejects the step attempted with length h by its error, 1 being the tolerance; infinite for a failure,
  /// which `why` describes. Throws NumericalError when the steps have become too small. True if taken.
  bool decide(double error, const std::string& why = {});
  /// The same for those who decide themselves; the next attempt is longer by `factor`.
  void take(double factor);
  void reject(double factor, const std::string& why = {});

 private:
  /// Throws NumericalError when the last attempts have advanced so little that the run would never end.
  void check_pace(const std::string& why);

  Run& run_;
  Tolerances tolerances_;
  int order_;
  /// A run that would need `endless` attempts at the pace of the last ones makes no headway. What looks like it for a
  /// moment may be a transient; what lasts for millions of steps is none, and fills the memory.
  struct Pace {
    int checked_every;
    double endless;
    double endless_on_corner;  // the same of a motion that stays where a law changes its side
    int attempts = 0;
    double since = 0;  // s
  };
  std::array<Pace, 2> paces_{{{20'000, 1e10, 1e7}, {2'000'000, 5e7, 1e7}}};
  std::string why_;  // the last attempt failed since then
  double exponent_, h_ = 0, next_ = 0;
  double last_[3] = {0, 0, 0};
  bool was_rejected_ = false;
};

/// Root mean square of errors in q and v (which may be null) against the tolerances, with the sizes at the ends of the
/// step.
double error_norm(const March& march, const Tolerances& tolerances, const double* q_error, const double* v_error);
/// The same of the integrals, 0 without any: the largest of the errors that `estimate` combines.
double integral_error(const Run& run, const Tolerances& tolerances, std::span<const QuadratureLink> estimate);

/// All run to the end or throw.
void run_fixed(Run& run, const Plan& plan, double step, double tolerance);
void run_embedded(Run& run, const Tableau& tableau, const RungeKuttaPlan& plan, const Tolerances& tolerances,
                  double newton_tolerance);
void repeat(Run& run, const Steps& steps);

}  // namespace perilune::integrator
