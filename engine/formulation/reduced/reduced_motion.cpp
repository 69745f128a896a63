// SPDX-License-Identifier: MIT
#include "formulation/reduced/reduced_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "formulation/implicit_newton.hpp"
#include "formulation/step_failure.hpp"
#include "system/constraint_rank.hpp"

namespace perilune::formulation {

namespace {

/// A dependent coordinate that moves this many times as fast as an independent one is reason to choose anew. The
/// equations of motion in a coordinate that comes to a standstill are unsmooth long before: on a crank given by x and
/// y, RK4 errs three times as much with 2 and twenty times as much with 3, which spare but few changes. A new choice
/// leaves 1.1 at most.
constexpr double largest_good_slope = 1.5;

}  // namespace

ReducedMotion::ReducedMotion(std::shared_ptr<const System> system, std::shared_ptr<const Data> data,
                             const Formulation& formulation)
    : system_(std::move(system)),
      data_(std::move(data)),
      formulation_(formulation),
      has_reduced_points_(properties(formulation).has_reduced_points),
      recursive_(system_, data_, std::holds_alternative<JointCoordinates>(formulation_)),
      ahead_(static_cast<std::size_t>(n())) {
  nodes_.push_back(std::make_unique<ReducedNode>(system_, data_, formulation_));
}

void ReducedMotion::prepare(int size) {
  const auto count = static_cast<std::size_t>(size), freedoms = static_cast<std::size_t>(p());
  while (nodes_.size() < count) {
    nodes_.push_back(std::make_unique<ReducedNode>(system_, data_, formulation_));
    if (partition_) nodes_.back()->set_partition(partition_);
  }
  auto enlarge = [](std::vector<double>& x, std::size_t least) { x.resize(std::max(x.size(), least)); };
  enlarge(base_, 2 * count * freedoms);
  enlarge(z_, count * freedoms);
  enlarge(residual_, count * freedoms);
  enlarge(dz_, count * freedoms);
  enlarge(dv_, count * freedoms);
  enlarge(pairs_, count * static_cast<std::size_t>(n() + m()));
}

void ReducedMotion::look_ahead(const Node& start, double time) {
  for (int i = 0; i < n(); ++i) ahead_[static_cast<std::size_t>(i)] = start.q[i] + time * start.v[i];
  node().dynamics().evaluate_constraints(start.t + time, ahead_.data(), start.v);
  ++effort_.evaluations;
}

void ReducedMotion::choose(const Node& start, double h) {
  if (Recursion* tree = recursive_.tree(start.q)) {
    if (choice_ && tree->serves(start)) return;
    if (auto found = tree->choose(start)) {
      set_choice(std::make_shared<const std::vector<int>>(std::move(*found)));
      return;
    }
    if (choice_) tree->set(*choice_);
  }
  // The choice comes from the middle of a step and is kept as long as it serves at the end of another.
  if (choice_) {
    look_ahead(start, h);
    ++effort_.factorizations;
    if (node().try_factor()) {
      node().find_slopes();
      if (node().largest_slope() <= largest_good_slope) return;
    }
  }
  Redundant redundant;
  const auto count = [&](const std::vector<int>& rows) {
    for (const int row : rows) ++(system_->is_velocity_row(row) ? redundant.of_velocities : redundant.of_positions);
  };
  if (choice_) {
    count(partition_->left_out);
  } else {  // the first choice, at the start: a run is not let begin where only the position makes rows dependent
    look_ahead(start, 0);
    const system::ConstraintRank found = system::constraint_rank(*system_, node().dynamics().workspace());
    for (const linalg::RowRank::Dependent& d : found.rows.dependent) count({d.row});
  }
  look_ahead(start, h / 2);
  const auto found = choose_independent(system_->mn(), node().dynamics().workspace().jacobian.data(),
                                        system_->velocity_rows(), redundant);
  if (!found) node().dynamics().fail(start.t, start.q, start.v);
  set_choice(std::make_shared<const std::vector<int>>(*found));
}

void ReducedMotion::set_choice(const Choice& choice) {
  const bool is_same = choice == choice_ || (choice && partition_ && *choice == partition_->choice);
  choice_ = choice;
  if (is_same || !choice) return;
  const int before = d(), moving = p();
  partition_ = std::make_shared<const Partition>(*system_, *choice);
  recursive_.set_choice(partition_->choice);
  for (const auto& each : nodes_) each->set_partition(partition_);
  if (d() != before || p() != moving) {
    lu_.clear();
    last_lu_ = nullptr;
  }
  prepare(1);
}

Memory ReducedMotion::memory() {
  Memory out{choice_, 0, {node().dynamics().pivoting()}};  // those of the other nodes are never used
  for (const auto& each : nodes_) each->add_pivoting(out.pivoting);
  return out;
}

void ReducedMotion::set_memory(const Memory& memory) {
  set_choice(memory.choice);
  const std::size_t each = node().pivoting_count(), known = (memory.pivoting.size() - 1) / each;
  prepare(static_cast<int>(known));
  node().dynamics().set_pivoting(memory.pivoting[0]);
  const std::vector<linalg::Pivoting> unknown(each);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i]->set_pivoting(i < known ? std::span(memory.pivoting).subspan(1 + i * each, each) : std::span(unknown));
  }
}

std::span<const double> ReducedMotion::factor_numbers() const {
  return is_by_slopes() || recursive_.found_last() ? std::span<const double>() : node().dynamics().factor_numbers();
}

void ReducedMotion::find_point(const Node& x, bool with_multipliers) {
  if (recursive_.find(x, node().dynamics(), with_multipliers)) {
    ++effort_.evaluations;
    return;
  }
  node().complete(x, effort_);
  ++effort_.evaluations;
  ++effort_.factorizations;
  is_on_the_way_ = false;
  if (!is_by_slopes()) {
    node().dynamics().accelerations(x.t, x.q, x.v, x.a, x.lambda);
    return;
  }
  solve_by_slopes(x);
  if (system_->is_implicit()) solve_implicitly(x);
}

void ReducedMotion::solve_by_slopes(const Node& x) {
  const ReducedNode::WithoutReading forces(node());
  // With z'' = 0 the residual is R^T (M S c - Q).
  node().dynamics().evaluate_metric(x.t, x.q, x.v);
  node().find_slopes();
  node().reduce_mass();
  factor_point(x);
  for (int i : node().independent()) x.a[i] = 0;
  node().settle(x, residual_.data());
  last_lu_->solve(residual_.data());
  double sum = 0;
  for (int k = 0; k < d(); ++k) {
    const double acceleration = -residual_[static_cast<std::size_t>(k)];
    x.a[node().independent()[static_cast<std::size_t>(k)]] = acceleration;
    sum += acceleration - acceleration;  // 0, or NaN if any is not finite
  }
  if (sum != 0) node().dynamics().fail(x.t, x.q, x.v);
  node().settle(x, residual_.data());
  for (int i = 0; i < n(); ++i) sum += x.a[i] - x.a[i];
  if (sum != 0) node().dynamics().fail(x.t, x.q, x.v);
}

void ReducedMotion::solve_implicitly(const Node& x) {
  const auto solve_without = [this](double* fg) {
    const ReducedNode::WithoutReading forces(node());
    node().reduce_force(1, fg, residual_.data());
    last_lu_->solve(residual_.data());
    node().solve_rest(1, residual_.data(), fg);
  };
  is_on_the_way_ = node().dynamics().follow_loads(x.t, x.q, x.v, x.a, x.lambda, solve_without);
  if (is_on_the_way_) return;
  ImplicitNewton newton(x.t, *system_);
  for (bool is_solved = false;;) {
    node().dynamics().evaluate_again(x.t, x.q, x.v, x.a, x.lambda);
    node().find_left_slopes(x);
    node().reduce_mass();
    factor_point(x);
    if (is_solved) return;  // with the matrices of the solution itself, which derivatives need
    double* step = pairs_.data();
    system_->residual(node().dynamics().workspace(), x.a, x.lambda, step);
    newton.judge(node().dynamics().workspace(), step, x.a);
    std::fill_n(step + n(), m(), 0.0);
    node().reduce_force(1, step, residual_.data());
    last_lu_->solve(residual_.data());
    node().solve_rest(1, residual_.data(), step);
    is_solved = newton.correct(step, x.a, x.lambda);
  }
}

linalg::DenseLu& ReducedMotion::dense(int number, int rows) {
  const auto k = static_cast<std::size_t>(number);
  if (lu_.size() <= k) lu_.resize(k + 1);
  if (!lu_[k]) lu_[k] = std::make_unique<linalg::DenseLu>(rows);
  const int numbers = rows * linalg::DenseLu::row_length(rows);
  matrix_.resize(std::max(matrix_.size(), static_cast<std::size_t>(numbers)));
  std::fill_n(matrix_.begin(), numbers, 0.0);
  return *lu_[k];
}

void ReducedMotion::factor_point(const Node& x) {
  const int block = d(), length = linalg::DenseLu::row_length(block);
  const double* mass = node().mass().data();
  linalg::DenseLu& lu = dense(0, block);
  for (int r = 0; r < block; ++r) std::copy_n(mass + r * block, block, matrix_.data() + r * length);
  factor(lu, true, {&x, 1});
}

void ReducedMotion::factor_group(const Coupling& coupling, std::span<const Node> x) {
  const int size = coupling.size, freedoms = d(), block = p(), rows = size * block,
            length = linalg::DenseLu::row_length(rows);
  linalg::DenseLu& lu = dense(size, rows);
  for (int i = 0; i < size; ++i) {
    const ReducedNode& own = *nodes_[static_cast<std::size_t>(i)];
    for (int j = 0; j < size; ++j) {
      const double of_v = coupling.va(i, j), of_q = coupling.q_total(i, j);
      const double *damping = own.damping().data(), *stiffness = own.stiffness().data(), *mass = own.mass().data();
      for (int r = 0; r < block; ++r) {
        double* to = matrix_.data() + (i * block + r) * length + j * block;
        for (int c = 0; c < freedoms; ++c) to[c] = of_v * *damping++ + of_q * *stiffness++;
        for (int c = freedoms; c < block; ++c) to[c] = of_q * *stiffness++;
        if (i != j) continue;
        for (int c = 0; c < freedoms; ++c) to[c] += *mass++;
        if (r >= freedoms) to[r] += 1;  // what a rolling acceleration is taken for, less what follows
      }
    }
  }
  factor(lu, false, x);
}

void ReducedMotion::factor(linalg::DenseLu& lu, bool is_point, std::span<const Node> x) {
  last_lu_ = &lu;
  if (last_lu_->factor(matrix_.data()) < 0) return;
  for (const Node& at : x) {
    const bool is_finite = system_->explain_failure({at.t, at.q, at.v, nullptr, nullptr}, *data_).empty();
    if (is_point || !is_finite) node().dynamics().fail(at.t, at.q, at.v);
  }
  fail_singular_step(x.back().t);
}

void ReducedMotion::settle(const Coupling& coupling, std::span<const Node> x) {
  const int size = coupling.size, freedoms = d(), moving = p();
  const std::vector<int>& independent = node().independent_positions();
  auto z = [&](int j, int k) { return z_[static_cast<std::size_t>(j * moving + k)]; };
  for (int i = 0; i < size; ++i) {
    const Node& own = x[static_cast<std::size_t>(i)];
    for (int k = 0; k < moving; ++k) {
      const int at = independent[static_cast<std::size_t>(k)];
      own.v[at] = base_[static_cast<std::size_t>((2 * i + 1) * moving + k)];
      for (int j = 0; j < size; ++j) own.v[at] += coupling.va(i, j) * z(j, k);
      own.a[at] = z(i, k);
    }
  }
  for (int i = 0; i < size; ++i) {
    const Node& own = x[static_cast<std::size_t>(i)];
    for (int k = 0; k < moving; ++k) {
      const int at = independent[static_cast<std::size_t>(k)];
      own.q[at] = base_[static_cast<std::size_t>(2 * i * moving + k)];
      for (int j = 0; j < size; ++j) {
        own.q[at] += coupling.qu(i, j) * x[static_cast<std::size_t>(j)].v[at] + coupling.qa(i, j) * z(j, k);
      }
    }
  }
  for (int i = 0; i < size; ++i) {
    const Node& own = x[static_cast<std::size_t>(i)];
    ReducedNode& reduced = *nodes_[static_cast<std::size_t>(i)];
    if (Recursion* tree = recursive_.tree(own.q))
      tree->complete(own);  // from where Newton's method has nothing left to do
    reduced.complete(own, effort_);
    reduced.dynamics().evaluate_metric(own.t, own.q, own.v);
    ++effort_.evaluations;
    reduced.find_slopes();
    double* residual = residual_.data() + i * moving;
    reduced.settle(own, residual);
    for (int k = freedoms; k < moving; ++k) residual[k] = z(i, k) - own.a[independent[static_cast<std::size_t>(k)]];
  }
}

namespace {

/// The proposals with what the guessed accelerations add to them: from there the dependent coordinates are near.
void add_guess(const Coupling& coupling, std::span<const Node> x, int n) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double weight = coupling.va(static_cast<int>(i), static_cast<int>(j));
      for (int k = 0; k < n; ++k) x[i].v[k] += weight * x[j].a[k];
    }
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double of_v = coupling.qu(static_cast<int>(i), static_cast<int>(j));
      const double of_a = coupling.qa(static_cast<int>(i), static_cast<int>(j));
      for (int k = 0; k < n; ++k) x[i].q[k] += of_v * x[j].v[k] + of_a * x[j].a[k];
    }
  }
}

}  // namespace

void ReducedMotion::solve(const Coupling& coupling, std::span<const Node> x, double tolerance) {
  recursive_.forget();
  prepare(coupling.size);
  const auto freedoms = static_cast<std::size_t>(p());
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t k = 0; k < freedoms; ++k) {
      const int at = node().independent_positions()[k];
      base_[2 * i * freedoms + k] = x[i].q[at];
      base_[(2 * i + 1) * freedoms + k] = x[i].v[at];
      z_[i * freedoms + k] = x[i].a[at];
    }
  }
  add_guess(coupling, x, n());
  settle(coupling, x);
  constexpr int max_iterations = 25;
  double before = std::numeric_limits<double>::infinity();  // the last correction
  for (int iteration = 1;; ++iteration) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      nodes_[i]->dynamics().linearize_evaluated(x[i].t, x[i].q, x[i].v, x[i].a, x[i].lambda, false);
      nodes_[i]->find_left_slopes(x[i]);
      nodes_[i]->reduce_mass();
      nodes_[i]->reduce_rates();
    }
    ++effort_.jacobians;
    ++effort_.factorizations;
    factor_group(coupling, x);
    last_lu_->solve(residual_.data());
    double correction = 0, size = 1, reach = 1;
    for (std::size_t k = 0; k < x.size() * freedoms; ++k) {
      const double step = residual_[k];
      z_[k] -= step;
      correction = std::max(correction, std::abs(step));
      if (!(std::abs(step) < 1e300)) correction = std::numeric_limits<double>::infinity();
    }
    for (const Node& each : x) {
      for (int k = 0; k < n(); ++k) {
        size = std::max(size, std::abs(each.a[k]));
        reach = std::max(reach, std::abs(each.q[k]));
      }
    }
    ++effort_.newton_iterations;
    if (!std::isfinite(correction)) fail(coupling, x, iteration, correction);
    settle(coupling, x);
    // Near a singular position rounding errors of accelerations are large, but not those of positions.
    const bool is_rounding = correction > before / 2 && coupling.h * coupling.h * correction <= 1e-12 * reach;
    if (correction <= tolerance * size || is_rounding) return;
    before = correction;
    if (iteration == max_iterations) fail(coupling, x, iteration, correction);
  }
}

void ReducedMotion::fail(const Coupling& coupling, std::span<const Node> x, int iterations, double correction) {
  if (!std::isfinite(correction)) {  // q and v are where the residual was taken; this names the force
    for (const Node& each : x) point(each);
  }
  fail_newton(x.back().t, coupling.h, iterations, correction);
}

}  // namespace perilune::formulation
