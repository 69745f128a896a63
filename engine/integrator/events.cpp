// Ending steps where switches of the model change their sides. The laws keep their form throughout a step, so that its
// end is a smooth function of its length; the next one starts from a point found anew.
//
// Derivatives: with other parameters, the step ends where its event is then, and the next one ends at the same time as
// before. How either end depends on the times of both comes from differences of the step itself.
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "at_time.hpp"
#include "error.hpp"
#include "extrapolation.hpp"
#include "integrator/stepping.hpp"

namespace perilune::integrator {

namespace {

/// Accelerations, by more than where they were found explains.
bool are_apart(std::span<const double> x, std::span<const double> y, double size = 1e-3) {
  double apart = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    apart = std::max(apart, std::abs(x[i] - y[i]));
    size = std::max({size, std::abs(x[i]), std::abs(y[i])});
  }
  return apart > 1e-2 * size;
}

/// From how what acts differs by the side of a switch before and after the step that passes over it: where that is a
/// jump, by nearly the same; where it is a kink, by the opposite. `now`: what acts after the step.
bool is_jump(std::span<const double> before, std::span<const double> after, std::span<const double> now, double size) {
  double difference = 0, sum = 0, size_before = 0, size_after = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    difference += std::pow(after[i] - before[i], 2);
    sum += std::pow(after[i] + before[i], 2);
    size_before += std::pow(before[i], 2);
    size_after += std::pow(after[i], 2);
  }
  if (!(difference < 0.64 * sum)) return false;
  const std::span<const double> jump = size_before < size_after ? before : after;
  std::vector<double> with(now.begin(), now.end());
  for (std::size_t i = 0; i < jump.size(); ++i) with[i] += jump[i];
  return are_apart(now, with, size);
}

std::string of_force(const std::string& name) { return "the force of \"" + name + "\""; }
std::string of_integrand(const std::string& name) { return "an integrand, at \"" + name + "\""; }

}  // namespace

void Run::watch_switches() {
  switches_->start(march_.node(-1));
  watches_ = true;
}

double Run::probe(double h, int number) {
  march_.probe(*plan_, h, newton_tolerance_, march_.motion().choice(), nullptr);
  return switches_->value(number, march_.node(plan_->end));
}

std::optional<Run::Located> Run::first_event() {
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
  if (!event) march_.attempt(plan, h, newton_tolerance_, march_.motion().choice());
  return event;
}

std::optional<Run::Located> Run::located(int number, double after) {
  std::optional<Located> event;
  while (true) {
    const double at_start = switches_->value(number, march_.node(-1));
    if (at_start == 0 || switches_->is_across(number, at_start)) return Located{number, 0};
    const double at_end = probe(after, number);
    // The polynomial through both ends was not exact, or another plan ends a little earlier.
    if (!switches_->is_across(number, at_end)) return event;
    const AtEnd value = [&](double length) {
      const double found = probe(length, number);
      // Zero itself belongs to one of the sides, the event to the other.
      return found != 0 ? found : switches_->is_across(number, 0) ? at_end : at_start;
    };
    const double length = bracketed(at_start, after, at_end, value);
    if (event && length >= event->h) return event;  // at the same time
    event = {number, length};
    if (length < switches_->shortest()) return event;
    probe(length, number);
    // Each time one that comes earlier.
    const Node& end = march_.node(plan_->end);
    after = length;
    if (const std::optional<Crossing> within = switches_->crossing(march_.node(-1), end, number)) {
      number = within->number;
      after = within->after;
    } else if (const std::optional<int> across = switches_->crossed(end, number)) {
      number = *across;
    } else {
      return event;
    }
  }
}

double Run::approach(double end) {
  constexpr int most = 6;
  const Node& x = march_.node(march_.plan().end);
  const double h = march_.h(), part = h * switches_->part_before_leaving(march_.node(-1), x);
  if (part >= h || part < 16 * switches_->shortest() || ++approaches_ > most) {
    approaches_ = 0;
    return end;
  }
  return replaced_by(short_plan_ ? *short_plan_ : march_.plan(), part) ? march_.t() + part : end;
}

void Run::accept_at(const Located& event, double full) {
  if (event.h < switches_->shortest()) return change_side(event.number);
  const bool is_held = switches_->is_held(event.number);
  const std::string jumps = is_held ? "" : what_jumps_at(event, full);
  march_.attempt(*plan_, event.h, newton_tolerance_, march_.motion().choice());
  if (options_.stop && ends_at_stop()) return;
  if (!jumps.empty()) {
    const std::string& name = march_.motion().system().switch_name(event.number);
    out_.events.push_back({march_.t() + event.h, event.number, name});
    if (differentiates()) {
      throw NumericalError(at_time(march_.t() + event.h) + jumps +
                           " jumps where its law cannot be continued, so that derivatives do not follow it: keep "
                           "roots, powers and quotients in it defined on both sides of the jump");
    }
  }
  finish(march_.t() + event.h, is_held ? event.number : -1, full);
  start_moves_ = is_held;
  before_event_ = full;
  last_event_ = march_.t();
  along_ = 0;
  change_side(event.number);
}

std::string Run::what_jumps_at(const Located& event, double full) {
  const double by = 1e-6 * full;
  const auto n = static_cast<std::size_t>(march_.motion().n());
  const bool is_of_integrals = options_.integrals && options_.integrals->reads_switch(event.number);
  const auto acting = [&](double h) {
    probe(h, event.number);
    const Node& end = march_.node(plan_->end);
    std::vector<double> out(end.a, end.a + n);
    if (is_of_integrals) {
      const std::vector<double> rates = options_.integrals->rates(end, march_.motion().data().sides);
      out.insert(out.end(), rates.begin(), rates.end());
    }
    return out;
  };
  const std::string& name = march_.motion().system().switch_name(event.number);
  try {
    const std::vector<double> before = acting(event.h - by), after = acting(event.h + by);
    const std::span<const double> x(before), y(after);
    if (are_apart(x.first(n), y.first(n))) return of_force(name);
    if (!is_of_integrals) return "";
    const std::vector<double> later = acting(event.h + 0.1 * full);  // by which a kink has grown
    for (std::size_t k = n; k < x.size(); ++k) {
      if (are_apart(x.subspan(k, 1), y.subspan(k, 1), std::abs(later[k]))) return of_integrand(name);
    }
  } catch (const NumericalError&) {  // a stage left the domain of the law
  }
  return "";
}

void Run::step_over(int number) {
  constexpr char often = 10;  // what was no jump so often is none
  tried_.resize(march_.motion().data().sides.size());
  char& tried = tried_[static_cast<std::size_t>(number)];
  if (tried == often || !switches_->is_held(number)) return;
  ++tried;
  const Node& end = march_.node(-1);
  Node start = end;  // a motion that a constraint has stopped tells nothing at the end
  start.t -= march_.h();
  start.q = last_state_.data();
  start.v = last_state_.data() + march_.motion().n();
  for (const Node& x : {end, start}) check_constraints(x, held(number, -1), held(number, 1), march_.h());
  const std::vector<double> at_end(end.q, end.q + 2 * march_.motion().n());
  const formulation::Memory memory = march_.motion().memory();
  const std::vector<double> after = difference_by_side(number, end.t, at_end),
                            before = difference_by_side(number, end.t - march_.h(), last_state_);
  march_.motion().set_sides(nullptr);
  march_.motion().set_memory(memory);
  const std::string& name = march_.motion().system().switch_name(number);
  std::string jumps = is_jump(before, after, {end.a, after.size()}, 1e-3) ? of_force(name) : "";
  if (jumps.empty() && options_.integrals && options_.integrals->reads_switch(number)) {
    const std::vector<double> now = options_.integrals->rates(end, march_.motion().data().sides);
    const std::vector<double> later = rates_by_side(number, end), earlier = rates_by_side(number, start);
    for (std::size_t k = 0; k < now.size(); ++k) {
      if (is_jump({&earlier[k], 1}, {&later[k], 1}, {&now[k], 1}, 0)) jumps = of_integrand(name);
    }
  }
  if (jumps.empty()) return;
  tried = often;
  out_.stepped_over.push_back({march_.t(), jumps});
}

std::vector<double> Run::rates_by_side(int number, const Node& x) {
  std::vector<double> out = options_.integrals->rates(x, *held(number, -1));
  const std::vector<double> negative = options_.integrals->rates(x, *held(number, 1));
  for (std::size_t k = 0; k < out.size(); ++k) out[k] -= negative[k];
  return out;
}

formulation::Sides Run::held(int number, double side) const {
  auto sides = std::make_shared<std::vector<double>>(march_.motion().data().sides.size(), 0.0);
  (*sides)[static_cast<std::size_t>(number)] = side;
  return sides;
}

std::vector<double> Run::difference_by_side(int number, double t, const std::vector<double>& state) {
  formulation::Motion& motion = march_.motion();
  const auto n = static_cast<std::size_t>(motion.n()), m = static_cast<std::size_t>(motion.m());
  std::vector<double> q(state.begin(), state.begin() + motion.n()), v(state.begin() + motion.n(), state.end());
  std::vector<double> u(n), proposed(2 * n), multipliers(2 * m), found[2];
  for (const double side : {1.0, -1.0}) {
    motion.set_sides(held(number, side));
    std::vector<double>& a = found[side > 0];
    a.resize(n);
    motion.point(
        {t, q.data(), v.data(), a.data(), multipliers.data(), u.data(), multipliers.data() + m, proposed.data()});
  }
  for (std::size_t i = 0; i < n; ++i) found[1][i] -= found[0][i];
  return found[1];
}

void Run::change_side(int number) {
  if (switches_->is_held(number)) {
    out_.events.push_back({march_.t(), number, march_.motion().system().switch_name(number)});
  }
  const formulation::Sides before = march_.motion().sides();
  const bool is_followed = switches_->flip(number, march_.node(-1));
  const bool is_of_integrals = options_.integrals && options_.integrals->reads_switch(number);
  if (!is_followed && (differentiates() || is_of_integrals)) {
    const std::string& name = march_.motion().system().switch_name(number);
    const auto is_known = [&](const LetGo& other) { return other.name == name; };
    if (std::none_of(out_.let_go.begin(), out_.let_go.end(), is_known)) out_.let_go.push_back({march_.t(), name});
  }
  check_constraints(march_.node(-1), before, march_.motion().sides(), switches_->shortest());
  starts_anew_ = true;
  restart();
}

void Run::check_constraints(const Node& x, const formulation::Sides& before, const formulation::Sides& after,
                            double since) {
  const std::optional<ConstraintJump> jump = constraint_jump(march_.motion(), x, before, after, since);
  if (!jump) return;
  if (!gives_way_) throw NumericalError(sentence(*jump, march_.motion().system()));
  std::vector<ConstraintJump>& noted = out_.constraint_jumps;
  const auto is_same = [&](const ConstraintJump& other) { return other.constraint == jump->constraint; };
  if (std::none_of(noted.begin(), noted.end(), is_same)) noted.push_back(*jump);
}

void Run::restart() {
  if (!restart_plan_) restart_plan_ = &keep(restart_plan(out_.steps.copies));
  march_.attempt(*restart_plan_, 0, newton_tolerance_);
  const bool moves = start_moves_ && differentiates();
  take(march_.t(), -1, moves ? slopes(-1, 0.1 * before_event_, true) : nullptr, start_moves_);
}

bool Run::moves_along(double end) const {
  constexpr int most = 1000;
  return fits_events_ && start_moves_ && along_ < most && march_.h() < 0.5 * before_event_ && end < options_.end;
}

void Run::finish(double end, int event, double full, bool moves_along) {
  const bool moves = start_moves_ || event >= 0;
  take(end, event, moves && differentiates() ? slopes(event, full, moves_along) : nullptr, moves_along);
  start_moves_ = moves_along;
  ++along_;
}

void Run::go_on() {
  switches_->hold(march_.node(-1), march_.h());
  // What follows depends on the state there alone, not on how far away the event was.
  if (std::exchange(starts_anew_, false) && march_.t() < options_.end) restart();
}

namespace {

/// The derivative at 0 of numbers that are a function of time, from both sides, or from one where it may have no second
/// derivative on the other.
template <class F>
std::vector<double> central_slope(const F& f, double length) {
  return extrapolated(
      [&](double by) {
        std::vector<double> up = f(by);
        const std::vector<double> down = f(-by);
        for (std::size_t i = 0; i < up.size(); ++i) up[i] = (up[i] - down[i]) / (2 * by);
        return up;
      },
      0.1 * length, 2);
}
/// Up to a length, so much that f is nearly straight over the tenth of it to both sides of 0: a law that is held beyond
/// its switch may turn into something else soon after, as friction that goes on where slip has changed its direction.
template <class F>
double straight_length(const F& f, double length) {
  constexpr int most = 20;
  for (int i = 0; i < most; ++i, length *= 0.25) {
    const double up = f(0.1 * length), down = f(-0.1 * length);
    if (std::abs(up + down) <= 0.1 * std::abs(up - down)) break;
  }
  return length;
}
template <class F>
std::vector<double> forward_slope(const F& f, double length) {
  const double by = 1e-5 * length;
  std::vector<double> out = f(0);
  const std::vector<double> near = f(by), far = f(2 * by);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = (4 * near[i] - far[i] - 3 * out[i]) / (2 * by);
  return out;
}

}  // namespace

bool Run::differentiates() const {
  return std::any_of(options_.listeners.begin(), options_.listeners.end(),
                     [](const StepListener* listener) { return listener->differentiates(); });
}

std::vector<double> Run::at_end(int event) {
  const Node& x = march_.node(march_.plan().end);
  const auto size = static_cast<std::size_t>(3 * march_.motion().n() + march_.motion().m());
  std::vector<double> out(x.q, x.q + size);
  if (options_.integrals) {
    for (const std::vector<double>& part :
         {options_.integrals->totals_with(march_), options_.integrals->rates_at_end(march_)}) {
      out.insert(out.end(), part.begin(), part.end());
    }
  }
  if (event >= 0) out.push_back(switches_->value(event, x));
  return out;
}

std::shared_ptr<const EndSlopes> Run::slopes(int event, double full, bool moves_along) {
  const Plan& plan = march_.plan();
  const double h = march_.h(), t = march_.t();
  const formulation::Choice choice = march_.motion().choice();
  const formulation::Memory memory = march_.motion().memory();
  auto probed = [&](double length) {
    march_.probe(plan, length, newton_tolerance_, choice, options_.integrals);
    return at_end(event);
  };
  auto out = std::make_shared<EndSlopes>();
  out->event = event;
  out->start_moves = start_moves_;
  out->moves_along = moves_along;
  auto split = [&](std::vector<double> all, double& of_event) {
    if (event < 0) return all;
    of_event = all.back();
    all.pop_back();
    return all;
  };
  if (!moves_along) {
    auto longer = [&](double by) { return probed(h + by); };
    auto of_event = [&](double by) { return longer(by).back(); };
    // The end of a contact: powers of the depth. Beyond it there are none.
    const bool is_leaving = event >= 0 && !switches_->enters(event);
    // A step that starts anew is shorter than the motion asks for; since the last event, this may have had more time.
    const double lasted = std::clamp(t - last_event_, full, 1000 * full);
    const double straight = event < 0 ? full : is_leaving ? lasted : straight_length(of_event, full);
    out->by_length =
        split(is_leaving ? forward_slope(longer, straight) : central_slope(longer, straight), out->event_by_length);
  }
  if (event >= 0 && !std::isnormal(out->event_by_length)) {
    throw NumericalError(at_time(t + h) + "\"" + march_.motion().system().switch_name(event) +
                         "\" touches zero without crossing it: the event has no derivatives there");
  }
  const bool reads_time =
      march_.motion().system().reads_time() || (options_.integrals && options_.integrals->reads_time());
  if (start_moves_ && reads_time) {
    const March::Snapshot start = march_.snapshot(march_.start_count());
    auto moved = [&](double by) {
      march_.restore(start);
      march_.move_start(t + by);
      return probed(h);
    };
    out->by_start = split(central_slope(moved, full), out->event_by_start);
    march_.restore(start);
  }
  march_.motion().set_memory(memory);
  if (!out->by_length.empty() || !out->by_start.empty()) march_.attempt(plan, h, newton_tolerance_, choice);
  return out;
}

void Run::attempt_again(const Steps::Step& step) {
  march_.motion().set_sides(step.sides);
  const double h = start_moves_ && step.h > 0 && !step.moves_along ? step.end - march_.t() : step.h;
  march_.attempt(*step.plan, h, newton_tolerance_, step.choice);
}

void Run::take_again(const Steps::Step& step) {
  const std::shared_ptr<const EndSlopes> slopes = differentiates() ? step.slopes : nullptr;
  if (step.h == 0) return take(march_.t(), -1, slopes, step.moves_along);
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
