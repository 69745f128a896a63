// SPDX-License-Identifier: MIT
// Ending a run where a function of the motion becomes zero.
#include <cmath>
#include <cstdio>

#include "at_time.hpp"
#include "error.hpp"
#include "integrator/step_slopes.hpp"
#include "integrator/stepping.hpp"
#include "profile.hpp"

namespace perilune::integrator {

bool Run::ends_at_stop() {
  const TimedTask timed(Task::Events);
  StopCondition& stop = *options_.stop;
  const Node &start = march_.last(), &end = march_.node(march_.plan().end);
  if (!last_value_) last_value_ = stop.value(start);
  const double value = stop.value(end), h = march_.h();
  const std::optional<double> within = stop.crossing(start, end, *last_value_);
  if (within && end_at_stop(*within)) return true;
  if (is_across_stop(value)) return end_at_stop(h);
  last_value_ = value;
  return false;
}

bool Run::is_across_stop(double value) const {
  return *last_value_ != 0 && (value == 0 || std::signbit(value) != std::signbit(*last_value_));
}

double Run::attempt(double h) {
  const formulation::Choice choice = march_.motion().choice();
  march_.attempt(*plan_, h, newton_tolerance_, choice);
  return options_.stop->value(march_.node(plan_->end));
}

double Run::bracketed(double at_low, double h, double at_high, const AtEnd& value) const {
  // Secants through what was found last, as long as they stay between the ends and shrink; else regula falsi, where an
  // end that stays counts for half (Illinois).
  double low = 0, high = h, last = h, at_last = at_high, before = 0, at_before = at_low;
  double size = h;  // of the last correction
  // How near the ends have to come: as near as rounding lets them, but Newton's method leaves values that are not the
  // same twice, and so do large numbers. There corrections no longer become small, and a search would go on for long.
  constexpr double nearly_found = 1e-8, farthest = 1e-11;
  double width = std::max(1e-15, 1e-3 * newton_tolerance_) * h;
  int side = 0;
  for (int k = 0; k < 100 && at_high != 0 && high - low > 1.5 * width; ++k) {
    double middle = last - at_last * (last - before) / (at_last - at_before);
    if (!(middle > low && middle < high && std::abs(middle - last) < 0.5 * size)) {
      middle = (low * at_high - high * at_low) / (at_high - at_low);
    }
    const double moved = std::abs(middle - last);
    if (size < nearly_found * h && moved > 0.25 * size) width = std::max(width, std::min(4 * moved, farthest * h));
    size = moved;
    // Where the zero is as near to an end as can be told, the other end comes close to it; it may be one over many
    // lengths.
    const bool is_at_low = middle - low < 0.5 * width, is_at_high = high - middle < 0.5 * width;
    if (is_at_low) middle = std::min(low + width, (low + high) / 2);
    if (is_at_high && !is_at_low) middle = std::max(high - width, (low + high) / 2);
    if (!(middle > low && middle < high)) break;
    const double found = value(middle);
    if (found == 0) return middle;
    const bool is_beyond = std::signbit(found) == std::signbit(at_high);
    if (is_beyond ? is_at_high : is_at_low) width *= 2;
    before = last;
    at_before = at_last;
    last = middle;
    at_last = found;
    if (is_beyond) {
      high = middle;
      at_high = found;
      if (side == 1) at_low /= 2;
      side = 1;
    } else {
      low = middle;
      at_low = found;
      if (side == -1) at_high /= 2;
      side = -1;
    }
  }
  return high;
}

double Run::nearby(double h, double at_h, const AtEnd& value) const {
  const double recorded = h;
  double before = h < shortest() ? h + shortest() : h * (1 + 1e-4), at_before = value(before);
  for (int k = 0; k < 50 && at_h != 0 && at_before != at_h; ++k) {
    const double next = h - at_h * (h - before) / (at_h - at_before);
    before = h;
    at_before = at_h;
    h = next;
    if (!(std::abs(h - recorded) < options_.end - options_.start)) {
      throw NumericalError(
          at_time(march_.t()) +
          "what ends a step here is nowhere near with other values of a parameter: differences of runs "
          "that repeat the steps say nothing; take a smaller step, or mbs.adjoint {} or mbs.direct {}");
    }
    at_h = value(h);
    if (std::abs(h - before) <= 1e-15 * std::abs(h)) return h;
  }
  return h;
}

bool Run::end_at_stop(double h) {
  const Plan& plan = march_.plan();
  const double full = march_.h();
  plan_ = short_plan_ ? short_plan_ : &plan;
  const bool is_attempted = plan_ == &plan && h == full;
  const double at_h = is_attempted ? options_.stop->value(march_.node(plan.end)) : attempt(h);
  if (h < full && !is_across_stop(at_h)) {
    march_.attempt(plan, full, newton_tolerance_, march_.motion().choice());
    return false;
  }
  end_at(bracketed(*last_value_, h, at_h, [this](double length) { return attempt(length); }), full);
  return true;
}

bool Run::stop_jumps(double h, double full) {
  // What differs as much nearby as farther away.
  try {
    const auto differs = [&](double by) { return std::abs(attempt(h + by) - attempt(h - by)); };
    const double by = 1e-6 * full, near = differs(by);
    return near > 0 && differs(8 * by) < 1.5 * near;
  } catch (const NumericalError&) {
    return false;
  }
}

void Run::end_at(double h, double full) {
  if (differentiates() && stop_jumps(h, full)) {
    throw NumericalError(at_time(march_.t() + h) +
                         "the stop condition jumps across zero, and derivatives cannot follow when: let it be a "
                         "quantity that passes through zero, not a condition on one or its sign");
  }
  attempt(h);
  const formulation::Memory memory = march_.motion().memory();
  const std::vector<double> slopes = options_.stop->slopes(march_, StepSlopes(march_, StepSlopes::By::Length));
  march_.motion().set_memory(memory);
  out_.stop = {slopes.front(), {slopes.begin() + 1, slopes.end()}};
  finish(march_.t() + h, -1);
}

void Run::accept_at_stop() {
  plan_ = &march_.plan();
  const double h = march_.h();
  const double value = options_.stop->value(march_.node(plan_->end));
  end_at(nearby(h, value, [this](double length) { return attempt(length); }), h);
}

}  // namespace perilune::integrator
