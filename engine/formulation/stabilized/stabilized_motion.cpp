// SPDX-License-Identifier: MIT
#include "formulation/stabilized/stabilized_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "formulation/step_failure.hpp"

namespace perilune::formulation {

namespace {

bool is_finite(std::span<const double> x) {
  return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace

StabilizedMotion::StabilizedMotion(std::shared_ptr<const System> system, std::shared_ptr<const Data> data)
    : system_(std::move(system)), data_(std::move(data)), dynamics_(system_, data_, StabilizedIndex1{}) {}

void StabilizedMotion::prepare(int group_size) {
  const auto size = static_cast<std::size_t>(group_size);
  while (nodes_.size() < size) nodes_.push_back(std::make_unique<StabilizedEquations>(system_, data_));
  if (matrices_.size() <= size) matrices_.resize(size + 1);
  if (!matrices_[size]) matrices_[size] = std::make_unique<StabilizedMatrix>(*system_, group_size);
  base_.resize(std::max(base_.size(), 2 * size * coordinates()));
  x_.resize(std::max(x_.size(), size * unknowns()));
}

Memory StabilizedMotion::memory() {
  Memory out{nullptr, 0, {dynamics_.pivoting()}};
  for (std::size_t size = 1; size < matrices_.size(); ++size) {
    out.pivoting.push_back(matrices_[size] ? matrices_[size]->pivoting() : linalg::Pivoting());
  }
  return out;
}

void StabilizedMotion::set_memory(const Memory& memory) {
  dynamics_.set_pivoting(memory.pivoting[0]);
  for (std::size_t size = 1; size < std::max(matrices_.size(), memory.pivoting.size()); ++size) {
    const bool is_known = size < memory.pivoting.size();
    const linalg::Pivoting kept = is_known ? memory.pivoting[size] : linalg::Pivoting();
    if (kept != linalg::Pivoting()) prepare(static_cast<int>(size));
    if (size < matrices_.size() && matrices_[size]) matrices_[size]->set_pivoting(kept);
  }
}

void StabilizedMotion::point(const Node& x) {
  dynamics_.accelerations(x.t, x.q, x.v, x.a, x.lambda);
  std::copy_n(x.v, coordinates(), x.u);
  std::fill_n(x.mu, multipliers(), 0.0);
  ++effort_.evaluations;
  ++effort_.factorizations;
}

void StabilizedMotion::linearize_point(const Node& x, Here here, std::span<const double> factor) {
  if (here == Here::Just) {
    dynamics_.linearize(x.t, x.q, x.v, x.a, x.lambda, true, false);
  } else {
    dynamics_.linearize_again(x.t, x.q, x.v, x.a, x.lambda, factor);
  }
}

void StabilizedMotion::tangent_point(int count, const TangentNode& y) {
  dynamics_.tangent(y.z, count, y.x);
  const std::size_t half = coordinates() * static_cast<std::size_t>(count);
  std::copy_n(y.z + half, half, y.u);
  std::fill_n(y.mu, multipliers() * static_cast<std::size_t>(count), 0.0);
}

void StabilizedMotion::adjoint_point(const AdjointNode& y) {
  for (std::size_t k = 0; k < coordinates(); ++k) y.z[coordinates() + k] += y.u[k];
  dynamics_.adjoint(y.a, y.lambda, y.z);
}

void StabilizedMotion::factor_group(const Coupling& coupling, std::span<const Node> x, bool with_data) {
  for (std::size_t i = 0; i < x.size(); ++i) nodes_[i]->linearize(x[i], with_data);
  ++effort_.jacobians;
  ++effort_.factorizations;
  matrix(coupling).factor(coupling, nodes_, x.back().t);
}

double StabilizedMotion::correct(const Coupling& coupling, std::span<const Node> x) const {
  const std::size_t n = coordinates(), m = multipliers();
  struct Change {
    double most = 0, size = 1;
    void apply(double& value, double step) {
      value -= step;
      most = std::abs(step) < 1e300 ? std::max(most, std::abs(step)) : std::numeric_limits<double>::infinity();
      size = std::max(size, std::abs(value));
    }
  };
  Change of_u, of_a;
  double size_of_q = 1;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double *du = x_.data() + i * unknowns(), *da = du + n, *dmu = da + n, *dlambda = dmu + m;
    for (std::size_t k = 0; k < n; ++k) {
      of_u.apply(x[i].u[k], du[k]);
      of_a.apply(x[i].a[k], da[k]);
      size_of_q = std::max(size_of_q, std::abs(x[i].q[k]));
    }
    for (std::size_t k = 0; k < m; ++k) {
      x[i].mu[k] -= dmu[k];
      x[i].lambda[k] -= dlambda[k];
    }
  }
  // Rates that follow from what they change within the step feel its rounding divided by h.
  constexpr double rounding = 1e-13;
  const bool is_rounding =
      coupling.h * of_a.most <= rounding * of_u.size && coupling.h * of_u.most <= rounding * size_of_q;
  return is_rounding ? 0 : std::max(of_a.most / of_a.size, of_u.most / of_u.size);
}

void StabilizedMotion::solve(const Coupling& coupling, std::span<const Node> x, double tolerance) {
  prepare(coupling.size);
  const std::size_t count = coordinates();
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::copy_n(x[i].q, count, base_.data() + 2 * count * i);
    std::copy_n(x[i].v, count, base_.data() + (2 * i + 1) * count);
    std::fill_n(x[i].u, count, 0.0);
  }
  place(coupling, base_.data(), count, x);
  for (const Node& node : x) std::copy_n(node.v, count, node.u);
  constexpr int max_iterations = 25;
  for (int iteration = 1;; ++iteration) {
    place(coupling, base_.data(), count, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      nodes_[i]->residual(x[i], coupling.h, x_.data() + i * unknowns());
      ++effort_.evaluations;
    }
    if (!is_finite(std::span(x_).first(x.size() * unknowns()))) {
      for (const Node& node : x) point(node);  // names the force
    }
    factor_group(coupling, x, false);
    matrix(coupling).solve(x_.data());
    const double correction = correct(coupling, x);
    ++effort_.newton_iterations;
    if (correction <= tolerance) break;
    if (iteration == max_iterations || !std::isfinite(correction)) {
      fail_newton(x.back().t, coupling.h, iteration, correction);
    }
  }
  place(coupling, base_.data(), count, x);
}

void StabilizedMotion::linearize_group(const Coupling& coupling, std::span<const Node> x) {
  prepare(coupling.size);
  for (std::size_t i = 0; i < x.size(); ++i) nodes_[i]->evaluate(x[i]);
  factor_group(coupling, x, true);
}

void StabilizedMotion::tangent_group(const Coupling& coupling, int count, std::span<const TangentNode> y) {
  const std::size_t half = coordinates() * static_cast<std::size_t>(count),
                    low = multipliers() * static_cast<std::size_t>(count), stride = 2 * (half + low);
  many_.resize(std::max(many_.size(), stride * y.size()));
  for (std::size_t i = 0; i < y.size(); ++i) {
    nodes_[i]->negative_partials(coupling.h, y[i].z, count, many_.data() + i * stride);
  }
  matrix(coupling).solve_many(many_.data(), count);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double* x = many_.data() + i * stride;
    std::copy_n(x, half, y[i].u);
    std::copy_n(x + half, half, y[i].x);
    std::copy_n(x + 2 * half, low, y[i].mu);
    std::copy_n(x + 2 * half + low, low, y[i].x + half);
  }
  for (int i = 0; i < coupling.size; ++i) {
    double* z = y[static_cast<std::size_t>(i)].z;
    for (int j = 0; j < coupling.size; ++j) {
      const double of_u = coupling.qu(i, j), of_a = coupling.va(i, j);
      const TangentNode& other = y[static_cast<std::size_t>(j)];
      for (std::size_t k = 0; k < half; ++k) {
        z[k] += of_u * other.u[k];
        z[half + k] += of_a * other.x[k];
      }
    }
  }
}

void StabilizedMotion::adjoint_group(const Coupling& coupling, std::span<const AdjointNode> y) {
  // The nodes' q and v follow from u, a and the proposals, which come with adjoints of their own; u, a, mu and lambda
  // follow from the residuals, and these from q, v and the data.
  const std::size_t n = coordinates(), m = multipliers();
  for (int j = 0; j < coupling.size; ++j) {
    const AdjointNode& node = y[static_cast<std::size_t>(j)];
    double* w = x_.data() + static_cast<std::size_t>(j) * unknowns();
    std::copy_n(node.u, n, w);
    std::copy_n(node.a, n, w + n);
    std::copy_n(node.mu, m, w + 2 * n);
    std::copy_n(node.lambda, m, w + 2 * n + m);
    for (int i = 0; i < coupling.size; ++i) {
      const double of_u = coupling.qu(i, j), of_a = coupling.va(i, j), *z = y[static_cast<std::size_t>(i)].z;
      for (std::size_t k = 0; k < n; ++k) {
        w[k] += of_u * z[k];
        w[n + k] += of_a * z[n + k];
      }
    }
  }
  matrix(coupling).solve_transposed(x_.data());
  for (std::size_t i = 0; i < y.size(); ++i) {
    nodes_[i]->subtract_partials_transposed(coupling.h, x_.data() + i * unknowns(), y[i].z);
  }
}

}  // namespace perilune::formulation
