// SPDX-License-Identifier: MIT
#include "exchange/plant.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "error.hpp"
#include "integrator/event/constraint_jump.hpp"
#include "simulation/run.hpp"

namespace perilune::exchange {

using formulation::Formulation;

namespace {

Formulation independent_form(const Formulation& given) {
  return formulation::properties(given).has_independent_coordinates() ? given : formulation::CoordinatePartitioning{};
}

}  // namespace

Plant::Plant(simulation::Problem problem)
    : problem_(std::move(problem)), form_(independent_form(problem_.formulation)) {
  if (!problem_.phases.empty()) throw Error("a motion in phases is not exchanged: other programs know no phases");
  const system::System& system = *problem_.system;
  const auto n = static_cast<std::size_t>(system.coordinate_count()),
             m = static_cast<std::size_t>(system.constraint_count());
  a_.resize(n);
  u_.resize(n);
  lambda_.resize(m);
  mu_.resize(m);
  seed_.resize(2 * n + static_cast<std::size_t>(system.data_count()));
  response_.resize(n + m);
  for (const auto& objective : problem_.objectives) {
    if (!objective->terminal) throw Error("output \"" + objective->name + "\" is no function of the state");
    outputs_.push_back(&*objective->terminal);
    output_work_.push_back(objective->terminal->make_work());
  }
  if (system.switches()) indicator_work_ = system.switches()->make_work();
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
  state_ = {t, std::move(parameters), run.initial.q, run.initial.v, nullptr, nullptr};
  data_ = run.data;
  motion_ = formulation::make_motion(problem_.system, data_, form_);
  going_on_.reset();
  is_fresh_ = true;
  motion_->choose(node(), 0);
  take_choice();
  moved();
  if (indicator_count() > 0) {
    state_.sides = std::make_shared<std::vector<double>>(static_cast<std::size_t>(indicator_count()), -1.0);
    motion_->set_sides(state_.sides);
    is_moving_ = false;
    settle_sides();
  }
  is_moving_ = true;
  find_point();
  constexpr double share_of_pull = 1e-6;
  limits_.emplace(*problem_.system, share_of_pull);
  system::Workspace w(*problem_.system);
  problem_.system->evaluate({state_.t, state_.q.data(), state_.v.data(), a_.data(), lambda_.data()}, *data_, w,
                            system::Part::Constraints);
  limits_->leave_out_undetermined(w);
  return run.warnings;
}

void Plant::set_state(const State& state) {
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
    if (entry >= n + m) rolling.push_back(entry - n - m);
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

bool Plant::settle_sides() {
  bool has_changed = false;
  const system::Measure* functions = problem_.system->switches();
  // Functions may read the sides of others.
  for (int round = 0; functions && round < functions->output_count(); ++round) {
    indicator(0);
    auto sides = std::make_shared<std::vector<double>>(*state_.sides);
    for (std::size_t k = 0; k < sides->size(); ++k) {
      const double value = functions->value(indicator_work_, static_cast<int>(k));
      if (value != 0) (*sides)[k] = value < 0 ? 1 : -1;
    }
    if (*sides == *state_.sides) break;
    has_changed = true;
    const formulation::Sides before = std::exchange(state_.sides, std::move(sides));
    if (is_moving_) {
      constexpr double found_within = 1e-9;  // s: events are found a little late
      const auto jump = integrator::constraint_jump(*motion_, node(), before, state_.sides, found_within);
      if (jump) throw NumericalError(integrator::sentence(*jump, *problem_.system));
    }
    motion_->set_sides(state_.sides);
    moved();
  }
  return has_changed;
}

bool Plant::choose_coordinates() {
  find_point();
  const formulation::Choice before = state_.choice;
  motion_->choose(node(), 0);
  take_choice();
  moved();
  return *state_.choice != *before;
}

bool Plant::has_good_coordinates() {
  find_point();
  motion_->choose(node(), 0);
  const bool are_same = *motion_->choice() == *state_.choice;
  if (!are_same) motion_->set_choice(state_.choice);
  moved();
  return are_same;
}

void Plant::linearize() {
  find_point();
  if (is_linear_) return;
  is_point_ = false;  // found anew, so that the form can go on from there
  find_point();
  motion_->linearize_point(node(), formulation::Motion::Here::Just, {});
  is_linear_ = true;
}

void Plant::tangent(const double* dx, const double* dp, double* of_rates, double* of_outputs) {
  linearize();
  const system::System& system = *problem_.system;
  const auto n = static_cast<std::size_t>(system.coordinate_count());
  std::fill(seed_.begin(), seed_.end(), 0.0);
  std::fill(response_.begin(), response_.end(), 0.0);
  for (const int i : positions_) seed_[static_cast<std::size_t>(i)] = *dx++;
  for (const int i : rates_) seed_[n + static_cast<std::size_t>(i)] = *dx++;
  system.data_tangent(*data_, dp, seed_.data() + 2 * n);
  motion_->tangent_point(1, {seed_.data(), response_.data(), seed_.data() + n, mu_.data()});
  for (const int i : positions_) *of_rates++ = seed_[n + static_cast<std::size_t>(i)];
  for (const int i : rates_) *of_rates++ = response_[static_cast<std::size_t>(i)];
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    outputs_[k]->evaluate(point(), output_work_[k]);
    double sum = 0;
    outputs_[k]->visit_gradient(output_work_[k], 0, [&](expr::Quantity quantity, int index, double slope) {
      const auto i = static_cast<std::size_t>(index);
      if (slope == 0) return;
      if (quantity == expr::Quantity::Position) sum += slope * seed_[i];
      if (quantity == expr::Quantity::Velocity) sum += slope * seed_[n + i];
      if (quantity == expr::Quantity::Acceleration) sum += slope * response_[i];
      if (quantity == expr::Quantity::Multiplier) sum += slope * response_[n + i];
      if (quantity == expr::Quantity::Parameter) sum += slope * dp[i];
    });
    of_outputs[k] = sum;
  }
}

void Plant::adjoint(const double* of_rates, const double* of_outputs, double* by_x, double* by_parameters) {
  linearize();
  const system::System& system = *problem_.system;
  const auto n = static_cast<std::size_t>(system.coordinate_count());
  std::fill(seed_.begin(), seed_.end(), 0.0);
  std::fill(response_.begin(), response_.end(), 0.0);
  std::fill_n(by_parameters, system.parameter_count(), 0.0);
  for (const int i : positions_) seed_[n + static_cast<std::size_t>(i)] += *of_rates++;
  for (const int i : rates_) response_[static_cast<std::size_t>(i)] += *of_rates++;
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    if (of_outputs[k] == 0) continue;
    outputs_[k]->evaluate(point(), output_work_[k]);
    outputs_[k]->add_gradient(output_work_[k], 0, of_outputs[k],
                              {seed_.data(), seed_.data() + n, response_.data(), response_.data() + n, by_parameters});
  }
  motion_->adjoint_point({seed_.data(), response_.data(), response_.data() + n, seed_.data() + n, mu_.data()});
  for (const int i : positions_) *by_x++ = seed_[static_cast<std::size_t>(i)];
  for (const int i : rates_) *by_x++ = seed_[n + static_cast<std::size_t>(i)];
  system.data_adjoint(*data_, seed_.data() + 2 * n, by_parameters);
}

std::vector<std::string> Plant::limits_passed() {
  std::vector<std::string> out;
  find_point();
  limits_->note(point());
  limits_->keep(state_.t, 0);
  limits_->add_warnings(out, false);
  return out;
}

std::vector<std::string> Plant::advance(double end) {
  refresh();
  if (!going_on_) going_on_ = formulation::make_motion(problem_.system, data_, problem_.formulation);
  simulation::Problem way = problem_;
  way.objectives.clear();
  way.start = state_.t;
  way.end = end;
  simulation::Evaluation run;
  run.data = data_;
  run.initial.q = state_.q;
  run.initial.v = state_.v;
  simulation::Quadrature none(way, state_.parameters);
  simulation::simulate(way, *going_on_, nullptr, none, {}, run, simulation::Keep::Ends);
  if (run.solution.status != integrator::Status::Completed) throw NumericalError(run.solution.message);
  const integrator::Mesh& mesh = run.solution.mesh;
  const std::size_t last = mesh.size() - 1;
  state_.q.assign(mesh.q_at(last), mesh.q_at(last) + mesh.n);
  state_.v.assign(mesh.v_at(last), mesh.v_at(last) + mesh.n);
  state_.t = end;
  moved();
  motion_->choose(node(), 0);
  take_choice();
  settle_sides();
  return run.warnings;
}

}  // namespace perilune::exchange
