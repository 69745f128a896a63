// SPDX-License-Identifier: MIT
#include "simulation/phases.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>
#include <map>

#include "at_time.hpp"
#include "error.hpp"
#include "formulation/impact.hpp"

namespace perilune::simulation {

namespace {

std::string quoted(const Phase& phase) { return "phase \"" + phase.name + "\""; }

/// What one phase integrates: its own system and condition, and the integral parts of the objectives.
Problem problem_of(const Problem& whole, const Phase& phase, std::shared_ptr<const System> system) {
  Problem out = whole;
  out.phases.clear();
  out.is_phase = true;
  for (auto& objective : out.objectives) {
    auto part = std::make_shared<Objective>(*objective);
    part->terminal.reset();
    part->integral = renumbered(part->integral, *system);
    objective = std::move(part);
  }
  if (phase.stop) {
    auto stop = std::make_shared<Objective>(*phase.stop);
    stop->terminal = renumbered(stop->terminal, *system);
    out.stop = std::move(stop);
  }
  out.system = std::move(system);
  return out;
}

/// t - end
std::shared_ptr<const Objective> end_condition(double end) {
  const auto graph = std::make_shared<expr::Graph>();
  const expr::Symbol t(*graph, graph->variable(expr::Quantity::Time, 0, "t"));
  return std::make_shared<Objective>("end time", graph, (t - end).in(*graph), expr::no_node);
}

void add(const integrator::Statistics& s, integrator::Statistics& sum) {
  using S = integrator::Statistics;
  for (const auto count :
       {&S::steps, &S::rejected, &S::evaluations, &S::jacobians, &S::factorizations, &S::newton_iterations}) {
    sum.*count += s.*count;
  }
}

double stop_value(const Problem& own, const Evaluation& run, std::size_t point) {
  std::vector<double> work = own.stop->terminal->make_work();
  own.stop->terminal->evaluate(mesh_point(run.solution.mesh, point, run.data->parameters), work);
  return own.stop->terminal->value(work, 0);
}

std::string unfinished(const Problem& own, const Evaluation& run, const Phase& phase) {
  char text[160];
  std::snprintf(text, sizeof text, " did not end within %.6g s from t = %.6g s on: its stop condition is still %.6g",
                phase.longest, own.start, stop_value(own, run, run.solution.mesh.size() - 1));
  return quoted(phase) + text;
}

/// A condition with the wrong sign falls through zero, and nothing happens.
std::string falling_stop(const Problem& own, const Evaluation& run) {
  // Rounding decides about its sign where a phase begins with what ended the one before.
  constexpr double rounding = 1e-12;
  const double last = stop_value(own, run, run.solution.mesh.size() - 1);
  if (!(last < 0) || !(stop_value(own, run, 0) > -rounding * last)) return {};
  return ": its stop condition fell through zero, but ends a phase where it rises; change its sign if that was meant";
}

/// Goes through the phases.
class Passage {
 public:
  Passage(const Problem& problem, const std::vector<double>& parameters, const Evaluation* repeat,
          PhaseFollower* follower)
      : problem_(problem), rho_(parameters), repeat_(repeat), follower_(follower), t_(problem.start) {}

  Evaluation go();

 private:
  const Problem& own_problem(std::size_t k);
  void begin();
  /// Parameters that are set, impact. Throws NumericalError.
  Evaluation enter(std::size_t k, const Problem& own);
  void set_parameters(std::size_t k);
  void reset_anchors(std::size_t k);
  void check_bounds(const Phase& phase, const Assignment& a, double value) const;
  formulation::Restitution restitution_of(const Phase& phase) const;
  void strike(std::size_t k, const Problem& own, std::shared_ptr<const Data> data);
  /// False where the motion is over.
  bool pass(std::size_t k, Problem own, Evaluation& run);
  void follow_to_end(Problem own, const Evaluation& run);
  integrator::Steps steps_again(std::size_t k) const;
  void stay(const Problem& own, const Evaluation& run);
  void append(const integrator::Mesh& mesh, const System& system);
  void add_terminals(const Problem& own);
  system::MotionPoint point() const { return {t_, q_.data(), v_.data(), nullptr, nullptr, rho_.data()}; }

  const Problem& problem_;
  std::vector<double> rho_;
  const Evaluation* repeat_;
  PhaseFollower* follower_;
  double t_;
  bool time_moves_ = false;  // with the parameters, since a stop condition decided about it
  std::vector<double> q_, v_;
  formulation::Sides sides_;            // of the switches where the phase before ended
  std::optional<ImpactResult> struck_;  // at the start of this phase
  std::map<const Phase*, Problem> own_;
  Evaluation out_;
};

const Problem& Passage::own_problem(std::size_t k) {
  const auto& phase = problem_.phases[k];
  const auto [it, is_new] = own_.try_emplace(phase.get());
  if (!is_new) return it->second;
  it->second = problem_of(problem_, *phase, follower_ ? follower_->system(*phase) : phase->system);
  return it->second;
}

void Passage::begin() {
  const Problem& own = own_problem(0);
  Evaluation start = prepare(own, rho_);
  q_ = start.initial.q;
  v_ = start.initial.v;
  if (follower_) follower_->begin(own, start);
  out_ = std::move(start);
  out_.values.assign(problem_.objectives.size(), 0.0);
  out_.solution.mesh =
      integrator::Mesh(own.system->coordinate_count(), static_cast<int>(own.system->multiplier_numbers().size()));
}

void Passage::check_bounds(const Phase& phase, const Assignment& a, double value) const {
  if (value >= a.lower && value <= a.upper) return;
  char text[120];
  std::snprintf(text, sizeof text, " to %.6g, outside its bounds %.6g to %.6g", value, a.lower, a.upper);
  throw NumericalError(at_time(t_) + quoted(phase) + " sets " + a.name + text);
}

/// As the phase before ends: what it left out does nothing.
void Passage::set_parameters(std::size_t k) {
  const Phase &phase = *problem_.phases[k], &before = *problem_.phases[k == 0 ? 0 : k - 1];
  std::vector<double> values;
  std::vector<std::vector<double>> works;
  for (const Assignment& a : phase.set) {
    works.push_back(a.value.make_work());
    in_phase(a.value, *before.system).evaluate(point(), works.back());
    values.push_back(a.value.value(works.back(), 0));
    if (!std::isfinite(values.back())) {
      throw NumericalError(at_time(t_) + quoted(phase) + " sets a parameter to what is not a finite number");
    }
    check_bounds(phase, a, values.back());
  }
  if (follower_) follower_->set(phase, std::move(works));
  for (std::size_t i = 0; i < values.size(); ++i) rho_[static_cast<std::size_t>(phase.set[i].parameter)] = values[i];
}

/// Where contacts begin to act, and where they end, so that another run may go on from there.
void Passage::reset_anchors(std::size_t k) {
  if (k == 0) return;
  const std::vector<int>&now = problem_.phases[k]->anchors, &before = problem_.phases[k - 1]->anchors;
  std::vector<int> states;
  std::set_symmetric_difference(now.begin(), now.end(), before.begin(), before.end(), std::back_inserter(states));
  for (int i : states) v_[static_cast<std::size_t>(i)] = 0;
  if (follower_ && !states.empty()) follower_->reset(states);
}

formulation::Restitution Passage::restitution_of(const Phase& phase) const {
  if (!phase.restitution) return {};
  std::vector<double> work = phase.restitution->make_work();
  phase.restitution->evaluate(point(), work);
  formulation::Restitution out{phase.restitution->value(work, 0), std::vector<double>(rho_.size(), 0.0)};
  if (!(out.value >= 0 && out.value <= 1)) {
    char text[80];
    std::snprintf(text, sizeof text, " has a restitution of %.6g, which is not from 0 to 1", out.value);
    throw NumericalError(at_time(t_) + quoted(phase) + text);
  }
  phase.restitution->add_gradient(work, 0, 1, {nullptr, nullptr, nullptr, nullptr, out.slopes.data()});
  return out;
}

void Passage::strike(std::size_t k, const Problem& own, std::shared_ptr<const Data> data) {
  std::vector<int> closing;
  const std::vector<int>&now = own.system->multiplier_numbers(),
        &before = problem_.phases[k - 1]->system->multiplier_numbers();
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i] >= 0 && before[i] < 0) closing.push_back(now[i]);
  }
  auto impact = std::make_unique<formulation::Impact>(own.system, std::move(data));
  impact->strike(t_, q_.data(), v_.data(), closing, restitution_of(*problem_.phases[k]));
  const std::vector<double> impulses = impact->impulses();
  struck_->kinetic_energy_lost = impact->kinetic_energy_lost();
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i] >= 0) struck_->impulses[i] = impulses[static_cast<std::size_t>(now[i])];
  }
  if (follower_) follower_->strike(std::move(impact));
}

Evaluation Passage::enter(std::size_t k, const Problem& own) {
  set_parameters(k);
  reset_anchors(k);
  std::shared_ptr<const Data> data = own.system->make_data(rho_);
  if (follower_) follower_->enter(own, data);
  if (k == 0) {
    Evaluation run;
    run.data = std::move(data);
    run.initial.q = q_;
    run.initial.v = v_;
    return run;
  }
  struck_ = {std::vector<double>(own.system->multiplier_numbers().size(), 0.0)};
  if (own.system->constraint_count() > 0) strike(k, own, data);
  return prepare_at(own, std::move(data), q_, v_);
}

void Passage::append(const integrator::Mesh& mesh, const System& system) {
  integrator::Mesh& all = out_.solution.mesh;
  const std::vector<int>& numbers = system.multiplier_numbers();
  std::vector<double> lambda(numbers.size());
  for (std::size_t k = 0; k < mesh.size(); ++k) {
    for (std::size_t i = 0; i < numbers.size(); ++i) lambda[i] = numbers[i] < 0 ? 0 : mesh.lambda_at(k)[numbers[i]];
    all.append(mesh.t[k], mesh.q_at(k), mesh.v_at(k), mesh.a_at(k), lambda.data());
  }
}

/// A phase that is over with its impact leaves one point.
void Passage::stay(const Problem& own, const Evaluation& run) {
  formulation::Dynamics dynamics(own.system, run.data, own.formulation);
  integrator::Mesh mesh(dynamics.n(), dynamics.m());
  std::vector<double> a(q_.size()), lambda(static_cast<std::size_t>(mesh.m));
  dynamics.accelerations(t_, q_.data(), v_.data(), a.data(), lambda.data());
  mesh.append(t_, q_.data(), v_.data(), a.data(), lambda.data());
  append(mesh, *own.system);
}

/// Those of the run that is repeated, at the times of this one. A phase that lasts to the end time still does.
integrator::Steps Passage::steps_again(std::size_t k) const {
  if (k >= repeat_->phases.size()) throw NumericalError("the motion goes through more phases than the one it repeats");
  const PhaseRun& before = repeat_->phases[k];
  integrator::Steps steps = before.steps;
  const double later = t_ - before.start;
  for (std::size_t i = 0; i < steps.steps.size(); ++i) steps.steps[i].end += later;
  if (!before.is_complete && !steps.steps.empty()) {
    steps.steps.back().h -= later;
    steps.steps.back().end -= later;
  }
  return steps;
}

void Passage::follow_to_end(Problem own, const Evaluation& run) {
  own.stop = nullptr;
  if (!time_moves_) return follower_->finish(own, run);
  own.stop = end_condition(own.end);
  Evaluation again;
  again.data = run.data;
  again.initial = run.initial;
  const std::shared_ptr<Motion> motion = formulation::make_motion(own.system, again.data, own.formulation);
  Quadrature quadrature(own, again.data->parameters);
  integrator::StepListener& listener = follower_->listener(own, motion, quadrature);
  simulate(own, *motion, &run.solution.steps, quadrature, {&listener}, again);
  if (again.solution.status == integrator::Status::Interrupted) throw Interrupted();
  if (again.solution.status == integrator::Status::Failed) throw NumericalError(again.solution.message);
  follower_->finish(own, again);
}

bool Passage::pass(std::size_t k, Problem own, Evaluation& run) {
  const Phase& phase = *problem_.phases[k];
  own.start = t_;
  own.sides = sides_;
  const bool is_limited = phase.longest > 0 && t_ + phase.longest < problem_.end;
  if (is_limited) own.end = t_ + phase.longest;
  const std::shared_ptr<Motion> motion = formulation::make_motion(own.system, run.data, own.formulation);
  Quadrature quadrature(own, run.data->parameters);
  std::vector<integrator::StepListener*> listeners;
  if (follower_) listeners.push_back(&follower_->listener(own, motion, quadrature));
  std::optional<integrator::Steps> repeated;
  if (repeat_) repeated = steps_again(k);
  if (repeated && !repeat_->phases[k].is_complete) own.stop = nullptr;
  const std::size_t known = run.warnings.size();
  simulate(own, *motion, repeated ? &*repeated : nullptr, quadrature, listeners, run);
  for (std::size_t i = known; i < run.warnings.size(); ++i) {
    // What several phases would say is said of the first.
    const std::string& sentence = run.warnings[i];
    const std::string what = sentence.substr(std::min(sentence.find(" s: "), sentence.size()));
    const bool is_said = !what.empty() && std::any_of(out_.warnings.begin(), out_.warnings.end(),
                                                      [&](const std::string& said) { return said.ends_with(what); });
    if (!is_said) out_.warnings.push_back(quoted(phase) + ": " + sentence);
  }
  out_.quality.add(run.quality);
  integrator::Solution& solution = run.solution;
  const integrator::Mesh& mesh = solution.mesh;
  append(mesh, *own.system);
  out_.solution.events.insert(out_.solution.events.end(), solution.events.begin(), solution.events.end());
  std::vector<integrator::OwnJump>& jumps = out_.solution.own_jumps;
  jumps.insert(jumps.end(), solution.own_jumps.begin(), solution.own_jumps.end());
  t_ = mesh.t.back();
  q_.assign(mesh.q_at(mesh.size() - 1), mesh.q_at(mesh.size() - 1) + mesh.n);
  v_.assign(mesh.v_at(mesh.size() - 1), mesh.v_at(mesh.size() - 1) + mesh.n);
  out_.solution.status = solution.status;
  out_.solution.message = solution.message;
  if (solution.status != integrator::Status::Completed) return false;
  for (std::size_t o = 0; o < run.values.size(); ++o) out_.values[o] += run.values[o];
  PhaseRun& record = out_.phases.back();
  record.is_complete = solution.stop.has_value();
  record.start = own.start;
  if (!solution.stop && own.stop) {
    const std::string hint = falling_stop(own, run);
    if (is_limited) throw NumericalError(unfinished(own, run, phase) + hint);
    if (!hint.empty()) out_.warnings.push_back(quoted(phase) + " did not end" + hint);
  }
  if (follower_ && solution.stop) follower_->finish(own, run);
  if (follower_ && !solution.stop) follow_to_end(std::move(own), run);
  time_moves_ = true;
  sides_ = motion->sides();
  record.steps = std::move(solution.steps);
  return solution.stop.has_value();
}

void Passage::add_terminals(const Problem& own) {
  const integrator::Mesh& mesh = out_.solution.mesh;
  const std::size_t last = mesh.size() - 1;
  for (std::size_t o = 0; o < problem_.objectives.size(); ++o) {
    const Objective& objective = *problem_.objectives[o];
    if (!objective.terminal) continue;
    const Measure terminal = in_phase(*objective.terminal, *own.system);
    std::vector<double> work = terminal.make_work();
    out_.values[o] += checked_value(objective, terminal, mesh_point(mesh, last, rho_), work);
    if (follower_) follower_->add_terminal(o, own, out_, work);
  }
}

Evaluation Passage::go() {
  begin();
  try {
    std::size_t k = 0;
    bool goes_on = true;
    for (; goes_on && k < problem_.phases.size(); ++k) {
      const auto& phase = problem_.phases[k];
      const Problem& own = own_problem(k);
      Evaluation run = enter(k, own);
      const std::size_t first = out_.solution.mesh.size();
      // The phase before may have ended at the very end time.
      const bool has_time = t_ < problem_.end;
      const bool lasts = phase->stop || (k + 1 == problem_.phases.size() && !phase->is_impact && has_time);
      out_.phases.push_back({phase, run.data, first, first, !lasts, t_, integrator::Steps(), struck_});
      if (lasts && has_time) {
        goes_on = pass(k, own, run);
      } else {
        stay(own, run);
        goes_on = !lasts;
      }
      out_.phases.back().last = out_.solution.mesh.size() - 1;
      add(run.solution.statistics, out_.solution.statistics);
    }
    if (out_.solution.status == integrator::Status::Completed) {
      out_.solution.message =
          goes_on ? "went through all phases" : "reached the end time in " + quoted(*problem_.phases[k - 1]);
      add_terminals(own_problem(k - 1));
    }
  } catch (const Interrupted&) {
    out_.solution.status = integrator::Status::Interrupted;
    out_.solution.message = "interrupted by the user";
  } catch (const NumericalError& failure) {
    if (out_.solution.mesh.size() == 0) throw;
    out_.solution.status = integrator::Status::Failed;
    out_.solution.message = failure.what();
    const std::size_t points = out_.solution.mesh.size();
    if (out_.phases.back().first == points) out_.phases.pop_back();
    if (!out_.phases.empty()) out_.phases.back().last = points - 1;
  }
  if (out_.solution.status != integrator::Status::Completed) {
    std::fill(out_.values.begin(), out_.values.end(), std::numeric_limits<double>::quiet_NaN());
  }
  return std::move(out_);
}

}  // namespace

Evaluation evaluate_phases(const Problem& problem, const std::vector<double>& parameters, const Evaluation* repeat,
                           PhaseFollower* follower) {
  for (const auto& objective : problem.objectives) {
    if (!objective->extremum) continue;
    throw Error("objective \"" + objective->name +
                "\" is an extremum over time, which is not known for motions in phases; give it a terminal or an " +
                "integral part, or simulate the phase with the extremum alone");
  }
  return Passage(problem, parameters, repeat, follower).go();
}

}  // namespace perilune::simulation
