// SPDX-License-Identifier: MIT
#include "simulation/trajectory.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>

#include "error.hpp"
#include "model/signals.hpp"
#include "poll.hpp"
#include "simulation/phases.hpp"
#include "simulation/point_finder.hpp"

namespace perilune::simulation {

Trajectory::Trajectory(std::shared_ptr<model::Model> model, Problem problem, Evaluation run, Nature nature)
    : model_(std::move(model)),
      problem_(std::move(problem)),
      run_(std::move(run)),
      nature_(std::move(nature)),
      impulses_(simulation::impulses(*model_, run_)) {}

std::string Trajectory::how() const {
  if (!nature_.how.empty()) return nature_.how;
  return formulation::name_of(problem_.formulation) + ", " + integrator::name_of(problem_.integrator);
}

void Trajectory::check_known(const std::vector<expr::NodeId>& nodes) const {
  using expr::Quantity;
  const auto count_of = [this](Quantity quantity) {
    switch (quantity) {
      case Quantity::Position:
      case Quantity::Velocity:
      case Quantity::Acceleration:
        return model_->coordinates().size();
      case Quantity::Multiplier:
        return model_->multipliers().size();
      case Quantity::Parameter:
        return run_.data->parameters.size();
      case Quantity::Time:
      case Quantity::Side:
      case Quantity::Argument:
      case Quantity::Absence:
        break;
    }
    return std::numeric_limits<std::size_t>::max();
  };
  const expr::Graph& graph = model_->graph();
  for (const expr::NodeId id : graph.variables_of(nodes)) {
    const expr::Variable& variable = graph.variable_of(id);
    if (static_cast<std::size_t>(variable.index) < count_of(variable.quantity)) continue;
    throw Error("the run does not have " + variable.name + ", which was declared after it was made; simulate again");
  }
}

namespace {

/// A measure as each phase knows it.
class PhaseMeasures {
 public:
  PhaseMeasures(const model::Model& model, const std::vector<expr::NodeId>& nodes) : whole_(model, nodes) {}
  const Measure& whole() const { return whole_; }
  /// `phase`: null for a motion without any.
  const Measure& of(const PhaseRun* phase) {
    if (!phase) return whole_;
    const auto known = own_.find(phase->phase.get());
    if (known != own_.end()) return known->second;
    return own_.emplace(phase->phase.get(), in_phase(whole_, *phase->phase->system)).first->second;
  }

 private:
  Measure whole_;
  std::map<const Phase*, Measure> own_;
};

}  // namespace

std::vector<double> Trajectory::evaluate(expr::NodeId node) const {
  check_known({node});
  PhaseMeasures measures(*model_, {node});
  auto work = measures.whole().make_work();
  const integrator::Mesh& mesh = run_.solution.mesh;
  std::vector<double> out;
  out.reserve(mesh.size());
  Poll poll;
  for (std::size_t k = 0; k < mesh.size(); ++k) {
    poll();
    const PhaseRun* phase = phase_of(k);
    const std::vector<double>& parameters = phase ? phase->data->parameters : run_.data->parameters;
    measures.of(phase).evaluate(mesh_point(mesh, k, parameters), work);
    out.push_back(measures.whole().value(work, 0));
  }
  return out;
}

std::vector<double> Trajectory::evaluate(expr::NodeId node, const std::vector<double>& times) const {
  return evaluate(std::vector<expr::NodeId>{node}, times).front();
}

std::vector<std::vector<double>> Trajectory::evaluate(const std::vector<expr::NodeId>& nodes,
                                                      const std::vector<double>& times) const {
  std::vector<std::vector<double>> out(nodes.size());
  if (nodes.empty()) return out;
  check_known(nodes);
  PhaseMeasures measures(*model_, nodes);
  const Measure& measure = measures.whole();
  auto work = measure.make_work();
  const integrator::Mesh& mesh = run_.solution.mesh;
  const bool needs_dynamics = measure.reads(expr::Quantity::Acceleration) || measure.reads(expr::Quantity::Multiplier);
  std::map<const PhaseRun*, PointFinder> finders;
  std::vector<double> q(static_cast<std::size_t>(mesh.n)), v(q), a(q), lambda(static_cast<std::size_t>(mesh.m));
  Poll poll;
  for (double t : times) {
    poll();
    check_inside(t);
    interpolate(t, q.data(), v.data());
    const PhaseRun* phase = phase_at(t);
    const std::shared_ptr<const Data>& data = phase ? phase->data : run_.data;
    if (nature_.complete) {
      nature_.complete(mesh, t, q.data(), v.data(), a.data(), lambda.data());
    } else if (needs_dynamics) {
      auto known = finders.find(phase);
      if (known == finders.end()) {
        PointFinder made(phase ? phase->phase->system : problem_.system, data, problem_.formulation);
        known = finders.emplace(phase, std::move(made)).first;
      }
      known->second.find(t, q, v, a, lambda);
    }
    measures.of(phase).evaluate({t, q.data(), v.data(), a.data(), lambda.data(), data->parameters.data()}, work);
    for (std::size_t k = 0; k < nodes.size(); ++k) out[k].push_back(measure.value(work, static_cast<int>(k)));
  }
  return out;
}

void Trajectory::interpolate(double t, double* q, double* v) const {
  const integrator::Mesh& mesh = run_.solution.mesh;
  const auto above = std::upper_bound(mesh.t.begin(), mesh.t.end(), t);
  auto hint = static_cast<std::size_t>(above - mesh.t.begin()) - 1;
  if (hint + 1 < mesh.size()) {
    mesh.interpolate(t, q, v, hint);
  } else {
    std::copy_n(mesh.q_at(hint), mesh.n, q);
    std::copy_n(mesh.v_at(hint), mesh.n, v);
  }
}

const simulation::PhaseRun* Trajectory::phase_of(std::size_t point) const {
  for (const simulation::PhaseRun& phase : run_.phases) {
    if (point <= phase.last) return &phase;
  }
  return nullptr;
}

const simulation::PhaseRun* Trajectory::phase_at(double t) const {
  if (run_.phases.empty()) return nullptr;
  auto phase = run_.phases.end() - 1;
  while (phase != run_.phases.begin() && run_.solution.mesh.t[phase->first] > t) --phase;
  return &*phase;
}

void Trajectory::check_inside(double t) const {
  const integrator::Mesh& mesh = run_.solution.mesh;
  if (std::isnan(t)) throw Error("the time is not a number (nan)");
  if (t >= mesh.t.front() && t <= mesh.t.back()) return;
  char text[96];
  std::snprintf(text, sizeof text, "the time %.6g s is outside the run, which covers %.6g to %.6g s", t, mesh.t.front(),
                mesh.t.back());
  throw Error(text);
}

void Trajectory::state(double t, std::vector<double>& q, std::vector<double>& v) const {
  check_inside(t);
  const integrator::Mesh& mesh = run_.solution.mesh;
  q.resize(static_cast<std::size_t>(mesh.n));
  v.resize(q.size());
  interpolate(t, q.data(), v.data());
  if (!nature_.complete) return;
  std::vector<double> a(q.size()), lambda(static_cast<std::size_t>(mesh.m));
  nature_.complete(mesh, t, q.data(), v.data(), a.data(), lambda.data());
}

format::Table Trajectory::table(const std::vector<model::ShownSignal>& signals,
                                const std::vector<double>& times) const {
  format::Table out;
  out.columns.push_back({"t", "s", times.empty() ? run_.solution.mesh.t : times});
  for (const model::ShownSignal& signal : signals) {
    out.columns.push_back(
        {signal.name, signal.unit, times.empty() ? evaluate(signal.node) : evaluate(signal.node, times)});
  }
  return out;
}

std::vector<std::string> Trajectory::default_signals() const {
  std::vector<std::string> names;
  for (const model::Coordinate& c : model_->coordinates()) {
    if (c.is_removed) continue;
    for (const std::string& name : {c.name, model_->graph().variable_of(c.velocity).name}) {
      if (has_signal(*model_, name)) names.push_back(name);  // the integral of a state has none
    }
  }
  return names;
}

}  // namespace perilune::simulation
