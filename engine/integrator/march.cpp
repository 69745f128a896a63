// SPDX-License-Identifier: MIT
#include "integrator/march.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "at_time.hpp"
#include "error.hpp"
#include "fibers.hpp"
#include "formulation/absolute/rosenbrock_step.hpp"
#include "formulation/projection.hpp"
#include "integrator/terms.hpp"

namespace perilune::integrator {

int March::nodes_for(const Plan& plan, int copies) {
  const int size = static_cast<int>(plan.nodes.size());
  const int before = std::max({plan.reach(), copies + 1, plan.guesses_on_line() ? 2 * size : 1});
  return static_cast<int>(std::bit_ceil(static_cast<unsigned>(size + before)));
}

March::March(Motion& motion, std::span<StepListener* const> listeners, int nodes)
    : motion_(motion), listeners_(listeners), ring_(static_cast<std::size_t>(nodes)), nodes_(ring_) {
  const auto n = static_cast<std::size_t>(motion.n()), m = static_cast<std::size_t>(motion.m());
  const bool own = motion.has_own_rate(), projects = motion.projects();
  node_size_ = (own ? 4 : 3) * n + (own ? 2 : 1) * m + (projects ? 2 * n : 0);
  storage_.resize(node_size_ * ring());
  for (std::size_t i = 0; i < ring(); ++i) {
    double* at = storage_.data() + i * node_size_;
    Node& x = nodes_[i];
    x.q = at;
    x.v = at + n;
    x.a = at + 2 * n;
    x.lambda = at + 3 * n;
    x.u = own ? at + 3 * n + m : x.v;
    x.mu = own ? at + 4 * n + m : nullptr;
    x.proposed = projects ? at + node_size_ - 2 * n : nullptr;
  }
}

void March::start(double t, const double* q0, const double* v0, int copies, const formulation::Choice& choice) {
  const auto n = static_cast<std::size_t>(motion_.n()), m = static_cast<std::size_t>(motion_.m());
  start_count_ = copies + 1;
  t_ = t;
  const Node& last = nodes_[slot(-1)];
  std::copy_n(q0, n, last.q);
  std::copy_n(v0, n, last.v);
  nodes_[slot(-1)].t = t;
  motion_.set_choice(choice);
  if (!choice) motion_.choose(last, 0);
  motion_.point(last);
  for (int k = 2; k <= start_count_; ++k) {
    Node& copy = nodes_[slot(-k)];
    copy.t = t;
    std::copy_n(last.q, n, copy.q);
    std::copy_n(last.v, n, copy.v);
    std::copy_n(last.a, n, copy.a);
    std::copy_n(last.lambda, m, copy.lambda);
    if (copy.u != copy.v) std::copy_n(last.u, n, copy.u);
  }
  for (StepListener* listener : listeners_) listener->start(*this);
}

void March::combine(const std::vector<Link>& links, Part to, double* out) const {
  Terms terms(static_cast<std::size_t>(motion_.n()), out);
  for (const Link& link : links) terms.add(weight(link, to), part_of(node(link.node), link.part));
  terms.finish();
}

void March::combine(const std::vector<Link>& links, Part to, const std::vector<int>& coordinates, double* out) const {
  bool is_first = true;
  for (const Link& link : links) {
    const double* from = part_of(node(link.node), link.part);
    const double w = weight(link, to);
    if (is_first) {
      for (const int k : coordinates) out[k] = w * from[k];
    } else {
      for (const int k : coordinates) out[k] += w * from[k];
    }
    is_first = false;
  }
}

void March::propose(const PlanNode& how, bool is_point, const Node& x) const {
  const std::vector<int>* coordinates = is_point && how.q.size() > 1 ? motion_.proposed() : nullptr;
  if (coordinates) {
    const auto n = static_cast<std::size_t>(motion_.n());
    const Node& start = node(ends_[0]);
    std::copy_n(start.q, n, x.q);
    std::copy_n(start.v, n, x.v);
    combine(how.q, Part::Position, *coordinates, x.q);
    combine(how.v, Part::Velocity, *coordinates, x.v);
  } else {
    combine(how.q, Part::Position, x.q);
    combine(how.v, Part::Velocity, x.v);
  }
  combine(how.a, Part::Acceleration, x.a);
}

void March::spare_multipliers() {
  spares_multipliers_ =
      std::none_of(listeners_.begin(), listeners_.end(), [](const auto* each) { return each->reads_multipliers(); });
}

void March::guess(std::span<const Node> group) const {
  for (const Node& x : group) {
    if (plan_->guess.empty()) {
      guess_on_line(x);
    } else {
      guess_by_plan(x);
    }
    if (x.mu) std::fill_n(x.mu, motion_.m(), 0.0);
  }
}

void March::guess_by_plan(const Node& x) const {
  const auto n = static_cast<std::size_t>(motion_.n()), m = static_cast<std::size_t>(motion_.m());
  std::fill_n(x.a, n, 0.0);
  std::fill_n(x.lambda, m, 0.0);
  for (const GuessLink& link : plan_->guess) {
    const Node& from = node(link.node);
    for (std::size_t k = 0; k < n; ++k) x.a[k] += link.weight * from.a[k];
    for (std::size_t k = 0; k < m; ++k) x.lambda[k] += link.weight * from.lambda[k];
  }
}

void March::guess_on_line(const Node& x) const {
  // Through the last two mesh points.
  const auto n = static_cast<std::size_t>(motion_.n()), m = static_cast<std::size_t>(motion_.m());
  const Node& now = node(ends_[0]);
  const Node& before = node(ends_[1]);
  std::copy_n(now.a, n, x.a);
  std::copy_n(now.lambda, m, x.lambda);
  if (!has_two_ends_) return;
  const double ratio = (x.t - now.t) / (now.t - before.t);
  for (std::size_t k = 0; k < n; ++k) x.a[k] += ratio * (now.a[k] - before.a[k]);
  for (std::size_t k = 0; k < m; ++k) x.lambda[k] += ratio * (now.lambda[k] - before.lambda[k]);
}

void March::set_step(double h) {
  h_ = h;
  powers_ = {1, h, h * h};
  if (couplings_.size() < plan_->groups.size()) couplings_.resize(plan_->groups.size());
  for (std::size_t g = 0; g < plan_->groups.size(); ++g) {
    if (plan_->groups[g].kind == GroupKind::Implicit) scale(plan_->groups[g].weights, h, couplings_[g]);
  }
}

std::size_t March::find_chain(std::span<StepListener* const> listeners) {
  if (std::any_of(listeners.begin(), listeners.end(), [](const auto* each) { return each->reads_motion(); })) return 0;
  chain_weights_.resize(plan_->chain_weights.size());
  for (std::size_t k = 0; k < chain_weights_.size(); ++k) {
    const Plan::ChainWeight& each = plan_->chain_weights[k];
    chain_weights_[k] = each.weight * powers_[static_cast<std::size_t>(each.power)];
  }
  const std::size_t count = plan_->chain.size();
  chain_points_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    Node& x = nodes_[slot(static_cast<int>(i))];
    x.t = t_ + plan_->nodes[i].c * h_;
    chain_points_[i] = {x.t, x.q};
  }
  formulation::PointChain chain{plan_->chain, chain_weights_, node(-1), chain_points_};
  for (StepListener* listener : listeners) {
    if (double* room = listener->room_for_rates(count)) chain.measured = room;
  }
  return motion_.points_in_lanes(chain) ? count : 0;
}

void March::attempt(const Plan& plan, double h, double tolerance, const formulation::Choice& choice) {
  compute(plan, h, tolerance, choice, listeners_);
}

void March::probe(const Plan& plan, double h, double tolerance, const formulation::Choice& choice, StepListener* only) {
  StepListener* const listeners[] = {only};
  compute(plan, h, tolerance, choice, {listeners, only ? 1U : 0U});
}

void March::compute(const Plan& plan, double h, double tolerance, const formulation::Choice& choice,
                    std::span<StepListener* const> listeners) {
  plan_ = &plan;
  set_step(h);
  if (choice) {
    motion_.set_choice(choice);
  } else {
    motion_.choose(node(ends_[0]), h);
  }
  for (StepListener* listener : listeners) listener->begin_step(*this);
  const bool spares = spares_multipliers_ && plan.has_points_alone();
  const std::size_t found = Fibers::lane() >= 0 && plan.chain.size() > 0 ? find_chain(listeners) : 0;
  if (found > 0) group_.resize(1);
  for (std::size_t g = 0; g < found; ++g) {
    group_[0] = node(static_cast<int>(g));
    for (StepListener* listener : listeners) listener->group(*this, g);
  }
  for (std::size_t g = found; g < plan.groups.size(); ++g) {
    const PlanGroup& group = plan.groups[g];
    group_.clear();
    for (int i = group.first; i < plan.group_end(g); ++i) {
      Node& x = nodes_[slot(i)];
      const PlanNode& how = plan.nodes[static_cast<std::size_t>(i)];
      x.t = t_ + how.c * h;
      propose(how, group.kind == GroupKind::Point, x);
      group_.push_back(x);
    }
    if (group.kind == GroupKind::Point) {
      if (spares && group.first != plan.end) {
        motion_.point_on_the_way(group_.front());
      } else {
        motion_.point(group_.front());
      }
    }
    if (group.kind == GroupKind::Projection) motion_.projection()->project(group_.front());
    if (group.kind == GroupKind::Tick) tick(group);
    if (group.kind == GroupKind::Implicit) {
      guess(group_);
      motion_.solve(couplings_[g], group_, tolerance);
    }
    if (group.kind == GroupKind::OwnStep) motion_.step_solver(group.scheme)->solve(h, node(-1), group_, tolerance);
    for (StepListener* listener : listeners) listener->group(*this, g);
  }
}

void March::tick(const PlanGroup& group) {
  const Node &before = node(group.first - 1), &after = node(group.first);
  const system::System& system = motion_.system();
  const system::Measure& next = *system.next_values();
  if (tick_work_.empty()) tick_work_ = next.make_work();
  const system::Data& data = motion_.data();
  next.evaluate({before.t, before.q, before.v, before.a, before.lambda, data.parameters.data(), data.sides.data()},
                tick_work_);
  for (int k : group.due) {
    const system::System::Sampled& sampled = system.sampled()[static_cast<std::size_t>(k)];
    const double value = next.value(tick_work_, k);
    if (!std::isfinite(value)) {
      throw NumericalError(at_time(before.t) + "the next value of sampled \"" + sampled.name + "\"" +
                           (sampled.defined_at.empty() ? "" : ", declared at " + sampled.defined_at + ",") +
                           " is not a finite number");
    }
    after.v[sampled.coordinate] = value;
  }
}

void March::accept(double t, const EndSlopes* slopes) {
  nodes_[slot(plan_->end)].t = t;
  slopes_ = slopes;
  for (StepListener* listener : listeners_) listener->accept(*this);
  const int size = static_cast<int>(plan_->nodes.size());
  ends_[1] = ends_[0] - size;
  ends_[0] = plan_->end - size;
  has_two_ends_ = h_ != 0;
  first_ = static_cast<int>(slot(size));
  t_ = t;
}

March::Snapshot March::snapshot(int nodes) const {
  Snapshot out{t_, first_, {ends_[0], ends_[1]}, has_two_ends_, motion_.memory(), {}, {}};
  out.times.reserve(static_cast<std::size_t>(nodes));
  out.numbers.reserve(static_cast<std::size_t>(nodes) * node_size_);
  for (int i = 1; i <= nodes; ++i) {
    out.times.push_back(node(-i).t);
    const std::span<const double> from = numbers(-i);
    out.numbers.insert(out.numbers.end(), from.begin(), from.end());
  }
  return out;
}

void March::restore(const Snapshot& at) {
  t_ = at.t;
  first_ = at.first;
  std::copy_n(at.ends, 2, ends_);
  has_two_ends_ = at.has_two_ends;
  motion_.set_memory(at.memory);
  for (std::size_t k = 0; k < at.nodes(); ++k) {
    const int i = -1 - static_cast<int>(k);
    nodes_[slot(i)].t = at.times[k];
    std::copy_n(at.numbers.data() + k * node_size_, node_size_, numbers(i).data());
  }
}

}  // namespace perilune::integrator
