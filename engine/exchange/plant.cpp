// SPDX-License-Identifier: MIT
#include "exchange/plant.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "error.hpp"
#include "simulation/phases.hpp"

namespace perilune::exchange {

using formulation::Formulation;

namespace {

Formulation independent_form(const Formulation& given) {
  return formulation::properties(given).has_independent_coordinates() ? given : formulation::CoordinatePartitioning{};
}

/// The same in which what is sampled is held for ever.
std::shared_ptr<const system::System> without_ticks(const std::shared_ptr<const system::System>& system,
                                                    const model::Model& model) {
  if (system->sampled().empty()) return system;
  model::Model copy = model;
  copy.record().sampled.clear();
  return std::make_shared<const system::System>(copy);
}

/// One phase as its points are evaluated: its system, and outputs in its numbers of multipliers.
simulation::Problem problem_of(const simulation::Problem& whole, const simulation::Phase& phase) {
  simulation::Problem out = whole;
  out.phases.clear();
  out.system = phase.system;
  for (auto& objective : out.objectives) {
    auto here = std::make_shared<simulation::Objective>(*objective);
    here->terminal = simulation::renumbered(here->terminal, *phase.system);
    objective = std::move(here);
  }
  return out;
}

}  // namespace

Plant::Plant(simulation::Problem problem, const model::Model& model)
    : whole_(std::move(problem)),
      problem_(whole_),
      held_(without_ticks(problem_.system, model)),
      clock_(*problem_.system),
      form_(independent_form(problem_.formulation)) {
  for (const auto& objective : problem_.objectives) {
    if (!objective->terminal) throw Error("output \"" + objective->name + "\" is no function of the state");
  }
  take_phase(0);
}

/// What is a system's.
void Plant::take_phase(std::size_t phase) {
  if (has_phases()) {
    problem_ = problem_of(whole_, *whole_.phases[phase]);
    held_ = problem_.system;
  }
  state_.phase = phase;
  const system::System& system = *problem_.system;
  const auto n = static_cast<std::size_t>(system.coordinate_count()),
             m = static_cast<std::size_t>(system.constraint_count());
  a_.assign(n, 0.0);
  u_.assign(n, 0.0);
  lambda_.assign(m, 0.0);
  mu_.assign(m, 0.0);
  seed_.assign(2 * n + static_cast<std::size_t>(system.data_count()), 0.0);
  response_.assign(n + m, 0.0);
  outputs_.clear();
  output_work_.clear();
  for (const auto& objective : problem_.objectives) {
    outputs_.push_back(&*objective->terminal);
    output_work_.push_back(objective->terminal->make_work());
  }
  if (system.switches()) indicator_work_ = system.switches()->make_work();
  if (system.next_values()) tick_work_ = system.next_values()->make_work();
  is_fresh_ = false;
}

const system::System& Plant::system_in(std::size_t phase) const {
  if (!has_phases()) return *problem_.system;
  if (phase >= whole_.phases.size()) throw Error("the motion has no phase of this number");
  return *whole_.phases[phase]->system;
}

bool Plant::is_set_by_phases(int parameter) const {
  return std::any_of(whole_.phases.begin(), whole_.phases.end(), [parameter](const auto& phase) {
    return std::any_of(phase->set.begin(), phase->set.end(),
                       [&](const auto& set) { return set.parameter == parameter; });
  });
}

int Plant::indicator_count() const {
  return problem_.system->switches() ? problem_.system->switches()->output_count() : 0;
}

std::string Plant::name_of_entry(int k) const {
  const auto at = static_cast<std::size_t>(k);
  const system::System& system = *problem_.system;
  return at < positions_.size() ? system.coordinate_name(positions_[at])
                                : system.velocity_name(rates_[at - positions_.size()]);
}

std::vector<std::string> Plant::start(double t, std::vector<double> parameters) {
  take_phase(0);
  simulation::Problem at = problem_;
  at.start = t;
  simulation::Evaluation run = simulation::prepare(at, parameters);
  if (!formulation::properties(problem_.formulation).has_independent_coordinates()) {
    // The other form has requirements of its own, as of redundant constraints.
    at.formulation = form_;
    for (const std::string& warning : simulation::prepare(at, parameters).warnings) {
      const auto& known = run.warnings;
      if (std::find(known.begin(), known.end(), warning) == known.end()) run.warnings.push_back(warning);
    }
  }
  initial_ = run.initial;
  before_event_.reset();
  state_ = {t, std::move(parameters), initial_.q, initial_.v, nullptr, nullptr, clock_.at_start(t)};
  begin_here();
  find_point();
  constexpr double share_of_pull = 1e-6;
  limits_.emplace(*problem_.system, share_of_pull);
  system::Workspace w(*problem_.system);
  problem_.system->evaluate({state_.t, state_.q.data(), state_.v.data(), a_.data(), lambda_.data()}, *data_, w,
                            system::Part::Constraints);
  limits_->leave_out_undetermined(w);
  return run.warnings;
}

void Plant::begin_here() {
  data_ = problem_.system->make_data(state_.parameters);
  motion_ = formulation::make_motion(problem_.system, data_, form_);
  going_on_.reset();
  is_fresh_ = true;
  motion_->choose(node(), 0);
  take_choice();
  moved();
  state_.sides = nullptr;
  if (indicator_count() > 0) {
    state_.sides = std::make_shared<std::vector<double>>(static_cast<std::size_t>(indicator_count()), -1.0);
    motion_->set_sides(state_.sides);
    is_moving_ = false;
    settle_sides();
  }
  is_moving_ = true;
}

void Plant::set_state(const State& state) {
  before_event_.reset();
  place(state);
}

void Plant::place(const State& state) {
  if (state.phase != state_.phase) take_phase(state.phase);
  state_ = state;
  is_fresh_ = false;
  refresh();
  take_choice();
}

void Plant::refresh() {
  if (is_fresh_) return;
  data_ = problem_.system->make_data(state_.parameters);
  motion_ = formulation::make_motion(problem_.system, data_, form_);
  motion_->set_choice(state_.choice);
  if (state_.sides) motion_->set_sides(state_.sides);
  going_on_.reset();
  is_fresh_ = true;
  moved();
}

/// The coordinates that the form has settled on: see choose_independent().
void Plant::take_choice() {
  if (motion_->choice()) state_.choice = motion_->choice();
  positions_.clear();
  rates_.clear();
  const int n = problem_.system->coordinate_count(), m = problem_.system->constraint_count();
  std::vector<int> rolling;
  for (const int entry : *state_.choice) {
    if (entry < n) rates_.push_back(entry);
    if (entry >= n + m && entry < 2 * n + m) rolling.push_back(entry - n - m);
  }
  positions_ = rates_;
  positions_.insert(positions_.end(), rolling.begin(), rolling.end());
}

Plant::Node Plant::node() {
  return {state_.t, state_.q.data(), state_.v.data(), a_.data(), lambda_.data(), u_.data(), mu_.data()};
}

void Plant::set_time(double t) {
  if (t != state_.t) moved();
  state_.t = t;
}

void Plant::set_parameter(int number, double value) {
  double& now = state_.parameters[static_cast<std::size_t>(number)];
  if (now != value) is_fresh_ = false;
  now = value;
}

double Plant::entry(int k) const {
  const auto at = static_cast<std::size_t>(k);
  return at < positions_.size() ? state_.q[static_cast<std::size_t>(positions_[at])]
                                : state_.v[static_cast<std::size_t>(rates_[at - positions_.size()])];
}

void Plant::set(const double* x) {
  for (const int i : positions_) state_.q[static_cast<std::size_t>(i)] = *x++;
  for (const int i : rates_) state_.v[static_cast<std::size_t>(i)] = *x++;
  moved();
}

void Plant::find_point() {
  refresh();
  if (is_point_) return;
  for (const std::vector<double>* part : {&state_.q, &state_.v}) {
    for (const double x : *part) {
      if (!std::isfinite(x)) throw NumericalError("a state that is not finite was given");
    }
  }
  is_linear_ = false;
  before_q_ = state_.q;
  before_v_ = state_.v;
  try {
    motion_->point(node());
  } catch (const NumericalError&) {
    state_.q = before_q_;  // what is left of the attempt would be where the next one starts
    state_.v = before_v_;
    throw;
  }
  is_point_ = true;
}

system::MotionPoint Plant::point() const {
  return {state_.t,
          state_.q.data(),
          state_.v.data(),
          a_.data(),
          lambda_.data(),
          state_.parameters.data(),
          state_.sides ? state_.sides->data() : nullptr};
}

double Plant::rate(int k) {
  find_point();
  const auto at = static_cast<std::size_t>(k);
  return at < positions_.size() ? state_.v[static_cast<std::size_t>(positions_[at])]
                                : a_[static_cast<std::size_t>(rates_[at - positions_.size()])];
}

double Plant::output(int k) {
  find_point();
  const auto at = static_cast<std::size_t>(k);
  return simulation::checked_value(*problem_.objectives[at], *outputs_[at], point(), output_work_[at]);
}

double Plant::indicator(int k) {
  find_point();
  if (!is_indicated_) problem_.system->switches()->evaluate(point(), indicator_work_);
  is_indicated_ = true;
  return problem_.system->switches()->value(indicator_work_, k);
}

}  // namespace perilune::exchange
