#include "sensitivity/node_record.hpp"

namespace perilune::sensitivity {

using formulation::Node;

NodeRecord::NodeRecord(const formulation::Motion& motion)
    : motion_(motion),
      n_(static_cast<std::size_t>(motion.n())),
      m_(static_cast<std::size_t>(motion.m())),
      node_size_((motion.has_own_rate() ? 4 * n_ + 2 * m_ : 3 * n_ + m_) + (motion.projects() ? 2 * n_ : 0)) {}

void NodeRecord::restart(std::size_t first) {
  first_ = first;
  for (std::vector<double>* x : {&times_, &nodes_, &factors_}) x->clear();
  factor_end_.clear();
}

void NodeRecord::append(const Node& x) {
  times_.push_back(x.t);
  auto put = [&](const double* from, std::size_t count) { nodes_.insert(nodes_.end(), from, from + count); };
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

void NodeRecord::start(const integrator::March& march) {
  append(march.node(-1));
  factor_end_.push_back(0);
}

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
  const std::size_t before = factors_.size();
  const bool fits = before + current_factors_.size() <= most_factor_numbers;
  if (fits) factors_.insert(factors_.end(), current_factors_.begin(), current_factors_.end());
  for (std::size_t i = 0; i < march.plan().nodes.size(); ++i) {
    append(march.node(static_cast<int>(i)));
    factor_end_.push_back(fits ? before + current_ends_[i] : before);
  }
}

Node NodeRecord::node(std::size_t index) {
  double* at = nodes_.data() + (index - first_) * node_size_;
  Node x{times_[index - first_], at, at + n_, at + 2 * n_, at + 3 * n_, at + n_, nullptr, nullptr};
  if (motion_.has_own_rate()) {
    x.u = at + 3 * n_ + m_;
    x.mu = x.u + n_;
  }
  if (motion_.projects()) x.proposed = at + node_size_ - 2 * n_;
  return x;
}

std::span<const double> NodeRecord::factor(std::size_t index) const {
  const std::size_t i = index - first_, begin = i == 0 ? 0 : factor_end_[i - 1];
  return {factors_.data() + begin, factor_end_[i] - begin};
}

}  // namespace perilune::sensitivity
