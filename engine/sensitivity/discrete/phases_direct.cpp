// SPDX-License-Identifier: MIT
// The direct method through the phases of a motion, one by one: the tangents of a phase's steps, then the shift of its
// end,
//   dy = (dy at a fixed last step h) + (dy/dh) dh,  dh = -(d stop at a fixed h) / (d stop / dh),
// the parameters that are set, and the impact's own derivative. So the Jacobian of a return map is that of terminal
// objectives by the parameters that the start is made of. Exact to rounding; dy/dh are the tangents of the last step
// by its length (StepSlopes).
#include <algorithm>
#include <cmath>
#include <optional>

#include "at_time.hpp"
#include "error.hpp"
#include "sensitivity/discrete/tangent_listener.hpp"
#include "simulation/phases.hpp"

namespace perilune::sensitivity {

namespace {

/// t - end
std::shared_ptr<const Objective> end_condition(double end) {
  const auto graph = std::make_shared<expr::Graph>();
  const expr::Symbol t(*graph, graph->variable(expr::Quantity::Time, 0, "t"));
  return std::make_shared<Objective>("end time", graph, (t - end).in(*graph), expr::no_node);
}

class PhaseTangents final : public simulation::PhaseFollower {
 public:
  PhaseTangents(const Problem& problem, const std::vector<int>& over)
      : problem_(problem), over_(over), derivatives_(problem.objectives.size(), std::vector<double>(over.size())) {
    reached_ = over;
    for (const auto& phase : problem.phases) {
      for (const Assignment& a : phase->set) reached_.push_back(a.parameter);
    }
    std::sort(reached_.begin(), reached_.end());
    reached_.erase(std::unique(reached_.begin(), reached_.end()), reached_.end());
  }
  const std::vector<std::vector<double>>& derivatives() const { return derivatives_; }

  std::shared_ptr<const System> system(const Phase& phase) override {
    return System::differentiated_by(reached_, phase.system);
  }
  void begin(const Problem& own, const Evaluation& start) override;
  void set(const Phase& phase, std::vector<std::vector<double>>& works) override;
  void enter(const Problem& own, const Data& data) override;
  void strike(formulation::Impact& impact) override { impact.tangent(tangents_.count, tangents_.z.data()); }
  integrator::StepListener& listener(const Problem& own, Motion& motion, Quadrature& quadrature) override {
    return listener_.emplace(own, motion, tangents_, quadrature);
  }
  void finish(const Problem& own, const Evaluation& run, const integrator::Steps& steps) override;
  void add_terminal(std::size_t objective, const Problem& own, const Evaluation& motion,
                    std::vector<double>& work) override;

 private:
  void end_at_stop(const Problem& own, const Evaluation& run, const TangentListener& listener);
  void end_at_time(Problem own, const Evaluation& at, const integrator::Steps& steps);

  const Problem& problem_;
  const std::vector<int>& over_;
  std::vector<int> reached_;  // with the parameters that phases set
  TangentBundle tangents_;    // of the state, with those of the data of the phase
  std::vector<std::vector<double>> derivatives_;
  std::optional<TangentListener> listener_;
  std::vector<double> x_;  // tangents of accelerations and multipliers at the end
};

void PhaseTangents::begin(const Problem& own, const Evaluation& start) {
  tangents_ = TangentBundle(own, start, over_);
  tangents_.times.assign(over_.size(), 0.0);
}

void PhaseTangents::set(const Phase& phase, std::vector<std::vector<double>>& works) {
  const auto count = static_cast<std::size_t>(tangents_.count);
  std::vector<double> directions(count * works.size(), 0.0);
  for (std::size_t i = 0; i < works.size(); ++i) {
    add_directional(phase.set[i].value, works[i], 1, tangents_, tangents_.z.data(), nullptr,
                    directions.data() + i * count);
  }
  for (std::size_t i = 0; i < works.size(); ++i) {
    const auto index = static_cast<std::size_t>(phase.set[i].parameter);
    std::copy_n(directions.data() + i * count, count, tangents_.parameters.data() + index * count);
  }
}

void PhaseTangents::enter(const Problem& own, const Data& data) {
  const System& system = *own.system;
  const auto count = static_cast<std::size_t>(tangents_.count);
  tangents_.m = system.constraint_count();
  tangents_.z.resize(2 * tangents_.half() + static_cast<std::size_t>(system.data_count()) * count);
  std::vector<double> direction(data.parameters.size()), dd(static_cast<std::size_t>(system.data_count()));
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t i = 0; i < direction.size(); ++i) direction[i] = tangents_.parameters[i * count + c];
    system.data_tangent(data, direction.data(), dd.data());
    for (std::size_t i = 0; i < dd.size(); ++i) tangents_.z[2 * tangents_.half() + i * count + c] = dd[i];
  }
}

void PhaseTangents::finish(const Problem& own, const Evaluation& run, const integrator::Steps& steps) {
  if (run.solution.stop) {
    end_at_stop(own, run, *listener_);
  } else {
    end_at_time(own, run, steps);
  }
}

void PhaseTangents::end_at_stop(const Problem& own, const Evaluation& run, const TangentListener& listener) {
  const std::optional<integrator::Stop>& stop = run.solution.stop;
  const integrator::Mesh& mesh = run.solution.mesh;
  const auto count = static_cast<std::size_t>(tangents_.count), half = tangents_.half();
  const system::MotionPoint end = mesh_point(mesh, mesh.size() - 1, run.data->parameters);
  std::vector<double> work = own.stop->terminal->make_work(), shift(count);
  own.stop->terminal->evaluate(end, work);
  add_directional(*own.stop->terminal, work, 1, tangents_, listener.end().z, listener.end().x, shift.data());
  for (double& dh : shift) {
    dh /= -stop->slope;
    if (std::isfinite(dh)) continue;
    throw NumericalError(at_time(mesh.t.back()) + "the stop condition \"" + own.stop->name +
                         "\" touches zero without crossing it: it has no derivatives there");
  }
  const auto integrals = listener.integrals();
  const std::size_t objectives = own.objectives.size();
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t o = 0; o < objectives; ++o) {
      derivatives_[o][c] += integrals[o][c] + stop->objectives[o] * shift[c];
    }
    for (std::size_t i = c, j = objectives; i < 2 * half; i += count, ++j) {
      tangents_.z[i] = listener.end().z[i] + stop->objectives[j] * shift[c];
    }
    tangents_.times[c] += shift[c];
  }
}

/// The end of the whole motion is fixed. Where the phase's start is not, the last step takes up the difference: the
/// same steps once more, which find out how their end depends on it.
void PhaseTangents::end_at_time(Problem own, const Evaluation& at, const integrator::Steps& steps) {
  if (std::all_of(tangents_.times.begin(), tangents_.times.end(), [](double t) { return t == 0; })) {
    const auto integrals = listener_->integrals();
    for (std::size_t o = 0; o < derivatives_.size(); ++o) {
      for (std::size_t c = 0; c < derivatives_[o].size(); ++c) derivatives_[o][c] += integrals[o][c];
    }
    std::copy_n(listener_->end().z, 2 * tangents_.half(), tangents_.z.begin());
    return;
  }
  Evaluation run;
  run.data = at.data;
  run.initial = at.initial;
  own.stop = end_condition(own.end);
  const auto motion = formulation::make_motion(own.system, run.data, own.formulation);
  Quadrature quadrature(own, run.data->parameters);
  TangentListener again(own, *motion, tangents_, quadrature);
  simulate(own, *motion, &steps, quadrature, {&again}, run);
  require_complete(run.solution);
  end_at_stop(own, run, again);
}

void PhaseTangents::add_terminal(std::size_t objective, const Problem& own, const Evaluation& motion,
                                 std::vector<double>& work) {
  const integrator::Mesh& mesh = motion.solution.mesh;
  const std::size_t last = mesh.size() - 1;
  if (x_.empty()) {
    Dynamics dynamics(own.system, motion.phases.back().data, own.formulation);
    x_.resize(static_cast<std::size_t>((dynamics.n() + dynamics.m()) * tangents_.count));
    std::vector<double> a(static_cast<std::size_t>(dynamics.n())), lambda(static_cast<std::size_t>(dynamics.m()));
    dynamics.accelerations(mesh.t[last], mesh.q_at(last), mesh.v_at(last), a.data(), lambda.data());
    dynamics.linearize(mesh.t[last], mesh.q_at(last), mesh.v_at(last), a.data(), lambda.data(), true, true);
    dynamics.tangent(tangents_.z.data(), tangents_.count, x_.data());
  }
  const std::optional<Measure> terminal = simulation::renumbered(problem_.objectives[objective]->terminal, *own.system);
  add_directional(*terminal, work, 1, tangents_, tangents_.z.data(), x_.data(), derivatives_[objective].data());
}

}  // namespace

Gradient direct_through_phases(const Problem& problem, const std::vector<double>& parameters,
                               const std::vector<int>& over, std::string* unfinished) {
  PhaseTangents tangents(problem, over);
  const Evaluation run = simulation::evaluate_phases(problem, parameters, nullptr, &tangents);
  require_complete(run.solution);
  Gradient out;
  out.values = run.values;
  out.derivatives = tangents.derivatives();
  out.statistics = run.solution.statistics;
  const simulation::PhaseRun& last = run.phases.back();
  if (unfinished && !last.is_complete && last.phase->stop) *unfinished = last.phase->name;
  out.warnings = run.warnings;
  return out;
}

}  // namespace perilune::sensitivity
