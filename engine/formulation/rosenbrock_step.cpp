#include "formulation/rosenbrock_step.hpp"

#include <algorithm>

namespace perilune::formulation {

namespace {

void add(double* out, double weight, const double* from, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) out[k] += weight * from[k];
}

}  // namespace

RosenbrockStep::RosenbrockStep(std::shared_ptr<const System> system, std::shared_ptr<const Data> data,
                               const Formulation& formulation, Effort& effort)
    : system_(std::move(system)),
      data_(std::move(data)),
      formulation_(formulation),
      effort_(effort),
      n_(static_cast<std::size_t>(system_->coordinate_count())),
      m_(static_cast<std::size_t>(system_->constraint_count())),
      data_count_(static_cast<std::size_t>(system_->data_count())),
      base_(system_, data_, formulation_),
      products_(*system_),
      r_(n_ + m_),
      minus_(r_.size()),
      by_time_(r_.size()),
      z_(2 * n_ + data_count_),
      y_adjoint_(3 * n_ + m_) {
  stages_.push_back(std::make_unique<Dynamics>(system_, data_, formulation_));
}

Node RosenbrockStep::block(std::vector<double>& storage, std::size_t index) const {
  double* q = storage.data() + index * (3 * n_ + m_);
  return {0, q, q + n_, q + 2 * n_, q + 3 * n_, q + n_, nullptr, nullptr};
}

void RosenbrockStep::set(const RosenbrockScheme& scheme, double h, const Node& start, std::span<const Node> u) {
  scheme_ = &scheme;
  h_ = h;
  eta_ = scheme.gamma * h;
  start_ = start;
  u_.assign(u.begin(), u.end());
  value_storage_.resize(u.size() * (3 * n_ + m_));
  values_.resize(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) {
    values_[i] = block(value_storage_, i);
    values_[i].t = u[i].t;
  }
}

void RosenbrockStep::factor() {
  base_.evaluate(start_.t, start_.q, start_.v);
  base_.linearize(start_.t, start_.q, start_.v, start_.a, start_.lambda, false, false);
  base_.factor_shifted(eta_, start_.t);
  ++effort_.jacobians;
  ++effort_.factorizations;
}

void RosenbrockStep::place(int i, const Node& start, std::span<const Node> u, const Node& y) const {
  static constexpr double* Node::*parts[] = {&Node::q, &Node::v, &Node::a, &Node::lambda};
  for (double* Node::*part : parts) {
    const std::size_t count = part == &Node::lambda ? m_ : n_;
    double* out = y.*part;
    std::copy_n(start.*part, count, out);
    for (int j = 0; j < i; ++j) {
      const double weight = scheme_->stage_weight(i, j), *from = u[static_cast<std::size_t>(j)].*part;
      add(out, weight, from, count);
    }
  }
}

void RosenbrockStep::propose(int i, const Node& y, std::span<const Node> u) const {
  const Node& own = u[static_cast<std::size_t>(i)];
  for (std::size_t k = 0; k < n_; ++k) own.v[k] = eta_ * y.a[k];
  for (int j = 0; j < i; ++j) {
    add(own.v, scheme_->gamma * scheme_->rate_weight(i, j), u[static_cast<std::size_t>(j)].v, n_);
  }
  for (std::size_t k = 0; k < n_; ++k) own.q[k] = eta_ * (y.v[k] + own.v[k]);
  for (int j = 0; j < i; ++j) {
    add(own.q, scheme_->gamma * scheme_->rate_weight(i, j), u[static_cast<std::size_t>(j)].q, n_);
  }
}

void RosenbrockStep::correct(const Node& u) {
  base_.solve(r_.data());
  for (std::size_t k = 0; k < n_; ++k) {
    u.a[k] = -r_[k];
    u.v[k] += eta_ * u.a[k];
    u.q[k] += eta_ * eta_ * u.a[k];
  }
  for (std::size_t k = 0; k < m_; ++k) u.lambda[k] = -r_[n_ + k];
}

void RosenbrockStep::check(const Node& y, const Node& u) const {
  double sum = 0;
  for (std::size_t k = 0; k < n_; ++k) sum += u.a[k] - u.a[k];  // 0, or NaN if any is not finite
  if (sum != 0) stages_.front()->fail(y.t, y.q, y.v);
}

void RosenbrockStep::solve(const RosenbrockScheme& scheme, double h, const Node& start, std::span<const Node> u) {
  set(scheme, h, start, u);
  factor();
  std::fill(by_time_.begin(), by_time_.end(), 0.0);
  products_.add_first(kinematics(start_), *data_, law(), {.t = 1}, by_time_.data());
  for (int i = 0; i < scheme.stages; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Node& y = values_[at];
    place(i, start_, u, y);
    stages_.front()->residual(y.t, y.q, y.v, y.a, y.lambda, r_.data());
    ++effort_.evaluations;
    propose(i, y, u);
    add_start_tangent(u[at]);
    add(r_.data(), h_ * scheme.of_time[at], by_time_.data(), n_ + m_);
    correct(u[at]);
    check(y, u[at]);
  }
}

void RosenbrockStep::tangent(int count, const TangentNode& start, std::span<const TangentNode> u) {
  const std::size_t stages = u_.size(), width = static_cast<std::size_t>(count);
  tangent_storage_.resize(width * (stages + 2) * (3 * n_ + m_));
  tangent_data_.resize(width * data_count_);
  residuals_.resize(width * (n_ + m_));
  directions_.clear();
  tangents_.resize(width);
  for (std::size_t k = 0; k < width; ++k) {  // q and v, a and lambda of a block stand side by side as in a TangentNode
    Tangent& own = tangents_[k];
    const std::size_t first = k * (stages + 2);
    own.start = block(tangent_storage_, first);
    own.y = block(tangent_storage_, first + 1);
    own.data = tangent_data_.data() + k * data_count_;
    own.u.clear();
    for (std::size_t i = 0; i < stages; ++i) own.u.push_back(block(tangent_storage_, first + 2 + i));
    for (std::size_t i = 0; i < 2 * n_; ++i) own.start.q[i] = start.z[i * width + k];
    for (std::size_t i = 0; i < n_ + m_; ++i) own.start.a[i] = start.x[i * width + k];
    for (std::size_t i = 0; i < data_count_; ++i) own.data[i] = start.z[(2 * n_ + i) * width + k];
    directions_.push_back({own.start.q, own.start.v, own.start.a, own.start.lambda, own.data, 0});
  }
  for (std::size_t i = 0; i < stages; ++i) tangent_stage(static_cast<int>(i));
  for (std::size_t k = 0; k < width; ++k) {
    for (std::size_t s = 0; s < stages; ++s) {
      const Node& from = tangents_[k].u[s];
      for (std::size_t i = 0; i < 2 * n_; ++i) u[s].z[i * width + k] = from.q[i];
      for (std::size_t i = 0; i < n_ + m_; ++i) u[s].x[i * width + k] = from.a[i];
    }
  }
}

void RosenbrockStep::tangent_stage(int i) {
  const auto at = static_cast<std::size_t>(i);
  const Node &x = u_[at], &value = values_[at];
  Dynamics& stage = *stages_.front();
  stage.evaluate(value.t, value.q, value.v);
  stage.linearize(value.t, value.q, value.v, value.a, value.lambda, true, false);
  std::fill(residuals_.begin(), residuals_.end(), 0.0);
  products_.add_second(kinematics(start_), *data_, law(), directions_,
                       {x.q, x.v, x.a, x.lambda, nullptr, h_ * scheme_->of_time[at]}, residuals_.data());
  for (std::size_t k = 0; k < tangents_.size(); ++k) {
    const Tangent& own = tangents_[k];
    const Node& du = own.u[at];
    place(i, own.start, own.u, own.y);
    propose(i, own.y, own.u);
    std::copy_n(residuals_.data() + k * (n_ + m_), n_ + m_, r_.data());
    add_point_tangent(stage, own.y, own.data);
    add_start_tangent(du);
    correct(du);
  }
}

void RosenbrockStep::add_start_tangent(const Node& u) {
  std::copy_n(u.q, 2 * n_, z_.data());
  std::fill(z_.begin() + static_cast<std::ptrdiff_t>(2 * n_), z_.end(), 0.0);
  base_.negative_partials(z_.data(), 1, minus_.data());
  add(r_.data(), -1, minus_.data(), n_ + m_);
}

void RosenbrockStep::add_point_tangent(const Dynamics& at, const Node& dy, const double* data) {
  std::copy_n(dy.q, 2 * n_, z_.data());
  std::copy_n(data, data_count_, z_.data() + 2 * n_);
  at.negative_partials(z_.data(), 1, minus_.data());
  add(r_.data(), -1, minus_.data(), n_ + m_);
  const system::Workspace& blocks = at.workspace();
  double* low = r_.data() + n_;
  system_->nn().multiply(blocks.mass.data(), dy.a, r_.data());
  system_->mn().multiply_transposed(blocks.jacobian.data(), dy.lambda, r_.data());
  system_->mn().multiply(blocks.jacobian.data(), dy.a, low, law().acceleration);
  add(low, -law().compliance, dy.lambda, m_);
}

void RosenbrockStep::linearize(const RosenbrockScheme& scheme, double h, const Node& start, std::span<const Node> u) {
  set(scheme, h, start, u);
  factor();
  while (stages_.size() < u.size()) stages_.push_back(std::make_unique<Dynamics>(system_, data_, formulation_));
  for (int i = 0; i < scheme.stages; ++i) {
    const Node& y = values_[static_cast<std::size_t>(i)];
    place(i, start_, u, y);
    Dynamics& stage = *stages_[static_cast<std::size_t>(i)];
    stage.evaluate(y.t, y.q, y.v);
    stage.linearize(y.t, y.q, y.v, y.a, y.lambda, true, false);
  }
}

void RosenbrockStep::adjoint(const AdjointNode& start, std::span<const AdjointNode> u) {
  residuals_.resize(u_.size() * (n_ + m_));
  directions_.clear();
  for (int i = scheme_->stages; i-- > 0;) adjoint_stage(i, start, u);
  system::PointGradient gradient{start.z, start.z + n_, start.a, start.lambda, start.z + 2 * n_, 0};
  products_.add_gradient(kinematics(start_), *data_, law(), residuals_.data(), directions_, gradient);
}

void RosenbrockStep::adjoint_stage(int i, const AdjointNode& start, std::span<const AdjointNode> u) {
  const auto at = static_cast<std::size_t>(i);
  const AdjointNode& own = u[at];
  adjoint_correction(own);
  adjoint_of_start(i, own);
  adjoint_of_values(i, start, own);
  const double *yq = y_adjoint_.data(), *ya = yq + 2 * n_, *yl = ya + n_;
  for (int j = 0; j < i; ++j) {
    const AdjointNode& other = u[static_cast<std::size_t>(j)];
    const double weight = scheme_->stage_weight(i, j);
    add(other.z, scheme_->gamma * scheme_->rate_weight(i, j), own.z, 2 * n_);
    add(other.z, weight, yq, 2 * n_);
    add(other.a, weight, ya, n_);
    add(other.lambda, weight, yl, m_);
  }
  add(start.z, 1, yq, 2 * n_);
  add(start.a, 1, ya, n_);
  add(start.lambda, 1, yl, m_);
}

void RosenbrockStep::adjoint_correction(const AdjointNode& own) {
  const double *uq = own.z, *uv = own.z + n_;
  double* w = r_.data();
  for (std::size_t k = 0; k < n_; ++k) w[k] = own.a[k] + eta_ * uv[k] + eta_ * eta_ * uq[k];
  std::copy_n(own.lambda, m_, w + n_);
  base_.solve_transposed(w);
  for (std::size_t k = 0; k < minus_.size(); ++k) minus_[k] = -w[k];
}

void RosenbrockStep::adjoint_of_start(int i, const AdjointNode& own) {
  double *uq = own.z, *uv = own.z + n_;
  std::fill(z_.begin(), z_.end(), 0.0);
  base_.subtract_partials_transposed(r_.data(), z_.data());  // what it leaves for the data does not belong here
  for (std::size_t k = 0; k < n_; ++k) {
    uq[k] += z_[k];
    uv[k] += z_[n_ + k] + eta_ * uq[k];
  }
  const Node& x = u_[static_cast<std::size_t>(i)];
  std::copy_n(minus_.data(), n_ + m_, residuals_.data() + directions_.size() * (n_ + m_));
  directions_.push_back({x.q, x.v, x.a, x.lambda, nullptr, h_ * scheme_->of_time[static_cast<std::size_t>(i)]});
}

void RosenbrockStep::adjoint_of_values(int i, const AdjointNode& start, const AdjointNode& own) {
  const Dynamics& stage = *stages_[static_cast<std::size_t>(i)];
  std::fill(z_.begin(), z_.end(), 0.0);
  stage.subtract_partials_transposed(r_.data(), z_.data());
  add(start.z + 2 * n_, 1, z_.data() + 2 * n_, data_count_);
  double *yq = y_adjoint_.data(), *yv = yq + n_, *ya = yv + n_, *yl = ya + n_;
  std::copy_n(z_.data(), 2 * n_, yq);
  const double *uq = own.z, *uv = own.z + n_;
  for (std::size_t k = 0; k < n_; ++k) {
    yv[k] += eta_ * uq[k];
    ya[k] = eta_ * uv[k];
  }
  stage.apply_mass_transposed(minus_.data(), ya);
  for (std::size_t k = 0; k < m_; ++k) yl[k] = -law().compliance * minus_[n_ + k];
  system_->mn().multiply(stage.workspace().jacobian.data(), minus_.data(), yl);
}

}  // namespace perilune::formulation
