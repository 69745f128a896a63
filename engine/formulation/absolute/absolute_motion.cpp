// SPDX-License-Identifier: MIT
#include "formulation/absolute/absolute_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "formulation/absolute/rosenbrock_step.hpp"
#include "formulation/absolute/variational_step.hpp"
#include "formulation/step_failure.hpp"

namespace perilune::formulation {

AbsoluteMotion::AbsoluteMotion(std::shared_ptr<const System> system, std::shared_ptr<const Data> data,
                               const Formulation& formulation)
    : system_(std::move(system)),
      data_(std::move(data)),
      formulation_(formulation),
      point_law_(properties(formulation).point_law),
      x_(static_cast<std::size_t>(n() + m())) {
  nodes_.push_back(std::make_unique<Dynamics>(system_, data_, formulation_));
  if (formulation::properties(formulation_).projects)
    projection_ = std::make_unique<Projection>(system_, data_, formulation_);
}

void AbsoluteMotion::prepare(int group_size) {
  const auto size = static_cast<std::size_t>(group_size);
  while (nodes_.size() < size) nodes_.push_back(std::make_unique<Dynamics>(system_, data_, formulation_));
  if (group_size > 1 && matrix_size_ != group_size) {
    matrix_ = std::make_unique<CoupledMatrix>(dynamics(), group_size);
    forget_factors(matrix_size_);
    matrix_size_ = group_size;
  }
  base_.resize(std::max(base_.size(), 2 * size * static_cast<std::size_t>(n())));
  x_.resize(std::max(x_.size(), size * static_cast<std::size_t>(n() + m())));
}

Memory AbsoluteMotion::memory() {
  Memory out{nullptr, matrix_size_, {dynamics().pivoting()}};
  out.matrix = kept_;
  out.service = service_;
  if (matrix_) out.pivoting.push_back(matrix_->pivoting());
  if (projection_) {
    for (linalg::Pivoting& each : projection_->pivoting()) out.pivoting.push_back(std::move(each));
  }
  if (step_solver_) {
    out.scheme = scheme_;
    out.expects_smooth = step_solver_->expects_smooth();
    for (linalg::Pivoting& each : step_solver_->pivoting()) out.pivoting.push_back(std::move(each));
  }
  return out;
}

void AbsoluteMotion::set_memory(const Memory& memory) {
  kept_ = memory.matrix;
  service_ = memory.service;
  is_kept_factored_ = false;
  dynamics().set_pivoting(memory.pivoting[0]);
  const std::size_t own = memory.group_size == 0 ? 1 : 2;  // what follows is the projection's
  if (projection_) projection_->set_pivoting(std::span(memory.pivoting).subspan(own));
  if (memory.scheme) {
    StepSolver& solver = *step_solver(*memory.scheme);
    solver.expect_smooth(memory.expects_smooth);
    solver.set_pivoting(std::span(memory.pivoting).last(solver.pivoting().size()));
  } else {
    step_solver_.reset();
  }
  is_own_step_ = false;
  if (memory.group_size == 0) {
    matrix_.reset();
    matrix_size_ = 0;
    return;
  }
  prepare(memory.group_size);
  matrix_->set_pivoting(memory.pivoting[1]);
}

void AbsoluteMotion::set_law(const ConstraintLaw& law) {
  for (const auto& node : nodes_) node->set_law(law);
}

void AbsoluteMotion::expect_points() {
  is_own_step_ = false;
  forget_factors(1);
  dynamics().set_law(point_law_);
}

void AbsoluteMotion::point(const Node& x) {
  expect_points();
  dynamics().accelerations(x.t, x.q, x.v, x.a, x.lambda);
  ++effort_.evaluations;
  ++effort_.factorizations;
}

bool AbsoluteMotion::points_in_lanes(const PointChain& chain) {
  expect_points();
  if (!dynamics().accelerations_in_lanes(chain)) return false;
  effort_.evaluations += static_cast<long>(chain.points.size());
  effort_.factorizations += static_cast<long>(chain.points.size());
  return true;
}

void AbsoluteMotion::linearize_point(const Node& x, Here here, std::span<const double> factor) {
  dynamics().set_law(point_law_);
  forget_factors(1);
  if (here == Here::Just) {
    dynamics().linearize(x.t, x.q, x.v, x.a, x.lambda, true, false);
  } else {
    dynamics().linearize_again(x.t, x.q, x.v, x.a, x.lambda, factor);
  }
}

void AbsoluteMotion::tangent_point(int count, const TangentNode& y) { dynamics().tangent(y.z, count, y.x); }

void AbsoluteMotion::adjoint_point(const AdjointNode& y) {
  dynamics().adjoint(y.a, y.lambda, y.z);
  weights_ = {dynamics().law(), dynamics().last_weights()};
}

void AbsoluteMotion::factor_group(const Coupling& coupling, std::span<const Node> x, bool with_data) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    nodes_[i]->linearize_evaluated(x[i].t, x[i].q, x[i].v, x[i].a, x[i].lambda, with_data);
  }
  ++effort_.jacobians;
  ++effort_.factorizations;
  if (coupling.size == 1) {
    dynamics().factor_shifted(coupling.va(0, 0), coupling.q_total(0, 0), x[0].t);
  } else {
    matrix_->factor(coupling, nodes_, x.back().t);
  }
}

bool AbsoluteMotion::take_up_matrix(const Coupling& coupling) {
  if (!kept_ || !kept_->suits(coupling)) return false;
  if (is_kept_factored_) return true;
  ++effort_.factorizations;
  is_kept_factored_ =
      coupling.size == 1 ? dynamics().factor_values(kept_->values) : matrix_->factor_values(kept_->values);
  return is_kept_factored_;
}

void AbsoluteMotion::keep_matrix(const Coupling& coupling) {
  keep(kept_, coupling, coupling.size == 1 ? dynamics().matrix_values() : matrix_->values());
  is_kept_factored_ = true;
  service_.renew();
}

void AbsoluteMotion::note_guess(std::span<const Node> x) {
  guess_.clear();
  for (const Node& node : x) {
    guess_.insert(guess_.end(), node.a, node.a + n());
    guess_.insert(guess_.end(), node.lambda, node.lambda + m());
  }
}

void AbsoluteMotion::return_to_guess(std::span<const Node> x) {
  const double* from = guess_.data();
  for (const Node& node : x) {
    std::copy_n(from, n(), node.a);
    std::copy_n(from + n(), m(), node.lambda);
    from += n() + m();
  }
}

void AbsoluteMotion::solve(const Coupling& coupling, std::span<const Node> x, double tolerance) {
  is_own_step_ = false;
  prepare(coupling.size);
  set_law(step_law(formulation_, coupling.h));
  const auto count = static_cast<std::size_t>(n()), unknowns = static_cast<std::size_t>(n() + m());
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::copy_n(x[i].q, count, base_.data() + 2 * count * i);
    std::copy_n(x[i].v, count, base_.data() + (2 * i + 1) * count);
  }
  constexpr int max_iterations = 25;
  const std::size_t all = unknowns * x.size();
  const bool keeps = all > linalg::dense_limit;
  MatrixUse use(keeps, all > own_matrix_limit && service_.is_worth_trying() && take_up_matrix(coupling));
  if (use.is_earlier()) note_guess(x);
  const bool reads_loads = system_->nr().size() > 0;
  // Accelerations may be known to rounding before the multipliers are; but these may be nothing but rounding
  // themselves, where constraints ask for positions at the end of very short steps.
  int stalled = 0;  // corrections that did not shrink
  const auto stalls = [&](const Correction& found, double change) {
    constexpr double rounding_of_forces = 1e-8;
    constexpr int patience = 3;
    return is_rounding(coupling, x, found.size) &&
           (!reads_loads || change <= rounding_of_forces || stalled >= patience);
  };
  // Accelerations say all of multipliers, on which the equations depend linearly, but where forces read these, or the
  // matrix is not that of this step.
  const auto counts_all = [&] { return use.is_earlier() || reads_loads; };
  const auto measure = [&](const Correction& found) { return counts_all() ? relative_size(found, x) : found.size; };
  for (int matrices = 0;;) {
    place(coupling, base_.data(), count, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      nodes_[i]->residual(x[i].t, x[i].q, x[i].v, x[i].a, x[i].lambda, x_.data() + i * unknowns);
      ++effort_.evaluations;
    }
    Correction next;
    double change = 0;
    if (use.has_matrix()) {
      residual_.assign(x_.begin(), x_.begin() + static_cast<std::ptrdiff_t>(unknowns * x.size()));
      next = correction(coupling, x);
      change = measure(next);
      const bool was_earlier = use.is_earlier();
      const MatrixUse::Verdict verdict = use.judge(change, [&] { return stalls(next, change); });
      if (verdict != MatrixUse::Verdict::Good && was_earlier) service_.fail(coupling.size);
      if (verdict == MatrixUse::Verdict::Astray) {
        return_to_guess(x);
        continue;
      }
      if (verdict == MatrixUse::Verdict::Renew) std::copy(residual_.begin(), residual_.end(), x_.begin());
    }
    if (!use.has_matrix()) {
      is_kept_factored_ = false;
      factor_group(coupling, x, false);
      ++matrices;
      use.renew();
      if (all > own_matrix_limit) keep_matrix(coupling);
      next = correction(coupling, x);
      change = measure(next);
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double* step = x_.data() + i * unknowns;
      for (std::size_t k = 0; k < count; ++k) x[i].a[k] -= step[k];
      for (std::size_t k = count; k < unknowns; ++k) x[i].lambda[k - count] -= step[k];
    }
    ++effort_.newton_iterations;
    if (use.is_last(change, counts_all() ? tolerance : tolerance * next.of)) break;
    if (!use.is_earlier() && change > use.before() / 2) {
      ++stalled;
      if (stalls(next, change)) break;
    }
    use.go_on(change);
    if (use.is_earlier()) continue;  // whatever it led to, judge() has the next word
    if (matrices == max_iterations || !std::isfinite(next.size)) fail(coupling, x, matrices, next.size);
  }
  if (use.is_earlier()) service_.serve();
  place(coupling, base_.data(), count, x);
}

AbsoluteMotion::Correction AbsoluteMotion::correction(const Coupling& coupling, std::span<const Node> x) {
  if (coupling.size == 1) {
    dynamics().solve(x_.data());
  } else {
    matrix_->solve(x_.data());
  }
  Correction out;
  const auto count = static_cast<std::size_t>(n()), unknowns = static_cast<std::size_t>(n() + m());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double* step = x_.data() + i * unknowns;
    for (std::size_t k = 0; k < count; ++k) {
      out.size = std::max(out.size, std::abs(step[k]));
      out.of = std::max(out.of, std::abs(x[i].a[k] - step[k]));
      if (!(std::abs(step[k]) < 1e300)) out.size = std::numeric_limits<double>::infinity();
    }
  }
  return out;
}

double AbsoluteMotion::relative_size(const Correction& found, std::span<const Node> x) {
  const auto count = static_cast<std::size_t>(n());
  const auto largest = [](std::span<const double> values) {
    double out = 0;
    for (const double value : values) out = std::max(out, std::abs(value));
    return out;
  };
  forces_.resize(2 * count);
  const std::span<double> change = std::span(forces_).first(count), all = std::span(forces_).last(count);
  double size = 0, of = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const system::Workspace& w = nodes_[i]->workspace();
    std::fill(forces_.begin(), forces_.end(), 0.0);
    system_->mn().multiply_transposed(w.jacobian.data(),
                                      x_.data() + i * (count + static_cast<std::size_t>(m())) + count, change.data());
    system_->mn().multiply_transposed(w.jacobian.data(), x[i].lambda, all.data());
    for (std::size_t k = 0; k < count; ++k) all[k] -= change[k];
    const double moved = largest(change);
    size = std::isfinite(moved) ? std::max(size, moved) : std::numeric_limits<double>::infinity();
    // Accelerations count beside 1, and so do forces beside what gives that to the largest mass.
    of = std::max({of, largest(all), largest(w.force), largest(w.mass)});
  }
  const double of_forces = size > 0 ? size / of : 0;
  return std::max(found.size / found.of, of_forces);
}

bool AbsoluteMotion::is_rounding(const Coupling& coupling, std::span<const Node> x, double correction) const {
  double size = 1;
  for (const Node& node : x) {
    for (int k = 0; k < n(); ++k) size = std::max(size, std::abs(node.q[k]));
  }
  // A regularized matrix leaves more of it where constraints are redundant.
  const double limit = dynamics().regularization() > 0 ? 1e-11 : 1e-12;
  return coupling.h * coupling.h * correction <= limit * size;
}

void AbsoluteMotion::fail(const Coupling& coupling, std::span<const Node> x, int iterations, double correction) {
  if (!std::isfinite(correction)) {  // q and v are where the residual was taken; this names the force
    for (const Node& node : x) point(node);
  }
  fail_newton(x.back().t, coupling.h, iterations, correction);
}

void AbsoluteMotion::linearize_group(const Coupling& coupling, std::span<const Node> x) {
  prepare(coupling.size);
  set_law(step_law(formulation_, coupling.h));
  for (std::size_t i = 0; i < x.size(); ++i) nodes_[i]->evaluate(x[i].t, x[i].q, x[i].v, x[i].a, x[i].lambda);
  forget_factors(coupling.size);
  factor_group(coupling, x, true);
}

void AbsoluteMotion::tangent_group(const Coupling& coupling, int count, std::span<const TangentNode> y) {
  const auto half = static_cast<std::size_t>(n() * count), unknowns = static_cast<std::size_t>((n() + m()) * count);
  for (int i = 0; i < coupling.size; ++i) {
    double* z = y[static_cast<std::size_t>(i)].z;
    for (int j = 0; j < coupling.size; ++j) {
      const double weight = coupling.qu(i, j), *v = y[static_cast<std::size_t>(j)].z + half;
      for (std::size_t k = 0; k < half; ++k) z[k] += weight * v[k];
    }
  }
  if (coupling.size == 1) {
    dynamics().negative_partials(y[0].z, count, y[0].x);
    dynamics().solve_many(y[0].x, count);
  } else {
    many_.resize(std::max(many_.size(), unknowns * y.size()));
    for (std::size_t i = 0; i < y.size(); ++i) nodes_[i]->negative_partials(y[i].z, count, many_.data() + i * unknowns);
    matrix_->solve_many(many_.data(), count);
    for (std::size_t i = 0; i < y.size(); ++i) std::copy_n(many_.data() + i * unknowns, unknowns, y[i].x);
  }
  for (int i = 0; i < coupling.size; ++i) {
    double* z = y[static_cast<std::size_t>(i)].z;
    for (int j = 0; j < coupling.size; ++j) {
      const double of_v = coupling.va(i, j), of_q = coupling.q_total(i, j), *a = y[static_cast<std::size_t>(j)].x;
      for (std::size_t k = 0; k < half; ++k) {
        z[half + k] += of_v * a[k];
        z[k] += of_q * a[k];
      }
    }
  }
}

void AbsoluteMotion::adjoint_group(const Coupling& coupling, std::span<const AdjointNode> y) {
  // The nodes' numbers follow from the accelerations and the proposals, which come with adjoints of their own; the
  // accelerations follow from the residuals, and these from the nodes' q, v and the data.
  const auto count = static_cast<std::size_t>(n()), unknowns = static_cast<std::size_t>(n() + m());
  std::fill_n(x_.begin(), unknowns * y.size(), 0.0);
  for (int j = 0; j < coupling.size; ++j) {
    const AdjointNode& node = y[static_cast<std::size_t>(j)];
    double* w = x_.data() + static_cast<std::size_t>(j) * unknowns;
    std::copy_n(node.a, count, w);
    std::copy_n(node.lambda, unknowns - count, w + count);
    for (int i = 0; i < coupling.size; ++i) {
      const double of_v = coupling.va(i, j), of_q = coupling.q_total(i, j), *z = y[static_cast<std::size_t>(i)].z;
      for (std::size_t k = 0; k < count; ++k) w[k] += of_v * z[count + k] + of_q * z[k];
    }
  }
  if (coupling.size == 1) {
    dynamics().solve_transposed(x_.data());
  } else {
    matrix_->solve_transposed(x_.data());
  }
  weights_ = {dynamics().law(), {x_.data(), unknowns * y.size()}};
  for (std::size_t i = 0; i < y.size(); ++i) nodes_[i]->subtract_partials_transposed(x_.data() + i * unknowns, y[i].z);
  for (int j = 0; j < coupling.size; ++j) {
    double* z = y[static_cast<std::size_t>(j)].z;
    for (int i = 0; i < coupling.size; ++i) {
      const double weight = coupling.qu(i, j), *other = y[static_cast<std::size_t>(i)].z;
      for (std::size_t k = 0; k < count; ++k) z[count + k] += weight * other[k];
    }
  }
}

StepSolver* AbsoluteMotion::step_solver(const StepScheme& scheme) {
  is_own_step_ = true;
  if (step_solver_ && scheme == scheme_) return step_solver_.get();
  scheme_ = scheme;
  if (const auto* rosenbrock = std::get_if<const RosenbrockScheme*>(&scheme)) {
    step_solver_ = std::make_unique<RosenbrockStep>(system_, data_, formulation_, **rosenbrock, effort_);
  } else {
    const double alpha = std::get<VariationalScheme>(scheme).alpha;
    step_solver_ = std::make_unique<VariationalStep>(system_, data_, formulation_, alpha, effort_);
  }
  return step_solver_.get();
}

}  // namespace perilune::formulation
