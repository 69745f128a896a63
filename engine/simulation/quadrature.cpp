// SPDX-License-Identifier: MIT
#include "simulation/quadrature.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "integrator/step_slopes.hpp"
#include "profile.hpp"

namespace perilune::simulation {

Quadrature::Quadrature(const Problem& problem, const std::vector<double>& parameters)
    : problem_(problem),
      parameters_(parameters),
      totals_(problem.objectives.size(), 0.0),
      peaks_(problem, parameters) {}

void Quadrature::rate(const integrator::March& march, int i, std::size_t node) {
  while (work_.size() <= node) {
    work_.emplace_back();
    for (const auto& objective : problem_.objectives) {
      work_.back().push_back(objective->integral ? objective->integral->make_work() : std::vector<double>());
    }
  }
  const formulation::Node& x = march.node(i);
  double* rates = at(rate_ring_, march.slot(i));
  const double* sides = march.motion().data().sides.data();
  const system::MotionPoint point{x.t, x.q, x.v, x.a, x.lambda, parameters_.data(), sides};
  for (std::size_t k = 0; k < totals_.size(); ++k) {
    const Objective& objective = *problem_.objectives[k];
    if (objective.integral) rates[k] = checked_value(objective, *objective.integral, point, work_[node][k]);
  }
}

void Quadrature::start(const integrator::March& march) {
  const TimedTask timed(Task::Measures);
  total_ring_.assign(totals_.size() * march.ring(), 0.0);
  rate_ring_ = total_ring_;
  rate(march, -1, 0);
  const double* first = at(rate_ring_, march.slot(-1));
  for (int k = 2; k <= march.start_count(); ++k) {
    std::copy_n(first, totals_.size(), at(rate_ring_, march.slot(-k)));
  }
  peaks_.start(march);
}

double* Quadrature::room_for_rates(std::size_t points) {
  rates_of_chain_.clear();
  for (std::size_t i = 0; i < points; ++i) {
    for (const auto& objective : problem_.objectives) {
      rates_of_chain_.push_back(objective->integral ? std::numeric_limits<double>::quiet_NaN() : 0.0);
    }
  }
  return rates_of_chain_.data();
}

bool Quadrature::knows_rates(const integrator::March& march, std::size_t g) {
  const std::size_t size = totals_.size();
  if ((g + 1) * size > rates_of_chain_.size()) return false;
  const double* known = rates_of_chain_.data() + g * size;
  if (!std::all_of(known, known + size, [](double x) { return std::isfinite(x); })) return false;
  std::copy_n(known, size, at(rate_ring_, march.slot(static_cast<int>(g))));
  return true;
}

void Quadrature::group(const integrator::March& march, std::size_t g) {
  const TimedTask timed(Task::Measures);
  if (knows_rates(march, g)) return;
  const int first = march.plan().groups[g].first;
  for (int i = first; i < march.plan().group_end(g); ++i) {
    if (!march.plan().has_rate[static_cast<std::size_t>(i)]) continue;
    rate(march, i, static_cast<std::size_t>(i - first));
  }
}

std::vector<double> Quadrature::rate_slopes(const integrator::March& march, const integrator::StepSlopes& of_nodes,
                                            int i) {
  const formulation::Node& x = march.node(i);
  const double* sides = march.motion().data().sides.data();
  const system::MotionPoint at{x.t, x.q, x.v, x.a, x.lambda, parameters_.data(), sides};
  std::vector<double> out(totals_.size(), 0.0);
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (const auto& integral = problem_.objectives[k]->integral) out[k] = integral->slope(at, 0, of_nodes[i]);
  }
  return out;
}

std::vector<double> Quadrature::slopes(const integrator::March& march, const integrator::StepSlopes& of_nodes) {
  std::vector<double> out(totals_.size(), 0.0);
  for (const integrator::QuadratureLink& link : march.plan().quadrature) {
    if (link.of_rate == 0) continue;
    const double* rates = at(rate_ring_, march.slot(link.node));
    for (std::size_t k = 0; k < totals_.size(); ++k) out[k] += of_nodes.of_length() * link.of_rate * rates[k];
    if (link.node < 0) continue;
    const std::vector<double> own = rate_slopes(march, of_nodes, link.node);
    for (std::size_t k = 0; k < totals_.size(); ++k) out[k] += march.h() * link.of_rate * own[k];
  }
  const int end = march.plan().end;
  const bool has_rate = march.plan().has_rate[static_cast<std::size_t>(end)] != 0;
  const std::vector<double> at_end =
      has_rate ? rate_slopes(march, of_nodes, end) : std::vector<double>(totals_.size(), 0.0);
  out.insert(out.end(), at_end.begin(), at_end.end());
  return out;
}

bool Quadrature::reads_switch(int number) const {
  return std::any_of(problem_.objectives.begin(), problem_.objectives.end(), [&](const auto& o) {
    return (o->integral || o->extremum) &&
           std::find(o->switches.begin(), o->switches.end(), number) != o->switches.end();
  });
}

std::vector<double> Quadrature::rates(const formulation::Node& x, const std::vector<double>& sides) {
  const system::MotionPoint point{x.t, x.q, x.v, x.a, x.lambda, parameters_.data(), sides.data()};
  std::vector<double> out(totals_.size(), 0.0);
  for (std::size_t k = 0; k < out.size(); ++k) {
    const Objective& objective = *problem_.objectives[k];
    const Measure* of = objective.integral   ? &*objective.integral
                        : objective.extremum ? &objective.extremum->signal
                                             : nullptr;
    if (!of) continue;
    std::vector<double> work = of->make_work();
    out[k] = checked_value(objective, *of, point, work);
  }
  return out;
}

bool Quadrature::reads_multipliers() const {
  const auto reads = [](const Measure& measure) { return measure.reads(expr::Quantity::Multiplier); };
  return std::any_of(problem_.objectives.begin(), problem_.objectives.end(), [&](const auto& o) {
    return (o->integral && reads(*o->integral)) || (o->extremum && reads(o->extremum->signal));
  });
}

bool Quadrature::reads_time() const {
  return std::any_of(problem_.objectives.begin(), problem_.objectives.end(),
                     [](const auto& o) { return o->integral && o->integral->reads(expr::Quantity::Time); });
}

double Quadrature::error(const integrator::March& march, std::span<const integrator::QuadratureLink> estimate,
                         double absolute, double relative) {
  const int last = march.plan().end;
  estimates_.resize(totals_.size());
  fresh_.resize(totals_.size());
  sizes_.resize(totals_.size(), 0.0);
  sum(march, march.plan().quadrature, fresh_);
  std::copy(fresh_.begin(), fresh_.end(), at(total_ring_, march.slot(last)));
  sum(march, estimate, estimates_);
  double largest = 0;
  for (std::size_t k = 0; k < totals_.size(); ++k) {
    if (!problem_.objectives[k]->integral) continue;
    double rate = std::abs(at(rate_ring_, march.slot(last))[k]);
    for (const integrator::QuadratureLink& link : estimate) {
      if (link.of_rate != 0) rate = std::max(rate, std::abs(at(rate_ring_, march.slot(link.node))[k]));
    }
    const double limit = absolute + relative * (sizes_[k] + march.h() * rate);
    largest = std::max(largest, std::abs(estimates_[k]) / limit);
  }
  return largest;
}

void Quadrature::sum(const integrator::March& march, std::span<const integrator::QuadratureLink> links,
                     std::vector<double>& sums) {
  std::fill(sums.begin(), sums.end(), 0.0);
  for (const integrator::QuadratureLink& link : links) {
    const double *total = at(total_ring_, march.slot(link.node)), *rates = at(rate_ring_, march.slot(link.node));
    const double weight = march.h() * link.of_rate;
    for (std::size_t k = 0; k < totals_.size(); ++k) {
      if (link.of_total != 0) sums[k] += link.of_total * total[k];
      if (weight != 0) sums[k] += weight * rates[k];
    }
  }
}

void Quadrature::accept(const integrator::March& march) {
  const TimedTask timed(Task::Measures);
  sum(march, march.plan().quadrature, totals_);
  const std::size_t end = march.slot(march.plan().end);
  std::copy(totals_.begin(), totals_.end(), at(total_ring_, end));
  peaks_.accept(march);
  if (estimates_.empty() || march.h() == 0) return;
  errors_.resize(totals_.size(), 0.0);
  for (std::size_t k = 0; k < totals_.size(); ++k) {
    errors_[k] += std::abs(std::exchange(estimates_[k], 0.0));
    sizes_[k] += march.h() * std::abs(at(rate_ring_, end)[k]);
  }
}

}  // namespace perilune::simulation
