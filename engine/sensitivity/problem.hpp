// One experiment: a system, how it is integrated, and the objectives that are asked of it.
//   psi = w(q, v, a, lambda, rho at t_F) + integral of g(q, v, a, lambda, t, rho) dt
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/start_state.hpp"
#include "formulation/dynamics.hpp"
#include "formulation/motion.hpp"
#include "integrator/integrator.hpp"
#include "integrator/quality.hpp"
#include "system/measure.hpp"

namespace perilune::sensitivity {

using formulation::Dynamics;
using formulation::Motion;
using system::Data;
using system::Measure;
using system::System;

struct Objective {
  std::string name;
  std::shared_ptr<const expr::Graph> graph;  // for messages
  std::optional<Measure> terminal, integral;
  std::vector<int> switches;  // of the model, that the integral part changes its form with
  /// Either node may be expr::no_node.
  Objective(std::string name, std::shared_ptr<const expr::Graph> graph, expr::NodeId terminal, expr::NodeId integral);
};

/// A state that a motion starts from in place of the declared one.
struct Start {
  std::vector<double> q, v;
};

struct Phase;

struct Problem {
  std::shared_ptr<const System> system;
  formulation::Formulation formulation;
  integrator::Integrator integrator;
  double start = 0, end = 1;
  std::vector<int> independent;  // coordinates that keep their declared initial values
  analysis::StartFrom start_from = analysis::StartFrom::Declared;
  std::shared_ptr<const Start> from;  // null: as declared or at rest. Does not depend on parameters
  std::vector<std::shared_ptr<const Objective>> objectives;
  integrator::Progress progress;
  std::shared_ptr<const Objective> stop;  // null, or what ends the run where its terminal part becomes zero
  /// Of a motion in phases (phases.hpp), whose systems are in place of `system`; `stop` is null then.
  std::vector<std::shared_ptr<const Phase>> phases;
  /// This is one of them: `stop` has to be negative before it can become zero, and Solution::stop has the slopes of
  /// q (n) and v (n) behind those of the objectives.
  bool is_phase = false;
};

enum class Keep { Mesh, Ends };  // of a run

/// How one phase of a motion went.
struct PhaseRun {
  std::shared_ptr<const Phase> phase;
  std::shared_ptr<const Data> data;
  std::size_t first = 0, last = 0;  // mesh points of the whole motion; the first is after the impact
  bool is_complete = false;         // it came to its own end
  double start = 0;                 // s
  integrator::Steps steps;
};

struct Evaluation {
  std::vector<double> values;  // of the objectives
  integrator::Solution solution;
  analysis::ConsistentState initial;
  std::shared_ptr<const Data> data;
  std::vector<std::string> warnings;    // sentences for the user
  integrator::Quality quality;          // not of runs that are repeated
  std::vector<double> integral_errors;  // of the objectives, as estimated; empty where steps are constant
  std::vector<PhaseRun> phases;         // of a motion in phases; `data` and `initial` are those of the first
};

/// Accumulates the integrals of the objectives by the integrator's own rule.
class Quadrature final : public integrator::Integrals {
 public:
  Quadrature(const Problem& problem, const std::vector<double>& parameters);
  void start(const integrator::March& march) override;
  void begin_step(const integrator::March&) override {}
  void group(const integrator::March& march, std::size_t g) override;
  void accept(const integrator::March& march) override;
  const std::vector<double>& totals() const { return totals_; }
  std::vector<double> totals_with(const integrator::March& march) override;
  std::vector<double> rates_at_end(const integrator::March& march) override;
  bool reads_time() const override;
  bool reads_switch(int number) const override;
  std::vector<double> rates(const formulation::Node& x, const std::vector<double>& sides) override;
  double error(const integrator::March& march, std::span<const integrator::QuadratureLink> estimate, double absolute,
               double relative) override;
  /// Sums of the estimated errors of the steps; empty if none was asked for.
  const std::vector<double>& errors() const { return errors_; }
  /// Work array of an objective's integrand, evaluated at a node of the group that was reported last.
  std::vector<double>& work(std::size_t node, std::size_t objective) { return work_[node][objective]; }

 private:
  double* at(std::vector<double>& ring, std::size_t slot) { return ring.data() + slot * totals_.size(); }
  void rate(const integrator::March& march, int i, std::size_t node);
  void sum(const integrator::March& march, std::span<const integrator::QuadratureLink> links,
           std::vector<double>& sums);

  const Problem& problem_;
  const std::vector<double>& parameters_;
  std::vector<std::vector<std::vector<double>>> work_;  // [node of a group][objective]
  std::vector<double> totals_, total_ring_, rate_ring_;
  std::vector<double> sizes_;              // integrals of |g|
  std::vector<double> estimates_, fresh_;  // of the step just attempted: errors, totals
  std::vector<double> errors_;
};

/// The equations of the initial state.
analysis::StartState start_state(const Problem& problem);

/// Data and consistent initial state at a parameter set: what every run starts from. Throws NumericalError, also
/// where the formulation does not allow redundant constraints.
Evaluation prepare(const Problem& problem, const std::vector<double>& parameters);
/// The same from a state that is consistent.
Evaluation prepare_at(const Problem& problem, std::shared_ptr<const Data> data, std::vector<double> q,
                      std::vector<double> v);

/// Simulates from what `prepare` gave, with the caller's motion and listeners. `repeat`: the steps of another run. A
/// numerical failure on the way is reported in `solution`, and the objectives are NaN then.
void simulate(const Problem& problem, Motion& motion, const integrator::Steps* repeat,
              const std::vector<integrator::StepListener*>& listeners, Evaluation& run);
/// The same with the caller's quadrature, which hears of everything before the other listeners.
void simulate(const Problem& problem, Motion& motion, const integrator::Steps* repeat, Quadrature& quadrature,
              const std::vector<integrator::StepListener*>& listeners, Evaluation& run, Keep keep = Keep::Mesh);

/// prepare and simulate.
Evaluation evaluate(const Problem& problem, const std::vector<double>& parameters,
                    const integrator::Steps* repeat = nullptr,
                    const std::vector<integrator::StepListener*>& listeners = {});

/// What a unit of the stop condition is worth to an objective at the end of a run (Schaffer 2005, eq. 4.199): the
/// derivatives of the objective are those of objective - stop_weight * condition at a fixed length of the last step.
/// Throws NumericalError when the condition was not met.
double stop_weight(const Problem& problem, const Evaluation& run, std::size_t objective);

/// Value of a measure, or a NumericalError that names the objective and the script line of the operation that failed.
double checked_value(const Objective& objective, const Measure& measure, const system::MotionPoint& at,
                     std::vector<double>& work);

}  // namespace perilune::sensitivity
