// SPDX-License-Identifier: MIT
#include "integrator/stepping.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "at_time.hpp"
#include "error.hpp"

namespace perilune::integrator {

Run::Run(March& march, const Options& options, Solution& out) : march_(march), options_(options), out_(out) {
  if (any_matters(march.motion().system(), options.integrals)) {
    switches_.emplace(march.motion(), shortest(), options.integrals, options.find);
  }
  if (!options.repeat && !march.motion().system().sampled().empty()) {
    ticks_.emplace(march.motion().system(), options.start, options.end);
  }
}

const Plan& Run::keep(Plan plan) {
  out_.steps.plans.push_back(std::make_shared<const Plan>(std::move(plan)));
  return *out_.steps.plans.back();
}

void Run::accept(double end) {
  const double h = march_.h();
  has_ticked_ = false;
  if (options_.end_moves && short_plan_ && end >= options_.end) {
    march_.attempt(*short_plan_, h, newton_tolerance_, march_.motion().choice());
  }
  const double asked = end;
  if (watches_ && end < until()) end = keep_clear(end);
  if (watches_ && fits_events_ && options_.integrals && !options_.end_moves) end = approach(end);
  bool along = watches_ && moves_along(end);
  // Methods that remember the steps before have a plan whose length may change. Where it fails, a later one takes up.
  bool takes_up = short_plan_ && start_moves_ && !along && &march_.plan() != short_plan_;
  if (takes_up && !replaced_by(*short_plan_, march_.h())) {
    if (end >= until()) march_.attempt(*short_plan_, march_.h(), newton_tolerance_, march_.motion().choice());
    takes_up = false;
    along = true;
  }
  if (const std::optional<Located> event = watches_ ? first_event() : std::nullopt) {
    accept_at(*event, h);
    if (is_stopped()) return;
    reach_tick();
    if (has_ticks() && march_.t() >= until()) tick();
    return;
  }
  if (options_.stop && ends_at_stop()) return;
  const bool steps_over = switches_ && !watches_ && !options_.repeat;
  if (steps_over) last_state_.assign(march_.last().q, march_.last().q + 2 * march_.motion().n());
  finish(end, -1, along);
  if (watches_) go_on();
  if (takes_up || (short_plan_ && end < asked)) starts_anew_ = true;
  if (steps_over) switches_->changes(march_.last(), [&](int number) { step_over(number); });
  if (has_ticks() && march_.t() >= until()) tick();
}

std::string Run::rests_on() const {
  const int number = switches_ ? switches_->let_go() : -1;
  return number < 0 ? "" : march_.motion().system().switch_name(number);
}

bool Run::replaced_by(const Plan& plan, double h) {
  const Plan& before = march_.plan();
  const double full = march_.h();
  const formulation::Choice choice = march_.motion().choice();
  try {
    march_.motion().forget_matrix();
    march_.attempt(plan, h, newton_tolerance_, choice);
    return true;
  } catch (const NumericalError&) {
    march_.motion().forget_matrix();
    march_.attempt(before, full, newton_tolerance_, choice);
    return false;
  }
}

void Run::take(double end, int event, std::shared_ptr<const EndSlopes> slopes, bool moves_along) {
  const Plan& plan = march_.plan();
  const double h = march_.h();
  march_.accept(end, slopes.get());
  const Node& x = march_.node(plan.end - static_cast<int>(plan.nodes.size()));
  if (!options_.keeps_mesh) out_.mesh.truncate(1);
  out_.mesh.append(end, x.q, x.v, x.a, x.lambda);
  out_.steps.steps.push_back(
      {&plan, h, end, march_.motion().choice(), march_.motion().sides(), event, moves_along, std::move(slopes)});
  if (branch_) branch_->follow(x);
  const long steps = h > 0 ? ++out_.statistics.steps : 0;
  check_interrupt();
  if (options_.progress && steps > 0 && steps % 64 == 0) {
    Statistics now = out_.statistics;
    now.newton_iterations = march_.motion().effort().newton_iterations;  // the others are filled in at the end
    options_.progress(end, h, now);
  }
}

// A sliver at the end would leave velocities that are differences of positions to rounding: the step before takes it.
FixedGrid::FixedGrid(double start, double end, double step)
    : start_(start),
      end_(end),
      step_(step),
      steps_(static_cast<std::size_t>(std::max(1.0, std::ceil((end - start) / step - 1e-2)))) {}

void run_fixed(Run& run, const Plan& plan, double step, double tolerance) {
  while (!run.is_done()) {
    const FixedGrid grid(run.t(), run.until(), step);
    for (std::size_t k = 0; k < grid.steps() && !run.is_stopped(); ++k) {
      run.march().attempt(plan, grid[k + 1] - grid[k], tolerance);
      run.accept(grid[k + 1]);
    }
  }
}

void repeat(Run& run, const Steps& steps) {
  for (std::size_t k = 0; k < steps.steps.size(); ++k) {
    run.attempt_again(steps.steps[k]);
    if (run.options().stop && k + 1 == steps.steps.size()) {
      run.accept_at_stop();
    } else {
      run.take_again(steps.steps[k]);
    }
  }
}

double error_norm(const March& march, const Tolerances& tolerances, const double* q_error, const double* v_error) {
  const Node &before = march.node(-1), &after = march.node(march.plan().end);
  auto square = [&](double error, double x, double y) {
    const double limit = tolerances.absolute + tolerances.relative * std::max(std::abs(x), std::abs(y));
    return (error / limit) * (error / limit);
  };
  const auto n = static_cast<std::size_t>(march.motion().n());
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sum += square(q_error[i], before.q[i], after.q[i]);
    if (v_error) sum += square(v_error[i], before.v[i], after.v[i]);
  }
  return std::sqrt(sum / static_cast<double>(v_error ? 2 * n : n));
}

double integral_error(const Run& run, const Tolerances& tolerances, std::span<const QuadratureLink> estimate) {
  Integrals* integrals = run.options().integrals;
  return integrals ? integrals->error(run.march(), estimate, tolerances.absolute, tolerances.relative) : 0;
}

double first_step(March& march, const Tolerances& tolerances, double length, int order) {
  const Node& x = march.node(-1);
  const auto n = static_cast<std::size_t>(march.motion().n());
  auto norm = [&](auto&& of_q, auto&& of_v) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double q = of_q(i) / (tolerances.absolute + tolerances.relative * std::abs(x.q[i]));
      const double v = of_v(i) / (tolerances.absolute + tolerances.relative * std::abs(x.v[i]));
      sum += q * q + v * v;
    }
    return std::sqrt(sum / static_cast<double>(2 * n));
  };
  const double size = norm([&](auto i) { return x.q[i]; }, [&](auto i) { return x.v[i]; });
  const double slope = norm([&](auto i) { return x.v[i]; }, [&](auto i) { return x.a[i]; });
  // Beside tiny tolerances the norms overflow and say nothing.
  const bool says_little = size < 1e-5 || slope < 1e-5 || !std::isfinite(size) || !std::isfinite(slope);
  const double h0 = std::min(says_little ? 1e-6 : 0.01 * size / slope, length);
  std::vector<double> q(n), v(n), a(n), u(n), proposed(n),
      multipliers(2 * static_cast<std::size_t>(march.motion().m()));
  for (std::size_t i = 0; i < n; ++i) {
    q[i] = x.q[i] + h0 * x.v[i];
    v[i] = x.v[i] + h0 * x.a[i];
  }
  const Node probe{x.t + h0,
                   q.data(),
                   v.data(),
                   a.data(),
                   multipliers.data(),
                   u.data(),
                   multipliers.data() + march.motion().m(),
                   proposed.data()};
  march.motion().point(probe);
  const double curvature = norm([&](auto i) { return v[i] - x.v[i]; }, [&](auto i) { return a[i] - x.a[i]; }) / h0;
  const double steepest = std::max(slope, curvature);
  const double h1 = steepest <= 1e-15 ? std::max(1e-6, h0 * 1e-3) : std::pow(0.01 / steepest, 1.0 / (order + 1));
  return h1 > 0 ? std::min(100 * h0, h1) : h0;
}

StepControl::StepControl(Run& run, const Tolerances& tolerances, int order)
    : run_(run), tolerances_(tolerances), order_(order), exponent_(-1.0 / (order + 1)) {
  const double length = run.options().end - run.options().start;
  next_ = tolerances.initial_step;
  if (!(next_ > 0)) {
    next_ = first_step(run.march(), tolerances, length, order);
    if (run.begins_with_bend(1e-2 * next_)) next_ *= 1e-4;
  }
  next_ = std::min(next_, tolerances.max_step);
  for (Pace& pace : paces_) pace.since = run.t();
}

bool StepControl::is_done() const { return run_.is_done(); }

double StepControl::h() {
  const double left = run_.until() - run_.t();
  h_ = next_;
  if (h_ >= left * (1 - 1e-10)) {
    h_ = left;
  } else if (2 * h_ > left) {
    h_ = left / 2;  // no sliver at the end
  }
  return h_;
}

bool StepControl::decide(double error, const std::string& why) {
  if (error <= 1) {
    const double growth = error == 0 ? 5.0 : std::clamp(0.9 * std::pow(error, exponent_), 0.2, 5.0);
    take(was_rejected_ ? std::min(growth, 1.0) : growth);
    return true;
  }
  reject(std::isfinite(error) ? std::max(0.2, 0.9 * std::pow(error, exponent_)) : 0.2, why);
  return false;
}

void StepControl::take(double factor) {
  const double t = run_.t(), end = run_.until();
  for (int i = 0; i < 2; ++i) last_[i] = last_[i + 1];
  last_[2] = h_;
  // A step that a tick cut short says nothing against the one that was planned.
  const double planned = run_.has_ticks() && h_ < next_ ? next_ : 0;
  next_ = std::min(std::max(h_ * factor, planned), tolerances_.max_step);
  was_rejected_ = false;
  // The sum of what was left and the time before need not be the end, to the last bit.
  run_.accept(h_ == end - t ? end : std::min(t + h_, end));
  check_pace({});
  if (!run_.starts_anew() || is_done()) return;
  // Forces may be quite different from now on.
  next_ = std::min(next_, first_step(run_.march(), tolerances_, run_.until() - run_.t(), order_));
}

void StepControl::reject(double factor, const std::string& why) {
  const double t = run_.t(), end = run_.options().end;
  ++run_.solution().statistics.rejected;
  was_rejected_ = true;
  run_.march().motion().forget_matrix();
  next_ = h_ * factor;
  check_interrupt();
  check_pace(why);
  if (next_ >= 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), std::abs(end))) return;
  char text[200];
  std::snprintf(text, sizeof text, "the step size collapsed (last accepted steps %.3g, %.3g, %.3g s)", last_[0],
                last_[1], last_[2]);
  throw NumericalError(
      at_time(t) + text +
      (why.empty() ? "; a force may jump here: smooth it, or use a fixed step" : "; the last attempt: " + why));
}

void StepControl::check_pace(const std::string& why) {
  if (!why.empty()) why_ = why;
  const double t = run_.t(), left = run_.options().end - t;
  const Pace* slow = nullptr;
  std::string corner;
  for (Pace& pace : paces_) {
    if (++pace.attempts < pace.checked_every) continue;
    corner = run_.rests_on();
    const double endless = corner.empty() ? pace.endless : pace.endless_on_corner;
    if ((t - pace.since) * endless < left * pace.attempts && !is_done()) {
      slow = &pace;
      break;
    }
    pace.attempts = 0;
    pace.since = t;
    why_.clear();
  }
  if (!slow) return;
  char text[200];
  std::snprintf(text, sizeof text,
                "the run makes no headway: %d attempted steps advanced it by %.3g s (the last by %.3g s), and %.3g s "
                "are left",
                slow->attempts, t - slow->since, last_[2], left);
  const bool is_explicit = run_.march().plan().groups.front().kind == GroupKind::Point;
  throw NumericalError(at_time(t) + text +
                       (!corner.empty() ? "; the motion stays where \"" + corner +
                                              "\" changes its side, as dry friction does that sticks: smooth it "
                                              "there, as mbs.sign(v) by mbs.tanh(v / 1e-3)"
                        : !why_.empty() ? "; the last that failed: " + why_
                        : is_explicit ? "; the motion may be too stiff for an explicit method, for which mbs.radau {} "
                                        "is made, or the tolerance finer than rounding allows"
                                      : "; the tolerance may be finer than rounding allows, or a force jump"));
}

}  // namespace perilune::integrator
