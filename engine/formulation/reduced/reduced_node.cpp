// SPDX-License-Identifier: MIT
#include "formulation/reduced/reduced_node.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "at_time.hpp"
#include "error.hpp"
#include "formulation/implicit_newton.hpp"
#include "formulation/step_failure.hpp"
#include "system/constraint_rank.hpp"

namespace perilune::formulation {

ReducedNode::ReducedNode(std::shared_ptr<const System> system, std::shared_ptr<const Data> data,
                         const Formulation& formulation)
    : dynamics_(std::move(system), std::move(data), formulation), one_(static_cast<std::size_t>(n() + m())) {}

void ReducedNode::set_partition(std::shared_ptr<const Partition> partition) {
  partition_ = std::move(partition);
  solver_.reset();
  if (partition_->layout) solver_.emplace(partition_->layout);
  const auto freedoms = static_cast<std::size_t>(d());
  slopes_.assign(static_cast<std::size_t>(m()) * freedoms, 0.0);
  slope_rates_ = slopes_;
  mass_.assign(freedoms * freedoms, 0.0);
  damping_ = stiffness_ = mass_;
  if (system().nr().size() == 0) return;
  left_.emplace(m());
  left_matrix_.assign(static_cast<std::size_t>(m() * linalg::DenseLu::row_length(m())), 0.0);
  left_slopes_ = slopes_;
  place_.assign(static_cast<std::size_t>(n()), 0);
  int next = 0;
  for (const int i : partition_->dependent) place_[static_cast<std::size_t>(i)] = next++;
  next = 0;
  for (const int i : partition_->independent) place_[static_cast<std::size_t>(i)] = -1 - next++;
}

double* ReducedNode::room(std::vector<double>& of, int rows, int count) const {
  of.resize(std::max(of.size(), static_cast<std::size_t>(rows * count)));
  return of.data();
}

bool ReducedNode::try_factor() {
  if (!solver_) return true;
  double* values = solver_->values();
  std::fill_n(values, solver_->value_count(), 0.0);
  const auto jacobian = dynamics_.workspace().jacobian;
  for (const auto& [from, to] : partition_->to_factor) values[to] = jacobian[from];
  for (const int to : partition_->ones) values[to] = 1;
  return solver_->factor();
}

void ReducedNode::factor(const Node& x) {
  if (!try_factor()) {
    fail(x,
         "the constraints cannot be solved for the dependent coordinates: a singular position, or a step in which "
         "the mechanism turns too far");
  }
}

void ReducedNode::fail(const Node& x, const char* why) const {
  const system::Kinematics at{x.t, x.q, x.v, nullptr, nullptr};
  const auto left_out = static_cast<int>(partition_ ? partition_->left_out.size() : 0);
  if (!system().explain_failure(at, dynamics_.data()).empty() ||
      system::constraint_rank(system(), dynamics_.workspace()).rank() < m() - left_out) {
    dynamics_.fail(x.t, x.q, x.v);
  }
  throw StepFailure(at_time(x.t) + why);
}

double ReducedNode::correct_positions(const Node& x) {
  double* step = one_.data();
  std::copy_n(dynamics_.workspace().phi.data(), m(), step);
  solver_->solve(step);
  double size = 0;
  for (const int i : partition_->dependent) {
    x.q[i] -= *step;
    if (!(std::abs(*step) < 1e300)) return std::numeric_limits<double>::infinity();
    size = std::max(size, std::abs(*step++));
  }
  return size;
}

void ReducedNode::check_left_out(const Node& x, double size) const {
  constexpr double allowed = 1e-8;  // relative; assembly closes constraints to 1e-10 at worst
  const system::Workspace& w = dynamics_.workspace();
  const std::vector<int>& start = system().mn().row_start();
  for (const int row : partition_->left_out) {
    double square = 0;
    for (int k = start[static_cast<std::size_t>(row)]; k < start[static_cast<std::size_t>(row) + 1]; ++k) {
      square += w.jacobian[static_cast<std::size_t>(k)] * w.jacobian[static_cast<std::size_t>(k)];
    }
    if (std::abs(w.phi[static_cast<std::size_t>(row)]) <= allowed * std::sqrt(square) * std::max(1.0, size)) continue;
    throw NumericalError(at_time(x.t) + "the constraint of " + system().describe_constraint(row) +
                         ", followed from the others at the start and does so no more: it contradicts them, or it was "
                         "redundant in one position only; start elsewhere, or leave one of them out");
  }
}

void ReducedNode::complete(const Node& x, Effort& effort) {
  if (!solver_) return;
  auto evaluate = [&] {
    dynamics_.evaluate_constraints(x.t, x.q, x.v);
    factor(x);
    ++effort.evaluations;
    ++effort.factorizations;
  };
  constexpr int max_iterations = 25;
  constexpr double least_size = 1e-3;  // m: coordinates may be zero where the parts between them are not
  double before = 0, size = 0;         // the correction before the last; the largest coordinate
  for (int iteration = 1;; ++iteration) {
    evaluate();
    const double correction = correct_positions(x);
    size = 0;
    for (int i = 0; i < n(); ++i) size = std::max(size, std::abs(x.q[i]));
    constexpr double rounding = 1e-16;
    if (correction <= 4 * rounding * size) break;
    // Corrections decrease quadratically; the next one would be this large. Near rounding they stop decreasing.
    const double ratio = correction / before;
    if (iteration > 1 && ratio * ratio * correction <= rounding * size) break;
    if (iteration > 2 && ratio > 0.5 && correction <= 1e-10 * std::max(size, least_size)) break;
    if (iteration == max_iterations || !std::isfinite(correction)) {
      fail(x, "no positions satisfy the constraints near those proposed: Newton's method did not converge");
    }
    before = correction;
  }
  evaluate();
  check_left_out(x, size);
  double* step = one_.data();
  std::copy_n(dynamics_.workspace().phi_rate.data(), m(), step);
  solver_->solve(step);
  for (const int i : partition_->dependent) x.v[i] -= *step++;
}

void ReducedNode::find_slopes() {
  std::fill(slopes_.begin(), slopes_.end(), 0.0);
  if (!solver_ || d() == 0) return;
  const auto jacobian = dynamics_.workspace().jacobian;
  for (const Partition::Entry& entry : partition_->independent_entries) {
    slopes_[static_cast<std::size_t>(entry.row * d() + entry.column)] = jacobian[entry.from];
  }
  solver_->solve_many(slopes_.data(), d());
}

void ReducedNode::find_left_slopes(const Node& x) {
  if (!has_left_slopes()) return;
  const int length = linalg::DenseLu::row_length(m());
  std::fill(left_matrix_.begin(), left_matrix_.end(), 0.0);
  std::fill(left_slopes_.begin(), left_slopes_.end(), 0.0);
  auto add = [&](int constraint, int coordinate, double value) {
    const int place = place_[static_cast<std::size_t>(coordinate)];
    if (place >= 0) {
      left_matrix_[static_cast<std::size_t>(constraint * length + place)] += value;
    } else {
      left_slopes_[static_cast<std::size_t>(constraint * d() - 1 - place)] += value;
    }
  };
  const system::Workspace& w = dynamics_.workspace();
  std::size_t k = 0;
  system().mn().for_each([&](int i, int j) { add(i, j, w.jacobian[k++]); });
  k = 0;
  system().nr().for_each([&](int i, int j) { add(j, i, w.force_multiplier[k++]); });
  auto column = static_cast<int>(partition_->dependent.size());
  for (const int row : partition_->left_out) left_matrix_[static_cast<std::size_t>(row * length + column++)] = 1;
  if (left_->factor(left_matrix_.data()) >= 0) dynamics_.fail(x.t, x.q, x.v);
  std::vector<double>& one = left_column_;
  one.resize(static_cast<std::size_t>(m()));
  for (int c = 0; c < d(); ++c) {
    for (int i = 0; i < m(); ++i)
      one[static_cast<std::size_t>(i)] = left_slopes_[static_cast<std::size_t>(i * d() + c)];
    left_->solve(one.data());
    for (int i = 0; i < m(); ++i)
      left_slopes_[static_cast<std::size_t>(i * d() + c)] = one[static_cast<std::size_t>(i)];
  }
}

void ReducedNode::solve_multipliers(double* x) {
  if (has_left_slopes()) {
    left_->solve_transposed(x);
  } else {
    solver_->solve_transposed(x);
  }
}

void ReducedNode::solve_multipliers_transposed(double* x) {
  if (has_left_slopes()) {
    left_->solve(x);
  } else {
    solver_->solve(x);
  }
}

double ReducedNode::largest_slope() const {
  double largest = 0;
  for (double g : slopes_) largest = std::max(largest, std::abs(g));
  return largest;
}

void ReducedNode::complete_accelerations(const Node& x) {
  if (!solver_) return;
  const system::Workspace& w = dynamics_.workspace();
  double* dependent = one_.data();
  for (int i : partition_->dependent) x.a[i] = 0;
  for (int i = 0; i < m(); ++i) dependent[i] = -w.phi_bias[static_cast<std::size_t>(i)];
  system().mn().multiply(w.jacobian.data(), x.a, dependent, -1);
  solver_->solve(dependent);
  for (const int i : partition_->dependent) x.a[i] = *dependent++;
}

void ReducedNode::settle(const Node& x, double* residual) {
  complete_accelerations(x);
  double* r = one_.data();
  if (system().is_implicit() && !is_metric_) dynamics_.evaluate(x.t, x.q, x.v, x.a, x.lambda);
  if (has_left_slopes()) {
    settle_multipliers(x, r);
  } else {
    system().residual(dynamics_.workspace(), x.a, nullptr, r);
    if (solver_) {
      gather_dependent(1, r, x.lambda);
      for (int i = 0; i < m(); ++i) x.lambda[i] = -x.lambda[i];
      solver_->solve_transposed(x.lambda);
      system().mn().multiply_transposed(dynamics_.workspace().jacobian.data(), x.lambda, r);
    }
  }
  for (int k = 0; k < d(); ++k) residual[k] = r[partition_->independent[static_cast<std::size_t>(k)]];
}

void ReducedNode::settle_multipliers(const Node& x, double* r) {
  ImplicitNewton newton(x.t, system());
  for (bool is_solved = false;;) {
    dynamics_.evaluate(x.t, x.q, x.v, x.a, x.lambda);
    find_left_slopes(x);
    system().residual(dynamics_.workspace(), x.a, x.lambda, r);
    if (is_solved) return;
    step_.assign(static_cast<std::size_t>(m()), 0.0);
    // Its dependent rows alone are to vanish.
    full_.assign(static_cast<std::size_t>(n()), 0.0);
    for (const int i : partition_->dependent) full_[static_cast<std::size_t>(i)] = r[i];
    newton.judge(dynamics_.workspace(), full_.data(), x.a);
    gather_dependent(1, r, step_.data());
    solve_multipliers(step_.data());
    is_solved = newton.correct(step_.data(), nullptr, x.lambda);
  }
}

void ReducedNode::gather_dependent(int count, const double* x, double* out) const {
  for (int i : partition_->dependent) {
    std::copy_n(x + i * count, count, out);
    out += count;
  }
  std::fill_n(out, static_cast<int>(partition_->left_out.size()) * count, 0.0);
}

void ReducedNode::add_reduced(const std::vector<double>& slopes, int count, const double* x, double* out) const {
  for (int k = 0; k < d(); ++k) {
    const double* own = x + partition_->independent[static_cast<std::size_t>(k)] * count;
    for (int c = 0; c < count; ++c) out[k * count + c] += own[c];
  }
  const double* slope = slopes.data();
  for (int i : partition_->dependent) {
    const double* from = x + i * count;
    for (int k = 0; k < d(); ++k) {
      const double g = *slope++;
      if (g == 0) continue;  // chains have many
      for (int c = 0; c < count; ++c) out[k * count + c] -= g * from[c];
    }
  }
}

void ReducedNode::expand(const std::vector<double>& slopes, int count, const double* z, double* x) const {
  for (int k = 0; k < d(); ++k) {
    std::copy_n(z + k * count, count, x + partition_->independent[static_cast<std::size_t>(k)] * count);
  }
  const double* slope = slopes.data();
  for (int i : partition_->dependent) {
    double* to = x + i * count;
    std::fill_n(to, count, 0.0);
    for (int k = 0; k < d(); ++k) {
      const double g = *slope++;
      for (int c = 0; c < count; ++c) to[c] -= g * z[k * count + c];
    }
  }
}

void ReducedNode::write_r(double* r) const {
  for (int k = 0; k < d(); ++k) {
    double* own = r + partition_->independent[static_cast<std::size_t>(k)] * d();
    std::fill_n(own, d(), 0.0);
    own[k] = 1;
  }
  const double* slope = slopes_.data();
  for (const int i : partition_->dependent) {
    for (int k = 0; k < d(); ++k) r[i * d() + k] = -*slope++;
  }
}

void ReducedNode::reduce_mass() {
  const int count = d();
  double* r = room(full_, n(), count);
  double* product = room(other_, n(), count);
  write_r(r);
  std::fill_n(product, n() * count, 0.0);
  system().nn().subtract_product(inertia().data(), r, product, count);
  std::fill(mass_.begin(), mass_.end(), 0.0);
  add_reduced(left_slopes(), count, product, mass_.data());
  for (double& x : mass_) x = -x;
}

void ReducedNode::reduce_rates() {
  const system::Workspace& w = dynamics_.workspace();
  const int count = d(), size = n() * count;
  double* r = room(full_, 3 * n(), count);  // R, R', R''
  double *rate = r + size, *acceleration = rate + size;
  double* product = room(other_, n(), count);
  double* low = room(low_, m(), count);
  write_r(r);

  auto spread = [&](double* out) {  // to the dependent rows
    std::fill_n(out, size, 0.0);
    const double* from = low;
    for (const int i : partition_->dependent) {
      std::copy_n(from, count, out + i * count);
      from += count;
    }
  };
  auto add = [&](const linalg::SparsePattern& pattern, std::span<const double> values, const double* x, double* out) {
    pattern.subtract_product(values.data(), x, out, count);
  };
  std::fill_n(low, m() * count, 0.0);
  add(system().mn(), w.jacobian_rate, r, low);
  if (solver_) solver_->solve_many(low, count);
  std::copy_n(low, m() * count, slope_rates_.data());
  spread(rate);
  std::fill_n(low, m() * count, 0.0);
  add(system().mn(), w.jacobian_rate, rate, low);
  for (int i = 0; i < m() * count; ++i) low[i] *= 2;
  add(system().mn(), w.jacobian_acceleration, r, low);
  if (solver_) solver_->solve_many(low, count);
  spread(acceleration);

  auto reduce = [&](std::vector<double>& out) {
    std::fill(out.begin(), out.end(), 0.0);
    add_reduced(left_slopes(), count, product, out.data());
    for (double& x : out) x = -x;
  };
  std::fill_n(product, size, 0.0);
  add(system().nn(), w.stiffness, r, product);
  add(system().nn(), w.damping, rate, product);
  add(system().nn(), inertia(), acceleration, product);
  reduce(stiffness_);
  std::fill_n(product, size, 0.0);
  add(system().nn(), inertia(), rate, product);
  for (int i = 0; i < size; ++i) product[i] *= 2;
  add(system().nn(), w.damping, r, product);
  reduce(damping_);
}

}  // namespace perilune::formulation
