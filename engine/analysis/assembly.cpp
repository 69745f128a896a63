// SPDX-License-Identifier: MIT
#include "analysis/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "error.hpp"

namespace perilune::analysis {

std::shared_ptr<const Data> starting_at(const std::vector<double>& q, const std::vector<double>& v,
                                        const Data& declared) {
  auto data = std::make_shared<Data>(declared);
  data->initial_q = q;
  data->initial_v = v;
  return data;
}

Assembly::Assembly(std::shared_ptr<const System> system, std::vector<int> independent)
    : system_(std::move(system)),
      n_(system_->coordinate_count()),
      m_(system_->constraint_count()),
      solver_(system_, std::move(independent)),
      zero_(static_cast<std::size_t>(n_ + m_), 0.0) {}

void Assembly::linearize(double t, const Data& data, const std::vector<double>& q, const std::vector<double>& v,
                         const std::vector<double>& multipliers, Of level) {
  const system::Kinematics at{t, q.data(), v.data(), zero_.data(), multipliers.data()};
  system::Workspace& w = solver_.workspace();
  system_->evaluate(at, data, w, system::Part::Constraints);
  system_->linearize(at, data, w, true, system::Part::Constraints);
  if (level != Of::Velocities) solver_.leave_out_velocity_rows();
  solver_.factor(level == Of::Positions, t);
}

void Assembly::load_residual(const std::vector<double>& declared, const std::vector<double>& now,
                             const std::vector<double>& lambda, const std::vector<double>& extra,
                             std::vector<double>& x) {
  std::fill(x.begin(), x.end(), 0.0);
  for (int i = 0; i < n_; ++i) {
    const auto k = static_cast<std::size_t>(i);
    x[k] = solver_.weight(i) * (declared[k] - now[k]);
  }
  system_->mn().multiply_transposed(solver_.workspace().jacobian.data(), lambda.data(), x.data(), -1);
  for (std::size_t b = 0; b < extra.size(); ++b) {
    const auto i = static_cast<std::size_t>(solver_.kept()[b]);
    x[i] -= extra[b];
    x[static_cast<std::size_t>(n_ + m_) + b] = declared[i] - now[i];
  }
}

bool Assembly::newton(double t, const Data& data, ConsistentState& state) {
  // q - q_d + Phi_q^T lambda + B^T mu = 0, Phi = 0 from a point where the constraints hold.
  std::vector<double> step(static_cast<std::size_t>(size())), extra(solver_.kept().size(), 0.0);
  std::vector<double>& lambda = state.position_multipliers;
  for (int iteration = 0; iteration < 40; ++iteration) {
    linearize(t, data, state.q, zero_, lambda, iteration > 0 ? Of::Positions : Of::FirstPositions);
    load_residual(data.initial_q, state.q, lambda, extra, step);
    for (int k = 0; k < m_; ++k) {
      step[static_cast<std::size_t>(n_ + k)] = -solver_.workspace().phi[static_cast<std::size_t>(k)];
    }
    solver_.solve(step.data());
    const double change = largest(step.data(), n_);
    if (!std::isfinite(change)) return false;
    for (int i = 0; i < n_; ++i) state.q[static_cast<std::size_t>(i)] += step[static_cast<std::size_t>(i)];
    for (int k = 0; k < m_; ++k) lambda[static_cast<std::size_t>(k)] += step[static_cast<std::size_t>(n_ + k)];
    for (std::size_t b = 0; b < extra.size(); ++b) extra[b] += step[static_cast<std::size_t>(n_ + m_) + b];
    // The first step makes the multipliers, and with them an error of the size of the regularization.
    if (iteration > 0 && change <= 1e-12 * std::max(1.0, largest(state.q.data(), n_))) return true;
  }
  return false;
}

double Assembly::distance_square(const Data& data, const std::vector<double>& q) const {
  double sum = 0;
  for (int i = 0; i < n_; ++i) {
    const double d = q[static_cast<std::size_t>(i)] - data.initial_q[static_cast<std::size_t>(i)];
    sum += solver_.weight(i) * d * d;
  }
  return sum;
}

bool Assembly::descend(double t, const Data& data, ConsistentState& state) {
  std::vector<double> step(static_cast<std::size_t>(size())), trial;
  const std::vector<double> none(static_cast<std::size_t>(m_), 0.0), extra(solver_.kept().size(), 0.0);
  for (int iteration = 0; iteration < 100; ++iteration) {
    check_interrupt();
    solver_.evaluate(t, state.q.data(), data);
    solver_.leave_out_velocity_rows();
    solver_.factor(false, t);
    load_residual(data.initial_q, state.q, none, extra, step);
    solver_.solve(step.data());
    if (largest(step.data(), n_) <= 1e-6 * std::max(1.0, largest(state.q.data(), n_))) return true;
    const double before = distance_square(data, state.q);
    bool is_nearer = false;
    for (double length = 1; length > 1e-4 && !is_nearer; length /= 2) {
      trial = state.q;
      for (std::size_t i = 0; i < trial.size(); ++i) trial[i] += length * step[i];
      is_nearer = solver_.close(t, data, data.initial_q, trial) && distance_square(data, trial) < before;
    }
    if (!is_nearer) return false;
    state.q = trial;
  }
  return false;
}

void Assembly::project(double t, const Data& data, ConsistentState& state) {
  const std::vector<double> feasible = state.q;
  const auto restart = [&](const std::vector<double>& q) {
    state.q = q;
    std::fill(state.position_multipliers.begin(), state.position_multipliers.end(), 0.0);
  };
  // Newton's method also finds the farthest position.
  const double before = distance_square(data, feasible) * (1 + 1e-9);
  if (newton(t, data, state) && distance_square(data, state.q) <= before) return;
  restart(feasible);
  const bool is_nearest = descend(t, data, state);
  restart(std::vector<double>(state.q));
  if (newton(t, data, state)) return;
  throw NumericalError(
      is_nearest ? "the mechanism can be assembled, but the nearest position to the declared one is not unique; name "
                   "the independent coordinates that should keep their declared values"
                 : "the mechanism can be assembled, but the iteration for the position nearest to the declared one did "
                   "not converge; declare positions nearer to a closed one");
}

bool Assembly::stands_still(double t, const Data& data, const std::vector<double>& q) {
  const auto is_zero = [](double x) { return x == 0; };
  if (!std::all_of(data.initial_v.begin(), data.initial_v.end(), is_zero)) return false;
  solver_.evaluate(t, q.data(), data);
  const system::Workspace& w = solver_.workspace();
  return std::all_of(w.phi_rate.begin(), w.phi_rate.end(), is_zero);
}

void Assembly::solve_velocity(double t, const Data& data, ConsistentState& state) {
  if (stands_still(t, data, state.q)) return;
  linearize(t, data, state.q, zero_, state.position_multipliers, Of::Velocities);
  // Solved twice, the second time for what the regularization left over.
  const system::Workspace& w = solver_.workspace();
  std::vector<double> x(static_cast<std::size_t>(size())), extra(solver_.kept().size(), 0.0);
  std::vector<double>&v = state.v, &mu = state.velocity_multipliers;
  std::fill(v.begin(), v.end(), 0.0);
  for (int pass = 0; pass < 2; ++pass) {
    load_residual(data.initial_v, v, mu, extra, x);
    double* low = x.data() + n_;
    for (int k = 0; k < m_; ++k) low[k] = -w.phi_rate[static_cast<std::size_t>(k)];
    system_->mn().multiply(w.jacobian.data(), v.data(), low, -1);
    solver_.solve(x.data());
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += x[i];
    for (std::size_t k = 0; k < mu.size(); ++k) mu[k] += low[k];
    for (std::size_t b = 0; b < extra.size(); ++b) extra[b] += low[static_cast<std::size_t>(m_) + b];
  }
  check_velocity(t, data, v);
}

void Assembly::check_velocity(double t, const Data& data, const std::vector<double>& v) {
  constexpr double contradiction = 1e-6;  // of a constraint's rate, relative to that of the fastest coordinate
  const double fastest = std::max(largest(v.data(), n_), largest(data.initial_v.data(), n_));
  const system::Workspace& w = solver_.workspace();
  const std::vector<int>&start = system_->mn().row_start(), &column = system_->mn().column();
  for (int k = 0; k < m_; ++k) {
    const auto row = static_cast<std::size_t>(k);
    double rate = w.phi_rate[row], size = std::abs(rate);  // Phi_t, evaluated at rest
    for (int j = start[row]; j < start[row + 1]; ++j) {
      const auto entry = static_cast<std::size_t>(j);
      rate += w.jacobian[entry] * v[static_cast<std::size_t>(column[entry])];
      size += std::abs(w.jacobian[entry]) * fastest;
    }
    if (std::abs(rate) <= contradiction * size) continue;
    char time[48];
    std::snprintf(time, sizeof time, "at t = %.6g s: ", t);
    throw NumericalError(std::string(time) + "there are no consistent velocities: the rate that the constraint of " +
                         system_->describe_constraint(k) +
                         ", asks for contradicts other drivers, constraints or independent coordinates");
  }
}

ConsistentState Assembly::solve(double t, const Data& data) {
  ConsistentState state;
  state.q = data.initial_q;
  state.v = data.initial_v;
  state.position_multipliers.assign(static_cast<std::size_t>(m_), 0.0);
  state.velocity_multipliers.assign(static_cast<std::size_t>(m_), 0.0);
  if (m_ == 0) return state;
  if (!solver_.close(t, data, data.initial_q, state.q)) {
    throw NumericalError(
        "the mechanism cannot be assembled: " + solver_.describe_gaps() +
        (solver_.gaps_are_of_digits(state.q)
             ? "; a gap so narrow comes of rounded numbers, in a loop of joints that hold more than its "
               "motion needs: declare places and axes with all digits, or, of hinges with parallel axes, "
               "one as cylindrical and another as spherical joint"
             : "; check its lengths and the declared positions"));
  }
  if (state.q != data.initial_q) project(t, data, state);
  for (std::size_t i = 0; i < state.q.size(); ++i) {
    if (system_->role(static_cast<int>(i)) == model::Role::Auxiliary) continue;  // whatever its declared value was
    state.moved = std::max(state.moved, std::abs(state.q[i] - data.initial_q[i]));
  }
  solve_velocity(t, data, state);
  return state;
}

ConsistentState Assembly::at_position(double t, const Data& data, const std::vector<double>& q) {
  ConsistentState state;
  state.q = q;
  state.v = data.initial_v;
  state.position_multipliers.assign(static_cast<std::size_t>(m_), 0.0);
  state.velocity_multipliers.assign(static_cast<std::size_t>(m_), 0.0);
  if (m_ > 0) solve_velocity(t, data, state);
  return state;
}

void Assembly::load_declared(int (System::*datum)(int) const, const double* dd, std::vector<double>& x) const {
  auto declared = [&](int i) {
    const int d = ((*system_).*datum)(i);
    return d < 0 ? 0.0 : dd[d];
  };
  std::fill(x.begin(), x.end(), 0.0);
  for (int i = 0; i < n_; ++i) x[static_cast<std::size_t>(i)] = (m_ > 0 ? solver_.weight(i) : 1) * declared(i);
  for (std::size_t b = 0; b < solver_.kept().size(); ++b) {
    x[static_cast<std::size_t>(n_ + m_) + b] = declared(solver_.kept()[b]);
  }
}

void Assembly::unload_declared(int (System::*datum)(int) const, const std::vector<double>& x, double* dbar) const {
  auto add = [&](int i, double value) {
    if (const int d = ((*system_).*datum)(i); d >= 0) dbar[d] += value;
  };
  for (int i = 0; i < n_; ++i) add(i, (m_ > 0 ? solver_.weight(i) : 1) * x[static_cast<std::size_t>(i)]);
  for (std::size_t b = 0; b < solver_.kept().size(); ++b) {
    add(solver_.kept()[b], x[static_cast<std::size_t>(n_ + m_) + b]);
  }
}

void Assembly::linearize_positions(double t, const Data& data, const ConsistentState& at) {
  if (m_ > 0) linearize(t, data, at.q, zero_, at.position_multipliers, Of::Positions);
}

void Assembly::linearize_velocities(double t, const Data& data, const ConsistentState& at) {
  if (m_ > 0) linearize(t, data, at.q, at.v, at.velocity_multipliers, Of::Velocities);
}

std::vector<double> Assembly::position_direction(const double* dd) {
  std::vector<double> x(static_cast<std::size_t>(size()));
  load_declared(&System::initial_position_datum, dd, x);
  if (m_ == 0) return x;
  const system::Workspace& w = solver_.workspace();
  system_->nd().multiply(w.residual_data.data(), dd, x.data(), -1);
  system_->md().multiply(w.phi_data.data(), dd, x.data() + n_, -1);
  solver_.solve(x.data());
  return x;
}

std::vector<double> Assembly::velocity_direction(const double* dd, const double* dq) {
  std::vector<double> x(static_cast<std::size_t>(size()));
  load_declared(&System::initial_velocity_datum, dd, x);
  if (m_ == 0) return x;
  const system::Workspace& w = solver_.workspace();
  double* low = x.data() + n_;
  system_->nn().multiply(w.stiffness.data(), dq, x.data(), -1);
  system_->mn().multiply(w.jacobian_rate.data(), dq, low, -1);
  system_->nd().multiply(w.residual_data.data(), dd, x.data(), -1);
  system_->md().multiply(w.phi_rate_data.data(), dd, low, -1);
  solver_.solve(x.data());
  return x;
}

void Assembly::tangents(double t, const Data& data, const ConsistentState& at, int count, const double* dd, double* dq,
                        double* dv) {
  linearize_positions(t, data, at);
  for (int k = 0; k < count; ++k)
    std::copy_n(position_direction(dd + k * system_->data_count()).begin(), n_, dq + k * n_);
  velocity_tangents(t, data, at, count, dd, dq, dv);
}

void Assembly::velocity_tangents(double t, const Data& data, const ConsistentState& at, int count, const double* dd,
                                 const double* dq, double* dv) {
  linearize_velocities(t, data, at);
  for (int k = 0; k < count; ++k) {
    std::copy_n(velocity_direction(dd + k * system_->data_count(), dq + k * n_).begin(), n_, dv + k * n_);
  }
}

std::vector<double> Assembly::seed(const double* bar) const {
  std::vector<double> x(static_cast<std::size_t>(size()), 0.0);
  std::copy_n(bar, n_, x.begin());
  return x;
}

void Assembly::unload_velocity(std::vector<double>& x, double* qbar, double* dbar) {
  if (m_ > 0) {
    const system::Workspace& w = solver_.workspace();
    const double* low = x.data() + n_;
    solver_.solve_transposed(x.data());
    system_->nn().multiply_transposed(w.stiffness.data(), x.data(), qbar, -1);
    system_->mn().multiply_transposed(w.jacobian_rate.data(), low, qbar, -1);
    system_->nd().multiply_transposed(w.residual_data.data(), x.data(), dbar, -1);
    system_->md().multiply_transposed(w.phi_rate_data.data(), low, dbar, -1);
  }
  unload_declared(&System::initial_velocity_datum, x, dbar);
}

void Assembly::unload_position(std::vector<double>& x, double* dbar) {
  if (m_ > 0) {
    const system::Workspace& w = solver_.workspace();
    solver_.solve_transposed(x.data());
    system_->nd().multiply_transposed(w.residual_data.data(), x.data(), dbar, -1);
    system_->md().multiply_transposed(w.phi_data.data(), x.data() + n_, dbar, -1);
  }
  unload_declared(&System::initial_position_datum, x, dbar);
}

void Assembly::velocity_adjoint(double t, const Data& data, const ConsistentState& at, const double* vbar, double* qbar,
                                double* dbar) {
  std::vector<double> x = seed(vbar);
  linearize_velocities(t, data, at);
  unload_velocity(x, qbar, dbar);
}

void Assembly::adjoint(double t, const Data& data, const ConsistentState& at, const double* qbar, const double* vbar,
                       double* dbar) {
  std::vector<double> x = seed(qbar);
  velocity_adjoint(t, data, at, vbar, x.data(), dbar);
  linearize_positions(t, data, at);
  unload_position(x, dbar);
}

}  // namespace perilune::analysis
