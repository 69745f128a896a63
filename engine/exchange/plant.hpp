// SPDX-License-Identifier: MIT
// A mechanism as other programs integrate it: an ordinary differential equation with outputs and events,
//   x' = f(t, x, p),  y = g(t, x, p),  an event where some z(t, x, p) changes its sign.
// x are the independent positions of a form in independent coordinates, then its independent velocities
// (formulation/reduced). Which coordinates these are may change at events alone, as may numbers that are sampled, which
// are held in between. In place of being integrated from outside, it can also go on by itself, by the integrator of its
// problem, and does nothing else where it moves in phases (simulation/phases).
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exchange/clock.hpp"
#include "formulation/motion.hpp"
#include "model/model.hpp"
#include "simulation/problem.hpp"
#include "simulation/rolling_limits.hpp"

namespace perilune::exchange {

class Plant {
 public:
  /// The outputs are the terminal parts of the problem's objectives.
  Plant(simulation::Problem problem, const model::Model& model);

  /// The state of a plant as a whole: what is given back goes on as if nothing had been in between.
  struct State {
    double t = 0;
    std::vector<double> parameters, q, v;
    formulation::Choice choice;
    formulation::Sides sides;
    Clock::Numbers ticks = {};
    std::size_t phase = 0;       // of a motion in phases
    double phase_start = 0;      // s
    bool is_on_its_way = false;  // in the phase: it has set its parameters
    bool is_over = false;        // with the last phase
  };

  /// To the consistent start at t (s) with these parameters, in their units. Returns what there is to warn of. Throws
  /// NumericalError where the mechanism cannot be assembled.
  std::vector<std::string> start(double t, std::vector<double> parameters);
  const State& state() const { return state_; }
  void set_state(const State& state);

  bool has_phases() const { return !whole_.phases.empty(); }
  /// Throws Error where it is none of a phase of this plant.
  const system::System& system_in(std::size_t phase) const;
  /// Of a phase alone.
  bool is_set_by_phases(int parameter) const;

  int position_count() const { return static_cast<int>(positions_.size()); }
  /// Of x.
  int size() const { return static_cast<int>(positions_.size() + rates_.size()); }
  int parameter_count() const { return problem_.system->parameter_count(); }
  int output_count() const { return static_cast<int>(outputs_.size()); }
  int indicator_count() const;
  const simulation::Problem& problem() const { return problem_; }
  /// Of the model's coordinate of the k-th entry of x now.
  std::string name_of_entry(int k) const;

  double time() const { return state_.t; }
  void set_time(double t);
  /// Without a change of the state: what constraints read must not change.
  void set_parameter(int number, double value);
  double parameter(int number) const { return state_.parameters[static_cast<std::size_t>(number)]; }
  double entry(int k) const;  // of x
  /// size() numbers.
  void set(const double* x);

  // At the present time, x and parameters. They throw NumericalError where there is no such state.
  double rate(int k);  // of x'
  double output(int k);
  double indicator(int k);
  /// Derivatives in a direction of x and the parameters: of x' and of the outputs.
  void tangent(const double* dx, const double* dp, double* of_rates, double* of_outputs);
  /// For weights of x' and of the outputs: the weighted sum's gradient by x and by the parameters.
  void adjoint(const double* of_rates, const double* of_outputs, double* by_x, double* by_parameters);
  /// Where the motion starts, by the parameters alone, which move the start: of x itself, too.
  void start_tangent(const double* dp, double* of_x, double* of_rates, double* of_outputs);
  void start_adjoint(const double* of_x, const double* of_rates, const double* of_outputs, double* by_parameters);
  /// Over the event that was passed last: of x behind it, by x and the parameters right before. Throws Error where
  /// there has been none.
  void event_tangent(const double* dx, const double* dp, double* of_x);
  void event_adjoint(const double* of_x, double* by_x, double* by_parameters);

  struct Passed {
    bool has_other_values = false, has_other_coordinates = false;  // of x
    std::vector<std::string> warnings = {};
  };
  /// What happens at an event: the sides of switches change to where their functions are, what is sampled ticks, and x
  /// is of other coordinates where those it was of have become bad ones. Throws NumericalError where a constraint asks
  /// for a jump there, or a sampled number has no next value, and Error where a tick has been missed; then nothing has
  /// changed.
  Passed pass_event();
  /// When an event comes because something sampled ticks (s); infinite where nothing does.
  double next_tick() const { return clock_.next(state_.ticks); }
  bool is_tick_due() const { return !clock_.due(state_.ticks, state_.t).empty(); }
  /// At the end of a step that was made from outside: sentences about what the equations do not describe, as a contact
  /// that is held together. Some come again and again.
  std::vector<std::string> limits_passed();
  /// False where those that x is of have become bad ones: it is time for an event.
  bool has_good_coordinates();
  /// Goes on to this time (s) by the problem's integrator. Returns what there is to warn of. Throws NumericalError
  /// where it does not get there; then nothing has changed.
  std::vector<std::string> advance(double end);

 private:
  using Node = formulation::Node;
  Node node();
  /// Makes what depends on the parameters again, where these have changed.
  void refresh();
  void find_point();
  void linearize();
  void take_choice();
  void place(const State& state);
  void moved() { is_point_ = is_linear_ = is_indicated_ = false; }
  system::MotionPoint point() const;
  /// Directions of all that is at the present point, in seed_ and response_.
  void spread(const double* dx, const double* dp);
  /// Of a measure that has been evaluated: along what spread() found.
  double along(const system::Measure& measure, int k, std::vector<double>& work, const double* dp) const;
  const std::vector<double>& event_matrix();
  bool settle_sides();
  /// Sampled numbers that are due take their next values; empty if there are none.
  std::vector<int> tick();
  bool choose_coordinates();
  void go_on(double end, std::vector<std::string>& warnings);
  void go_through_phases(double end, std::vector<std::string>& warnings);
  void take_phase(std::size_t phase);
  /// With the present state, of which neither the coordinates of x nor the sides are known.
  void begin_here();

  simulation::Problem whole_, problem_;         // with all phases; of the present one
  std::shared_ptr<const system::System> held_;  // in which nothing ticks: the plant does so itself
  Clock clock_;
  formulation::Formulation form_;  // in independent coordinates
  State state_;
  std::shared_ptr<const system::Data> data_;
  std::unique_ptr<formulation::Motion> motion_, going_on_;  // of form_; of the problem, once it goes on by itself
  std::vector<int> positions_, rates_;                      // the coordinates of x
  std::vector<const system::Measure*> outputs_;
  std::vector<std::vector<double>> output_work_;
  std::vector<double> indicator_work_, tick_work_;
  analysis::ConsistentState initial_;
  std::optional<State> before_event_;  // the last one; what ticked there
  std::vector<int> ticked_;
  std::vector<double> event_matrix_;  // a row for each entry of x, by x and the parameters; empty until asked for
  std::optional<simulation::RollingLimits> limits_;
  std::vector<double> before_q_, before_v_, a_, lambda_, u_, mu_, seed_, response_;
  bool is_point_ = false, is_linear_ = false, is_indicated_ = false, is_fresh_ = false, is_moving_ = false;
};

}  // namespace perilune::exchange
