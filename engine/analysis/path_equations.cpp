// SPDX-License-Identifier: MIT
#include "analysis/path_equations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/constraint_solver.hpp"
#include "analysis/small_motion/linearization.hpp"
#include "analysis/small_motion/linearized_state.hpp"
#include "error.hpp"
#include "linalg/decompositions.hpp"
#include "poll.hpp"
#include "system/kkt_entries.hpp"

namespace perilune::analysis {

namespace {

constexpr int most_corrections_of_path = 14;  // of one point
// Relative to the largest stiffness, as scaled: of what has none of its own, and of what holds neutral directions in a
// corrector (their residual is none, so that this only keeps its matrix regular).
constexpr double least_stiffness = 1e-8, hold_of_neutral = 1e-6;

std::shared_ptr<const linalg::MatrixLayout> bordered_layout(const System& s) {
  linalg::Entries entries = system::kkt_entries(s);
  const int n = s.coordinate_count(), m = s.constraint_count(), last = n + m;
  for (int k = 0; k <= last; ++k) {
    entries.emplace(k, k);
    if (k < last) entries.emplace(k, last);
    if (k < n) entries.emplace(last, k);
  }
  return std::make_shared<linalg::MatrixLayout>(linalg::SparsePattern(last + 1, last + 1, entries));
}

/// How far the mechanism reaches (m), as its coordinates show; 1 where there is no length among them.
double reach(const System& s, const std::vector<double>& q) {
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest, far = 0;
  for (int i = 0; i < s.coordinate_count(); ++i) {
    if (s.unit(i) != "m" || s.role(i) != model::Role::Motion) continue;
    const double x = q[static_cast<std::size_t>(i)];
    lowest = std::min(lowest, x);
    highest = std::max(highest, x);
    far = std::max(far, std::abs(x));
  }
  if (highest - lowest > 1e-3 * far) return highest - lowest;
  return far > 0 ? far : 1;
}

}  // namespace

PathEquations::PathEquations(std::shared_ptr<const System> system, std::vector<double> parameters, int parameter,
                             double to, double t, const Equilibrium& start)
    : system_(System::differentiated_by({parameter}, system)),
      parameters_(std::move(parameters)),
      parameter_(parameter),
      from_(parameters_[static_cast<std::size_t>(parameter)]),
      range_(to - from_),
      t_(t),
      n_(system_->coordinate_count()),
      m_(system_->constraint_count()),
      w_(*system_),
      solver_(bordered_layout(*system_)),
      q_(start.state.q),
      v_(static_cast<std::size_t>(n_), 0.0),
      lambda_(start.lambda),
      zero_(static_cast<std::size_t>(n_), 0.0),
      weight_(static_cast<std::size_t>(n_), 0.0),
      scale_(static_cast<std::size_t>(n_), 1.0),
      residual_(static_cast<std::size_t>(n_ + m_)),
      by_parameter_(static_cast<std::size_t>(n_ + m_)),
      row_scale_(static_cast<std::size_t>(m_)),
      start_(static_cast<std::size_t>(n_ + m_ + 1)) {
  int counted = 0;
  for (int i = 0; i < n_; ++i) {
    const auto k = static_cast<std::size_t>(i);
    start_[k] = is_state(i) ? start.state.v[k] : start.state.q[k];
    counted += system_->role(i) == model::Role::Motion;
  }
  std::copy(lambda_.begin(), lambda_.end(), start_.begin() + n_);
  length_ = reach(*system_, q_);
  for (int i = 0; i < n_; ++i) {
    if (system_->role(i) != model::Role::Motion) continue;
    const double unit = system_->unit(i) == "m" ? length_ : 1;
    weight_[static_cast<std::size_t>(i)] = 1 / (unit * unit * counted);
  }
  if (!linearize(start_)) throw NumericalError("the static equations are not finite at the start of the path");
  scale_coordinates();
  neutral_ = stiffness().neutral;
  weigh_states();
}

std::shared_ptr<const Data> PathEquations::data_at(const Point& x) const {
  std::vector<double> values = parameters_;
  values[static_cast<std::size_t>(parameter_)] = value(x);
  return system_->make_data(values);
}

bool PathEquations::linearize(const Point& x) {
  const double now = value(x);
  if (!data_ || now != data_value_) {
    moving_ = data_at(x);
    data_ = data_at_rest(*system_, moving_);
    data_value_ = now;
  }
  for (int i = 0; i < n_; ++i) {
    const auto k = static_cast<std::size_t>(i);
    (is_state(i) ? v_ : q_)[k] = x[k];
  }
  std::copy_n(x.begin() + n_, m_, lambda_.begin());
  const system::Kinematics at{t_, q_.data(), v_.data(), zero_.data(), lambda_.data()};
  system_->evaluate(at, *data_, w_);
  for (const double by_multiplier : w_.force_multiplier) {
    if (!(std::abs(by_multiplier) > 1e-9)) continue;
    throw NumericalError("equilibria are followed where forces that read reactions vanish at rest; " +
                         system_->implicit_element() + " does not");
  }
  system_->residual(w_, nullptr, lambda_.data(), residual_.data());
  std::copy(w_.phi.begin(), w_.phi.end(), residual_.begin() + n_);
  system_->linearize(at, *data_, w_, true);
  std::size_t k = 0;
  system_->nn().for_each([&](int, int j) {
    if (is_state(j)) w_.stiffness[k] = w_.damping[k];
    ++k;
  });
  std::vector<double> unit(parameters_.size(), 0.0), moved(static_cast<std::size_t>(system_->data_count()), 0.0);
  unit[static_cast<std::size_t>(parameter_)] = range_;
  system_->data_tangent(*data_, unit.data(), moved.data());
  std::fill(by_parameter_.begin(), by_parameter_.end(), 0.0);
  system_->nd().multiply(w_.residual_data.data(), moved.data(), by_parameter_.data());
  system_->md().multiply(w_.phi_data.data(), moved.data(), by_parameter_.data() + n_);
  double sum = 0;
  for (const double each : residual_) sum += each - each;
  for (const double each : w_.stiffness) sum += each - each;
  for (const double each : by_parameter_) sum += each - each;
  if (sum != 0) trouble_ = system_->explain_failure(at, *data_);
  return sum == 0;
}

void PathEquations::scale_coordinates() {
  std::vector<double> own(static_cast<std::size_t>(n_), 0.0);
  std::size_t k = 0;
  system_->nn().for_each([&](int i, int j) {
    if (i == j) own[static_cast<std::size_t>(i)] = std::abs(w_.stiffness[k]);
    ++k;
  });
  const auto unit = [this](int i) { return system_->unit(i) == "m" ? length_ : 1.0; };
  double stiffest = 0;  // per unit of the metric: an energy
  for (int i = 0; i < n_; ++i) {
    if (!is_state(i)) stiffest = std::max(stiffest, own[static_cast<std::size_t>(i)] * unit(i) * unit(i));
  }
  if (stiffest == 0) stiffest = 1;
  for (int i = 0; i < n_; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (is_state(i)) {
      scale_[at] = own[at] > 0 ? 1 / std::sqrt(own[at]) : 1;
    } else {
      scale_[at] = 1 / std::sqrt(std::max(own[at], least_stiffness * stiffest / (unit(i) * unit(i))));
    }
  }
}

void PathEquations::weigh_states() {
  const auto along = tangent(border_of_parameter(), start_);
  for (int i = 0; i < n_; ++i) {
    if (!is_state(i)) continue;
    const auto k = static_cast<std::size_t>(i);
    const double moves = along ? std::abs((*along)[k] / along->back()) : 0, is = std::abs(start_[k]);
    const double size = std::max(moves, is);
    weight_[k] = size > 0 && std::isfinite(size) ? 1 / (size * size * n_) : 1.0 / n_;
  }
}

double PathEquations::coordinate_product(const Point& a, const Point& b) const {
  double sum = 0;
  for (std::size_t i = 0; i < weight_.size(); ++i) sum += weight_[i] * a[i] * b[i];
  return sum;
}

double PathEquations::product(const Point& a, const Point& b) const {
  return coordinate_product(a, b) + a.back() * b.back();
}

PathEquations::Point PathEquations::border_along(const Point& direction) const {
  Point border(direction.size(), 0.0);
  for (std::size_t i = 0; i < weight_.size(); ++i) border[i] = weight_[i] * direction[i];
  border.back() = direction.back();
  return border;
}

PathEquations::Point PathEquations::border_of_parameter() const {
  Point border(start_.size(), 0.0);
  border.back() = 1;
  return border;
}

bool PathEquations::factor(const Point& border) {
  const linalg::MatrixLayout& layout = solver_.layout();
  double* values = solver_.values();
  std::fill_n(values, solver_.value_count(), 0.0);
  const int last = n_ + m_;
  const auto scale = [this](int i) { return scale_[static_cast<std::size_t>(i)]; };
  std::size_t k = 0;
  system_->nn().for_each([&](int i, int j) { values[layout.slot(i, j)] = w_.stiffness[k++] * scale(i) * scale(j); });
  for (int i = 0; i < n_ && neutral_ > 0; ++i) values[layout.slot(i, i)] += hold_of_neutral;
  std::vector<double> square(static_cast<std::size_t>(m_), 0.0);
  k = 0;
  system_->mn().for_each([&](int i, int j) {
    const double x = w_.jacobian[k++] * scale(j);
    square[static_cast<std::size_t>(i)] += x * x;
  });
  for (int i = 0; i < m_; ++i) {
    const auto row = static_cast<std::size_t>(i);
    row_scale_[row] = square[row] > 0 ? 1 / std::sqrt(square[row]) : 1;
    values[layout.slot(n_ + i, n_ + i)] = -ConstraintSolver::regularization;
  }
  k = 0;
  system_->mn().for_each([&](int i, int j) {
    const double x = w_.jacobian[k++] * scale(j) * row_scale_[static_cast<std::size_t>(i)];
    values[layout.slot(n_ + i, j)] = values[layout.slot(j, n_ + i)] = x;
  });
  const auto row_of = [&](int i) { return i < n_ ? scale(i) : row_scale_[static_cast<std::size_t>(i - n_)]; };
  double steepest = 0;
  for (int i = 0; i < last; ++i) {
    steepest = std::max(steepest, std::abs(by_parameter_[static_cast<std::size_t>(i)] * row_of(i)));
  }
  parameter_scale_ = steepest > 0 ? 1 / steepest : 1;
  for (int i = 0; i < last; ++i) {
    values[layout.slot(i, last)] = by_parameter_[static_cast<std::size_t>(i)] * row_of(i) * parameter_scale_;
  }
  double longest = std::abs(border.back()) * parameter_scale_;
  for (int i = 0; i < n_; ++i) longest = std::max(longest, std::abs(border[static_cast<std::size_t>(i)]) * scale(i));
  border_scale_ = longest > 0 ? 1 / longest : 1;
  for (int i = 0; i < n_; ++i) {
    values[layout.slot(last, i)] = border[static_cast<std::size_t>(i)] * scale(i) * border_scale_;
  }
  values[layout.slot(last, last)] = border.back() * parameter_scale_ * border_scale_;
  return solver_.factor();
}

void PathEquations::solve(Point& right) {
  const auto scale = [&] {
    for (std::size_t i = 0; i < scale_.size(); ++i) right[i] *= scale_[i];
    for (std::size_t k = 0; k < row_scale_.size(); ++k) right[scale_.size() + k] *= row_scale_[k];
  };
  scale();
  right.back() *= border_scale_;
  solver_.solve(right.data());
  scale();
  right.back() *= parameter_scale_;
}

PathEquations::Point PathEquations::remainder(const Point& border, const Point& direction) const {
  Point left(direction.size(), 0.0);
  for (std::size_t i = 0; i < by_parameter_.size(); ++i) left[i] = -by_parameter_[i] * direction.back();
  system_->nn().multiply(w_.stiffness.data(), direction.data(), left.data(), -1);
  system_->mn().multiply_transposed(w_.jacobian.data(), direction.data() + n_, left.data(), -1);
  system_->mn().multiply(w_.jacobian.data(), direction.data(), left.data() + n_, -1);
  left.back() = 1;
  for (std::size_t i = 0; i < border.size(); ++i) left.back() -= border[i] * direction[i];
  return left;
}

bool PathEquations::pushes_neutral(const Point& left) const {
  if (neutral_ == 0) return false;
  double most = 0, pushed = 0;
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    most = std::max(most, std::abs(by_parameter_[i]) * scale_[i]);
    pushed = std::max(pushed, std::abs(left[i]) * scale_[i]);
  }
  return pushed > 1e-3 * most;
}

bool PathEquations::correct(const Point& border, double level, Point& x, int& iterations) {
  constexpr double exact = 1e-14, close = 1e-7, lost = 10;  // lengths of steps in the metric
  trouble_.clear();
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_corrections_of_path; ++k) {
    check_interrupt();
    ++iterations;
    try {
      if (!linearize(x) || !factor(border)) return false;
    } catch (const NumericalError& error) {
      trouble_ = error.what();  // the parameter is where the model has no data
      return false;
    }
    Point step(x.size());
    for (std::size_t i = 0; i < residual_.size(); ++i) step[i] = -residual_[i];
    step.back() = level;
    for (std::size_t i = 0; i < x.size(); ++i) step.back() -= border[i] * x[i];
    solve(step);
    const double length = std::sqrt(product(step, step));
    if (!(length < lost) || !std::isfinite(largest(step.data(), n_ + m_))) return false;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += step[i];
    if (length <= exact || (length <= close && length > 0.25 * last)) return true;
    last = length;
  }
  return last <= close;
}

std::optional<PathEquations::Point> PathEquations::tangent(const Point& border, const Point& x) {
  if (!linearize(x) || !factor(border)) return std::nullopt;
  Point direction(x.size(), 0.0);
  // Corrected for what keeps the matrix regular where constraints are redundant or directions neutral.
  for (int k = 0; k < 3; ++k) {
    Point left = remainder(border, direction);
    solve(left);
    for (std::size_t i = 0; i < x.size(); ++i) direction[i] += left[i];
  }
  const double length = std::sqrt(product(direction, direction));
  if (!(length > 0) || !std::isfinite(length) || pushes_neutral(remainder(border, direction))) return std::nullopt;
  for (double& each : direction) each /= length;
  return direction;
}

FreeStiffness PathEquations::stiffness() {
  if (n_ > most_for_stability) return {};
  const auto scale = [this](int i) { return scale_[static_cast<std::size_t>(i)]; };
  MatrixXd K = MatrixXd::Zero(n_, n_), rows = MatrixXd::Zero(m_, n_);
  std::size_t k = 0;
  system_->nn().for_each([&](int i, int j) { K(i, j) += w_.stiffness[k++] * scale(i) * scale(j); });
  k = 0;
  system_->mn().for_each([&](int i, int j) { rows(i, j) += w_.jacobian[k++] * scale(j); });
  return free_stiffness(std::move(K), std::move(rows), neutral_);
}

Equilibrium::Stability PathEquations::stability(const FreeStiffness& of) {
  using Stability = Equilibrium::Stability;
  if (!of.is_known) return Stability::Unknown;
  bool has_states = false;
  for (int i = 0; i < n_; ++i) has_states = has_states || is_state(i);
  const bool is_damped = std::any_of(w_.damping.begin(), w_.damping.end(), [](double x) { return x != 0; });
  // With a potential, and nothing that reads velocities, the stiffness decides; else the small motions do.
  if (of.is_symmetric && !has_states && !is_damped) {
    return of.negative() == 0 ? Stability::Stable : Stability::Unstable;
  }
  try {
    return analysis::linearize(*system_, *moving_, t_, q_, v_).is_unstable() ? Stability::Unstable : Stability::Stable;
  } catch (const NumericalError&) {
    return Stability::Unknown;  // a part without mass
  }
}

Equilibrium PathEquations::equilibrium(const Point& x) {
  Equilibrium out;
  linearize(x);
  out.state.q = q_;
  out.state.v = v_;
  out.lambda = lambda_;
  out.residual = largest(residual_.data(), n_);
  return out;
}

}  // namespace perilune::analysis
