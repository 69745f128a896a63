// SPDX-License-Identifier: MIT
#include "analysis/start_state.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/equilibrium.hpp"
#include "at_time.hpp"
#include "error.hpp"

namespace perilune::analysis {

namespace {

constexpr double weakness = 1e-9;  // of the springs that hold, relative to the stiffest coordinate
constexpr int most_corrections = 20;
// Relative changes of the coordinates: converged, and where rounding may keep them from shrinking on.
constexpr double converged = 1e-13, nearly = 1e-8;

}  // namespace

StartState::StartState(std::shared_ptr<const System> system, std::vector<int> independent, StartFrom from)
    : system_(std::move(system)),
      independent_(std::move(independent)),
      from_(from),
      n_(system_->coordinate_count()),
      m_(system_->constraint_count()),
      assembly_(system_, independent_),
      statics_(system_, {}),
      zero_(static_cast<std::size_t>(n_ + m_), 0.0),
      matrix_(system_->nn().size()) {
  if (from == StartFrom::Rest) refuse_velocity_constraints(*system_, "a start at rest", rest_after_rolling);
  for (int i = 0; from == StartFrom::Rest && i < n_; ++i) {
    if (system_->role(i) != model::Role::State) continue;
    throw NumericalError("a start at rest is not offered for models with first-order states, such as " +
                         system_->velocity_name(i) + "; start from m:equilibrium with from = ...");
  }
}

void StartState::weigh(double t, const Data& data) {
  system::Workspace& w = statics_.workspace();
  const system::Kinematics at{t, data.initial_q.data(), zero_.data(), zero_.data(), zero_.data()};
  system_->evaluate(at, data, w);
  system_->linearize(at, data, w, false);
  double stiffest = 0;
  std::size_t k = 0;
  system_->nn().for_each([&](int i, int j) {
    if (i == j) stiffest = std::max(stiffest, std::abs(w.stiffness[k]));
    ++k;
  });
  weak_ = std::isfinite(stiffest) && stiffest > 0 ? std::exp2(std::round(std::log2(weakness * stiffest))) : weakness;
}

void StartState::linearize(double t, const Data& data, const ConsistentState& at, bool with_data) {
  system::Workspace& w = statics_.workspace();
  const system::Kinematics rest{t, at.q.data(), zero_.data(), zero_.data(), at.position_multipliers.data()};
  system_->evaluate(rest, data, w);
  system_->linearize(rest, data, w, with_data);
  std::size_t k = 0;
  system_->nn().for_each([&](int i, int j) {
    matrix_[k] = w.stiffness[k] + (i == j ? hold(i) : 0);
    ++k;
  });
  if (!statics_.factor_with(matrix_)) {
    throw NumericalError(at_time(t) + "the rest that the motion should start from is not unique");
  }
}

ConsistentState StartState::solve(double t, const std::shared_ptr<const Data>& data) {
  if (from_ == StartFrom::Declared) return assembly_.solve(t, *data);
  const Equilibrium found = find_equilibrium(system_, data, independent_, t, Wanted::Stable);
  ConsistentState at;
  at.q = found.state.q;
  at.position_multipliers = found.lambda;
  weigh(t, *data);
  // With the weak springs: Q - Phi_q^T lambda - hold (q - q_declared) = 0, Phi = 0.
  std::vector<double> x(static_cast<std::size_t>(n_ + m_));
  double before = 1;
  for (int step = 0; step < most_corrections; ++step) {
    linearize(t, *data, at, false);
    const system::Workspace& w = statics_.workspace();
    system_->residual(w, nullptr, at.position_multipliers.data(), x.data());
    for (int i = 0; i < n_; ++i) {
      const auto k = static_cast<std::size_t>(i);
      x[k] = hold(i) * (data->initial_q[k] - at.q[k]) - x[k];
    }
    for (int k = 0; k < m_; ++k) x[static_cast<std::size_t>(n_ + k)] = -w.phi[static_cast<std::size_t>(k)];
    statics_.solve(x.data());
    const double change = largest(x.data(), n_) / std::max(1.0, largest(at.q.data(), n_));
    if (!std::isfinite(change)) break;
    for (std::size_t i = 0; i < at.q.size(); ++i) at.q[i] += x[i];
    for (std::size_t k = 0; k < at.position_multipliers.size(); ++k) {
      at.position_multipliers[k] += x[static_cast<std::size_t>(n_) + k];
    }
    if (change <= converged || (change <= nearly && change > 0.5 * before)) {
      ConsistentState start = assembly_.at_position(t, *data, at.q);
      start.position_multipliers = at.position_multipliers;
      return start;
    }
    before = change;
  }
  throw NumericalError(at_time(t) + "the search for the rest that the motion should start from did not converge");
}

std::vector<double> StartState::rest_direction(double t, const Data& data, const ConsistentState& at,
                                               const double* dd) {
  weigh(t, data);
  linearize(t, data, at, true);
  const system::Workspace& w = statics_.workspace();
  std::vector<double> x(static_cast<std::size_t>(n_ + m_), 0.0);
  for (int i = 0; i < n_; ++i) {
    const int datum = system_->initial_position_datum(i);
    if (datum >= 0) x[static_cast<std::size_t>(i)] = hold(i) * dd[datum];
  }
  system_->nd().multiply(w.residual_data.data(), dd, x.data(), -1);
  system_->md().multiply(w.phi_data.data(), dd, x.data() + n_, -1);
  statics_.solve(x.data());
  return x;
}

void StartState::tangent(double t, const Data& data, const ConsistentState& at, const double* dd, double* dq,
                         double* dv) {
  if (from_ == StartFrom::Declared) return assembly_.tangent(t, data, at, dd, dq, dv);
  const std::vector<double> x = rest_direction(t, data, at, dd);
  std::copy_n(x.begin(), n_, dq);
  assembly_.velocity_tangent(t, data, at, dd, dq, dv);
}

void StartState::unload_rest(std::vector<double>& x, double* dbar) {
  statics_.solve_transposed(x.data());
  const system::Workspace& w = statics_.workspace();
  system_->nd().multiply_transposed(w.residual_data.data(), x.data(), dbar, -1);
  system_->md().multiply_transposed(w.phi_data.data(), x.data() + n_, dbar, -1);
  for (int i = 0; i < n_; ++i) {
    if (const int datum = system_->initial_position_datum(i); datum >= 0) {
      dbar[datum] += hold(i) * x[static_cast<std::size_t>(i)];
    }
  }
}

void StartState::adjoint(double t, const Data& data, const ConsistentState& at, const double* qbar, const double* vbar,
                         double* dbar) {
  if (from_ == StartFrom::Declared) return assembly_.adjoint(t, data, at, qbar, vbar, dbar);
  std::vector<double> x(static_cast<std::size_t>(n_ + m_), 0.0);
  std::copy_n(qbar, n_, x.begin());
  assembly_.velocity_adjoint(t, data, at, vbar, x.data(), dbar);
  weigh(t, data);
  linearize(t, data, at, true);
  unload_rest(x, dbar);
}

}  // namespace perilune::analysis
