// SPDX-License-Identifier: MIT
#include "sensitivity/discrete/backward.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "error.hpp"
#include "formulation/projection.hpp"
#include "formulation/step_solver.hpp"

namespace perilune::sensitivity {

using formulation::AdjointNode;
using formulation::Node;
using integrator::GroupKind;
using integrator::Link;
using integrator::Part;

Backward::Backward(const Problem& problem, const Evaluation& run, Motion& motion, AdjointBundle& bundle,
                   SecondSweep* second)
    : problem_(problem),
      run_(run),
      motion_(motion),
      bundle_(bundle),
      second_(second),
      objectives_(problem.objectives.size()),
      followed_last_(objectives_),
      ring_(static_cast<std::size_t>(run.solution.steps.ring)),
      rings_(objectives_ * (1 + directions()), AdjointRing(motion, ring_)),
      of_rates_(objectives_ * ring_, 0.0),
      of_totals_(of_rates_),
      of_start_time_(objectives_, 0.0),
      work_(problem) {
  const Blocks<integrator::Steps::Step>& steps = run.solution.steps.steps;
  for (std::size_t k = 0; k < steps.size(); ++k) first_ += steps[k].plan->nodes.size();
  if (!second_) return;
  motion_.keep_residual_weights();
  for (AdjointRing& ring : rings_) ring.wake();  // second derivatives may come from where first ones are still zero
  for (const auto& o : problem.objectives) {
    second_terminal_.push_back(o->terminal ? o->terminal->make_second_work() : Measure::SecondWork());
    second_integral_.push_back(o->integral ? o->integral->make_second_work() : Measure::SecondWork());
  }
}

void Backward::keep_to(std::size_t first, std::size_t last) {
  followed_first_ = first;
  followed_last_ = last;
}

void Backward::run(NodeRecord& record) {
  sweep(0, run_.solution.steps.steps.size(), record);
  finish(record);
}

void Backward::sweep(std::size_t first, std::size_t last, NodeRecord& record) {
  record_ = &record;
  const integrator::Steps& steps = run_.solution.steps;
  for (std::size_t k = last; k-- > first;) {
    check_interrupt();
    plan_ = steps.steps[k].plan;
    h_ = steps.steps[k].h;
    motion_.set_choice(steps.steps[k].choice);
    motion_.set_sides(steps.steps[k].sides);
    first_ -= plan_->nodes.size();
    if (k + 1 == steps.steps.size()) start_at_end();
    seed_peaks(k + 1, slot(plan_->end), steps.steps[k].slopes != nullptr);
    if (steps.steps[k].slopes) reverse_moving_end(*steps.steps[k].slopes);
    reverse_integrals();
    for (std::size_t g = plan_->groups.size(); g-- > 0;) reverse_group(g);
  }
}

void Backward::finish(NodeRecord& record) {
  record_ = &record;
  motion_.set_choice(run_.solution.steps.start_choice);
  motion_.set_sides(nullptr);
  reverse_start(run_.solution.steps.copies);
}

std::size_t Backward::slot(int i) const { return (first_ + static_cast<std::size_t>(i)) & (ring_ - 1); }

void Backward::start_at_end() {
  const std::size_t end = slot(plan_->end);
  for (std::size_t o = followed_first_; o < followed_last_; ++o) {
    of_total(end, o) = 1;
    if (o < run_.peaks.size() && run_.peaks[o]) {
      for (const auto& [number, by] : run_.peaks[o]->parameters) {
        bundle_.parameters[o][static_cast<std::size_t>(number)] += by;
      }
    }
    const std::vector<double>&q = bundle_.q[o], &v = bundle_.v[o];
    std::copy(v.begin(), v.end(), std::copy(q.begin(), q.end(), rings_[o].node(end).z));
    rings_[o].wake_by(end);
    const std::size_t index = first_ + static_cast<std::size_t>(plan_->end);
    if (problem_.stop) {  // first: its weight is that of what follows the run, to which nothing has been added yet
      std::vector<double> work = problem_.stop->terminal->make_work();
      seed(*problem_.stop->terminal, work, nullptr, index, end, o, -weight_of_stop(o));
    }
    const auto& terminal = problem_.objectives[o]->terminal;
    if (terminal) seed(*terminal, work_.terminal[o], second_ ? &second_terminal_[o] : nullptr, index, end, o, 1);
  }
}

double Backward::weight_of_stop(std::size_t o) const {
  if (!run_.solution.stop) return stop_weight(problem_, run_, o);  // which says that it was not met
  // Adjoints that stand behind the objectives, for what follows a phase, have no integrals.
  const std::vector<double>& by_length = run_.solution.stop->objectives;
  const std::size_t integrals = by_length.size() - static_cast<std::size_t>(2 * motion_.n());
  const double own = o < integrals ? stop_weight(problem_, run_, o) : 0;
  const auto slopes = by_length.begin() + static_cast<std::ptrdiff_t>(integrals);
  const std::vector<double>&q = bundle_.q[o], &v = bundle_.v[o];
  double following = std::inner_product(q.begin(), q.end(), slopes, bundle_.times[o]);
  following = std::inner_product(v.begin(), v.end(), slopes + motion_.n(), following);
  return own + following / run_.solution.stop->slope;
}

void Backward::seed(const Measure& measure, std::vector<double>& work, Measure::SecondWork* second_work,
                    std::size_t index, std::size_t s, std::size_t o, double weight, int output) {
  const system::MotionPoint at = point_of(motion_, record_->node(index));
  auto target = [&](std::size_t ring, AdjointBundle& bundle) {
    const AdjointNode y = rings_[ring].node(s);
    return system::MotionGradient{y.z, y.z + motion_.n(), y.a, y.lambda, bundle.parameters[o].data(), &bundle.times[o]};
  };
  measure.evaluate(at, work);
  measure.add_gradient(work, output, weight, target(o, bundle_));
  rings_[o].wake_by(s);
  for (std::size_t k = 0; k < directions(); ++k) {
    measure.add_hessian_product(at, second_->tangents.point(index, second_->first + k), output, weight, *second_work,
                                target(ring_of(o, k), second_->bundles[k]));
  }
}

void Backward::seed_rate(std::size_t index, std::size_t s) {
  for (std::size_t o = 0; o < objectives_; ++o) {
    const double weight = of_rate(s, o);
    of_rate(s, o) = 0;
    const auto& integral = problem_.objectives[o]->integral;
    if (!integral || weight == 0) continue;
    seed(*integral, work_.integral[o], second_ ? &second_integral_[o] : nullptr, index, s, o, weight);
  }
}

void Backward::seed_peaks(std::size_t point, std::size_t s, bool moves) {
  const auto n = static_cast<std::size_t>(motion_.n());
  for (std::size_t o = followed_first_; o < std::min(followed_last_, run_.peaks.size()); ++o) {
    if (!run_.peaks[o]) continue;
    for (const simulation::Peak::Part& part : run_.peaks[o]->parts) {
      if (part.point != point) continue;
      const AdjointNode y = rings_[o].node(s);
      const auto add = [&](double* to, std::size_t first, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) to[i] += part.numbers[first + i];
      };
      add(y.z, 0, 2 * n);
      add(y.a, 2 * n, n);
      add(y.lambda, 3 * n, static_cast<std::size_t>(motion_.m()));
      rings_[o].wake_by(s);
      if (moves) of_start_time_[o] += part.time;
    }
  }
}

void Backward::reverse_moving_end(const integrator::EndSlopes& slopes) {
  const std::size_t end = slot(plan_->end);
  const auto n = static_cast<std::size_t>(motion_.n()), m = static_cast<std::size_t>(motion_.m());
  const Measure* functions = motion_.system().switches();
  std::vector<double> work;
  if (slopes.event >= 0) {
    work = functions->make_work();
    functions->evaluate(point_of(motion_, record_->node(first_ + static_cast<std::size_t>(plan_->end))), work);
  }
  for (std::size_t o = 0; o < objectives_; ++o) {
    const AdjointNode y = rings_[o].node(end);
    auto along = [&](const std::vector<double>& by) {
      if (by.empty()) return 0.0;
      const double* slope = by.data();
      // Adjoints that stand behind the objectives, for what is carried across a boundary, have no integrals.
      const std::size_t numbers = 3 * n + m, integrals = (by.size() - numbers) / 2;
      double sum = 0;
      if (o < integrals) sum = of_total(end, o) * slope[numbers + o] + of_rate(end, o) * slope[numbers + integrals + o];
      sum = std::inner_product(y.z, y.z + 2 * n, slope, sum);
      sum = std::inner_product(y.a, y.a + n, slope + 2 * n, sum);
      return std::inner_product(y.lambda, y.lambda + m, slope + 3 * n, sum);
    };
    const double of_end = of_start_time_[o], of_length = along(slopes.by_length) + of_end;
    double of_start = along(slopes.by_start) + of_end;
    if (slopes.event >= 0) {
      const double weight = -of_length / slopes.event_by_length;
      of_start += weight * slopes.event_by_start;
      functions->add_gradient(work, slopes.event, weight,
                              {y.z, y.z + n, y.a, y.lambda, bundle_.parameters[o].data(), &bundle_.times[o]});
      rings_[o].wake_by(end);
    } else if (!slopes.moves_along) {
      of_start -= of_length;
    }
    of_start_time_[o] = slopes.start_moves ? of_start : 0;
  }
}

void Backward::reverse_integrals() {
  const std::size_t end = slot(plan_->end);
  for (std::size_t o = 0; o < objectives_; ++o) {
    const double total = of_total(end, o);
    of_total(end, o) = 0;
    for (const integrator::QuadratureLink& link : plan_->quadrature) {
      of_total(slot(link.node), o) += link.of_total * total;
      of_rate(slot(link.node), o) += h_ * link.of_rate * total;
    }
  }
}

void Backward::reverse_group(std::size_t g) {
  const integrator::PlanGroup& group = plan_->groups[g];
  const int end = plan_->group_end(g);
  const std::size_t index = first_ + static_cast<std::size_t>(group.first);
  nodes_.clear();
  slots_.clear();
  for (int i = group.first; i < end; ++i) {
    nodes_.push_back(record_->node(first_ + static_cast<std::size_t>(i)));
    slots_.push_back(slot(i));
    seed_rate(first_ + static_cast<std::size_t>(i), slots_.back());
  }
  if (group.kind == GroupKind::Implicit) integrator::scale(group.weights, h_, coupling_);
  if (group.kind == GroupKind::OwnStep) {
    reverse_own_step(group.scheme);
  } else if (group.kind == GroupKind::Tick) {
    reverse_tick(group);
  } else {
    reverse_nodes(group.kind, index);
  }
  for (AdjointRing& ring : rings_) {
    if (!ring.is_awake()) continue;
    for (int i = group.first; i < end; ++i) {
      const integrator::PlanNode& plan = plan_->nodes[static_cast<std::size_t>(i)];
      const AdjointNode y = ring.node(slot(i));
      const std::vector<int>* proposed = group.kind == GroupKind::Point ? motion_.proposed() : nullptr;
      distribute(plan.q, Part::Position, y.z, proposed, ring);
      distribute(plan.v, Part::Velocity, y.z + motion_.n(), proposed, ring);
      distribute(plan.a, Part::Acceleration, y.a, nullptr, ring);
      ring.clear(slot(i));
    }
  }
}

void Backward::reverse_nodes(GroupKind kind, std::size_t index) {
  if (kind == GroupKind::Combination) return;
  if (kind == GroupKind::Projection) {
    motion_.projection()->linearize(nodes_.front());
    for (AdjointRing& ring : rings_) {
      if (ring.is_awake()) motion_.projection()->adjoint(ring.node(slots_.front()).z);
    }
    return;
  }
  ++linearizations_;
  if (kind == GroupKind::Point) {
    motion_.linearize_point(nodes_.front(), Motion::Here::Again, record_->factor(index));
  } else {
    motion_.linearize_group(coupling_, nodes_);
  }
  auto adjoint = [&](const std::vector<AdjointNode>& y) {
    if (kind == GroupKind::Point) {
      motion_.adjoint_point(y.front());
    } else {
      motion_.adjoint_group(coupling_, y);
    }
  };
  for (std::size_t o = 0; o < objectives_; ++o) {
    if (!rings_[o].is_awake()) continue;
    gather(o, adjoints_);
    adjoint(adjoints_);
    if (!second_) continue;
    subtract_curvature(index, o);
    for (std::size_t k = 0; k < directions(); ++k) {
      gather(ring_of(o, k), adjoints_);
      adjoint(adjoints_);
    }
  }
}

void Backward::gather(std::size_t ring, std::vector<AdjointNode>& out) {
  out.clear();
  for (std::size_t s : slots_) out.push_back(rings_[ring].node(s));
}

void Backward::reverse_own_step(const formulation::StepScheme& scheme) {
  formulation::StepSolver& step = *motion_.step_solver(scheme);
  ++linearizations_;
  step.linearize(h_, record_->node(first_ - 1), nodes_);
  for (AdjointRing& ring : rings_) {
    if (!ring.is_awake()) continue;
    adjoints_.clear();
    for (std::size_t s : slots_) adjoints_.push_back(ring.node(s));
    step.adjoint(ring.node(slot(-1)), adjoints_);
  }
}

void Backward::reverse_tick(const integrator::PlanGroup& group) {
  const std::size_t before = slot(group.first - 1), index = first_ + static_cast<std::size_t>(group.first - 1);
  const Measure& next = *motion_.system().next_values();
  std::vector<double> work = next.make_work();
  Measure::SecondWork second_work = second_ ? next.make_second_work() : Measure::SecondWork();
  for (int k : group.due) {
    const std::size_t held =
        static_cast<std::size_t>(motion_.n()) +
        static_cast<std::size_t>(motion_.system().sampled()[static_cast<std::size_t>(k)].coordinate);
    for (std::size_t o = 0; o < objectives_; ++o) {
      const double weight = std::exchange(rings_[o].node(slots_.front()).z[held], 0.0);
      if (weight != 0) seed(next, work, second_ ? &second_work : nullptr, index, before, o, weight, k);
      for (std::size_t d = 0; d < directions(); ++d) {
        AdjointRing& ring = rings_[ring_of(o, d)];
        AdjointBundle& bundle = second_->bundles[d];
        const double rate = std::exchange(ring.node(slots_.front()).z[held], 0.0);
        const AdjointNode y = ring.node(before);
        next.evaluate(point_of(motion_, record_->node(index)), work);
        next.add_gradient(work, k, rate,
                          {y.z, y.z + motion_.n(), y.a, y.lambda, bundle.parameters[o].data(), &bundle.times[o]});
      }
    }
  }
}

void Backward::subtract_curvature(std::size_t index, std::size_t o) {
  // The adjoint of a residual R(z) = 0 with weights w is -R_z^T w; its derivative along z' has -(w^T R)_zz z' besides.
  const auto n = static_cast<std::size_t>(motion_.n()), block = n + static_cast<std::size_t>(motion_.m());
  std::vector<double>& w = curvature_weights_;
  for (const Motion::ResidualWeights& term : motion_.residual_weights()) {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      const Node& x = nodes_[i];
      w.assign(block, 0.0);
      for (std::size_t k = 0; k < block; ++k) w[k] = -term.w[i * block + k];
      along_.clear();
      curvatures_.clear();
      for (std::size_t k = 0; k < directions(); ++k) {
        const AdjointNode y = rings_[ring_of(o, k)].node(slots_[i]);
        along_.push_back(second_->tangents.direction(index + i, second_->first + k));
        curvatures_.push_back({y.z, y.z + n, y.a, y.lambda, y.z + 2 * n, 0});
      }
      second_->products.add_gradients({x.t, x.q, x.v, x.a, x.lambda}, *run_.data, term.law, w.data(), along_,
                                      curvatures_);
    }
  }
}

void Backward::distribute(const std::vector<Link>& links, Part to, const double* from, const std::vector<int>* among,
                          AdjointRing& ring) const {
  const double powers[] = {1, h_, h_ * h_};
  for (const Link& link : links) {
    const double weight = link.weight * powers[integrator::power(link.part, to)];
    double* out = ring.part(slot(link.node), link.part);
    if (among) {
      for (const int k : *among) out[k] += weight * from[k];
    } else {
      for (int k = 0, n = motion_.n(); k < n; ++k) out[k] += weight * from[k];
    }
  }
}

void Backward::reverse_start(int copies) {
  const std::size_t own = slot(-1);
  for (int c = 2; c <= copies + 1; ++c) {
    const std::size_t copy = slot(-c);
    for (std::size_t o = 0; o < objectives_; ++o) of_rate(own, o) += of_rate(copy, o);
    for (AdjointRing& ring : rings_) {
      for (Part p : {Part::Position, Part::Velocity, Part::Acceleration, Part::Rate}) {
        if (p == Part::Rate && !motion_.has_own_rate()) continue;
        const double* from = ring.part(copy, p);
        for (int k = 0; k < motion_.n(); ++k) ring.part(own, p)[k] += from[k];
      }
    }
  }
  nodes_ = {record_->node(0)};
  slots_ = {own};
  seed_peaks(0, own, false);
  seed_rate(0, own);
  reverse_nodes(GroupKind::Point, 0);
  for (std::size_t r = 0; r < rings_.size(); ++r) {
    AdjointBundle& bundle = bundle_of(r);
    const std::size_t o = r % objectives_;
    const double* z = rings_[r].node(own).z;
    bundle.q[o].assign(z, z + motion_.n());
    bundle.v[o].assign(z + motion_.n(), z + 2 * motion_.n());
    rings_[r].add_data(bundle.data[o].data());
  }
}

}  // namespace perilune::sensitivity
