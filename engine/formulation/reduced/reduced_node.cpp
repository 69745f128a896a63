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
  all_.set_split(*partition_);
  of_positions_.reset();
  if (partition_->of_positions) of_positions_.emplace().set_split(*partition_->of_positions);
  if (system().nr().size() == 0) return;
  left_.emplace(m());
  place_.assign(static_cast<std::size_t>(n()), 0);
  int next = 0;
  for (const int i : partition_->dependent) place_[static_cast<std::size_t>(i)] = next++;
  next = 0;
  for (const int i : partition_->independent) place_[static_cast<std::size_t>(i)] = -1 - next++;
}

void ReducedNode::add_pivoting(std::vector<linalg::Pivoting>& to) {
  to.push_back(all_.pivoting());
  if (system().constrains_velocities()) to.push_back(positions().pivoting());
}

void ReducedNode::set_pivoting(std::span<const linalg::Pivoting> kept) {
  all_.set_pivoting(kept.front());
  if (of_positions_) of_positions_->set_pivoting(kept.back());
}

double* ReducedNode::room(std::vector<double>& of, int rows, int count) const {
  of.resize(std::max(of.size(), static_cast<std::size_t>(rows * count)));
  return of.data();
}

bool ReducedNode::try_factor() {
  const auto jacobian = dynamics_.workspace().jacobian;
  return all_.try_factor(jacobian) && (!of_positions_ || of_positions_->try_factor(jacobian));
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
  positions().solve(step);
  double size = 0;
  for (const int i : positions().split().dependent) {
    x.q[i] -= *step;
    if (!(std::abs(*step) < 1e300)) return std::numeric_limits<double>::infinity();
    size = std::max(size, std::abs(*step++));
  }
  return size;
}

void ReducedNode::check_left_out(const Node& x, double size, const double* taken) const {
  constexpr double allowed = 1e-8;  // relative; assembly closes constraints to 1e-10 at worst
  const auto by_size = [](double a, double b) { return std::abs(a) < std::abs(b); };
  const system::Workspace& w = dynamics_.workspace();
  const std::vector<int>& start = system().mn().row_start();
  for (const int row : partition_->left_out) {
    const bool of_positions = !system().is_velocity_row(row);
    double square = 0;
    double open = of_positions ? w.phi[static_cast<std::size_t>(row)] : w.phi_rate[static_cast<std::size_t>(row)];
    for (int k = start[static_cast<std::size_t>(row)]; k < start[static_cast<std::size_t>(row) + 1]; ++k) {
      const double slope = w.jacobian[static_cast<std::size_t>(k)];
      square += slope * slope;
      if (!of_positions) open -= slope * taken[system().mn().column()[static_cast<std::size_t>(k)]];
    }
    const double reach = of_positions ? size : *std::max_element(x.v, x.v + n(), by_size);
    if (std::abs(open) <= allowed * std::sqrt(square) * std::max(1.0, std::abs(reach))) continue;
    throw NumericalError(at_time(x.t) + "the constraint of " + system().describe_constraint(row) +
                         ", followed from the others at the start and does so no more: it contradicts them, or it was "
                         "redundant in one position only; start elsewhere, or leave one of them out");
  }
}

void ReducedNode::complete(const Node& x, Effort& effort) {
  if (!all_.exist()) return;
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
  double* step = one_.data();
  std::copy_n(dynamics_.workspace().phi_rate.data(), m(), step);
  all_.solve(step);
  double* change = room(full_, n(), 1);
  all_.spread(1, step, n(), change);
  for (const int i : partition_->dependent) x.v[i] -= change[i];
  check_left_out(x, size, change);
}

void ReducedNode::find_slopes() {
  const auto jacobian = dynamics_.workspace().jacobian;
  all_.find_slopes(jacobian);
  if (of_positions_) of_positions_->find_slopes(jacobian);
}

double ReducedNode::largest_slope() const {
  return of_positions_ ? std::max(all_.largest_slope(), of_positions_->largest_slope()) : all_.largest_slope();
}

void ReducedNode::find_left_slopes(const Node& x) {
  if (!has_left_slopes()) return;
  const int length = linalg::DenseLu::row_length(m());
  left_matrix_.assign(static_cast<std::size_t>(m()) * static_cast<std::size_t>(length), 0.0);
  left_slopes_.assign(static_cast<std::size_t>(m()) * static_cast<std::size_t>(d()), 0.0);
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
    all_.solve_transposed(x);
  }
}

void ReducedNode::solve_multipliers_transposed(double* x) {
  if (has_left_slopes()) {
    left_->solve(x);
  } else {
    all_.solve(x);
  }
}

void ReducedNode::complete_accelerations(const Node& x) {
  if (!all_.exist()) return;
  const system::Workspace& w = dynamics_.workspace();
  double* dependent = one_.data();
  for (int i : partition_->dependent) x.a[i] = 0;
  for (int i = 0; i < m(); ++i) dependent[i] = -w.phi_bias[static_cast<std::size_t>(i)];
  system().mn().multiply(w.jacobian.data(), x.a, dependent, -1);
  all_.solve(dependent);
  for (const int i : partition_->dependent) x.a[i] = *dependent++;
}

void ReducedNode::settle(const Node& x, double* residual) {
  complete_accelerations(x);
  double* r = one_.data();
  if (has_left_slopes()) {
    settle_multipliers(x, r);
  } else {
    if (system().is_implicit() && !is_metric_) dynamics_.evaluate_again(x.t, x.q, x.v, x.a, x.lambda);
    system().residual(dynamics_.workspace(), x.a, nullptr, r);
    if (all_.exist()) {
      find_multipliers(r, x.lambda);
      system().mn().multiply_transposed(dynamics_.workspace().jacobian.data(), x.lambda, r);
    }
  }
  for (int k = 0; k < d(); ++k) residual[k] = r[partition_->independent[static_cast<std::size_t>(k)]];
}

void ReducedNode::find_multipliers(const double* r, double* lambda) {
  all_.gather(1, r, lambda);
  for (int i = 0; i < m(); ++i) lambda[i] = -lambda[i];
  all_.solve_transposed(lambda);
}

bool ReducedNode::follow_loads(const Node& x, double* r) {
  if (!dynamics_.spans_loads()) return false;
  system().residual(dynamics_.workspace(), x.a, nullptr, r);
  step_.resize(static_cast<std::size_t>(m()));
  find_multipliers(r, step_.data());
  const auto solve_for_multipliers = [this](double* fg) {
    all_.gather(1, fg, fg + n());
    all_.solve_transposed(fg + n());
    std::fill_n(fg, n(), 0.0);
  };
  if (!dynamics_.follow_loads_of(partition_->dependent, x.t, x.q, x.v, x.a, x.lambda, step_.data(), r,
                                 solve_for_multipliers)) {
    return false;
  }
  std::copy(step_.begin(), step_.end(), x.lambda);
  return true;
}

void ReducedNode::settle_multipliers(const Node& x, double* r) {
  if (follow_loads(x, r)) return;
  ImplicitNewton newton(x.t, system());
  for (bool is_solved = false;;) {
    dynamics_.evaluate_again(x.t, x.q, x.v, x.a, x.lambda);
    system().residual(dynamics_.workspace(), x.a, x.lambda, r);
    if (is_solved) return;
    if (newton.is_slow()) find_left_slopes(x);
    step_.assign(static_cast<std::size_t>(m()), 0.0);
    // Its dependent rows alone are to vanish.
    full_.assign(static_cast<std::size_t>(n()), 0.0);
    for (const int i : partition_->dependent) full_[static_cast<std::size_t>(i)] = r[i];
    newton.judge(dynamics_.workspace(), full_.data(), x.a);
    all_.gather(1, r, step_.data());
    solve_multipliers(step_.data());
    is_solved = newton.correct(step_.data(), nullptr, x.lambda);
  }
}

void ReducedNode::add_rolling_rows(int count, const double* x, std::vector<double>& out) const {
  double* to = out.data() + d() * count;
  for (const int i : rolling()) {
    for (int c = 0; c < count; ++c) *to++ = -x[i * count + c];
  }
}

void ReducedNode::reduce_mass() {
  const int count = d();
  double* r = room(full_, n(), count);
  double* product = room(other_, n(), count);
  all_.write_r(r);
  std::fill_n(product, n() * count, 0.0);
  system().nn().subtract_product(inertia().data(), r, product, count);
  mass_.assign(static_cast<std::size_t>(p()) * static_cast<std::size_t>(count), 0.0);
  all_.add_reduced(left_slopes(), count, product, mass_.data());
  for (double& x : mass_) x = -x;
  add_rolling_rows(count, r, mass_);
}

void ReducedNode::reduce_rates() {
  const system::Workspace& w = dynamics_.workspace();
  const int moving = p(), size = n() * moving;
  double* r = room(full_, 3 * n(), moving);  // R, R', R'' of what moves positions
  double *rate = r + size, *acceleration = rate + size;
  double* product = room(other_, n(), moving);
  double* low = room(low_, m(), moving);
  positions().write_r(r);
  auto add = [&](const linalg::SparsePattern& pattern, std::span<const double> values, const double* x, double* out,
                 int count) { pattern.subtract_product(values.data(), x, out, count); };
  auto solve_and_spread = [&](int count, double* out) {
    if (all_.exist()) all_.solve_many(low, count);
    all_.spread(count, low, n(), out);
  };
  // (Phi'')_v is 2 (Phi')_q in the rows of positions.
  auto add_acceleration_by_velocity = [&](const double* x, int count) {
    if (system().constrains_velocities()) {
      add(system().mn(), by_velocity(), x, low, count);
      return;
    }
    add(system().mn(), w.jacobian_rate, x, low, count);
    for (int i = 0; i < m() * count; ++i) low[i] *= 2;
  };
  std::fill_n(low, m() * moving, 0.0);
  add(system().mn(), w.jacobian_rate, r, low, moving);
  solve_and_spread(moving, rate);
  slope_rates_.assign(low, low + m() * moving);
  std::fill_n(low, m() * moving, 0.0);
  add_acceleration_by_velocity(rate, moving);
  add(system().mn(), w.jacobian_acceleration, r, low, moving);
  solve_and_spread(moving, acceleration);

  auto reduce = [&](int count, std::vector<double>& out) {
    out.assign(static_cast<std::size_t>(moving) * static_cast<std::size_t>(count), 0.0);
    all_.add_reduced(left_slopes(), count, product, out.data());
    for (double& x : out) x = -x;
  };
  std::fill_n(product, size, 0.0);
  add(system().nn(), w.stiffness, r, product, moving);
  add(system().nn(), w.damping, rate, product, moving);
  add(system().nn(), inertia(), acceleration, product, moving);
  reduce(moving, stiffness_);
  add_rolling_rows(moving, acceleration, stiffness_);

  const int count = d();
  if (of_positions_) {
    all_.write_r(r);
    std::fill_n(low, m() * count, 0.0);
    add_acceleration_by_velocity(r, count);
    solve_and_spread(count, rate);  // 2 R' where nothing rolls
    std::fill_n(product, n() * count, 0.0);
    add(system().nn(), inertia(), rate, product, count);
  } else {
    std::fill_n(product, size, 0.0);
    add(system().nn(), inertia(), rate, product, count);
    for (int i = 0; i < size; ++i) product[i] *= 2;
  }
  add(system().nn(), w.damping, r, product, count);
  reduce(count, damping_);
  if (of_positions_) add_rolling_rows(count, rate, damping_);
}

std::span<const double> ReducedNode::by_velocity() {
  const system::Workspace& w = dynamics_.workspace();
  by_velocity_.assign(w.jacobian_rate.begin(), w.jacobian_rate.end());
  for (double& x : by_velocity_) x *= 2;
  system().for_velocity_entries(system().mn(), [&](std::size_t k) { by_velocity_[k] = w.acceleration_by_velocity[k]; });
  return by_velocity_;
}

}  // namespace perilune::formulation
