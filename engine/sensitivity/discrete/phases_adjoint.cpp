// SPDX-License-Identifier: MIT
// The adjoint through the phases of a motion, from the last to the first: every statement of the direct method
// (phases_direct.cpp) transposed, in reverse order. What follows a phase depends on its end by the state and the time
// that the next phase starts with. Their adjoints are where the way back through its steps begins (Backward); then come
// those of the impact, of the data, and of the parameters that it set. Over intervals, these of all phases are solved
// first, in parallel: between phases there is nothing to do in parallel.
#include <algorithm>
#include <optional>

#include "sensitivity/discrete/checkpoints.hpp"
#include "sensitivity/discrete/through_phases.hpp"
#include "sensitivity/intervals/recorded_intervals.hpp"

namespace perilune::sensitivity {

namespace {

/// What the way back through a phase takes.
struct PassedPhase {
  const Phase* phase;
  std::vector<std::vector<double>> works;  // of the values that it set
  std::vector<int> states;                 // that it set to zero
  std::shared_ptr<const System> system;
  std::shared_ptr<const Data> data;
  std::unique_ptr<formulation::Impact> impact;  // null: there was none
  std::shared_ptr<Motion> motion;               // null: it was over with its impact
  std::unique_ptr<NodeRecord> record;           // all nodes of its motion, or
  std::unique_ptr<RunLog> log;                  // what it takes to find them again
  Problem own;                                  // and its run: of this motion
  Evaluation run;
  std::unique_ptr<RecordedIntervals> intervals;  // of it, where there are
};

class PhaseAdjoints final : public simulation::PhaseFollower {
 public:
  PhaseAdjoints(const Problem& problem, const std::vector<int>& over, const DiscreteAdjoint& method)
      : problem_(problem), over_(over), reached_(reached_parameters(problem, over)), method_(method) {}

  /// The way back. `motion`: what was followed.
  Gradient gradient(const Evaluation& motion);

  std::shared_ptr<const System> system(const Phase& phase) override {
    return System::differentiated_by(reached_, phase.system);
  }
  void begin(const Problem& own, const Evaluation&) override { first_ = own; }
  void set(const Phase& phase, std::vector<std::vector<double>> works) override;
  void reset(const std::vector<int>& states) override { passed_.back().states = states; }
  void enter(const Problem& own, const std::shared_ptr<const Data>& data) override;
  void strike(std::unique_ptr<formulation::Impact> impact) override { passed_.back().impact = std::move(impact); }
  integrator::StepListener& listener(const Problem& own, const std::shared_ptr<Motion>& motion,
                                     Quadrature& quadrature) override;
  void finish(const Problem& own, const Evaluation& run) override;
  void add_terminal(std::size_t objective, const Problem& own, const Evaluation& motion,
                    std::vector<double>& work) override;

 private:
  /// All phases from number `first` on, but for those from `last` on.
  void reverse(std::size_t first, std::size_t last, AdjointBundle& bundle);
  void reverse_steps(PassedPhase& passed, AdjointBundle& bundle);
  static void reverse_impact(formulation::Impact& impact, AdjointBundle& bundle);
  static void reverse_assignments(PassedPhase& passed, AdjointBundle& bundle);
  /// So that they are there when the steps are reversed. `count`: of phases.
  void solve_intervals(const Evaluation& motion, std::size_t count);

  const Problem& problem_;
  const std::vector<int>& over_;
  std::vector<int> reached_;
  DiscreteAdjoint method_;
  std::string remark_;  // why none are solved apart, where intervals were asked for
  Problem first_;       // of the first phase
  std::vector<PassedPhase> passed_;
  std::optional<AdjointBundle> bundle_;
  std::unique_ptr<Dynamics> end_;  // of the whole motion
};

void PhaseAdjoints::set(const Phase& phase, std::vector<std::vector<double>> works) {
  passed_.emplace_back();
  passed_.back().phase = &phase;
  passed_.back().works = std::move(works);
}

void PhaseAdjoints::enter(const Problem& own, const std::shared_ptr<const Data>& data) {
  passed_.back().system = own.system;
  passed_.back().data = data;
  bundle_.emplace(own);  // this phase may be the last
}

integrator::StepListener& PhaseAdjoints::listener(const Problem&, const std::shared_ptr<Motion>& motion, Quadrature&) {
  PassedPhase& passed = passed_.back();
  passed.motion = motion;
  if (method_.checkpoints > 0) return *(passed.log = std::make_unique<RunLog>(*motion));
  return *(passed.record = std::make_unique<NodeRecord>(*motion));
}

void PhaseAdjoints::finish(const Problem& own, const Evaluation& run) {
  passed_.back().own = own;
  passed_.back().run = run;
}

void PhaseAdjoints::add_terminal(std::size_t objective, const Problem& own, const Evaluation& motion,
                                 std::vector<double>& work) {
  if (!end_) end_ = linearized_end(own, motion);
  AdjointBundle& bundle = *bundle_;
  Seeds seeds(*own.system);
  const std::size_t n = seeds.a.size();
  double* z = seeds.z.data();
  const std::optional<Measure> terminal = simulation::renumbered(problem_.objectives[objective]->terminal, *own.system);
  terminal->add_gradient(
      work, 0, 1, {z, z + n, seeds.a.data(), seeds.lambda.data(), seeds.parameters.data(), &bundle.times[objective]});
  end_->adjoint(seeds.a.data(), seeds.lambda.data(), z);
  bundle.q[objective].assign(z, z + n);
  bundle.v[objective].assign(z + n, z + 2 * n);
  bundle.add_integrals(objective, seeds);
}

void PhaseAdjoints::reverse_steps(PassedPhase& passed, AdjointBundle& bundle) {
  if (passed.intervals) return passed.intervals->reverse(bundle);
  Backward backward(passed.own, passed.run, *passed.motion, bundle);
  if (passed.record) return backward.run(*passed.record);
  Replay(passed.own, passed.run, *passed.log, method_).reverse(backward);
}

void PhaseAdjoints::reverse_impact(formulation::Impact& impact, AdjointBundle& bundle) {
  impact.linearize();
  for (std::size_t o = 0; o < bundle.q.size(); ++o) {
    std::vector<double> z;
    for (const auto* part : {&bundle.q[o], &bundle.v[o], &bundle.data[o]}) {
      z.insert(z.end(), part->begin(), part->end());
    }
    impact.adjoint(z.data(), bundle.parameters[o].data());
    auto from = z.begin();
    for (auto* part : {&bundle.q[o], &bundle.v[o], &bundle.data[o]}) {
      const auto to = from + static_cast<std::ptrdiff_t>(part->size());
      part->assign(from, to);
      from = to;
    }
  }
}

void PhaseAdjoints::reverse_assignments(PassedPhase& passed, AdjointBundle& bundle) {
  const std::vector<Assignment>& set = passed.phase->set;
  for (std::size_t o = 0; o < bundle.q.size(); ++o) {
    std::vector<double>& parameters = bundle.parameters[o];
    // All values were found before any parameter was set; the last who set one decided.
    std::vector<double> weights(set.size());
    for (std::size_t i = set.size(); i-- > 0;) {
      weights[i] = std::exchange(parameters[static_cast<std::size_t>(set[i].parameter)], 0.0);
    }
    for (std::size_t i = 0; i < set.size(); ++i) {
      set[i].value.add_gradient(
          passed.works[i], 0, weights[i],
          {bundle.q[o].data(), bundle.v[o].data(), nullptr, nullptr, parameters.data(), &bundle.times[o]});
    }
  }
}

void PhaseAdjoints::reverse(std::size_t first, std::size_t last, AdjointBundle& bundle) {
  for (std::size_t k = last; k-- > first;) {
    PassedPhase& passed = passed_[k];
    if (passed.motion) reverse_steps(passed, bundle);
    if (passed.impact) reverse_impact(*passed.impact, bundle);
    for (std::size_t o = 0; o < bundle.q.size(); ++o) {
      const int time = passed.system->time_datum();
      if (time >= 0) bundle.times[o] += bundle.data[o][static_cast<std::size_t>(time)];
      passed.system->data_adjoint(*passed.data, bundle.data[o].data(), bundle.parameters[o].data());
    }
    for (std::vector<double>& v : bundle.v) {
      for (int i : passed.states) v[static_cast<std::size_t>(i)] = 0;
    }
    reverse_assignments(passed, bundle);
    bundle.change_data(k > 0 ? *passed_[k - 1].system : *first_.system);
  }
}

void PhaseAdjoints::solve_intervals(const Evaluation& motion, std::size_t count) {
  const auto steps_of = [](const PassedPhase& passed) {
    return passed.motion ? passed.run.solution.steps.steps.size() : 0;
  };
  std::size_t steps = 0;
  for (const PassedPhase& passed : passed_) steps += steps_of(passed);
  const IntervalOptions options{.intervals = method_.intervals,
                                .records = true,
                                .threads = method_.threads,
                                .method = "the adjoint over intervals"};
  require_steps(options.intervals, steps, options.method);
  std::vector<RecordedIntervals*> parts;
  for (PassedPhase& passed : passed_) {
    const std::size_t own = steps_of(passed);
    if (own == 0) continue;
    // Each phase has its share of them, and one at least.
    const std::size_t share = (static_cast<std::size_t>(options.intervals) * own + steps / 2) / steps;
    passed.intervals = std::make_unique<RecordedIntervals>(
        passed.own, passed.run, *passed.record, passed.motion->has_own_rate(), std::max<std::size_t>(1, share));
    parts.push_back(passed.intervals.get());
  }
  if (parts.empty()) return;
  parts.back()->know_end(*bundle_);  // nothing that moves follows it
  Eigen::Index numbers = 0;
  for (const RecordedIntervals* part : parts) numbers = std::max(numbers, part->most_numbers());
  if (numbers > most_numbers_of_intervals) {
    remark_ = remark_of_one_sweep(numbers);
    for (PassedPhase& passed : passed_) passed.intervals.reset();
    return;
  }
  solve(parts, motion, options);
  if (std::all_of(parts.begin(), parts.end(), [](const RecordedIntervals* part) { return part->is_exact(); })) return;
  AdjointBundle trial = *bundle_;
  reverse(0, count, trial);
  solve(parts, motion, options);
}

Gradient PhaseAdjoints::gradient(const Evaluation& motion) {
  // What follows the last of the phases that take time is known at once.
  std::size_t count = passed_.size();
  while (count > 0 && !passed_[count - 1].motion) --count;
  reverse(count, passed_.size(), *bundle_);
  if (method_.intervals > 0) solve_intervals(motion, count);
  reverse(0, count, *bundle_);
  Gradient out = bundle_->finish(first_, motion, over_);
  if (!remark_.empty()) out.warnings.push_back(remark_);
  return out;
}

}  // namespace

Gradient adjoint_through_phases(const Problem& problem, const std::vector<double>& parameters,
                                const std::vector<int>& over, const DiscreteAdjoint& method) {
  PhaseAdjoints adjoints(problem, over, method);
  const Evaluation motion = simulation::evaluate_phases(problem, parameters, nullptr, &adjoints);
  require_complete(motion.solution);
  return adjoints.gradient(motion);
}

}  // namespace perilune::sensitivity
