// SPDX-License-Identifier: MIT
#include "sensitivity/discrete/checkpoints.hpp"

#include <algorithm>

#include "error.hpp"
#include "fingerprint.hpp"
#include "parallel.hpp"
#include "ranks/archive.hpp"
#include "ranks/ranks.hpp"

namespace perilune::sensitivity {

using integrator::March;
using integrator::Plan;
using integrator::Steps;

void RunLog::start(const March& march) {
  initial_ = march.snapshot(march.start_count());
  after_ = initial_.memory;
}

void RunLog::group(const March& march, std::size_t g) {
  if (g + 1 == march.plan().groups.size()) attempted_ = motion_.memory();
}

void RunLog::accept(const March&) {
  if (before_ != after_) changes_.push_back({steps_, before_});
  after_ = attempted_;
  factor_numbers_ = motion_.factor_numbers().size();
  ++steps_;
}

const formulation::Memory* RunLog::change_before(std::size_t k) const {
  const auto at = std::lower_bound(changes_.begin(), changes_.end(), k,
                                   [](const Change& change, std::size_t step) { return change.step < step; });
  return at != changes_.end() && at->step == k ? &at->memory : nullptr;
}

namespace {

/// How many nodes before step k it and later ones refer to.
int depth_at(const Blocks<Steps::Step>& steps, std::size_t k) {
  auto size = [&](std::size_t i) { return static_cast<int>(steps[i].plan->nodes.size()); };
  // The last mesh point but one before a step, counted backwards from it.
  auto to_last_but_one = [&](std::size_t i) {
    if (i == 0) return 1;
    return size(i - 1) + (i == 1 ? 1 : size(i - 2) - steps[i - 2].plan->end);
  };
  int depth = 1;
  for (int since = 0; k < steps.size() && since < March::most_nodes; since += size(k++)) {
    const Plan& plan = *steps[k].plan;
    const int reach = plan.guesses_on_line() ? std::max(plan.reach(), to_last_but_one(k)) : plan.reach();
    depth = std::max(depth, reach - since);
  }
  return depth;
}

}  // namespace

Replay::Replay(const Problem& problem, const Evaluation& run, const RunLog& log, const DiscreteAdjoint& method)
    : run_(run),
      log_(log),
      checkpoints_(std::min(static_cast<std::size_t>(method.checkpoints), run.solution.steps.steps.size())),
      motion_(formulation::make_motion(problem.system, run.data, problem.formulation)),
      march_(*motion_, listeners_, run.solution.steps.ring),
      records_{Recorded(*motion_), Recorded(*motion_)} {
  kept_.push_back({{}, log.initial()});
  march_.restore(log.initial());
  // Threads wait for each other at each unit: shorter records than this take less time than that. Processes, which tell
  // each other where they are, do longer.
  constexpr std::size_t worth_it = 16384;  // numbers
  const std::size_t numbers =
      checkpoints_ * march_.node_size() * static_cast<std::size_t>(depth_at(steps(), steps().size() / 2)) / 2;
  constexpr std::size_t worth_messages = 4 * worth_it;
  takes_turns_ = numbers >= worth_messages && ranks::may_spread();
  is_parallel_ = !takes_turns_ && numbers >= worth_it && method.threads != 1 && thread_count() > 1 && !is_within_job();
  cost_.unit_length = unit_length(log.factor_numbers());
  cost_.units = (steps().size() + cost_.unit_length - 1) / cost_.unit_length;
}

std::size_t Replay::unit_length(std::size_t factor_numbers) const {
  std::size_t nodes = 0;
  for (std::size_t k = 0; k < steps().size(); ++k) nodes += steps()[k].plan->nodes.size();
  const auto depth = static_cast<std::size_t>(depth_at(steps(), steps().size() / 2));
  const std::size_t size = march_.node_size(), states = checkpoints_ * depth * size / (is_parallel_ ? 2 : 1);
  return std::clamp<std::size_t>(states * steps().size() / (nodes * (size + factor_numbers)), 1, steps().size());
}

void Replay::reverse(Backward& backward) {
  if (takes_turns_) return reverse_by_turns(backward);
  BinomialSchedule schedule(cost_.units, checkpoints_);
  JobQueue queue(is_parallel_ ? 2 : 1);  // it does a job at once where there are no threads
  std::size_t reversed = 0;
  for (bool goes_on = record_next(schedule); goes_on;) {
    reversed = recorded_;
    queue.add([&backward, &unit = records_[reversed]] { backward.sweep(unit.first, unit.last, unit.nodes); });
    if (is_parallel_) recorded_ = 1 - recorded_;
    goes_on = record_next(schedule);
    queue.finish();
  }
  backward.finish(records_[reversed].nodes);
}

void Replay::reverse_by_turns(Backward& backward) {
  const auto processes = static_cast<std::size_t>(ranks::size()), own = static_cast<std::size_t>(ranks::number());
  const std::string motion = Fingerprint().add(run_.data->packed).add(run_.values).text();
  BinomialSchedule schedule(cost_.units, checkpoints_);
  std::size_t recorded = cost_.units;  // the unit at hand
  for (std::size_t unit = cost_.units; unit-- > 0;) {
    const std::size_t whose = unit % processes;
    // The own one that comes next, if it is not at hand already.
    const std::size_t ahead = (unit + processes - own) % processes;
    if (unit >= ahead && recorded != unit - ahead) {
      recorded = unit - ahead;
      record(recorded, schedule);
    }
    std::string state;
    if (whose == own) {
      Recorded& steps = records_[recorded_];
      backward.sweep(steps.first, steps.last, steps.nodes);
      if (unit == 0) backward.finish(steps.nodes);
      state = ranks::packed(backward);
    }
    const std::string title = "the adjoint of unit " + std::to_string(unit) + ", motion " + motion;
    const std::vector<std::string> told = ranks::gather(title, state);
    if (whose == own) continue;
    ranks::Archive<true> archive(told[whose]);
    archive(backward);
  }
}

void Replay::record(std::size_t wanted, BinomialSchedule& schedule) {
  while (const auto move = schedule.next()) {
    if (!move->keeps && move->to != wanted) continue;  // another one's
    return_to(first_step(move->from));
    advance_to(first_step(move->to));
    if (!move->keeps) return record_to(first_step(move->to + 1));
    kept_.push_back({place_, march_.snapshot(depth_at(steps(), place_.step))});
    count_nodes();
  }
}

bool Replay::record_next(BinomialSchedule& schedule) {
  while (const auto move = schedule.next()) {
    return_to(first_step(move->from));
    advance_to(first_step(move->to));
    if (!move->keeps) {
      record_to(first_step(move->to + 1));
      return true;
    }
    kept_.push_back({place_, march_.snapshot(depth_at(steps(), place_.step))});
    count_nodes();
  }
  return false;
}

void Replay::return_to(std::size_t step) {
  while (kept_.back().place.step > step) kept_.pop_back();
  if (place_.step == step) return;
  place_ = kept_.back().place;
  march_.restore(kept_.back().state);
}

void Replay::advance_to(std::size_t step) {
  while (place_.step < step) {
    check_interrupt();
    const Steps::Step& next = steps()[place_.step];
    motion_->set_sides(next.sides);
    march_.attempt(*next.plan, next.h, run_.solution.steps.newton_tolerance, next.choice);
    march_.accept(next.end);
    place_ = {place_.step + 1, place_.nodes + next.plan->nodes.size()};
    ++cost_.steps;
  }
}

void Replay::record_to(std::size_t step) {
  Recorded& unit = records_[recorded_];
  unit.first = place_.step;
  unit.last = step;
  unit.nodes.restart(place_.nodes - 1);  // the point that the first step starts from is of use to it, too
  unit.nodes.start(march_);
  is_recording_ = true;
  advance_to(step);
  is_recording_ = false;
  count_nodes();
}

void Replay::count_nodes() {
  std::size_t nodes = records_[0].nodes.size() + records_[1].nodes.size();
  for (const Kept& kept : kept_) nodes += kept.state.nodes();
  cost_.nodes = std::max(cost_.nodes, nodes);
}

void Replay::begin_step(const March& march) {
  if (const formulation::Memory* memory = log_.change_before(place_.step)) motion_->set_memory(*memory);
  if (is_recording_) records_[recorded_].nodes.begin_step(march);
}

void Replay::group(const March& march, std::size_t g) {
  if (is_recording_) records_[recorded_].nodes.group(march, g);
}

void Replay::accept(const March& march) {
  if (is_recording_) records_[recorded_].nodes.accept(march);
}

Gradient checkpointed_adjoint(const Problem& problem, const std::vector<double>& parameters,
                              const std::vector<int>& over, const DiscreteAdjoint& method, ReplayCost* cost) {
  Evaluation run = prepare(problem, parameters);
  const auto motion = formulation::make_motion(problem.system, run.data, problem.formulation);
  RunLog log(*motion);
  Quadrature quadrature(problem, run.data->parameters);
  simulate(problem, *motion, nullptr, quadrature, {&log}, run, Keep::Ends);
  require_complete(run.solution);
  AdjointBundle bundle(problem);
  Backward backward(problem, run, *motion, bundle);
  Replay replay(problem, run, log, method);
  replay.reverse(backward);
  if (cost) *cost = replay.cost();
  return bundle.finish(problem, run, over);
}

}  // namespace perilune::sensitivity
