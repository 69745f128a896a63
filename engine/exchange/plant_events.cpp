// SPDX-License-Identifier: MIT
// What happens to a plant at events, and how it goes on by itself.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "at_time.hpp"
#include "error.hpp"
#include "exchange/plant.hpp"
#include "format/text.hpp"
#include "integrator/event/constraint_jump.hpp"
#include "simulation/phases.hpp"

namespace perilune::exchange {

/// Brings the sides of switches to where their functions are. True if any changed.
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

std::vector<int> Plant::tick() {
  std::vector<int> due = clock_.due(state_.ticks, state_.t);
  if (due.empty()) return due;
  find_point();
  const system::Measure& next = *problem_.system->next_values();
  next.evaluate(point(), tick_work_);
  // All that tick together read what the others were before.
  for (const int k : due) {
    const system::System::Sampled& sampled = problem_.system->sampled()[static_cast<std::size_t>(k)];
    const double value = next.value(tick_work_, k);
    if (!std::isfinite(value)) {
      throw NumericalError(at_time(state_.t) + "the next value of sampled \"" + sampled.name + "\"" +
                           (sampled.defined_at.empty() ? "" : ", declared at " + sampled.defined_at + ",") +
                           " is not a finite number");
    }
    state_.v[static_cast<std::size_t>(sampled.coordinate)] = value;
    ++state_.ticks[static_cast<std::size_t>(k)];
  }
  moved();
  return due;
}

namespace {

/// A tick that the host has gone over is late, and what follows is not what the controller would do.
std::string lateness(const system::System::Sampled& sampled, double due, double t) {
  if (t - due >= sampled.period) {
    throw Error("sampled \"" + sampled.name + "\" was to tick at " + format::shortest(due) + " s, but the time is " +
                format::shortest(t) +
                " s, later by a whole period: the host must enter Event Mode at the next event time");
  }
  constexpr double noticed = 1e-6;  // of a period
  if (t - due <= noticed * sampled.period) return {};
  return at_time(t) + "sampled \"" + sampled.name + "\" ticks too late: its event was to be at " +
         format::shortest(due) + " s; the host should step right to the next event time";
}

}  // namespace

Plant::Passed Plant::pass_event() {
  const State before = state_;
  Passed out;
  try {
    for (const int k : clock_.due(state_.ticks, state_.t)) {
      std::string late =
          lateness(problem_.system->sampled()[static_cast<std::size_t>(k)], clock_.time(state_.ticks, k), state_.t);
      if (!late.empty()) out.warnings.push_back(std::move(late));
    }
    settle_sides();
    find_point();
    State right_before = state_;
    std::vector<int> ticked = tick();
    if (!ticked.empty()) settle_sides();
    out.has_other_coordinates = choose_coordinates();
    out.has_other_values = out.has_other_coordinates || !ticked.empty();
    before_event_ = std::move(right_before);
    ticked_ = std::move(ticked);
    event_matrix_.clear();
  } catch (...) {
    place(before);
    throw;
  }
  return out;
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

std::vector<std::string> Plant::limits_passed() {
  std::vector<std::string> out;
  find_point();
  limits_->note(point());
  limits_->keep(state_.t, 0);
  limits_->add_warnings(out, false);
  return out;
}

std::vector<std::string> Plant::advance(double end) {
  const State before = state_;
  std::vector<std::string> warnings;
  before_event_.reset();
  try {
    if (has_phases()) go_through_phases(end, warnings);
    while (!has_phases() && state_.t < end) {
      if (!tick().empty()) settle_sides();
      const double next = next_tick();
      go_on(next < end - clock_.rounding(end) ? next : end, warnings);
    }
  } catch (...) {
    place(before);
    throw;
  }
  return warnings;
}

void Plant::go_on(double end, std::vector<std::string>& warnings) {
  refresh();
  simulation::Evaluation run;
  run.data = held_ == problem_.system ? data_ : held_->make_data(state_.parameters);
  if (!going_on_) going_on_ = formulation::make_motion(held_, run.data, problem_.formulation);
  simulation::Problem way = problem_;
  way.system = held_;
  way.objectives.clear();
  way.start = state_.t;
  way.end = end;
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
  warnings.insert(warnings.end(), run.warnings.begin(), run.warnings.end());
}

namespace {

/// What is left of the phases, from the middle of one of them on.
std::vector<std::shared_ptr<const simulation::Phase>> phases_left(
    const std::vector<std::shared_ptr<const simulation::Phase>>& all, const Plant::State& state) {
  std::vector<std::shared_ptr<const simulation::Phase>> out(all.begin() + static_cast<std::ptrdiff_t>(state.phase),
                                                            all.end());
  if (!state.is_on_its_way) return out;
  auto rest = std::make_shared<simulation::Phase>(*out.front());
  rest->set.clear();
  if (rest->longest > 0) {
    rest->longest -= state.t - state.phase_start;
    if (!(rest->longest > 0)) {
      throw NumericalError(at_time(state.t) + "phase \"" + rest->name + "\" did not end within " +
                           format::shortest(state.t - state.phase_start) + " s");
    }
  }
  out.front() = std::move(rest);
  return out;
}

/// How long it is until a phase ends (s), where its condition was about to become zero as a run was cut off.
double time_left(const simulation::Phase& phase, const simulation::Evaluation& run) {
  const simulation::PhaseRun& present = run.phases.back();
  if (!phase.stop || present.is_complete || present.last == present.first)
    return std::numeric_limits<double>::infinity();
  const system::Measure condition = simulation::in_phase(*phase.stop->terminal, *phase.system);
  std::vector<double> work = condition.make_work();
  const auto value = [&](std::size_t k) {
    condition.evaluate(simulation::mesh_point(run.solution.mesh, k, present.data->parameters), work);
    return condition.value(work, 0);
  };
  const integrator::Mesh& mesh = run.solution.mesh;
  const std::size_t before = present.last - 1;
  const double now = value(present.last), rise = now - value(before);
  return rise > 0 && now <= 0 ? -now * (mesh.t[present.last] - mesh.t[before]) / rise
                              : std::numeric_limits<double>::infinity();
}

}  // namespace

void Plant::go_through_phases(double end, std::vector<std::string>& warnings) {
  simulation::Problem way = whole_;
  way.objectives.clear();
  way.start = state_.t;
  way.end = end;
  way.from = std::make_shared<simulation::Start>(simulation::Start{state_.q, state_.v});
  way.phases = phases_left(whole_.phases, state_);
  simulation::Evaluation run = simulation::evaluate_phases(way, state_.parameters);
  const auto is_complete = [&] { return run.solution.status == integrator::Status::Completed; };
  const double rounding = std::max(1e-10 * (end - state_.t), 1e-13 * std::abs(end));
  if (is_complete() && time_left(*run.phases.back().phase, run) <= rounding) {
    // A condition that has all but become zero would not be seen to do so from here on.
    way.end = end + 2 * rounding;
    run = simulation::evaluate_phases(way, state_.parameters);
  }
  if (run.solution.status == integrator::Status::Interrupted) throw Interrupted();
  if (run.solution.status != integrator::Status::Completed) throw NumericalError(run.solution.message);
  const integrator::Mesh& mesh = run.solution.mesh;
  const std::size_t last = mesh.size() - 1, phase = state_.phase + run.phases.size() - 1;
  const simulation::PhaseRun& present = run.phases.back();
  if (phase != state_.phase || !state_.is_on_its_way) state_.phase_start = present.start;
  if (phase != state_.phase) take_phase(phase);
  state_.is_on_its_way = true;
  // Where the last phase has neither an end nor time, it goes on with the next step.
  state_.is_over = present.is_complete &&
                   (whole_.phases[phase]->stop || whole_.phases[phase]->is_impact || whole_.phases[phase]->restitution);
  state_.t = state_.is_over ? mesh.t[last] : end;
  state_.parameters = present.data->parameters;
  state_.q.assign(mesh.q_at(last), mesh.q_at(last) + mesh.n);
  state_.v.assign(mesh.v_at(last), mesh.v_at(last) + mesh.n);
  begin_here();
  // No host changes what constraints read: where the motion goes on, assembly has nothing to do but rounding.
  std::erase_if(run.warnings, [](const std::string& each) { return each.starts_with("assembly "); });
  warnings.insert(warnings.end(), run.warnings.begin(), run.warnings.end());
}

}  // namespace perilune::exchange
