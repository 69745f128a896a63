// SPDX-License-Identifier: MIT
#include "formulation/absolute/rosenbrock_step.hpp"

#include <algorithm>

#include "formulation/add.hpp"

namespace perilune::formulation {

RosenbrockStep::RosenbrockStep(std::shared_ptr<const System> system, std::shared_ptr<const Data> data,
                               const Formulation& formulation, const RosenbrockScheme& scheme, Effort& effort)
    : system_(std::move(system)),
      data_(std::move(data)),
      formulation_(formulation),
      effort_(effort),
      n_(static_cast<std::size_t>(system_->coordinate_count())),
      m_(static_cast<std::size_t>(system_->constraint_count())),
      data_count_(static_cast<std::size_t>(system_->data_count())),
      base_(system_, data_, formulation_),
      rates_(*system_),
      scheme_(&scheme),
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

void RosenbrockStep::set(double h, const Node& start, std::span<const Node> u) {
  h_ = h;
  eta_ = scheme_->gamma * h;
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
  base_.evaluate(start_.t, start_.q, start_.v, start_.a, start_.lambda);
  base_.linearize(start_.t, start_.q, start_.v, start_.a, start_.lambda, serves_derivatives(), false);
  base_.factor_shifted(eta_, start_.t);
  ++effort_.jacobians;
  ++effort_.factorizations;
}

bool RosenbrockStep::serves_derivatives() const { return stages_.size() + 1 >= values_.size(); }

void RosenbrockStep::serve_derivatives() {
  while (!serves_derivatives()) stages_.push_back(std::make_unique<Dynamics>(system_, data_, formulation_));
}

Dynamics& RosenbrockStep::stage(int i) {
  if (i == 0) return base_;
  return *stages_[std::min(static_cast<std::size_t>(i), stages_.size()) - 1];
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

void RosenbrockStep::check(int i, const Node& y, const Node& u) {
  double sum = 0;
  for (std::size_t k = 0; k < n_; ++k) sum += u.a[k] - u.a[k];  // 0, or NaN if any is not finite
  if (sum != 0) stage(i).fail(y.t, y.q, y.v);
}

void RosenbrockStep::solve(double h, const Node& start, std::span<const Node> u, double /*tolerance*/) {
  set(h, start, u);
  factor();
  std::fill(by_time_.begin(), by_time_.end(), 0.0);
  rates_.add_time_partial(kinematics(start_), *data_, law(), by_time_.data());
  for (int i = 0; i < scheme_->stages; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Node& y = values_[at];
    place(i, start_, u, y);
    stage(i).residual(y.t, y.q, y.v, y.a, y.lambda, r_.data());
    ++effort_.evaluations;
    propose(i, y, u);
    add_start_tangent(u[at]);
    add(r_.data(), h_ * scheme_->of_time[at], by_time_.data(), n_ + m_);
    correct(u[at]);
    check(i, y, u[at]);
  }
}

system::SecondOrder& RosenbrockStep::products() {
  if (!products_) products_.emplace(*system_);
  return *products_;
}

void RosenbrockStep::tangent(int count, const TangentNode& start, std::span<const TangentNode> u,
                             const double* by_length) {
  const std::size_t stages = u_.size(), unknowns = n_ + m_, size = 3 * n_ + m_ + data_count_;
  width_ = static_cast<std::size_t>(count);
  by_length_ = by_length;
  // Second derivatives take one direction after the other; the increments they belong to are known for all stages.
  direction_storage_.resize(width_ * size);
  residuals_.assign(stages * width_ * unknowns, 0.0);
  directions_.clear();
  for (std::size_t k = 0; k < width_; ++k) {
    double* own = direction_storage_.data() + k * size;
    for (std::size_t i = 0; i < 2 * n_; ++i) own[i] = start.z[i * width_ + k];
    for (std::size_t i = 0; i < unknowns; ++i) own[2 * n_ + i] = start.x[i * width_ + k];
    for (std::size_t i = 0; i < data_count_; ++i) own[size - data_count_ + i] = start.z[(2 * n_ + i) * width_ + k];
    directions_.push_back({own, own + n_, own + 2 * n_, own + 3 * n_, own + size - data_count_, 0});
  }
  for (std::size_t i = 0; i < stages; ++i) {
    const Node& x = u_[i];
    products().add_second(kinematics(start_), *data_, law(), directions_,
                          {x.q, x.v, x.a, x.lambda, nullptr, h_ * scheme_->of_time[i]},
                          residuals_.data() + i * width_ * unknowns);
  }
  y_z_.resize((2 * n_ + data_count_) * width_);
  y_x_.resize(unknowns * width_);
  u_z_.assign(y_z_.size(), 0.0);
  of_start_.resize(y_x_.size());
  std::copy_n(start.z + 2 * n_ * width_, data_count_ * width_, y_z_.data() + 2 * n_ * width_);
  if (!serves_derivatives()) {  // from the next step on the stages keep what they find
    serve_derivatives();
    for (int i = 0; i < scheme_->stages; ++i) {
      const Node& value = values_[static_cast<std::size_t>(i)];
      stage(i).evaluate(value.t, value.q, value.v, value.a, value.lambda);
    }
    linearize_stage(0);
  }
  for (std::size_t i = 0; i < stages; ++i) tangent_stage(static_cast<int>(i), start, u);
}

void RosenbrockStep::place_tangents(int i, const TangentNode& start, std::span<const TangentNode> u) {
  std::copy_n(start.z, 2 * n_ * width_, y_z_.data());
  std::copy_n(start.x, y_x_.size(), y_x_.data());
  for (int j = 0; j < i; ++j) {
    const double weight = scheme_->stage_weight(i, j);
    if (weight == 0) continue;
    add(y_z_.data(), weight, u[static_cast<std::size_t>(j)].z, 2 * n_ * width_);
    add(y_x_.data(), weight, u[static_cast<std::size_t>(j)].x, y_x_.size());
  }
}

void RosenbrockStep::propose_tangents(int i, std::span<const TangentNode> u) {
  const std::size_t half = n_ * width_;
  double *q = u[static_cast<std::size_t>(i)].z, *v = q + half;
  const double* rate = y_z_.data() + half;
  std::fill_n(q, half, 0.0);
  for (std::size_t k = 0; k < half; ++k) v[k] = eta_ * y_x_[k];
  for (int j = 0; j < i; ++j) {
    const double weight = scheme_->gamma * scheme_->rate_weight(i, j);
    if (weight != 0) add(q, weight, u[static_cast<std::size_t>(j)].z, 2 * half);
  }
  if (by_length_) add_length(i, q, v);
  for (std::size_t k = 0; k < half; ++k) q[k] += eta_ * (rate[k] + v[k]);
}

void RosenbrockStep::add_length(int i, double* q, double* v) const {
  const Node &y = values_[static_cast<std::size_t>(i)], &own = u_[static_cast<std::size_t>(i)];
  for (std::size_t k = 0; k < n_ * width_; ++k) {
    const std::size_t j = k / width_;
    const double of_eta = scheme_->gamma * by_length_[k % width_];
    v[k] += of_eta * (y.a[j] + own.a[j]);
    q[k] += of_eta * (y.v[j] + own.v[j]);
  }
}

void RosenbrockStep::move_times(int i, const TangentNode& start) {
  const int time = system_->time_datum();
  if (!by_length_ || time < 0) return;
  const std::size_t row = (2 * n_ + static_cast<std::size_t>(time)) * width_, at = static_cast<std::size_t>(i);
  for (std::size_t k = 0; k < width_; ++k) {
    y_z_[row + k] = start.z[row + k] + scheme_->time[at] * by_length_[k];
    u_z_[row + k] = scheme_->of_time[at] * by_length_[k];
  }
}

void RosenbrockStep::subtract_residuals(int i, double* x) {
  // By a and lambda of the stage's values.
  const std::size_t unknowns = n_ + m_;
  const system::Workspace& blocks = stage(i).workspace();
  const double *a = y_x_.data(), *lambda = a + n_ * width_, *entry = blocks.jacobian.data();
  double* low = x + n_ * width_;
  const double acceleration = law().acceleration;
  system_->nn().subtract_product(blocks.inertia.data(), a, x, static_cast<int>(width_));
  system_->nr().subtract_product(blocks.force_multiplier.data(), lambda, x, static_cast<int>(width_));
  system_->mn().for_each([&](int constraint, int coordinate) {
    const auto row = static_cast<std::size_t>(constraint) * width_,
               column = static_cast<std::size_t>(coordinate) * width_;
    for (std::size_t k = 0; k < width_; ++k) {
      x[column + k] -= *entry * lambda[row + k];
      low[row + k] -= acceleration * *entry * a[column + k];
    }
    ++entry;
  });
  add(low, law().compliance, lambda, m_ * width_);
  const double* second = residuals_.data() + static_cast<std::size_t>(i) * width_ * unknowns;
  for (std::size_t k = 0; k < width_; ++k, second += unknowns) {
    for (std::size_t j = 0; j < unknowns; ++j) x[j * width_ + k] -= second[j];
  }
}

void RosenbrockStep::tangent_stage(int i, const TangentNode& start, std::span<const TangentNode> u) {
  const auto at = static_cast<std::size_t>(i);
  const int count = static_cast<int>(width_);
  if (i > 0) linearize_stage(i);
  place_tangents(i, start, u);
  move_times(i, start);
  propose_tangents(i, u);
  double *q = u[at].z, *v = q + n_ * width_, *x = u[at].x;
  stage(i).negative_partials(y_z_.data(), count, x);
  subtract_residuals(i, x);
  std::copy_n(q, 2 * n_ * width_, u_z_.data());
  base_.negative_partials(u_z_.data(), count, of_start_.data());
  add(x, 1, of_start_.data(), of_start_.size());
  base_.solve_many(x, count);
  for (std::size_t k = 0; k < n_ * width_; ++k) {
    v[k] += eta_ * x[k];
    q[k] += eta_ * eta_ * x[k];
  }
}

void RosenbrockStep::add_start_tangent(const Node& u) {
  std::copy_n(u.q, 2 * n_, z_.data());
  std::fill(z_.begin() + static_cast<std::ptrdiff_t>(2 * n_), z_.end(), 0.0);
  base_.negative_partials(z_.data(), 1, minus_.data());
  add(r_.data(), -1, minus_.data(), n_ + m_);
}

void RosenbrockStep::linearize(double h, const Node& start, std::span<const Node> u) {
  set(h, start, u);
  serve_derivatives();
  factor();
  place(0, start_, u, values_.front());
  for (int i = 1; i < scheme_->stages; ++i) {
    const Node& y = values_[static_cast<std::size_t>(i)];
    place(i, start_, u, y);
    stage(i).evaluate(y.t, y.q, y.v, y.a, y.lambda);
    linearize_stage(i);
  }
}

void RosenbrockStep::linearize_stage(int i) {
  const Node& y = values_[static_cast<std::size_t>(i)];
  stage(i).linearize(y.t, y.q, y.v, y.a, y.lambda, true, false);
}

void RosenbrockStep::adjoint(const AdjointNode& start, std::span<const AdjointNode> u) {
  residuals_.resize(u_.size() * (n_ + m_));
  directions_.clear();
  for (int i = scheme_->stages; i-- > 0;) adjoint_stage(i, start, u);
  system::PointGradient gradient{start.z, start.z + n_, start.a, start.lambda, start.z + 2 * n_, 0};
  products().add_gradient(kinematics(start_), *data_, law(), residuals_.data(), directions_, gradient);
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
  const Dynamics& own_stage = stage(i);
  std::fill(z_.begin(), z_.end(), 0.0);
  own_stage.subtract_partials_transposed(r_.data(), z_.data());
  add(start.z + 2 * n_, 1, z_.data() + 2 * n_, data_count_);
  double *yq = y_adjoint_.data(), *yv = yq + n_, *ya = yv + n_, *yl = ya + n_;
  std::copy_n(z_.data(), 2 * n_, yq);
  const double *uq = own.z, *uv = own.z + n_;
  for (std::size_t k = 0; k < n_; ++k) {
    yv[k] += eta_ * uq[k];
    ya[k] = eta_ * uv[k];
  }
  own_stage.apply_mass_transposed(minus_.data(), ya);
  for (std::size_t k = 0; k < m_; ++k) yl[k] = -law().compliance * minus_[n_ + k];
  system_->mn().multiply(own_stage.workspace().jacobian.data(), minus_.data(), yl);
  system_->nr().multiply_transposed(own_stage.workspace().force_multiplier.data(), minus_.data(), yl);
}

}  // namespace perilune::formulation
