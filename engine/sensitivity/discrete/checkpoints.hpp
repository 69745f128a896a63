// SPDX-License-Identifier: MIT
// The discrete adjoint in bounded memory: instead of all nodes, a few states of the run are kept, and the nodes are
// found again from there, a few steps at a time.
#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "sensitivity/discrete/backward.hpp"
#include "sensitivity/discrete/binomial_schedule.hpp"

namespace perilune::sensitivity {

/// What it takes, besides the record of steps, to repeat a run to the last bit.
class RunLog final : public integrator::StepListener {
 public:
  explicit RunLog(Motion& motion) : motion_(motion) {}

  void start(const integrator::March& march) override;
  void begin_step(const integrator::March&) override { before_ = motion_.memory(); }
  void group(const integrator::March& march, std::size_t g) override;
  void accept(const integrator::March& march) override;
  bool differentiates() const override { return true; }

  const integrator::March::Snapshot& initial() const { return initial_; }
  /// That a point comes with, for those who visit it again.
  std::size_t factor_numbers() const { return factor_numbers_; }
  /// The memory that step k was made with, where it is not the one that the step before left: rejected attempts have
  /// changed it, or a new choice. Else null.
  const formulation::Memory* change_before(std::size_t k) const;

 private:
  struct Change {
    std::size_t step;
    formulation::Memory memory;
  };

  Motion& motion_;
  integrator::March::Snapshot initial_;
  // Before the attempt, behind it, and behind the step accepted last: as the steps alone leave it, which are made
  // again, and not what estimates of their errors factor, which are not.
  formulation::Memory before_, attempted_, after_;
  std::size_t steps_ = 0, factor_numbers_ = 0;
  std::vector<Change> changes_;
};

/// What a reversal took.
struct ReplayCost {
  long steps = 0;               // repeated, those that were recorded among them
  std::size_t units = 0;        // that were reversed one by one
  std::size_t unit_length = 0;  // steps
  std::size_t nodes = 0;        // kept at a time, at most
};

/// Goes through a completed run backwards, finding its nodes again from at most `checkpoints` kept states. A record of
/// a few steps, as large as all the states together, is reversed at a time. Where there are threads, and it
/// is worth it, there are two records of half that size: while the steps of one are reversed, those before them are
/// found again. Where there are several processes, each has a record of full size, and they take turns: while one
/// reverses its steps, the others find theirs again, and what the next one goes on from is told to all.
class Replay final : private integrator::StepListener {
 public:
  /// `method`: its checkpoints, more than 0, and its threads. Any number of these gives the same bits.
  Replay(const Problem& problem, const Evaluation& run, const RunLog& log, const DiscreteAdjoint& method);
  void reverse(Backward& backward);
  const ReplayCost& cost() const { return cost_; }

 private:
  struct Place {
    std::size_t step = 0, nodes = 1;  // both before it
  };
  struct Kept {
    Place place;
    integrator::March::Snapshot state;
  };
  /// The nodes of steps first, ..., last - 1 and of the point before them.
  struct Recorded {
    explicit Recorded(const Motion& motion) : nodes(motion) {}
    std::size_t first = 0, last = 0;
    NodeRecord nodes;
  };

  void start(const integrator::March&) override {}
  void begin_step(const integrator::March& march) override;
  void group(const integrator::March& march, std::size_t g) override;
  void accept(const integrator::March& march) override;

  const Blocks<integrator::Steps::Step>& steps() const { return run_.solution.steps.steps; }
  std::size_t first_step(std::size_t unit) const { return std::min(unit * cost_.unit_length, steps().size()); }
  std::size_t unit_length(std::size_t factor_numbers) const;
  /// Goes on by the schedule until the next unit is recorded. False where all are reversed.
  bool record_next(BinomialSchedule& schedule);
  /// Goes on to unit `wanted`, without those behind it.
  void record(std::size_t wanted, BinomialSchedule& schedule);
  void reverse_by_turns(Backward& backward);
  void return_to(std::size_t step);
  void advance_to(std::size_t step);
  void record_to(std::size_t step);
  void count_nodes();

  const Evaluation& run_;
  const RunLog& log_;
  std::size_t checkpoints_;
  bool is_parallel_ = false, takes_turns_ = false;
  std::unique_ptr<Motion> motion_;  // the run's own is busy with the way back
  StepListener* const listeners_[1]{this};
  integrator::March march_;
  Recorded records_[2];  // that before the one that is recorded is reversed meanwhile
  std::size_t recorded_ = 0;
  bool is_recording_ = false;
  Place place_;
  std::vector<Kept> kept_;
  ReplayCost cost_;
};

/// discrete_adjoint with checkpoints > 0.
Gradient checkpointed_adjoint(const Problem& problem, const std::vector<double>& parameters,
                              const std::vector<int>& over, const DiscreteAdjoint& method, ReplayCost* cost = nullptr);

}  // namespace perilune::sensitivity
