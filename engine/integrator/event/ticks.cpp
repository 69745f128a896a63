// SPDX-License-Identifier: MIT
#include "integrator/event/ticks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "at_time.hpp"
#include "error.hpp"
#include "integrator/stepping.hpp"

namespace perilune::integrator {

namespace {

/// Of the shortest period: ticks that are not farther apart are one, since times such as 3 * 0.1 and 0.3 are.
constexpr double same = 1e-6;
constexpr double most_ticks = 1e8;
constexpr double far = 1e9;  // periods

}  // namespace

Ticks::Ticks(const system::System& system, double start, double end)
    : sampled_(system.sampled()), end_(end), tolerance_(same * (end - start)), next_(end) {
  for (const system::System::Sampled& s : sampled_) {
    const auto refuse = [&](const char* format, double number) {
      char text[160];
      std::snprintf(text, sizeof text, format, number);
      throw Error("sampled \"" + s.name + "\" " + text);
    };
    if ((end - start) / s.period > most_ticks) {
      refuse("ticks every %.3g s, more than 100 million times in the run; give a longer period", s.period);
    }
    if (std::abs(start - s.first) / s.period > far) {
      refuse("ticks first at %.3g s, too many periods from the run for its ticks to be told; give a first nearby",
             s.first);
    }
    tolerance_ = std::min(tolerance_, same * s.period);
  }
  for (const system::System::Sampled& s : sampled_) {
    count_.push_back(std::max(0.0, std::ceil((start - s.first - tolerance_) / s.period)));
  }
  find_next();
}

double Ticks::time(std::size_t k) const { return sampled_[k].first + count_[k] * sampled_[k].period; }

void Ticks::find_next() {
  next_ = end_;
  due_.clear();
  for (std::size_t k = 0; k < sampled_.size(); ++k) next_ = std::min(next_, time(k));
  if (next_ >= end_ - tolerance_) {
    next_ = end_;
    return;
  }
  for (std::size_t k = 0; k < sampled_.size(); ++k) {
    if (time(k) <= next_ + tolerance_) due_.push_back(static_cast<int>(k));
  }
}

void Ticks::advance() {
  for (int k : due_) ++count_[static_cast<std::size_t>(k)];
  find_next();
}

void Run::start_ticks() {
  if (!ticks_ || ticks_->next() > march_.t()) return;
  tick();
  has_ticked_ = false;  // nothing is known of steps before
}

void Run::tick() {
  const Plan*& plan = tick_plans_[{march_.last_index(), ticks_->due()}];
  if (!plan) plan = &keep(tick_plan(march_.last_index(), out_.steps.copies, ticks_->due()));
  march_.attempt(*plan, 0, newton_tolerance_);
  take(march_.t());
  const std::string& name = march_.motion().system().sampled()[static_cast<std::size_t>(ticks_->due().front())].name;
  ticks_->advance();
  has_ticked_ = true;
  if (watches_) {
    change_sides_at_tick();
  } else if (switches_) {
    switches_->changes(march_.last(), [](int) {});  // no step has gone over these
  }
  if (!options_.stop) return;
  const double value = options_.stop->value(march_.last());
  if (last_value_ && is_across_stop(value)) {
    throw NumericalError(at_time(march_.t()) + "the stop condition jumps across zero as \"" + name +
                         "\" ticks; let it be a quantity that passes through zero, which no sampled number is");
  }
  last_value_ = value;
}

void Run::change_sides_at_tick() {
  const Node& x = march_.last();
  if (!switches_->crossed(x)) return;
  const formulation::Sides before = march_.motion().sides();
  switches_->start(x, before);
  const std::vector<double>& after = *march_.motion().sides();
  for (std::size_t k = 0; k < after.size(); ++k) {
    const int number = static_cast<int>(k);
    if (!switches_->is_held(number) || (*before)[k] * after[k] >= 0) continue;
    out_.events.push_back({march_.t(), number, march_.motion().system().switch_name(number)});
  }
  check_constraints(x, before, march_.motion().sides(), switches_->shortest());
  restart();
}

}  // namespace perilune::integrator
