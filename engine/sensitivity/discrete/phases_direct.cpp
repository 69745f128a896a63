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
#include "sensitivity/discrete/through_phases.hpp"
#include "sensitivity/felt_loads.hpp"

namespace perilune::sensitivity {

namespace {

class PhaseTangents final : public simulation::PhaseFollower {
 public:
  PhaseTangents(const Problem& problem, const std::vector<int>& over)
      : problem_(problem),
        over_(over),
        reached_(reached_parameters(problem, over)),
        derivatives_(problem.objectives.size(), std::vector<double>(over.size())) {}
  const std::vector<std::vector<double>>& derivatives() const { return derivatives_; }

  std::shared_ptr<const System> system(const Phase& phase) override {
    return System::differentiated_by(reached_, phase.system);
  }
  void begin(const Problem& own, const Evaluation& start) override;
  void set(const Phase& phase, std::vector<std::vector<double>> works) override;
  void reset(const std::vector<int>& states) override;
  void enter(const Problem& own, const std::shared_ptr<const Data>& data) override;
  void strike(std::unique_ptr<formulation::Impact> impact) override {
    impact->linearize();
    impact->tangent(tangents_.count, tangents_.z.data(), tangents_.parameters.data());
  }
  integrator::StepListener& listener(const Problem& own, const std::shared_ptr<Motion>& motion,
                                     Quadrature& quadrature) override {
    return listener_.emplace(own, *motion, tangents_, quadrature, TangentListener::Readers::Others);
  }
  void finish(const Problem& own, const Evaluation& run) override;
  void add_terminal(std::size_t objective, const Problem& own, const Evaluation& motion,
                    std::vector<double>& work) override;

 private:
  void shift_end(const Problem& own, const Evaluation& run);

  const Problem& problem_;
  const std::vector<int>& over_;
  std::vector<int> reached_;
  TangentBundle tangents_;  // of the state, with those of the data of the phase
  std::vector<std::vector<double>> derivatives_;
  std::optional<TangentListener> listener_;
  std::vector<double> x_;  // tangents of accelerations and multipliers at the end
};

void PhaseTangents::begin(const Problem& own, const Evaluation& start) {
  tangents_ = TangentBundle(own, start, over_);
  tangents_.times.assign(over_.size(), 0.0);
}

void PhaseTangents::set(const Phase& phase, std::vector<std::vector<double>> works) {
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

void PhaseTangents::reset(const std::vector<int>& states) {
  const auto count = static_cast<std::size_t>(tangents_.count);
  for (int i : states) {
    std::fill_n(tangents_.z.data() + tangents_.half() + static_cast<std::size_t>(i) * count, count, 0.0);
  }
}

void PhaseTangents::enter(const Problem& own, const std::shared_ptr<const Data>& data) {
  const System& system = *own.system;
  const auto count = static_cast<std::size_t>(tangents_.count);
  tangents_.m = system.constraint_count();
  tangents_.z.resize(2 * tangents_.half() + static_cast<std::size_t>(system.data_count()) * count);
  std::vector<double> direction(data->parameters.size()), dd(static_cast<std::size_t>(system.data_count()));
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t i = 0; i < direction.size(); ++i) direction[i] = tangents_.parameters[i * count + c];
    system.data_tangent(*data, direction.data(), dd.data());
    // All times of the phase follow its start.
    if (system.time_datum() >= 0) dd[static_cast<std::size_t>(system.time_datum())] = tangents_.times[c];
    for (std::size_t i = 0; i < dd.size(); ++i) tangents_.z[2 * tangents_.half() + i * count + c] = dd[i];
  }
}

void PhaseTangents::finish(const Problem& own, const Evaluation& run) {
  const auto count = static_cast<std::size_t>(tangents_.count);
  const auto integrals = listener_->integrals();
  for (std::size_t o = 0; o < derivatives_.size(); ++o) {
    for (std::size_t c = 0; c < count; ++c) derivatives_[o][c] += integrals[o][c];
  }
  std::copy_n(listener_->end().z, 2 * tangents_.half(), tangents_.z.begin());
  if (own.stop) shift_end(own, run);
}

void PhaseTangents::shift_end(const Problem& own, const Evaluation& run) {
  const std::optional<integrator::Stop>& stop = run.solution.stop;
  const integrator::Mesh& mesh = run.solution.mesh;
  const auto count = static_cast<std::size_t>(tangents_.count);
  const system::MotionPoint end = mesh_point(mesh, mesh.size() - 1, run.data->parameters);
  std::vector<double> work = own.stop->terminal->make_work(), shift(count);
  own.stop->terminal->evaluate(end, work);
  add_directional(*own.stop->terminal, work, 1, tangents_, listener_->end().z, listener_->end().x, shift.data());
  for (double& dh : shift) {
    dh /= -stop->slope;
    if (std::isfinite(dh)) continue;
    throw NumericalError(at_time(mesh.t.back()) + "the stop condition \"" + own.stop->name +
                         "\" touches zero without crossing it: it has no derivatives there");
  }
  const std::size_t objectives = derivatives_.size();
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t o = 0; o < objectives; ++o) derivatives_[o][c] += stop->objectives[o] * shift[c];
    for (std::size_t i = c, j = objectives; i < 2 * tangents_.half(); i += count, ++j) {
      tangents_.z[i] += stop->objectives[j] * shift[c];
    }
    tangents_.times[c] += shift[c];
  }
}

void PhaseTangents::add_terminal(std::size_t objective, const Problem& own, const Evaluation& motion,
                                 std::vector<double>& work) {
  if (x_.empty()) {
    const std::unique_ptr<Dynamics> dynamics = linearized_end(own, motion);
    x_.resize(static_cast<std::size_t>((dynamics->n() + dynamics->m()) * tangents_.count));
    dynamics->tangent(tangents_.z.data(), tangents_.count, x_.data());
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
  warn_of_loads_behind_events(problem, run, out.warnings);
  return out;
}

}  // namespace perilune::sensitivity
