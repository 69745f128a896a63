// SPDX-License-Identifier: MIT
#include "sensitivity/discrete/node_record.hpp"

#include <algorithm>

namespace perilune::sensitivity {

using formulation::Node;

NodeRecord::NodeRecord(const formulation::Motion& motion, Multipliers multipliers)
    : motion_(motion),
      multipliers_(multipliers),
      n_(static_cast<std::size_t>(motion.n())),
      m_(static_cast<std::size_t>(motion.m())),
      node_size_((motion.has_own_rate() ? 4 * n_ + 2 * m_ : 3 * n_ + m_) + (motion.projects() ? 2 * n_ : 0)),
      nodes_(1 + node_size_) {}

void NodeRecord::restart(std::size_t first) {
  first_ = first;
  nodes_.truncate(0);
  factors_.clear();
  factor_of_.truncate(0);
}

void NodeRecord::append(const Node& x) {
  double* at = nodes_.append();
  *at++ = x.t;
  auto put = [&](const double* from, std::size_t count) { at = std::copy_n(from, count, at); };
  put(x.q, n_);
  put(x.v, n_);
  put(x.a, n_);
  put(x.lambda, m_);
  if (motion_.has_own_rate()) {
    put(x.u, n_);
    put(x.mu, m_);
  }
  if (motion_.projects()) put(x.proposed, 2 * n_);
}

void NodeRecord::begin_with(const Node& x) {
  append(x);
  factor_of_.push_back({});
}

void NodeRecord::start(const integrator::March& march) { begin_with(march.node(-1)); }

void NodeRecord::group(const integrator::March& march, std::size_t g) {
  const integrator::Plan& plan = march.plan();
  if (g == 0) current_ends_.clear();
  if (plan.groups[g].kind == integrator::GroupKind::Point) {
    const std::span<const double> numbers = motion_.factor_numbers();
    current_factors_.insert(current_factors_.end(), numbers.begin(), numbers.end());
  }
  for (int i = plan.groups[g].first; i < plan.group_end(g); ++i) current_ends_.push_back(current_factors_.size());
}

void NodeRecord::accept(const integrator::March& march) {
  const bool fits = factors_.size() + current_factors_.size() <= most_factor_numbers;
  std::span<double> kept;
  if (fits) {
    kept = factors_.append(current_factors_.size());
    std::copy(current_factors_.begin(), current_factors_.end(), kept.begin());
  }
  for (std::size_t i = 0, begin = 0; i < march.plan().nodes.size(); ++i) {
    append(march.node(static_cast<int>(i)));
    factor_of_.push_back(fits ? kept.subspan(begin, current_ends_[i] - begin) : kept);
    begin = current_ends_[i];
  }
}

Node NodeRecord::node(std::size_t index) {
  double* row = nodes_.row(index - first_);
  double* at = row + 1;
  Node x{*row, at, at + n_, at + 2 * n_, at + 3 * n_, at + n_, nullptr, nullptr};
  if (motion_.has_own_rate()) {
    x.u = at + 3 * n_ + m_;
    x.mu = x.u + n_;
  }
  if (motion_.projects()) x.proposed = at + node_size_ - 2 * n_;
  return x;
}

std::span<const double> NodeRecord::factor(std::size_t index) const { return factor_of_[index - first_]; }

}  // namespace perilune::sensitivity
