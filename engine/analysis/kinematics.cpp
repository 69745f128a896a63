// SPDX-License-Identifier: MIT
#include "analysis/kinematics.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/mobility.hpp"
#include "analysis/start_warnings.hpp"
#include "at_time.hpp"
#include "error.hpp"
#include "formulation/implicit_newton.hpp"
#include "linalg/decompositions.hpp"

namespace perilune::analysis {

namespace {

// A step is too long when the position found is further from the predicted one than this part of the predicted move,
// and than this part of the mechanism's size: it may be on another branch.
constexpr double branch_margin = 0.25;
constexpr double safe_correction = 0.02;
// And when positions, velocities and accelerations at its ends do not belong to one smooth motion: q1 - q0 differs from
// h (v0 + v1) / 2 + h^2 (a0 - a1) / 12, whose error is h^5 q^(5) / 720, by more than this part of what makes it up. A
// kink is passed where that is less than this part of the mechanism's size.
constexpr double jump_margin = 0.02;
constexpr double smallest_jump = 1e-7;
constexpr int most_halvings = 40;
// An angle turns no further in one step (rad): half a turn away its constraint holds as well, and after a whole turn
// of a crank all others do.
constexpr double most_turn = 0.5;

std::string count_of(int number, const char* what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

void require_driven(const System& s, const Mobility& found, double t) {
  refuse_velocity_constraints(s, "m:kinematics",
                              ", which give positions by integration alone; use m:simulate, whose motion is the same "
                              "whatever the forces where drivers and constraints leave no freedom");
  for (int i = 0; i < s.coordinate_count(); ++i) {
    if (s.role(i) != model::Role::State) continue;
    throw Error("\"" + s.velocity_name(i) +
                "\" is a first-order state, which no position determines; use m:simulate instead of m:kinematics");
  }
  const int missing = found.degrees_of_freedom - found.singular_freedoms;
  if (missing > 0) {
    throw Error(count_of(missing, "degree") + " of freedom remain" + (missing == 1 ? "s" : "") +
                ": a kinematic analysis needs a driver for each; declare drivers, or use m:simulate, which finds the "
                "motion from the forces");
  }
  if (found.degrees_of_freedom > 0) {
    throw NumericalError(at_time(t) + "the start is a singular position, where the constraints of " +
                         system::describe(found.redundant) + " lose their hold; start elsewhere");
  }
}

}  // namespace

DrivenMotion::DrivenMotion(std::shared_ptr<const System> system, std::shared_ptr<const Data> data)
    : system_(std::move(system)),
      data_(std::move(data)),
      n_(system_->coordinate_count()),
      m_(system_->constraint_count()),
      constraints_(system_, {}),
      x_(static_cast<std::size_t>(n_ + m_)),
      force_(static_cast<std::size_t>(n_)) {}

bool DrivenMotion::position(double t, std::vector<double>& q) { return constraints_.close(t, *data_, q, q); }

void DrivenMotion::solve_constraints(const double* b, double* x) {
  const system::Workspace& w = constraints_.workspace();
  std::vector<double> multipliers(static_cast<std::size_t>(m_), 0.0);
  std::fill_n(x, n_, 0.0);
  for (int pass = 0; pass < 2; ++pass) {  // the second for what the regularization left over
    for (int i = 0; i < n_; ++i) x_[static_cast<std::size_t>(i)] = -constraints_.weight(i) * x[i];
    system_->mn().multiply_transposed(w.jacobian.data(), multipliers.data(), x_.data(), -1);
    double* low = x_.data() + n_;
    std::copy_n(b, m_, low);
    system_->mn().multiply(w.jacobian.data(), x, low, -1);
    constraints_.solve(x_.data());
    for (int i = 0; i < n_; ++i) x[i] += x_[static_cast<std::size_t>(i)];
    for (int k = 0; k < m_; ++k) multipliers[static_cast<std::size_t>(k)] += low[k];
  }
}

void DrivenMotion::solve_reactions(const double* force, double* lambda) {
  std::fill_n(lambda, m_, 0.0);
  for (int pass = 0; pass < 2; ++pass) {
    std::copy_n(force, n_, x_.begin());
    std::fill_n(x_.begin() + n_, m_, 0.0);
    system_->mn().multiply_transposed(constraints_.workspace().jacobian.data(), lambda, x_.data(), -1);
    constraints_.solve(x_.data());
    for (int k = 0; k < m_; ++k) lambda[k] += x_[static_cast<std::size_t>(n_ + k)];
  }
}

void DrivenMotion::check_rank(double t, const double* q) {
  const system::ConstraintRank found = system::constraint_rank(*system_, constraints_.workspace());
  system::require_determined_reads(*system_, *data_, {q, q + n_}, found.rows);
  if (found.rank() < n_) {
    throw NumericalError(at_time(t) + "the position is singular: there the constraints of " +
                         system::describe(found.redundant) + " lose their hold, and the motion is not determined");
  }
  if (found.is_weak() && !is_near_singular_) {
    Mobility near;
    near.margin = found.rows.margin();
    near.weakest = found.weakest;
    const std::vector<std::string> sentences = singularity_warnings(near, t);
    warnings_.insert(warnings_.end(), sentences.begin(), sentences.end());
  }
  is_near_singular_ = found.is_weak();
}

void DrivenMotion::rates(double t, const double* q, double* v, double* a, double* lambda) {
  system::Workspace& w = constraints_.workspace();
  constraints_.evaluate(t, q, *data_);
  check_rank(t, q);
  constraints_.factor(false, t);
  std::vector<double> b(w.phi_rate.begin(), w.phi_rate.end());  // Phi_t
  for (std::size_t k = 0; k < b.size(); ++k) {
    if (std::isfinite(b[k])) continue;
    throw NumericalError(at_time(t) + "the rate of " + system_->describe_constraint(static_cast<int>(k)) +
                         ", is not a finite number");
  }
  for (double& x : b) x = -x;
  solve_constraints(b.data(), v);
  system_->evaluate_metric(t, q, v, *data_, w);
  for (std::size_t k = 0; k < b.size(); ++k) b[k] = -w.phi_bias[k];
  solve_constraints(b.data(), a);
  std::copy(w.force.begin(), w.force.end(), force_.begin());
  system_->mass().multiply(w.mass.data(), a, force_.data(), -1);
  solve_reactions(force_.data(), lambda);
  if (system_->is_implicit()) correct_reactions({t, q, v, a, lambda}, lambda);
  for (int i = 0; i < n_; ++i) {
    if (std::isfinite(force_[static_cast<std::size_t>(i)]) && std::isfinite(v[i]) && std::isfinite(a[i])) continue;
    const std::string cause = system_->explain_failure({t, q, v, nullptr, nullptr}, *data_);
    throw NumericalError(at_time(t) + (cause.empty() ? "the accelerations are not finite" : cause));
  }
}

void DrivenMotion::correct_reactions(const system::Kinematics& at, double* lambda) {
  system::Workspace& w = constraints_.workspace();
  formulation::ImplicitNewton newton(at.t, *system_);
  Eigen::MatrixXd by_multipliers(n_, m_);
  Eigen::VectorXd residual(n_);
  for (bool is_solved = false; !is_solved;) {
    system_->evaluate(at, *data_, w);
    system_->residual(w, at.a, lambda, residual.data());
    newton.judge(w, residual.data(), at.a);
    by_multipliers.setZero();
    std::size_t k = 0;
    system_->mn().for_each([&](int i, int j) { by_multipliers(j, i) += w.jacobian[k++]; });
    k = 0;
    system_->nr().for_each([&](int i, int j) { by_multipliers(i, j) += w.force_multiplier[k++]; });
    if (!by_multipliers.allFinite() || !residual.allFinite()) return;  // what follows says why
    const Eigen::VectorXd step = by_multipliers.completeOrthogonalDecomposition().solve(residual);
    is_solved = newton.correct(step.data(), nullptr, lambda);
  }
}

void DrivenMotion::solve(double t, double* q, double* v, double* a, double* lambda) {
  std::vector<double> now(q, q + n_);
  if (!position(t, now)) {
    throw NumericalError(at_time(t) + "the mechanism cannot be closed: " + constraints_.describe_gaps() +
                         "; the drivers ask for a position out of its reach");
  }
  std::copy(now.begin(), now.end(), q);
  rates(t, q, v, a, lambda);
}

bool DrivenMotion::is_smooth(const Instant& from, const Instant& to, double h) const {
  const double tiny = smallest_jump * std::max(largest(from.q, n_), largest(to.q, n_));
  for (int i = 0; i < n_; ++i) {
    const double change = to.q[i] - from.q[i], of_v = h / 2 * (from.v[i] + to.v[i]),
                 of_a = h * h / 12 * (from.a[i] - to.a[i]);
    const double parts = std::abs(change) + h / 2 * (std::abs(from.v[i]) + std::abs(to.v[i])) +
                         h * h / 12 * (std::abs(from.a[i]) + std::abs(to.a[i]));
    if (!(std::abs(change - of_v - of_a) <= jump_margin * parts + tiny)) return false;
  }
  return true;
}

void DrivenMotion::advance(double t0, double t, double* q, double* v, double* a, double* lambda) {
  const auto n = static_cast<std::size_t>(n_), m = static_cast<std::size_t>(m_);
  std::vector<double> next(n), predicted(n), next_v(n), next_a(n), next_lambda(m);
  double now = t0, h = t - t0;
  int halvings = 0;
  while (now < t) {
    check_interrupt();
    h = std::min(h, t - now);
    const double end = t - now <= h * (1 + 1e-9) ? t : now + h;
    double move = 0, turn = 0;
    for (int i = 0; i < n_; ++i) {
      const double change = h * (v[i] + h / 2 * a[i]);
      predicted[static_cast<std::size_t>(i)] = q[i] + change;
      move = std::max(move, std::abs(change));
      if (system_->role(i) == model::Role::Auxiliary || system_->unit(i) == "rad")
        turn = std::max(turn, std::abs(change));
    }
    if (turn > most_turn && now + h > now) {
      h *= 0.9 * most_turn / turn;
      continue;
    }
    next = predicted;
    const bool is_closed = position(end, next);
    double correction = 0;
    for (std::size_t i = 0; i < next.size(); ++i) correction = std::max(correction, std::abs(next[i] - predicted[i]));
    if (is_closed && correction <= std::max(branch_margin * move, safe_correction * largest(q, n_))) {
      rates(end, next.data(), next_v.data(), next_a.data(), next_lambda.data());
      if (is_smooth({q, v, a}, {next.data(), next_v.data(), next_a.data()}, end - now)) {
        std::copy(next.begin(), next.end(), q);
        std::copy(next_v.begin(), next_v.end(), v);
        std::copy(next_a.begin(), next_a.end(), a);
        std::copy(next_lambda.begin(), next_lambda.end(), lambda);
        now = end;
        halvings = 0;
        h *= 2;
        continue;
      }
    }
    if (++halvings > most_halvings || !(now + (end - now) / 2 > now)) {
      if (!is_closed) {
        throw NumericalError(at_time(end) + "the mechanism cannot be closed: " + constraints_.describe_gaps() +
                             "; the drivers ask for a position out of its reach");
      }
      constraints_.evaluate(now, q, *data_);
      throw NumericalError(at_time(end) +
                           "the position jumps: a driver jumps, or the motion passes a singular "
                           "position, where the constraints of \"" +
                           system::constraint_rank(*system_, constraints_.workspace()).weakest + "\" lose their hold");
    }
    h = (end - now) / 2;
  }
}

void DrivenMotion::between(const integrator::Mesh& mesh, double t, double* q, double* v, double* a, double* lambda) {
  const auto after = std::upper_bound(mesh.t.begin(), mesh.t.end(), t);
  const auto k = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - mesh.t.begin() - 1, 0));
  std::copy_n(mesh.q_at(k), n_, q);
  std::copy_n(mesh.v_at(k), n_, v);
  std::copy_n(mesh.a_at(k), n_, a);
  std::copy_n(mesh.lambda_at(k), m_, lambda);
  advance(mesh.t[k], t, q, v, a, lambda);
}

KinematicsResult kinematics(std::shared_ptr<const System> system, std::shared_ptr<const Data> data,
                            const std::vector<double>& times, const integrator::Progress& progress) {
  KinematicsResult out;
  Assembly assembly(system, {});
  out.initial = assembly.solve(times.front(), *data);
  out.warnings = start_warnings(*system, times.front(), *data, out.initial, StartOrigin::DrivenScript);
  require_driven(*system, mobility(assembly.constraints(), times.front(), *data, out.initial.q), times.front());
  out.motion = std::make_shared<DrivenMotion>(system, data);
  integrator::Mesh& mesh = out.solution.mesh;
  mesh = integrator::Mesh(system->coordinate_count(), system->constraint_count());
  std::vector<double> q = out.initial.q, v(q.size()), a(q.size()), lambda(static_cast<std::size_t>(mesh.m));
  out.motion->solve(times.front(), q.data(), v.data(), a.data(), lambda.data());
  out.initial.v = v;
  mesh.append(times.front(), q.data(), v.data(), a.data(), lambda.data());
  try {
    for (std::size_t k = 1; k < times.size(); ++k) {
      out.motion->advance(times[k - 1], times[k], q.data(), v.data(), a.data(), lambda.data());
      mesh.append(times[k], q.data(), v.data(), a.data(), lambda.data());
      out.solution.statistics.steps = static_cast<long>(k);
      if (progress && k % 64 == 0) progress(times[k], times[k] - times[k - 1], out.solution.statistics);
    }
    out.solution.message = "reached the end time";
  } catch (const Interrupted&) {
    out.solution.status = integrator::Status::Interrupted;
    out.solution.message = "interrupted by the user";
  } catch (const NumericalError& failure) {
    out.solution.status = integrator::Status::Failed;
    out.solution.message = failure.what();
  }
  const std::vector<std::string>& noticed = out.motion->warnings();
  out.warnings.insert(out.warnings.end(), noticed.begin(), noticed.end());
  return out;
}

}  // namespace perilune::analysis
