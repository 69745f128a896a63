// SPDX-License-Identifier: MIT
// Ending steps where switches of the model change their sides. The laws keep their form throughout a step, so that its
// end is a smooth function of its length; the next one starts from a point found anew.
//
// Derivatives: with other parameters, the step ends where its event is then, and the next one ends at the same time as
// before. How either end depends on the times of both follows from the step itself (StepSlopes).
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "at_time.hpp"
#include "error.hpp"
#include "integrator/step_slopes.hpp"
#include "integrator/stepping.hpp"
#include "profile.hpp"

namespace perilune::integrator {

void Run::watch_switches() {
  // The first point was found with laws that decide themselves.
  if (switches_->start(march_.node(-1), options_.sides)) restart();
  watches_ = true;
  if (differentiates()) note_start();
}

double Run::probe(double h, int number) {
  march_.probe(*plan_, h, newton_tolerance_, march_.motion().choice(), nullptr);
  return switches_->value(number, march_.node(plan_->end));
}

std::optional<Run::Located> Run::first_event() {
  const TimedTask timed(Task::Events);
  const Plan& plan = march_.plan();
  const Node& end = march_.node(plan.end);
  const double h = march_.h();
  const std::optional<int> at_end = switches_->crossed(end);
  const std::optional<Crossing> within = switches_->crossing(march_.node(-1), end);
  if (!at_end && !within) return std::nullopt;
  plan_ = short_plan_ ? short_plan_ : &plan;
  std::optional<Located> event;
  if (within) event = located(within->number, within->after);
  if (!event && at_end) event = located(*at_end, h);
  // So near the end of the run nothing follows from it, and a step that goes on from there would be a sliver.
  if (event && event->h > options_.end - march_.t() - switches_->shortest()) event.reset();
  if (!event) {
    march_.motion().forget_matrix();
    march_.attempt(plan, h, newton_tolerance_, march_.motion().choice());
  }
  return event;
}

std::optional<Run::Located> Run::located(int number, double after) {
  std::optional<Located> event;
  std::vector<int> found;  // switches that change where it is, or later
  double attempted = -1;   // the step as long as this is at hand
  const auto value_at = [&](double length) {
    if (length == attempted) return switches_->value(number, march_.node(plan_->end));
    attempted = length;
    return probe(length, number);
  };
  while (true) {
    double at_start = switches_->value(number, march_.node(-1));
    // The last event may have been right here, or the motion be about to turn back.
    if (at_start == 0) at_start = value_at(1e-6 * after);
    if (at_start == 0 || switches_->is_across(number, at_start)) return Located{number, 0};
    const double at_end = value_at(after);
    double length = after;
    if (switches_->is_across(number, at_end)) {
      const AtEnd value = [&](double trial) {
        const double result = value_at(trial);
        if (result != 0) return result;
        // Zero itself belongs to one of the sides, the event to the other: next to it.
        return std::copysign(std::numeric_limits<double>::min(), switches_->is_across(number, 0) ? at_end : at_start);
      };
      length = bracketed(at_start, after, at_end, value);
    } else if (!event) {  // the polynomial through both ends was not exact, or another plan ends a little earlier
      return event;
    }
    if (!event || length < event->h - 1e-3 * switches_->shortest()) {
      event = {number, length};
      found.clear();
      if (length < switches_->shortest()) return event;
    }
    found.push_back(number);
    // Each time one that comes earlier.
    value_at(event->h);
    const Node& end = march_.node(plan_->end);
    after = event->h;
    if (const std::optional<Crossing> within = switches_->crossing(march_.node(-1), end, found)) {
      number = within->number;
      after = within->after;
    } else if (const std::optional<int> across = switches_->crossed(end, found)) {
      number = *across;
    } else {
      return event;
    }
  }
}

double Run::approach(double end) {
  const TimedTask timed(Task::Events);
  constexpr int most = 6;
  const Node& x = march_.node(march_.plan().end);
  const double h = march_.h(), part = h * switches_->part_before_leaving(march_.node(-1), x);
  if (part >= h || part < 1000 * switches_->shortest() || ++approaches_ > most) {
    approaches_ = 0;
    return end;
  }
  return replaced_by(short_plan_ ? *short_plan_ : march_.plan(), part) ? march_.t() + part : end;
}

double Run::keep_clear(double end) {
  const TimedTask timed(Task::Events);
  const double h = march_.h(), part = 0.7 * h;
  if (h < 10 * switches_->shortest()) return end;
  if (!switches_->ends_just_before(march_.node(-1), march_.node(march_.plan().end), h)) return end;
  return replaced_by(short_plan_ ? *short_plan_ : march_.plan(), part) ? march_.t() + part : end;
}

void Run::accept_at(const Located& event, double full) {
  if (event.h < switches_->shortest()) {
    note_jumps(march_.node(-1), full);
    end_at_once(event.number, event.h);
    return change_side(event.number);
  }
  march_.motion().forget_matrix();
  march_.attempt(*plan_, event.h, newton_tolerance_, march_.motion().choice());
  if (options_.stop && ends_at_stop()) return;
  if (note_jumps(march_.node(plan_->end), full)) {  // the motion has been elsewhere since
    march_.motion().forget_matrix();
    march_.attempt(*plan_, event.h, newton_tolerance_, march_.motion().choice());
  }
  start_moves_ = finish(march_.t() + event.h, switches_->moves(event.number) ? event.number : -1);
  before_event_ = full;
  along_ = 0;
  change_side(event.number);
}

void Run::flip(int number) {
  flipped_here_.push_back(number);
  flipped_at_ = march_.t();
  if (switches_->moves(number)) {
    out_.events.push_back({march_.t(), number, march_.motion().system().switch_name(number)});
  }
  const bool is_followed = switches_->flip(number, march_.node(-1));
  const bool is_of_integrals = options_.integrals && options_.integrals->reads_switch(number);
  if (!is_followed && (differentiates() || is_of_integrals)) {
    const std::string& name = march_.motion().system().switch_name(number);
    const auto is_known = [&](const LetGo& other) { return other.name == name; };
    if (std::none_of(out_.let_go.begin(), out_.let_go.end(), is_known)) out_.let_go.push_back({march_.t(), name});
  }
}

void Run::restart() {
  if (!restart_plan_) restart_plan_ = &keep(restart_plan(out_.steps.copies));
  march_.attempt(*restart_plan_, 0, newton_tolerance_);
  const bool moves = start_moves_ && differentiates();
  take(march_.t(), -1, moves ? slopes(-1, true) : nullptr, start_moves_);
}

bool Run::moves_along(double end) const {
  const TimedTask timed(Task::Events);
  constexpr int most = 1000;
  return fits_events_ && start_moves_ && along_ < most && march_.h() < 0.5 * before_event_ && end < until();
}

bool Run::finish(double end, int event, bool moves_along) {
  std::shared_ptr<const EndSlopes> by_times;
  if (differentiates()) {
    if (event >= 0) by_times = slopes(event, moves_along);
    if (!by_times) event = -1;
    if (!by_times && start_moves_) by_times = slopes(event, moves_along);
  }
  take(end, event, by_times, moves_along);
  start_moves_ = moves_along;
  ++along_;
  return event >= 0;
}

void Run::go_on() {
  switches_->hold(march_.node(-1), march_.h());
  // What follows depends on the state there alone, not on how far away the event was.
  if (std::exchange(starts_anew_, false) && march_.t() < until()) restart();
}

bool Run::differentiates() const {
  return std::any_of(options_.listeners.begin(), options_.listeners.end(),
                     [](const StepListener* listener) { return listener->differentiates(); });
}

std::shared_ptr<const EndSlopes> Run::slopes(int event, bool moves_along) {
  const formulation::Memory memory = march_.motion().memory();
  auto out = std::make_shared<EndSlopes>();
  out->event = event;
  out->start_moves = start_moves_;
  out->moves_along = moves_along;
  auto take = [&](StepSlopes::By by, std::vector<double>& of_end, double& of_event) {
    const StepSlopes of_nodes(march_, by);
    const Node& end = march_.node(march_.plan().end);
    const system::MotionPoint slope = of_nodes[march_.plan().end];
    of_end.assign(slope.q, slope.q + 2 * march_.motion().n());
    of_end.insert(of_end.end(), slope.a, slope.a + march_.motion().n());
    of_end.insert(of_end.end(), slope.lambda, slope.lambda + march_.motion().m());
    if (options_.integrals) {
      const std::vector<double> more = options_.integrals->slopes(march_, of_nodes);
      of_end.insert(of_end.end(), more.begin(), more.end());
    }
    if (event >= 0) of_event = switches_->slope(event, end, slope);
  };
  if (!moves_along) take(StepSlopes::By::Length, out->by_length, out->event_by_length);
  if (event >= 0 && !std::isnormal(out->event_by_length)) {
    march_.motion().set_memory(memory);
    if (!switches_->is_held(event)) return nullptr;
    throw NumericalError(at_time(march_.t() + march_.h()) + "\"" + march_.motion().system().switch_name(event) +
                         "\" touches zero without crossing it: the event has no derivatives there");
  }
  const bool reads_time =
      march_.motion().system().reads_time() || (options_.integrals && options_.integrals->reads_time());
  if (start_moves_ && reads_time) take(StepSlopes::By::Start, out->by_start, out->event_by_start);
  march_.motion().set_memory(memory);
  return out;
}

void Run::attempt_again(const Steps::Step& step) {
  march_.motion().set_sides(step.sides);
  const double h = start_moves_ && step.h > 0 && !step.moves_along ? step.end - march_.t() : step.h;
  march_.attempt(*step.plan, h, newton_tolerance_, step.choice);
}

void Run::take_again(const Steps::Step& step) {
  const std::shared_ptr<const EndSlopes> slopes = differentiates() ? step.slopes : nullptr;
  if (step.h == 0 && step.event < 0) return take(march_.t(), -1, slopes, step.moves_along);
  if (step.event < 0) {
    start_moves_ = step.moves_along;
    return take(step.moves_along ? march_.t() + march_.h() : step.end, -1, slopes, step.moves_along);
  }
  plan_ = step.plan;
  const double h = march_.h(), value = switches_->value(step.event, march_.node(plan_->end));
  const double length = nearby(h, value, [&](double l) { return probe(l, step.event); });
  march_.attempt(*plan_, length, newton_tolerance_, step.choice);
  start_moves_ = true;
  take(march_.t() + length, step.event, slopes);
}

}  // namespace perilune::integrator
