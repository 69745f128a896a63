// SPDX-License-Identifier: MIT
#include "sensitivity/discrete/tangent_listener.hpp"

#include "integrator/step_slopes.hpp"
#include "sensitivity/discrete/tangents_read.hpp"

namespace perilune::sensitivity {

using formulation::TangentNode;
using integrator::Link;
using integrator::March;
using integrator::Part;
using simulation::Peaks;

TangentListener::TangentListener(const Problem& problem, Motion& motion, const TangentBundle& bundle,
                                 Quadrature& quadrature, Readers readers)
    : problem_(problem),
      motion_(motion),
      bundle_(bundle),
      quadrature_(quadrature),
      read_(readers == Readers::Objectives ? tangents_read(problem) : std::nullopt),
      half_(bundle.half()),
      multipliers_(static_cast<std::size_t>(bundle.m * bundle.count)),
      z_size_(bundle.z.size()),
      node_size_(z_size_ + half_ + multipliers_ + (motion.has_own_rate() ? half_ + multipliers_ : 0)),
      rates_size_(problem.objectives.size() * static_cast<std::size_t>(bundle.count)),
      part_{0, motion.has_own_rate() ? z_size_ + half_ + multipliers_ : half_, half_, z_size_},
      sum_(rates_size_),
      start_time_(static_cast<std::size_t>(bundle.count)) {}

void TangentListener::start(const March& march) {
  rates_.assign(rates_size_ * march.ring(), 0.0);
  totals_ = rates_;
  ring_.assign(node_size_ * march.ring(), 0.0);
  // Every node brings along the tangents of the data, which never change.
  for (std::size_t slot = 0; slot < march.ring(); ++slot) {
    std::copy(bundle_.z.begin(), bundle_.z.end(), ring_.begin() + static_cast<std::ptrdiff_t>(slot * node_size_));
  }
  const TangentNode first = node(march, -1);
  motion_.linearize_point(march.node(-1), Motion::Here::Just, {});
  motion_.tangent_point(bundle_.count, first);
  rate(march, -1, 0);
  for (int k = 2; k <= march.start_count(); ++k) {
    std::copy_n(first.z, node_size_, node(march, -k).z);
    std::copy_n(rates(march, -1), rates_size_, rates(march, -k));
  }
  extrema_.assign(problem_.objectives.size(), std::vector<double>(start_time_.size(), 0.0));
  keep_point(march, -1);
}

void TangentListener::group(const March& march, std::size_t g) {
  const integrator::PlanGroup& group = march.plan().groups[g];
  const int end = march.plan().group_end(g);
  group_.clear();
  for (int i = group.first; i < end; ++i) {
    const integrator::PlanNode& plan = march.plan().nodes[static_cast<std::size_t>(i)];
    const TangentNode y = node(march, i);
    const std::vector<int>* proposed = group.kind == integrator::GroupKind::Point ? motion_.proposed() : nullptr;
    if (proposed) {
      propose_point(march, plan, *proposed, y);
    } else {
      combine(march, plan.q, Part::Position, y.z);
      combine(march, plan.v, Part::Velocity, y.z + half_);
    }
    combine(march, plan.a, Part::Acceleration, y.x);
    group_.push_back(y);
  }
  if (group.kind == integrator::GroupKind::Tick) tick(march, group);
  integrator::find_group_tangents(march, g, Motion::Here::Just, bundle_.count, node(march, -1), march.group_nodes(),
                                  group_);
  for (int i = group.first; i < end; ++i) {
    if (march.plan().has_rate[static_cast<std::size_t>(i)]) rate(march, i, static_cast<std::size_t>(i - group.first));
  }
}

void TangentListener::tick(const March& march, const integrator::PlanGroup& group) {
  const Measure& next = *motion_.system().next_values();
  std::vector<double> work = next.make_work();
  next.evaluate(point_of(motion_, march.node(group.first - 1)), work);
  const TangentNode before = node(march, group.first - 1);
  for (int k : group.due) {
    const int held = motion_.system().sampled()[static_cast<std::size_t>(k)].coordinate;
    double* out = group_.front().z + half_ + held * bundle_.count;
    std::fill_n(out, bundle_.count, 0.0);
    add_directional(next, work, 1, bundle_, before.z, before.x, out, k);
  }
}

void TangentListener::accept(const March& march) {
  std::fill(sum_.begin(), sum_.end(), 0.0);
  for (const integrator::QuadratureLink& link : march.plan().quadrature) {
    const double *total = totals(march, link.node), *slope = rates(march, link.node);
    const double weight = march.h() * link.of_rate;
    for (std::size_t k = 0; k < rates_size_; ++k) sum_[k] += link.of_total * total[k] + weight * slope[k];
  }
  if (march.slopes()) move_end(march, *march.slopes());
  std::copy(sum_.begin(), sum_.end(), totals(march, march.plan().end));
  end_ = node(march, march.plan().end);
  keep_point(march, march.plan().end);
}

void TangentListener::keep_point(const March& march, int i) {
  if (quadrature_.peaks().empty()) return;
  const std::size_t size = 3 * half_ + multipliers_ + start_time_.size();
  points_.resize(Peaks::most_points * size);
  const TangentNode y = node(march, i);
  double* to = points_.data() + (point_count_++ % Peaks::most_points) * size;
  to = std::copy_n(y.z, 2 * half_, to);
  to = std::copy_n(y.x, half_ + multipliers_, to);
  std::copy(start_time_.begin(), start_time_.end(), to);
  follow_peaks();
}

void TangentListener::follow_peaks() {
  const std::size_t count = start_time_.size(), numbers = (3 * half_ + multipliers_) / count;
  peaks_seen_.resize(extrema_.size(), 0);
  for (std::size_t o = 0; o < extrema_.size(); ++o) {
    const Peaks& peaks = quadrature_.peaks();
    if (peaks_seen_[o] == peaks.changes(o)) continue;
    peaks_seen_[o] = peaks.changes(o);
    const simulation::Peak& peak = *peaks.of(o);
    std::vector<double>& out = extrema_[o];
    std::fill(out.begin(), out.end(), 0.0);
    const auto add = [&](double weight, const double* tangents) {
      if (weight == 0) return;
      for (std::size_t k = 0; k < count; ++k) out[k] += weight * tangents[k];
    };
    for (const simulation::Peak::Part& part : peak.parts) {
      const double* from = points_.data() + (part.point % Peaks::most_points) * (numbers + 1) * count;
      for (std::size_t i = 0; i < numbers; ++i) add(part.numbers[i], from + i * count);
      add(part.time, from + numbers * count);
    }
    for (const auto& [index, by] : peak.parameters) {
      add(by, bundle_.parameters.data() + static_cast<std::size_t>(index) * count);
    }
  }
}

const std::vector<std::vector<double>>& TangentListener::extrema() {
  if (!quadrature_.peaks().empty()) follow_peaks();
  return extrema_;
}

void TangentListener::move_end(const March& march, const integrator::EndSlopes& slopes) {
  const TangentNode y = node(march, march.plan().end);
  const auto count = static_cast<std::size_t>(bundle_.count);
  std::vector<double> length(count, 0.0);
  if (slopes.event >= 0) {
    const Measure& functions = *motion_.system().switches();
    std::vector<double> work = functions.make_work();
    functions.evaluate(point_of(motion_, march.node(march.plan().end)), work);
    add_directional(functions, work, 1, bundle_, y.z, y.x, length.data(), slopes.event);
    for (std::size_t k = 0; k < count; ++k) {
      length[k] = -(length[k] + slopes.event_by_start * start_time_[k]) / slopes.event_by_length;
    }
  } else if (!slopes.moves_along) {
    for (std::size_t k = 0; k < count; ++k) length[k] = -start_time_[k];
  }
  auto move = [&](const std::vector<double>& by, const std::vector<double>& time) {
    if (by.empty()) return;
    const double* slope = by.data();
    auto add = [&](double* to, std::size_t numbers) {
      for (std::size_t i = 0; i < numbers; ++i, ++slope) {
        for (std::size_t k = 0; k < count; ++k) *to++ += *slope * time[k];
      }
    };
    add(y.z, 2 * half_ / count);
    add(y.x, (half_ + multipliers_) / count);
    add(sum_.data(), rates_size_ / count);
    add(rates(march, march.plan().end), rates_size_ / count);
  };
  move(slopes.by_start, start_time_);
  move(slopes.by_length, length);
  for (std::size_t k = 0; k < count; ++k) start_time_[k] += length[k];
}

std::vector<std::vector<double>> TangentListener::integrals() const {
  std::vector<std::vector<double>> rows;
  const auto count = static_cast<std::ptrdiff_t>(bundle_.count);
  for (auto row = sum_.begin(); row != sum_.end(); row += count) rows.emplace_back(row, row + count);
  return rows;
}

TangentNode TangentListener::node(const March& march, int i) {
  double* z = ring_.data() + march.slot(i) * node_size_;
  double* x = z + z_size_;
  const formulation::TangentsRead* read = read_ ? &*read_ : nullptr;
  if (!motion_.has_own_rate()) return {z, x, z + half_, nullptr, read};
  double* u = x + half_ + multipliers_;
  return {z, x, u, u + half_, read};
}

void TangentListener::combine(const March& march, const std::vector<Link>& links, Part to, double* out) {
  if (links.empty()) return;
  find_terms(march, links, to);
  linalg::combine(terms_.data(), terms_.data() + terms_.size(), half_, out);
}

void TangentListener::find_terms(const March& march, const std::vector<Link>& links, Part to) {
  terms_.clear();
  for (const Link& link : links) {
    terms_.push_back({march.weight(link, to),
                      ring_.data() + march.slot(link.node) * node_size_ + part_[static_cast<std::size_t>(link.part)]});
  }
}

void TangentListener::propose_point(const March& march, const integrator::PlanNode& how,
                                    const std::vector<int>& coordinates, const TangentNode& y) {
  // Recursions with derivatives of their own start from nothing else.
  if (!motion_.differentiates_without_multipliers()) {
    std::copy_n(node(march, march.last_index()).z, 2 * half_, y.z);
  }
  const auto add = [&](const std::vector<Link>& links, Part to, double* out) {
    if (links.empty()) return;
    find_terms(march, links, to);
    linalg::for_each_block(bundle_.count, [&]<int W, int S>(int first) {
      const int stride = S == 0 ? bundle_.count : S;
      for (const int i : coordinates) {
        const std::size_t k = static_cast<std::size_t>(i * stride + first);
        linalg::Lanes<W> sum;
        for (const linalg::Term& term : terms_) sum.add(term.weight, linalg::Lanes<W>(term.numbers + k));
        sum.store(out + k);
      }
    });
  };
  add(how.q, Part::Position, y.z);
  add(how.v, Part::Velocity, y.z + half_);
}

void TangentListener::rate(const March& march, int i, std::size_t in_group) {
  double* out = rates(march, i);
  std::fill_n(out, rates_size_, 0.0);
  const TangentNode y = node(march, i);
  for (std::size_t o = 0; o < problem_.objectives.size(); ++o, out += bundle_.count) {
    if (!problem_.objectives[o]->integral) continue;
    add_directional(*problem_.objectives[o]->integral, quadrature_.work(in_group, o), 1, bundle_, y.z, y.x, out);
  }
}

}  // namespace perilune::sensitivity
