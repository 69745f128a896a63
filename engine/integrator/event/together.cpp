// SPDX-License-Identifier: MIT
// Switches that change their sides at the same time, but need not with other parameters. Each has an event of its own,
// at the end of a step of hardly any length whose derivative by its length is that of the motion between them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "integrator/stepping.hpp"
#include "profile.hpp"

namespace perilune::integrator {

void Run::change_side(int number) {
  const TimedTask timed(Task::Events);
  const formulation::Sides before = march_.motion().sides();
  constexpr int most = 10;  // rounds of switches that follow from each other and never come to an end
  int rounds = 0;
  if (march_.t() - flipped_at_ > switches_->shortest()) flipped_here_.clear();
  flip(number);
  while (switches_->waiting(march_.node(-1))) {
    do {
      restart();
    } while (switches_->find_followers(march_.node(-1)) && ++rounds < most);
    const std::optional<int> other = switches_->waiting(march_.node(-1));
    if (!other) break;
    if (end_at_once(*other, 0)) {
      flip(*other);
    } else {
      switches_->follow(*other, march_.node(-1));
    }
  }
  check_constraints(march_.node(-1), before, march_.motion().sides(), switches_->shortest());
  starts_anew_ = true;
  restart();
}

bool Run::end_at_once(int number, double h) {
  // A run starts where it starts, unless it goes on from another.
  if (!switches_->is_held(number) || (march_.t() <= options_.start && !options_.sides)) return false;
  plan_ = &own_sliver_plan();
  const double after = probe(h + switches_->shortest(), number), value = probe(h, number);
  // One that jumped across zero with the event before has no time of its own.
  constexpr double near = 10;
  if (after == value || std::abs(value) > near * std::abs(after - value)) return false;
  if (differentiates() && start_moves_) note_entangled(number);
  march_.attempt(*plan_, h, newton_tolerance_);
  finish(march_.t() + h, number);
  start_moves_ = true;
  along_ = 0;
  return true;
}

const Plan& Run::own_sliver_plan() {
  if (!sliver_plan_) sliver_plan_ = &keep(sliver_plan(out_.steps.copies));
  return *sliver_plan_;
}

void Run::reach_tick() {
  const double left = until() - march_.t();
  if (!has_ticks() || left > switches_->shortest() || (left <= 0 && !start_moves_)) return;
  // The tick does not move with the event, even if both are at the same time: a step, however short, is between them.
  march_.attempt(own_sliver_plan(), std::max(left, std::numeric_limits<double>::min()), newton_tolerance_);
  finish(until(), -1);
}

void Run::note_entangled(int number) {
  if (march_.t() - flipped_at_ > switches_->shortest()) return;
  for (const int first : flipped_here_) {
    if (first == number || switches_->move_alike(first, number, march_.node(-1)) || !are_entangled(first, number))
      continue;
    const system::System& system = march_.motion().system();
    out_.entangled.push_back({march_.t(), system.switch_name(first), system.switch_name(number)});
    return;
  }
}

bool Run::are_entangled(int first, int second) {
  formulation::Motion& motion = march_.motion();
  const formulation::Memory memory = motion.memory();
  const formulation::Sides now = motion.sides();
  const Node& x = march_.node(-1);
  const auto n = static_cast<std::size_t>(motion.n());
  const std::vector<double> state(x.q, x.q + 2 * n), none(n + static_cast<std::size_t>(motion.m()), 0.0);
  struct Side {
    std::vector<double> acting;
    double of_first, of_second;  // rates of both functions
  };
  const auto with = [&](const std::vector<int>& flipped) {
    motion.set_sides(switches_->sides_with(now, flipped, {first, second}, x));
    Side out{acting(x.t, state, options_.integrals != nullptr), 0, 0};
    const system::MotionPoint along{1, x.u, out.acting.data(), none.data(), none.data() + n};
    out.of_first = switches_->slope(first, x, along);
    out.of_second = switches_->slope(second, x, along);
    return out;
  };
  const Side before = with({first}), one = with({}), other = with({first, second}), both = with({second});
  motion.set_sides(now);
  motion.set_memory(memory);
  constexpr double rounding = 1e-6;
  const auto differ = [](double a, double b) {
    return std::abs(a - b) > rounding * std::max(std::abs(a), std::abs(b));
  };
  // The first may change how soon the second comes to zero, or the other way round.
  const bool first_counts = differ(before.of_first, other.of_first),
             second_counts = differ(before.of_second, one.of_second);
  for (std::size_t k = 0; k < both.acting.size(); ++k) {
    const double none_acts = before.acting[k], of_first = one.acting[k] - none_acts,
                 of_second = other.acting[k] - none_acts;
    const double size = std::max({std::abs(none_acts), std::abs(both.acting[k]), 1.0});
    const double jump = std::max(std::abs(of_first), std::abs(of_second)), least = rounding * rounding * size;
    if (std::abs(both.acting[k] - none_acts - of_first - of_second) > std::max(rounding * jump, least)) return true;
    if ((first_counts && std::abs(of_first) > least) || (second_counts && std::abs(of_second) > least)) return true;
  }
  return false;
}

}  // namespace perilune::integrator
