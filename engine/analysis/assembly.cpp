#include "analysis/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "error.hpp"

namespace perilune::analysis {

namespace {

// Keeps the projection solvable with redundant constraints; its effect on the result is of the same relative size.
// Multiplies the square of each constraint's gradient: that of a distance is as small as the mechanism.
constexpr double regularization = 1e-13;
// Largest gap of a constraint that counts as closed, relative to the size of the mechanism around it.
constexpr double closed = 1e-13;
// The same where rounding forbids more.
constexpr double nearly_closed = 1e-10;

std::vector<int> checked(const System& s, std::vector<int> independent) {
  std::set<int> seen;
  for (int i : independent) {
    if (i < 0 || i >= s.coordinate_count()) {
      throw Error("assembly: there is no coordinate number " + std::to_string(i) + "; the model has " +
                  std::to_string(s.coordinate_count()));
    }
    if (!seen.insert(i).second) throw Error("assembly: the coordinate " + s.coordinate_name(i) + " is named twice");
  }
  return independent;
}

std::shared_ptr<const linalg::MatrixLayout> projection_layout(const System& s, const std::vector<int>& independent) {
  std::set<std::pair<int, int>> entries;
  const int n = s.coordinate_count(), m = s.constraint_count(), b = static_cast<int>(independent.size());
  s.nn().for_each([&](int i, int j) { entries.emplace(i, j); });
  s.mn().for_each([&](int i, int j) {
    entries.emplace(n + i, j);
    entries.emplace(j, n + i);
  });
  for (int k = 0; k < b; ++k) {
    entries.emplace(n + m + k, independent[static_cast<std::size_t>(k)]);
    entries.emplace(independent[static_cast<std::size_t>(k)], n + m + k);
  }
  for (int k = 0; k < m + b; ++k) entries.emplace(n + k, n + k);
  return std::make_shared<linalg::MatrixLayout>(linalg::SparsePattern(n + m + b, n + m + b, entries));
}

double largest(const double* x, int n) {
  double norm = 0;
  for (int i = 0; i < n; ++i) norm = std::max(norm, std::abs(x[i]));
  return norm;
}

}  // namespace

Assembly::Assembly(std::shared_ptr<const System> system, std::vector<int> independent)
    : system_(std::move(system)),
      independent_(checked(*system_, std::move(independent))),
      n_(system_->coordinate_count()),
      m_(system_->constraint_count()),
      w_(*system_),
      solver_(projection_layout(*system_, independent_)),
      zero_(static_cast<std::size_t>(n_ + m_), 0.0) {}

void Assembly::factor(bool with_curvature, double t) {
  const linalg::MatrixLayout& layout = solver_.layout();
  double* values = solver_.values();
  std::fill_n(values, solver_.value_count(), 0.0);
  std::size_t k = 0;
  system_->nn().for_each([&](int i, int j) {
    values[layout.slot(i, j)] = (i == j ? 1.0 : 0.0) + (with_curvature ? w_.stiffness[k] : 0.0);
    ++k;
  });
  k = 0;
  system_->mn().for_each(
      [&](int i, int j) { values[layout.slot(n_ + i, j)] = values[layout.slot(j, n_ + i)] = w_.jacobian[k++]; });
  for (std::size_t b = 0; b < independent_.size(); ++b) {
    const int row = n_ + m_ + static_cast<int>(b);
    values[layout.slot(row, independent_[b])] = values[layout.slot(independent_[b], row)] = 1;
  }
  for (int row = 0; row < m_; ++row) {
    const double square = gradient_square(row);
    values[layout.slot(n_ + row, n_ + row)] = -regularization * (square > 0 ? square : 1);
  }
  if (!solver_.factor()) {
    char time[48];
    std::snprintf(time, sizeof time, "at t = %.6g s: ", t);
    throw NumericalError(std::string(time) +
                         "the assembly is singular; move the declared positions away from a singular position");
  }
}

double Assembly::gradient_square(int row) const {
  const std::vector<int>& start = system_->mn().row_start();
  double square = 0;
  for (int k = start[static_cast<std::size_t>(row)]; k < start[static_cast<std::size_t>(row) + 1]; ++k) {
    square += w_.jacobian[static_cast<std::size_t>(k)] * w_.jacobian[static_cast<std::size_t>(k)];
  }
  return square;
}

double Assembly::relative_gap(const double* q) const {
  const std::vector<int>&start = system_->mn().row_start(), &column = system_->mn().column();
  double worst = 0;
  for (int row = 0; row < m_; ++row) {
    const double phi = std::abs(w_.phi[static_cast<std::size_t>(row)]);
    if (phi == 0) continue;
    const double gradient = std::sqrt(gradient_square(row));
    double moment = 0;
    for (int k = start[static_cast<std::size_t>(row)]; k < start[static_cast<std::size_t>(row) + 1]; ++k) {
      moment += std::abs(w_.jacobian[static_cast<std::size_t>(k)] * q[column[static_cast<std::size_t>(k)]]);
    }
    // To first order the gap closes over phi / gradient. The gradient of a distance is a length itself.
    worst = std::max(worst, phi / std::max(moment, gradient * std::min(gradient, 1.0)));
  }
  return worst;
}

double Assembly::constraint_norm(double t, const double* q, const Data& data) {
  system_->evaluate({t, q, zero_.data(), nullptr, nullptr}, data, w_, system::Part::Constraints);
  return largest(w_.phi.data(), m_);
}

void Assembly::find_feasible(double t, const Data& data, std::vector<double>& q) {
  const std::vector<double>& declared = data.initial_q;
  std::vector<double> step(static_cast<std::size_t>(size())), trial(q);
  double norm = constraint_norm(t, q.data(), data);
  int worst = 0;
  for (int iteration = 0; iteration < 60; ++iteration) {
    check_interrupt();
    if (!std::isfinite(norm))
      throw NumericalError("assembly: " +
                           system_->explain_failure({t, q.data(), zero_.data(), nullptr, nullptr}, data));
    const double gap = relative_gap(q.data());
    if (gap <= closed) return;
    std::fill(step.begin(), step.end(), 0.0);
    for (int k = 0; k < m_; ++k) step[static_cast<std::size_t>(n_ + k)] = -w_.phi[static_cast<std::size_t>(k)];
    for (std::size_t b = 0; b < independent_.size(); ++b) {
      const auto i = static_cast<std::size_t>(independent_[b]);
      step[static_cast<std::size_t>(n_ + m_) + b] = declared[i] - q[i];
    }
    worst = static_cast<int>(
        std::max_element(w_.phi.begin(), w_.phi.end(), [](double x, double y) { return std::abs(x) < std::abs(y); }) -
        w_.phi.begin());
    factor(false, t);
    solver_.solve(step.data());
    double length = 1, next = 0;
    for (int halving = 0; halving < 12; ++halving, length /= 2) {
      for (std::size_t i = 0; i < q.size(); ++i) trial[i] = q[i] + length * step[i];
      next = constraint_norm(t, trial.data(), data);
      if (next < norm) break;
    }
    const double change = length * largest(step.data(), n_);
    if (!(next < norm)) {
      if (gap <= nearly_closed && change < 1e-9 * std::max(1.0, largest(q.data(), n_))) {
        constraint_norm(t, q.data(), data);  // as near as rounding allows
        return;
      }
      break;
    }
    q = trial;
    norm = next;
  }
  char gap[32];
  std::snprintf(gap, sizeof gap, "%.3g", norm);
  throw NumericalError("the mechanism cannot be assembled: the constraint of " + system_->describe_constraint(worst) +
                       ", stays open by " + gap + "; check its lengths and the declared positions");
}

void Assembly::linearize(double t, const Data& data, const std::vector<double>& q, const std::vector<double>& v,
                         const std::vector<double>& multipliers, bool with_curvature) {
  const system::Kinematics at{t, q.data(), v.data(), zero_.data(), multipliers.data()};
  system_->evaluate(at, data, w_, system::Part::Constraints);
  system_->linearize(at, data, w_, true, system::Part::Constraints);
  factor(with_curvature, t);
}

void Assembly::project(double t, const Data& data, ConsistentState& state) {
  // From a feasible point to the nearest one: Newton on q - q_d + Phi_q^T lambda + B^T mu = 0, Phi = 0.
  const std::vector<double>& declared = data.initial_q;
  std::vector<double> step(static_cast<std::size_t>(size())), extra(independent_.size(), 0.0);
  std::vector<double>& lambda = state.position_multipliers;
  for (int iteration = 0; iteration < 40; ++iteration) {
    linearize(t, data, state.q, zero_, lambda, iteration > 0);
    for (int i = 0; i < n_; ++i) {
      const auto k = static_cast<std::size_t>(i);
      step[k] = declared[k] - state.q[k];
    }
    system_->mn().multiply_transposed(w_.jacobian.data(), lambda.data(), step.data(), -1);
    for (std::size_t b = 0; b < extra.size(); ++b) {
      const auto i = static_cast<std::size_t>(independent_[b]);
      step[i] -= extra[b];
      step[static_cast<std::size_t>(n_ + m_) + b] = declared[i] - state.q[i];
    }
    for (int k = 0; k < m_; ++k) step[static_cast<std::size_t>(n_ + k)] = -w_.phi[static_cast<std::size_t>(k)];
    solver_.solve(step.data());
    for (int i = 0; i < n_; ++i) state.q[static_cast<std::size_t>(i)] += step[static_cast<std::size_t>(i)];
    for (int k = 0; k < m_; ++k) lambda[static_cast<std::size_t>(k)] += step[static_cast<std::size_t>(n_ + k)];
    for (std::size_t b = 0; b < extra.size(); ++b) extra[b] += step[static_cast<std::size_t>(n_ + m_) + b];
    // The first step makes the multipliers, and with them an error of the size of the regularization.
    if (iteration > 0 && largest(step.data(), n_) <= 1e-12 * std::max(1.0, largest(state.q.data(), n_))) return;
  }
  throw NumericalError(
      "the mechanism can be assembled, but the nearest position to the declared one is not unique; name the "
      "independent coordinates that should keep their declared values");
}

ConsistentState Assembly::solve(double t, const Data& data) {
  ConsistentState state;
  state.q = data.initial_q;
  state.v = data.initial_v;
  state.position_multipliers.assign(static_cast<std::size_t>(m_), 0.0);
  state.velocity_multipliers.assign(static_cast<std::size_t>(m_), 0.0);
  if (m_ == 0) return state;
  find_feasible(t, data, state.q);
  if (state.q != data.initial_q) project(t, data, state);
  for (std::size_t i = 0; i < state.q.size(); ++i) {
    state.moved = std::max(state.moved, std::abs(state.q[i] - data.initial_q[i]));
  }

  linearize(t, data, state.q, zero_, state.position_multipliers, false);
  // Solved twice, the second time for what the regularization left over.
  std::vector<double> x(static_cast<std::size_t>(size())), extra(independent_.size(), 0.0);
  std::vector<double>&v = state.v, &mu = state.velocity_multipliers;
  std::fill(v.begin(), v.end(), 0.0);
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t i = 0; i < v.size(); ++i) x[i] = data.initial_v[i] - v[i];
    double* low = x.data() + n_;
    for (int k = 0; k < m_; ++k) low[k] = -w_.phi_rate[static_cast<std::size_t>(k)];
    system_->mn().multiply_transposed(w_.jacobian.data(), mu.data(), x.data(), -1);
    system_->mn().multiply(w_.jacobian.data(), v.data(), low, -1);
    for (std::size_t b = 0; b < extra.size(); ++b) {
      const auto i = static_cast<std::size_t>(independent_[b]);
      x[i] -= extra[b];
      low[static_cast<std::size_t>(m_) + b] = data.initial_v[i] - v[i];
    }
    solver_.solve(x.data());
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += x[i];
    for (std::size_t k = 0; k < mu.size(); ++k) mu[k] += low[k];
    for (std::size_t b = 0; b < extra.size(); ++b) extra[b] += low[static_cast<std::size_t>(m_) + b];
  }
  return state;
}

void Assembly::tangent(double t, const Data& data, const ConsistentState& at, const double* dd, double* dq,
                       double* dv) {
  auto declared = [dd](int datum) { return datum < 0 ? 0.0 : dd[datum]; };
  std::vector<double> x(static_cast<std::size_t>(size()));
  auto load_declared = [&](auto&& datum_of) {
    std::fill(x.begin(), x.end(), 0.0);
    for (int i = 0; i < n_; ++i) x[static_cast<std::size_t>(i)] = declared(datum_of(i));
    for (std::size_t b = 0; b < independent_.size(); ++b) {
      x[static_cast<std::size_t>(n_ + m_) + b] = declared(datum_of(independent_[b]));
    }
  };
  double* low = x.data() + n_;

  load_declared([&](int i) { return system_->initial_position_datum(i); });
  if (m_ > 0) {
    linearize(t, data, at.q, zero_, at.position_multipliers, true);
    system_->nd().multiply(w_.residual_data.data(), dd, x.data(), -1);
    system_->md().multiply(w_.phi_data.data(), dd, low, -1);
    solver_.solve(x.data());
  }
  std::copy_n(x.begin(), n_, dq);

  load_declared([&](int i) { return system_->initial_velocity_datum(i); });
  if (m_ > 0) {
    linearize(t, data, at.q, at.v, at.velocity_multipliers, false);
    system_->nn().multiply(w_.stiffness.data(), dq, x.data(), -1);
    system_->mn().multiply(w_.jacobian_rate.data(), dq, low, -1);
    system_->nd().multiply(w_.residual_data.data(), dd, x.data(), -1);
    system_->md().multiply(w_.phi_rate_data.data(), dd, low, -1);
    solver_.solve(x.data());
  }
  std::copy_n(x.begin(), n_, dv);
}

void Assembly::adjoint(double t, const Data& data, const ConsistentState& at, const double* qbar, const double* vbar,
                       double* dbar) {
  std::vector<double> x(static_cast<std::size_t>(size()), 0.0), q_seed(qbar, qbar + n_);
  auto unload_declared = [&](auto&& datum_of) {
    for (int i = 0; i < n_; ++i) {
      if (const int datum = datum_of(i); datum >= 0) dbar[datum] += x[static_cast<std::size_t>(i)];
    }
    for (std::size_t b = 0; b < independent_.size(); ++b) {
      if (const int datum = datum_of(independent_[b]); datum >= 0) {
        dbar[datum] += x[static_cast<std::size_t>(n_ + m_) + b];
      }
    }
  };
  const double* low = x.data() + n_;

  std::copy_n(vbar, n_, x.begin());
  if (m_ > 0) {
    linearize(t, data, at.q, at.v, at.velocity_multipliers, false);
    solver_.solve_transposed(x.data());
    system_->nn().multiply_transposed(w_.stiffness.data(), x.data(), q_seed.data(), -1);
    system_->mn().multiply_transposed(w_.jacobian_rate.data(), low, q_seed.data(), -1);
    system_->nd().multiply_transposed(w_.residual_data.data(), x.data(), dbar, -1);
    system_->md().multiply_transposed(w_.phi_rate_data.data(), low, dbar, -1);
  }
  unload_declared([&](int i) { return system_->initial_velocity_datum(i); });

  std::fill(x.begin(), x.end(), 0.0);
  std::copy(q_seed.begin(), q_seed.end(), x.begin());
  if (m_ > 0) {
    linearize(t, data, at.q, zero_, at.position_multipliers, true);
    solver_.solve_transposed(x.data());
    system_->nd().multiply_transposed(w_.residual_data.data(), x.data(), dbar, -1);
    system_->md().multiply_transposed(w_.phi_data.data(), low, dbar, -1);
  }
  unload_declared([&](int i) { return system_->initial_position_datum(i); });
}

}  // namespace perilune::analysis
