// SPDX-License-Identifier: MIT
#include "analysis/start_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "analysis/equilibrium.hpp"
#include "at_time.hpp"
#include "error.hpp"

namespace perilune::analysis {

namespace {

constexpr double weakness = 1e-9;  // of the springs that hold, relative to what holds the coordinate
constexpr int most_corrections = 20;
constexpr int most_releases = 1500;  // of the springs
constexpr double released = 1e-14;   // share of the springs' pull that is none
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
      zero_(static_cast<std::size_t>(n_ + m_), 0.0),
      matrix_(system_->nn().size()),
      step_(static_cast<std::size_t>(n_ + m_)) {
  if (from == StartFrom::Rest) {
    statics_.emplace(system_, std::vector<int>());
    way_.emplace(system_);
  }
  for (int i = 0; i < n_; ++i) {
    is_state_.push_back(system_->role(i) == model::Role::State);
    if (from == StartFrom::Declared || !is_state(i) || !system_->constrains_velocities()) continue;
    throw NumericalError("a start at rest is not offered for first-order states, such as " + system_->velocity_name(i) +
                         ", beside constraints on velocities; start from m:equilibrium with from = ...");
  }
}

system::Kinematics StartState::evaluate_rest(double t, const Data& data, const ConsistentState& at) {
  rest_v_.assign(static_cast<std::size_t>(n_), 0.0);
  for (std::size_t i = 0; i < rest_v_.size(); ++i) {
    if (is_state_[i]) rest_v_[i] = at.v[i];
  }
  const system::Kinematics rest{t, at.q.data(), rest_v_.data(), zero_.data(), at.position_multipliers.data()};
  system_->evaluate(rest, data, statics_->workspace());
  return rest;
}

void StartState::linearize_rest(double t, const Data& data, const ConsistentState& at, bool with_data) {
  system::Workspace& w = statics_->workspace();
  system_->linearize(evaluate_rest(t, data, at), data, w, with_data);
  std::size_t k = 0;
  system_->nn().for_each([&](int, int j) {
    if (is_state(j)) w.stiffness[k] = w.damping[k];
    ++k;
  });
}

void StartState::weigh(double t, const Data& data, const ConsistentState& at) {
  system::Workspace& w = statics_->workspace();
  linearize_rest(t, data, at, false);
  weak_.assign(static_cast<std::size_t>(n_), 0.0);
  double stiffest[2] = {};  // of positions, of states
  std::size_t k = 0;
  system_->nn().for_each([&](int i, int j) {
    if (i == j) {
      double& most = stiffest[is_state(i)];
      weak_[static_cast<std::size_t>(i)] = std::abs(w.stiffness[k]);
      most = std::max(most, std::abs(w.stiffness[k]));
    }
    ++k;
  });
  for (double& most : stiffest) {
    if (!(std::isfinite(most) && most > 0)) most = 1;
  }
  const std::vector<double> held = weak_;
  for (double least : {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0}) {
    for (int i = 0; i < n_; ++i) {
      const auto c = static_cast<std::size_t>(i);
      const double spring = weakness * std::max(held[c], least * stiffest[is_state(i)]);
      weak_[c] = std::exp2(std::round(std::log2(spring))) * statics_->weight(i);
    }
    linearize(t, data, at, false);
    if (count_releases()) return;
  }
  fail_loose(t);
}

void StartState::pull_back(std::vector<double>& x) const {
  for (std::size_t i = 0; i < weak_.size(); ++i) x[i] *= weak_[i];
  std::fill(x.begin() + n_, x.end(), 0.0);
}

void StartState::linearize(double t, const Data& data, const ConsistentState& at, bool with_data) {
  system::Workspace& w = statics_->workspace();
  linearize_rest(t, data, at, with_data);
  std::size_t k = 0;
  system_->nn().for_each([&](int i, int j) {
    matrix_[k] = w.stiffness[k] + (i == j ? hold(i) : 0);
    ++k;
  });
  if (way_->counts()) way_->linearize(t, at.q.data(), data, with_data);
  if (!statics_->factor_with(matrix_, ConstraintSolver::regularization, way_->counts() ? &way_->beside() : nullptr)) {
    throw NumericalError(at_time(t) + "the rest that the motion should start from is not unique");
  }
  t_ = t;
}

// Each time that the springs are let go of they are at the place x_k that they led to before: with the matrix A^-1 of
// statics with springs and H of the springs, x_{k+1} = A (-f + H x_k), of which x_0 is the declared place. A H leaves
// alone what no force holds, and shrinks the rest. The derivatives go the same way, the same number of times.
bool StartState::count_releases() {
  std::vector<double> x(static_cast<std::size_t>(n_ + m_), 0.0), pull = x;
  for (int i = 0; i < n_; ++i) x[static_cast<std::size_t>(i)] = 1 + 0.5 * std::sin(1.0 + i);  // no special direction
  double before = std::numeric_limits<double>::infinity();
  is_loose_ = false;
  for (int k = 0; k < most_releases; ++k) {
    pull = x;
    pull_back(pull);
    statics_->solve(pull.data());
    double change = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(n_); ++i) change = std::max(change, std::abs(pull[i] - x[i]));
    releases_ = k;
    if (change <= released) return true;
    // What shrinks no more is along what no force holds, or hardly any does; where it is large, the springs are too
    // weak for the rounding of what should be nothing.
    is_loose_ = change > 0.98 * before;
    if (is_loose_) return change <= 1e-2;
    before = change;
    x = pull;
  }
  is_loose_ = true;
  return true;
}

void StartState::fail_loose(double t) {
  throw NumericalError(at_time(t) +
                       "the rest that the motion should start from is hardly held: something bends so easily beside "
                       "what is stiff that its place is lost; start from m:equilibrium with from = ...");
}

void StartState::add_step(ConsistentState& at) const {
  for (int i = 0; i < n_; ++i) unknown(at, i) += step_[static_cast<std::size_t>(i)];
  for (std::size_t k = 0; k < at.position_multipliers.size(); ++k) {
    at.position_multipliers[k] += step_[static_cast<std::size_t>(n_) + k];
  }
}

void StartState::step_to_rest(double t, const Data& data, ConsistentState& at, double pull) {
  linearize(t, data, at, false);
  const system::Workspace& w = statics_->workspace();
  system_->residual(w, nullptr, at.position_multipliers.data(), step_.data());
  for (int i = 0; i < n_; ++i) {
    const auto k = static_cast<std::size_t>(i);
    step_[k] = pull * hold(i) * (declared(data, i) - unknown(at, i)) - step_[k];
  }
  for (int k = 0; k < m_; ++k) {
    const auto row = static_cast<std::size_t>(k);
    step_[static_cast<std::size_t>(n_) + row] = -(w.phi[row] + way_->gap()[row]);
  }
  statics_->solve(step_.data());
  add_step(at);
}

void StartState::settle(double t, const Data& data, ConsistentState& at) {
  double before = 1;
  for (int step = 0; step < most_corrections; ++step) {
    const double size = std::max(1.0, largest(at.q.data(), n_));
    step_to_rest(t, data, at, 1);
    const double change = largest(step_.data(), n_) / size;
    if (!std::isfinite(change)) break;
    if (change <= converged || (change <= nearly && change > 0.5 * before)) return;
    before = change;
  }
  throw NumericalError(at_time(t) + "the search for the rest that the motion should start from did not converge");
}

void StartState::release(double t, const Data& data, ConsistentState& at, double residual) {
  for (int left = releases_; left > 0; --left) step_to_rest(t, data, at, 0);
  if (!is_loose_) return;
  // Rounding of forces has moved what nothing holds on this way: back to where it is nearest to the declared place.
  for (int i = 0; i < n_; ++i) {
    const auto k = static_cast<std::size_t>(i);
    step_[k] = declared(data, i) - unknown(at, i);
  }
  for (int k = 0; k <= releases_; ++k) {
    pull_back(step_);
    statics_->solve(step_.data());
  }
  add_step(at);
  system::Workspace& w = statics_->workspace();
  evaluate_rest(t, data, at);
  system_->residual(w, nullptr, at.position_multipliers.data(), step_.data());
  double rounding = 0;
  for (int i = 0; i < n_; ++i) rounding = std::max(rounding, 1e-6 * hold(i) * std::abs(unknown(at, i)));
  if (largest(step_.data(), n_) > 100 * residual + 1e-12 * largest(w.force.data(), n_) + rounding) fail_loose(t);
}

ConsistentState StartState::solve(double t, const std::shared_ptr<const Data>& data) {
  if (from_ == StartFrom::Declared) return assembly_.solve(t, *data);
  const Equilibrium found = find_equilibrium(system_, data, independent_, t, Wanted::Stable);
  const std::shared_ptr<const Data> resting = data_at_rest(*system_, data);
  ConsistentState at;
  at.q = found.state.q;
  at.v = found.state.v;
  at.position_multipliers = found.lambda;
  at.way = found.state.way;
  if (way_->counts()) begin_way(t, *data, at);
  weigh(t, *resting, at);
  settle(t, *resting, at);
  release(t, *resting, at, found.residual);
  ConsistentState start = assembly_.at_position(t, *data, at.q);
  for (int i = 0; i < n_; ++i) {
    if (is_state(i)) unknown(start, i) = unknown(at, i);
  }
  start.position_multipliers = at.position_multipliers;
  if (!way_->counts()) return start;
  way_->follow(at.q.data());
  start.way = way_->velocity(at.q.data());
  start.slip = way_->describe_slip(t, at.q.data(), *data);
  return start;
}

void StartState::begin_way(double t, const Data& data, const ConsistentState& at) {
  declared_ = assembly_.solve(t, data);
  way_->begin(declared_.q, at.q, at.way);
}

ConsistentState StartState::held_near(double t, const Data& data, const ConsistentState& at) {
  if (way_->counts()) begin_way(t, data, at);
  weigh(t, data, at);
  ConsistentState held = at;
  settle(t, data, held);
  return held;
}

std::vector<StartState::OfRest> StartState::rest_directions(double t, const Data& data, const ConsistentState& held,
                                                            const ConsistentState& at, int count, const double* dd) {
  std::vector<double> from(static_cast<std::size_t>(n_ * count), 0.0), unused = from;
  if (way_->counts()) assembly_.tangents(t, data, declared_, count, dd, from.data(), unused.data());
  std::vector<double> load(static_cast<std::size_t>(n_ + m_), 0.0), last;
  const auto load_direction = [&](int k) {
    const system::Workspace& w = statics_->workspace();
    const double* of_data = dd + k * system_->data_count();
    std::fill(load.begin(), load.end(), 0.0);
    system_->nd().multiply(w.residual_data.data(), of_data, load.data(), -1);
    system_->md().multiply(w.phi_data.data(), of_data, load.data() + n_, -1);
    if (way_->counts()) way_->subtract_load(of_data, from.data() + k * n_, load.data() + n_);
  };
  const auto step = [&](std::vector<double>& x) {
    last = x;
    pull_back(x);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += load[i];
    statics_->solve(x.data());
  };
  std::vector<OfRest> out(static_cast<std::size_t>(count));
  linearize(t, data, held, true);
  for (int k = 0; k < count; ++k) {
    std::vector<double>& x = out[static_cast<std::size_t>(k)].held;
    x.assign(load.size(), 0.0);
    for (int i = 0; i < n_; ++i) {
      if (const int d = declared_datum(i); d >= 0) x[static_cast<std::size_t>(i)] = dd[k * system_->data_count() + d];
    }
    load_direction(k);
    step(x);
  }
  linearize(t, data, at, true);
  for (int k = 0; k < count; ++k) {
    OfRest& each = out[static_cast<std::size_t>(k)];
    std::vector<double>& x = each.at_rest = each.held;
    load_direction(k);
    for (int release = 0; release < releases_; ++release) step(x);
    double pull = 0, stretched = 0;  // of the springs, beside the load, and by all of the way
    for (int i = 0; i < n_; ++i) {
      const auto at_i = static_cast<std::size_t>(i);
      pull = std::max(pull, hold(i) * std::abs(x[at_i] - last[at_i]));
      stretched = std::max(stretched, hold(i) * std::abs(x[at_i]));
    }
    if (is_loose_ && pull > 1e-6 * std::max(largest(load.data(), n_), stretched)) fail_loose(t);
  }
  return out;
}

void StartState::tangents(double t, const Data& data, const ConsistentState& at, int count, const double* dd,
                          double* dq, double* dv) {
  if (from_ == StartFrom::Declared) return assembly_.tangents(t, data, at, count, dd, dq, dv);
  const std::optional<Data> changed = changed_at_rest(*system_, data);
  const Data& resting = changed ? *changed : data;
  const std::vector<OfRest> x = rest_directions(t, resting, held_near(t, resting, at), at, count, dd);
  for (int k = 0; k < count; ++k) {
    double* of_positions = dq + k * n_;
    std::copy_n(x[static_cast<std::size_t>(k)].at_rest.begin(), n_, of_positions);
    for (int i = 0; i < n_; ++i) {
      if (!is_state(i)) continue;
      const int datum = system_->initial_position_datum(i);
      of_positions[i] = datum >= 0 ? dd[k * system_->data_count() + datum] : 0;
    }
  }
  assembly_.velocity_tangents(t, data, at, count, dd, dq, dv);
  for (int k = 0; k < count; ++k) {
    for (int i = 0; i < n_; ++i) {
      if (is_state(i)) dv[k * n_ + i] = x[static_cast<std::size_t>(k)].at_rest[static_cast<std::size_t>(i)];
    }
  }
}

StartState::OfRest StartState::unload_rest(double t, const Data& data, const ConsistentState& held,
                                           const ConsistentState& at, std::vector<double> x,
                                           const std::vector<double>* x_held, double* dbar, double* from_bar) {
  const auto add = [&](const std::vector<double>& multipliers, double* to, double* to_from) {
    const system::Workspace& w = statics_->workspace();
    system_->nd().multiply_transposed(w.residual_data.data(), multipliers.data(), to, -1);
    system_->md().multiply_transposed(w.phi_data.data(), multipliers.data() + n_, to, -1);
    if (way_->counts()) way_->subtract_adjoint(multipliers.data() + n_, to, to_from);
  };
  OfRest out{{}, std::vector<double>(x.size(), 0.0)};
  linearize(t, data, at, true);
  for (int k = 0; k < releases_; ++k) {
    statics_->solve_transposed(x.data());
    for (std::size_t i = 0; i < x.size(); ++i) out.at_rest[i] += x[i];
    pull_back(x);
  }
  add(out.at_rest, dbar, from_bar);
  if (is_loose_) {
    // Data move what nothing holds by nothing at rest; what is hardly held would add the same again each time.
    std::vector<double> all(static_cast<std::size_t>(system_->data_count()), 0.0), once = all, more = x;
    statics_->solve_transposed(more.data());
    add(more, once.data(), nullptr);
    add(out.at_rest, all.data(), nullptr);
    if (largest(once.data(), system_->data_count()) > 1e-3 * largest(all.data(), system_->data_count())) fail_loose(t);
  }
  linearize(t, data, held, true);
  for (std::size_t i = 0; x_held && i < x.size(); ++i) x[i] += (*x_held)[i];
  statics_->solve_transposed(x.data());
  out.held = x;
  add(x, dbar, from_bar);
  pull_back(x);
  for (int i = 0; i < n_; ++i) {
    if (const int datum = declared_datum(i); datum >= 0) dbar[datum] += x[static_cast<std::size_t>(i)];
  }
  return out;
}

void StartState::adjoint(double t, const Data& data, const ConsistentState& at, const double* qbar, const double* vbar,
                         double* dbar) {
  if (from_ == StartFrom::Declared) return assembly_.adjoint(t, data, at, qbar, vbar, dbar);
  const std::optional<Data> changed = changed_at_rest(*system_, data);
  const Data& resting = changed ? *changed : data;
  std::vector<double> x(static_cast<std::size_t>(n_ + m_), 0.0), of_velocities(vbar, vbar + n_);
  std::copy_n(qbar, n_, x.begin());
  for (std::size_t i = 0; i < of_velocities.size(); ++i) {
    if (is_state_[i]) of_velocities[i] = 0;
  }
  assembly_.velocity_adjoint(t, data, at, of_velocities.data(), x.data(), dbar);
  for (int i = 0; i < n_; ++i) {
    if (!is_state(i)) continue;
    const double of_integral = std::exchange(x[static_cast<std::size_t>(i)], vbar[i]);
    if (const int datum = system_->initial_position_datum(i); datum >= 0) dbar[datum] += of_integral;
  }
  const ConsistentState held = held_near(t, resting, at);
  std::vector<double> from_bar(static_cast<std::size_t>(n_), 0.0);
  unload_rest(t, resting, held, at, std::move(x), nullptr, dbar, from_bar.data());
  if (way_->counts()) assembly_.adjoint(t, data, declared_, from_bar.data(), zero_.data(), dbar);
}

}  // namespace perilune::analysis
