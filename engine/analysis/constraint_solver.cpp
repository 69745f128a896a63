// SPDX-License-Identifier: MIT
#include "analysis/constraint_solver.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "at_time.hpp"
#include "error.hpp"
#include "system/constraint_rank.hpp"
#include "system/kkt_entries.hpp"
#include "system/last_layout.hpp"

namespace perilune::analysis {

namespace {

// Largest gap of a constraint that counts as closed, relative to the size of the mechanism around it.
constexpr double closed = 1e-13;
// The same where rounding forbids more.
constexpr double nearly_closed = 1e-10;

std::vector<int> checked(const System& s, std::vector<int> kept) {
  std::set<int> seen;
  for (int i : kept) {
    if (i < 0 || i >= s.coordinate_count()) {
      throw Error("assembly: there is no coordinate number " + std::to_string(i) + "; the model has " +
                  std::to_string(s.coordinate_count()));
    }
    if (!seen.insert(i).second) throw Error("assembly: the coordinate " + s.coordinate_name(i) + " is named twice");
  }
  return kept;
}

std::shared_ptr<const linalg::MatrixLayout> projection_layout(const std::shared_ptr<const System>& system,
                                                              const std::vector<int>& kept) {
  thread_local system::LastLayout last;
  return last.of(system, kept, [&] {
    linalg::Entries entries = system::kkt_entries(*system);
    const int n = system->coordinate_count(), m = system->constraint_count(), b = static_cast<int>(kept.size());
    for (int k = 0; k < b; ++k) {
      entries.emplace(n + m + k, kept[static_cast<std::size_t>(k)]);
      entries.emplace(kept[static_cast<std::size_t>(k)], n + m + k);
    }
    for (int k = 0; k < m + b; ++k) entries.emplace(n + k, n + k);
    return std::make_shared<linalg::MatrixLayout>(linalg::SparsePattern(n + m + b, n + m + b, entries));
  });
}

}  // namespace

void refuse_velocity_constraints(const System& system, const std::string& what, const std::string& remedy) {
  if (!system.constrains_velocities()) return;
  throw Error(what + " is not offered with constraints on velocities, such as that of " +
              system.describe_constraint(system.velocity_rows().front()) + remedy);
}

void refuse_sampled(const System& system, const std::string& what) {
  if (system.sampled().empty()) return;
  throw Error(what + " does not know what becomes of sampled \"" + system.sampled().front().name +
              "\", whose ticks are no part of its equations; simulate, or declare a continuous controller in its place "
              "(m:pid, m:state)");
}

double largest(const double* x, int n) {
  double norm = 0;
  for (int i = 0; i < n; ++i) {
    if (std::isnan(x[i])) return x[i];
    norm = std::max(norm, std::abs(x[i]));
  }
  return norm;
}

ConstraintSolver::ConstraintSolver(std::shared_ptr<const System> system, std::vector<int> kept)
    : system_(std::move(system)),
      kept_(checked(*system_, std::move(kept))),
      n_(system_->coordinate_count()),
      m_(system_->constraint_count()),
      w_(*system_),
      solver_(projection_layout(system_, kept_)),
      zero_(static_cast<std::size_t>(n_), 0.0),
      step_(static_cast<std::size_t>(size())),
      trial_(static_cast<std::size_t>(n_)),
      upper_left_(system_->nn().size()),
      scale_(static_cast<std::size_t>(m_)) {
  const std::vector<int>&start = system_->mn().row_start(), &column = system_->mn().column();
  for (int row = 0; row < m_; ++row) {
    const auto first = column.begin() + start[static_cast<std::size_t>(row)],
               last = column.begin() + start[static_cast<std::size_t>(row) + 1];
    if (std::all_of(first, last, [this](int i) { return weight(i) == 0; })) of_angles_.push_back(row);
  }
}

void ConstraintSolver::evaluate(double t, const double* q, const Data& data) {
  system_->evaluate({t, q, zero_.data(), nullptr, nullptr}, data, w_, system::Part::Constraints);
}

void ConstraintSolver::evaluate_positions(double t, const double* q, const Data& data) {
  evaluate(t, q, data);
  leave_out_velocity_rows();
}

void ConstraintSolver::leave_out_velocity_rows() {
  system_->for_velocity_entries(system_->mn(), [this](std::size_t k) { w_.jacobian[k] = 0; });
}

void ConstraintSolver::factor(bool with_curvature, double t, double mu) {
  std::size_t k = 0;
  system_->nn().for_each([&](int i, int j) {
    upper_left_[k] = (i == j ? weight(i) : 0.0) + (with_curvature ? w_.stiffness[k] : 0.0);
    ++k;
  });
  // Rounding may undo the regularization of redundant constraints: then more of it.
  for (const double larger : {1.0, 10.0, 100.0}) {
    if (factor_with(upper_left_, larger * mu)) return;
  }
  throw NumericalError(at_time(t) +
                       "the assembly is singular; move the declared positions away from a singular position");
}

bool ConstraintSolver::factor_with(const std::vector<double>& upper_left, double mu,
                                   const std::vector<double>* beside) {
  const linalg::MatrixLayout& layout = solver_.layout();
  double* values = solver_.values();
  std::fill_n(values, solver_.value_count(), 0.0);
  std::size_t k = 0;
  system_->nn().for_each([&](int i, int j) { values[layout.slot(i, j)] = upper_left[k++]; });
  for (int row = 0; row < m_; ++row) {
    const double square = gradient_square(row);
    scale_[static_cast<std::size_t>(row)] = square > 0 ? 1 / std::sqrt(square) : 1;
    values[layout.slot(n_ + row, n_ + row)] = -mu;
  }
  k = 0;
  system_->mn().for_each([&](int i, int j) {
    const double x = scale_[static_cast<std::size_t>(i)] * w_.jacobian[k++];
    values[layout.slot(n_ + i, j)] = values[layout.slot(j, n_ + i)] = x;
  });
  if (beside) {
    k = 0;
    system_->mn().for_each(
        [&](int i, int j) { values[layout.slot(n_ + i, j)] += scale_[static_cast<std::size_t>(i)] * (*beside)[k++]; });
  }
  for (std::size_t b = 0; b < kept_.size(); ++b) {
    const int row = n_ + m_ + static_cast<int>(b);
    values[layout.slot(row, kept_[b])] = values[layout.slot(kept_[b], row)] = 1;
  }
  // Positions and velocities of what rests where it is declared have the same matrix.
  if (std::equal(factored_.begin(), factored_.end(), values, values + solver_.value_count())) return true;
  const bool is_regular = solver_.factor();
  factored_.assign(values, values + (is_regular ? solver_.value_count() : 0));
  return is_regular;
}

void ConstraintSolver::scale_constraints(double* x) const {
  for (int k = 0; k < m_; ++k) x[n_ + k] *= scale_[static_cast<std::size_t>(k)];
}

void ConstraintSolver::solve(double* x) {
  scale_constraints(x);
  solver_.solve(x);
  scale_constraints(x);
}

void ConstraintSolver::solve_transposed(double* x) {
  scale_constraints(x);
  solver_.solve_transposed(x);
  scale_constraints(x);
}

double ConstraintSolver::gradient_square(int row) const {
  const std::vector<int>& start = system_->mn().row_start();
  double square = 0;
  for (int k = start[static_cast<std::size_t>(row)]; k < start[static_cast<std::size_t>(row) + 1]; ++k) {
    square += w_.jacobian[static_cast<std::size_t>(k)] * w_.jacobian[static_cast<std::size_t>(k)];
  }
  return square;
}

double ConstraintSolver::relative_gap(const double* q) const {
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

void ConstraintSolver::fill_step(const std::vector<double>& target, const std::vector<double>& q) {
  std::fill(step_.begin(), step_.end(), 0.0);
  for (int k = 0; k < m_; ++k) step_[static_cast<std::size_t>(n_ + k)] = -w_.phi[static_cast<std::size_t>(k)];
  for (std::size_t b = 0; b < kept_.size(); ++b) {
    const auto i = static_cast<std::size_t>(kept_[b]);
    step_[static_cast<std::size_t>(n_ + m_) + b] = target[i] - q[i];
  }
}

double ConstraintSolver::allowed_length() const {
  constexpr double most = 0.5;  // rad
  double turn = most;
  for (int i = 0; i < n_; ++i) {
    if (weight(i) == 0) turn = std::max(turn, std::abs(step_[static_cast<std::size_t>(i)]));
  }
  return most / turn;
}

bool ConstraintSolver::newton(double t, const Data& data, const std::vector<double>& target, std::vector<double>& q) {
  evaluate_positions(t, q.data(), data);
  double norm = largest(w_.phi.data(), m_);
  constexpr int enough = 60, enough_turned = 10000;  // iterations; those that only go on turning count less
  for (int iteration = 0, turned = 0; iteration < enough && turned < enough_turned;) {
    check_interrupt();
    if (!std::isfinite(norm))
      throw NumericalError("assembly: " +
                           system_->explain_failure({t, q.data(), zero_.data(), nullptr, nullptr}, data));
    const double gap = relative_gap(q.data());
    if (gap <= closed) return true;
    fill_step(target, q);
    factor(false, t);
    solve(step_.data());
    const double allowed = allowed_length();
    if (allowed < 1) {
      fill_step(target, q);
      for (int row : of_angles_) step_[static_cast<std::size_t>(n_ + row)] *= allowed;
      solve(step_.data());
    }
    double length = allowed_length(), next = 0;
    ++(allowed < 1 ? turned : iteration);
    for (int halving = 0; halving < 12; ++halving, length /= 2) {
      for (std::size_t i = 0; i < q.size(); ++i) trial_[i] = q[i] + length * step_[i];
      evaluate_positions(t, trial_.data(), data);
      next = largest(w_.phi.data(), m_);
      if (next < norm) break;
    }
    if (!(next < norm)) {
      const double change = length * largest(step_.data(), n_);
      evaluate_positions(t, q.data(), data);
      return gap <= nearly_closed &&
             change < 1e-9 * std::max(1.0, largest(q.data(), n_));  // as near as rounding allows
    }
    q = trial_;
    norm = next;
  }
  return false;
}

double ConstraintSolver::scaled_square(const std::vector<double>& scale) const {
  double sum = 0;
  for (std::size_t k = 0; k < scale.size(); ++k) sum += w_.phi[k] * w_.phi[k] * scale[k];
  return sum;
}

// Levenberg and Marquardt: slower, but it goes on where Newton's step points nowhere, and where the constraints cannot
// be closed it ends at the best compromise, which shows the joints that contradict each other.
bool ConstraintSolver::damped(double t, const Data& data, const std::vector<double>& target, std::vector<double>& q) {
  std::vector<double> scale(static_cast<std::size_t>(m_));
  double mu = 1e-2;
  for (int iteration = 0; iteration < 300; ++iteration) {
    check_interrupt();
    evaluate_positions(t, q.data(), data);
    if (relative_gap(q.data()) <= closed) return true;
    for (int k = 0; k < m_; ++k) {
      const double square = gradient_square(k);
      scale[static_cast<std::size_t>(k)] = square > 0 ? 1 / square : 0;
    }
    const double before = scaled_square(scale);
    bool is_better = false;
    for (; mu < 1e6 && !is_better; mu *= is_better ? 1 : 4) {
      fill_step(target, q);
      factor(false, t, mu);
      solve(step_.data());
      const double length = allowed_length();
      for (std::size_t i = 0; i < q.size(); ++i) trial_[i] = q[i] + length * step_[i];
      evaluate_positions(t, trial_.data(), data);
      const double after = scaled_square(scale);
      is_better = after < before * (1 - 1e-9);
      if (!is_better) evaluate_positions(t, q.data(), data);
    }
    if (!is_better) return newton(t, data, target, q);
    q = trial_;
    mu = std::max(mu / 10, regularization);
  }
  return newton(t, data, target, q);
}

bool ConstraintSolver::close(double t, const Data& data, const std::vector<double>& target, std::vector<double>& q) {
  const std::vector<double> start = q;
  if (newton(t, data, target, q)) return true;
  q = start;
  return damped(t, data, target, q);
}

double ConstraintSolver::open_length(int row, std::string& unit) const {
  const std::vector<int>&start = system_->mn().row_start(), &column = system_->mn().column();
  double square = 0;
  int lengths = 0;
  for (int k = start[static_cast<std::size_t>(row)]; k < start[static_cast<std::size_t>(row) + 1]; ++k) {
    if (system_->unit(column[static_cast<std::size_t>(k)]) != "m") continue;
    const double x = w_.jacobian[static_cast<std::size_t>(k)];
    square += x * x;
    ++lengths;
  }
  const double phi = w_.phi[static_cast<std::size_t>(row)];
  // Where two points coincide their distance has no slope, but is a length.
  unit = lengths > 0 ? " m" : system_->is_internal_constraint(row) ? "" : " rad";
  if (!(square > 0))
    return lengths > 0 && system_->is_square_constraint(row) ? std::sqrt(std::abs(phi)) : std::abs(phi);
  // With two ends that move (at least 2 coordinates each) the gradient counts twice.
  const double gradient = std::sqrt(lengths > 3 ? square / 2 : square);
  if (!system_->is_square_constraint(row)) return std::abs(phi) / gradient;
  const double distance = gradient / 2;  // |u|, of phi = |u|^2 - L^2
  return std::abs(distance - std::sqrt(std::max(0.0, distance * distance - phi)));
}

bool ConstraintSolver::gaps_are_of_digits(const std::vector<double>& q) const {
  constexpr double few_digits = 1e-6;  // files have six and more
  return relative_gap(q.data()) < few_digits;
}

std::string ConstraintSolver::describe_gaps() const {
  std::vector<std::pair<double, int>> open;
  for (int k = 0; k < m_; ++k) open.emplace_back(std::abs(w_.phi[static_cast<std::size_t>(k)]), k);
  std::string unit;
  for (auto& [gap, row] : open) gap = open_length(row, unit);
  std::sort(open.rbegin(), open.rend());
  constexpr double considerable = 1e-2;  // of the widest gap
  std::vector<std::string> names;
  for (const auto& [gap, row] : open) {
    const std::string& name = system_->constraint_name(row);
    if (gap < considerable * open.front().first || system_->is_internal_constraint(row)) continue;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  char size[32];
  std::snprintf(size, sizeof size, "%.3g", open_length(open.front().second, unit));
  const std::string contradiction = names.size() > 1 ? system::quoted_list(names) + " contradict each other: " : "";
  return contradiction + "the constraint of " + system_->describe_constraint(open.front().second) + ", stays open by " +
         size + unit;
}

}  // namespace perilune::analysis
