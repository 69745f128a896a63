// SPDX-License-Identifier: MIT
#include "simulation/audit.hpp"

#include <algorithm>
#include <cmath>

#include "profile.hpp"

namespace perilune::simulation {

using integrator::Plan;
using integrator::QuadratureLink;

namespace {

/// No tolerance is finer.
constexpr double rounding = 1e-15;
/// A constraint that is open by less (m or rad) is closed, in a model all of which is at the origin, too; and what is
/// slower (m/s or rad/s) rests.
constexpr double closed = 1e-12;
/// A pull that large a part of what a contact bears is one, whatever the tolerance.
constexpr double largest_share = 1e-3;
/// What constant steps are measured by.
constexpr double usual_relative = 1e-6;
/// Mesh points between two measurements of the constraints' gradients.
constexpr long interval = 64;

}  // namespace

void Quality::add(const Quality& next) {
  is_known = is_known || next.is_known;
  knows_energy = knows_energy && next.knows_energy;
  energy = std::max(energy, next.energy);
  energy_error += next.energy_error;
  constraint_work += next.constraint_work;
  position_drift = std::max(position_drift, next.position_drift);
  velocity_drift = std::max(velocity_drift, next.velocity_drift);
  normalization = std::max(normalization, next.normalization);
  pivot_ratio = std::min(pivot_ratio, next.pivot_ratio);
}

Audit::Audit(const Motion& motion, const formulation::Formulation& formulation, const Integrator& integrator,
             bool differentiated)
    : motion_(motion),
      system_(motion.system()),
      is_explicit_(integrator::is_explicit(integrator)),
      is_adaptive_(tolerances_of(integrator) != nullptr),
      sums_all_(std::holds_alternative<integrator::Bdf>(integrator) ||
                formulation::properties(formulation).ends_with_point ||
                formulation::properties(formulation).has_independent_coordinates() ||
                formulation::properties(formulation).projects),
      may_leak_(!formulation::properties(formulation).ends_with_point),
      is_reduced_(formulation::properties(formulation).has_independent_coordinates()),
      offers_maggi_(!is_reduced_ && motion.m() > 0 && !std::holds_alternative<integrator::Variational>(integrator)),
      follows_pivots_(differentiated && is_reduced_),
      absolute_(is_adaptive_ ? tolerances_of(integrator)->absolute : 0),
      relative_(std::max(is_adaptive_ ? tolerances_of(integrator)->relative : usual_relative, rounding)),
      rolling_limits_(system_, std::min(allowance * relative_, largest_share)) {
  const auto m = static_cast<std::size_t>(motion.m());
  for (int i = 0; i < motion.n(); ++i) {
    is_length_.push_back(system_.unit(i) == "m");
    has_states_ = has_states_ || system_.role(i) == model::Role::State;
  }
  for (int k = 0; k < motion.m(); ++k) {
    is_internal_.push_back(system_.is_internal_constraint(k));
    is_square_.push_back(system_.is_square_constraint(k));
  }
  // Every coordinate has its place on the diagonal, one without inertia, too.
  std::size_t entry = 0;
  const std::vector<int>& with_mass = system_.mass().slots();
  auto next = with_mass.begin();
  system_.nn().for_each([&](int i, int j) {
    const bool has_mass = next != with_mass.end() && static_cast<std::size_t>(*next) == entry;
    if (has_mass) ++next;
    if (i == j) diagonal_.push_back(entry);
    if (i < j && has_mass) couplings_.push_back({i, j, entry});
    ++entry;
  });
  if (has_states_) v_.resize(static_cast<std::size_t>(motion.n()));
  inverse_.assign(m, 0.0);
  weight_.assign(m, 0.0);
  for (const int row : system_.velocity_rows()) slips_.push_back({row});
}

double Audit::mass_product(Mass mass, const double* x, const double* y) const {
  double sum = 0;
  for (std::size_t i = 0; i < diagonal_.size(); ++i) sum += mass[diagonal_[i]] * x[i] * y[i];
  for (const MassEntry& e : couplings_) sum += mass[e.at] * (x[e.row] * y[e.column] + x[e.column] * y[e.row]);
  return sum;
}

double Audit::kinetic(Mass mass, const Node& x) {
  const double* v = moving(x);
  return 0.5 * mass_product(mass, v, v);
}

bool Audit::has_plain_mass(const system::Workspace& w) const {
  const std::vector<double>& constant = motion_.data().constant;
  bool is_plain = true;
  std::size_t k = 0;
  system_.nn().for_each([&](int i, int j) {
    // What couples translation and rotation varies, as the centre of mass moves about the reference point.
    const bool is_euler = system_.unit(i).empty() && system_.unit(j).empty();
    is_plain = is_plain && (i == j || is_euler || w.mass[k] == constant[k]);
    ++k;
  });
  return is_plain;
}

const double* Audit::moving(const Node& x) {
  if (!has_states_) return x.v;
  for (int i = 0; i < motion_.n(); ++i) {
    v_[static_cast<std::size_t>(i)] = system_.role(i) == model::Role::State ? 0 : x.v[i];
  }
  return v_.data();
}

void Audit::measure(const Node& x, const system::Workspace& w) {
  double extent = gyration_;  // all places may be at the origin
  for (int i = 0; i < motion_.n(); ++i) {
    if (is_length_[static_cast<std::size_t>(i)]) extent = std::max(extent, std::abs(x.q[i]));
  }
  const std::vector<int>&start = system_.mn().row_start(), &column = system_.mn().column();
  double by_constraint = 0;
  load_.assign(static_cast<std::size_t>(motion_.n()), 0.0);
  for (std::size_t k = 0; k < weight_.size(); ++k) {
    double square = 0;
    for (auto e = static_cast<std::size_t>(start[k]); e < static_cast<std::size_t>(start[k + 1]); ++e) {
      square += w.jacobian[e] * w.jacobian[e];
      if (!is_internal_[k]) load_[static_cast<std::size_t>(column[e])] += w.jacobian[e] * x.lambda[k];
    }
    const double length = std::sqrt(square);
    if (!(length > 0)) continue;
    const double size = is_internal_[k] ? 1 : is_square_[k] ? length / 2 : extent;
    inverse_[k] = 1 / length;
    weight_[k] = inverse_[k] / (allowance * (absolute_ + relative_ * size) + closed);
    if (!is_internal_[k] && !system_.is_velocity_row(static_cast<int>(k)))
      by_constraint += std::abs(x.lambda[k]) * length * size;
  }
  // Multipliers of redundant constraints may press against each other: what reaches the coordinates does not.
  double square_of_load = 0;
  for (std::size_t i = 0; i < load_.size(); ++i) square_of_load += std::pow(load_[i] * (is_length_[i] ? extent : 1), 2);
  const double rest = std::min(by_constraint, std::sqrt(square_of_load));
  // Least of all that were seen: forces near singular positions can be anything.
  rest_energy_ = steps_ == 0 ? rest : std::min(rest_energy_, rest);
}

void Audit::start(const March& march) {
  const TimedTask timed(Task::Audit);
  const Node& x = march.node(-1);
  const system::Workspace& w = motion_.workspace(0);
  spares_nodes_ = is_explicit_ && !motion_.evaluates_nodes();  // implicit steps evaluate theirs
  sample_.set_kind(spares_nodes_ ? StepSample::Kind::Sparse
                   : sums_all_   ? StepSample::Kind::All
                                 : StepSample::Kind::Usual);
  power_.assign(march.ring(), 0.0);
  leak_work_ = leak_ = work_ = power_;
  has_plain_mass_ = has_plain_mass(w);
  rolling_limits_.leave_out_undetermined(w);
  double largest_mass = 0, largest_inertia = 0;
  for (std::size_t i = 0; i < diagonal_.size(); ++i) {
    const double mass = w.mass[diagonal_[i]];
    mass_ += mass;
    if (system_.role(static_cast<int>(i)) == model::Role::State) continue;
    // That of Euler parameters is four times the inertia.
    double& largest = is_length_[i] ? largest_mass : largest_inertia;
    largest = std::max(largest, system_.unit(static_cast<int>(i)).empty() ? mass / 4 : mass);
  }
  if (largest_mass > 0) gyration_ = std::sqrt(largest_inertia / largest_mass);
  note(x, w);
  note_figures(x, w);
  power(march, -1, w.mass);
  leak_[march.slot(-1)] = point_.leak.sum;
  for (int k = 2; k <= march.start_count(); ++k) {
    power_[march.slot(-k)] = power_[march.slot(-1)];
    leak_[march.slot(-k)] = leak_[march.slot(-1)];
  }
  // Where most mesh points are passed over, what acts but for a moment would be missed.
  balances_ = !is_adaptive_ && has_plain_mass_ && (!spares_nodes_ || !(system_.switches() || system_.reads_time()));
  if (balances_) {
    if (const system::Measure* energies = system_.law_energies()) law_work_ = energies->make_dual_work();
    note_balance(x, w.mass);
    balance_.start(balance_point_, mass_ * closed * closed);
  }
  keep(x.t);
}

void Audit::keep(double t) {
  excess_.keep(point_.excess, t, point_.of_excess);
  for (Slip& slip : slips_) {
    slip.worst.keep(slip.now, t, slip.row);
    slip.fastest = std::max(slip.fastest, slip.speed_now);
  }
  rolling_limits_.keep(t, most_kinetic_);
  last_leak_ = point_.leak.sum;
  knows_last_ = point_.has_figures;
  if (!point_.has_figures) return;
  last_kinetic_ = point_.kinetic;
  most_kinetic_ = std::max(most_kinetic_, point_.kinetic);
  position_ = std::max(position_, point_.position);
  velocity_.keep(point_.velocity, t, point_.of_velocity);
  any_velocity_.keep(point_.any_velocity, t, point_.of_any_velocity);
  speed_ = std::max(speed_, point_.speed);
  normalization_ = std::max(normalization_, point_.normalization);
  least_pivot_ratio_ = std::min(least_pivot_ratio_, point_.pivot_ratio);
}

void Audit::power(const March& march, int i, Mass mass) {
  const Node& x = march.node(i);
  if (has_plain_mass_) power_[march.slot(i)] = mass_product(mass, moving(x), x.a);
}

Audit::Mass Audit::mass_at(const Node& x, std::size_t i) {
  if (!spares_nodes_) return motion_.workspace(i).mass;
  if (!masses_) masses_.emplace(system_, motion_.data());
  return (*masses_)(x.t, x.q, x.v, motion_.data());
}

Audit::Leak Audit::leak(const Node& x, const system::Workspace& w) const {
  Leak out;
  const double* rate = w.phi_rate.data();
  const int m = may_leak_ && !is_reduced_ ? static_cast<int>(weight_.size()) : 0;
  for (int k = 0; k < m; ++k) {
    const double power = x.lambda[k] * rate[k];
    out.sum += power;
    if (std::abs(power) > out.largest) {
      out.largest = std::abs(power);
      out.of_largest = k;
    }
  }
  return out;
}

double Audit::integral(const March& march, const std::vector<double>& total, const std::vector<double>& rate) const {
  double sum = 0;
  for (const QuadratureLink& link : march.plan().quadrature) {
    const std::size_t slot = march.slot(link.node);
    sum += link.of_total * total[slot] + march.h() * link.of_rate * rate[slot];
  }
  return sum;
}

void Audit::note(const Node& x, const system::Workspace& w) {
  if (steps_ % interval == 0) measure(x, w);
  Point out;
  const double *phi = w.phi.data(), *weight = weight_.data();
  const int m = static_cast<int>(weight_.size());
  for (int k = 0; k < m; ++k) {
    const double excess = std::abs(phi[k]) * weight[k];
    if (excess > out.excess) {
      out.excess = excess;
      out.of_excess = k;
    }
  }
  note_slips(x, w);
  const system::Data& data = motion_.data();
  rolling_limits_.note({x.t, x.q, x.v, x.a, x.lambda, data.parameters.data(), data.sides.data()});
  out.leak = leak(x, w);
  point_ = out;
}

void Audit::note_slips(const Node& x, const system::Workspace& w) {
  const std::vector<int>&start = system_.mn().row_start(), &column = system_.mn().column();
  for (Slip& slip : slips_) {
    const auto k = static_cast<std::size_t>(slip.row);
    slip.now = std::abs(w.phi_rate[k]) * inverse_[k];
    slip.speed_now = 0;
    for (int e = start[k]; e < start[k + 1]; ++e) {
      slip.speed_now = std::max(slip.speed_now, std::abs(x.v[column[static_cast<std::size_t>(e)]]));
    }
  }
}

void Audit::note_figures(const Node& x, const system::Workspace& w) {
  const double* v = moving(x);
  point_.has_figures = true;
  point_.kinetic = kinetic(w.mass, x);
  point_.pivot_ratio = motion_.pivot_ratio();
  for (std::size_t k = 0; k < weight_.size(); ++k) {
    double& drift = is_internal_[k] ? point_.normalization : point_.position;
    drift = std::max(drift, std::abs(w.phi[k]) * inverse_[k]);
    const double rate = std::abs(w.phi_rate[k]) * inverse_[k];
    if (rate > point_.any_velocity) {
      point_.any_velocity = rate;
      point_.of_any_velocity = static_cast<int>(k);
    }
    if (is_internal_[k] || rate <= point_.velocity) continue;
    point_.velocity = rate;
    point_.of_velocity = static_cast<int>(k);
  }
  for (int i = 0; i < motion_.n(); ++i) {
    point_.speed = std::max(point_.speed, std::abs(v[i]));
    if (!has_states_ || system_.role(i) != model::Role::State) {
      point_.force += std::abs(w.force[static_cast<std::size_t>(i)]);
    }
  }
}

void Audit::note_balance(const Node& x, Mass mass) {
  const double* v = moving(x);
  const model::StoredEnergy stored = system_.stored_energy({x.t, x.q, x.v, x.a, x.lambda}, motion_.data(), law_work_);
  balance_point_ = {kinetic(mass, x), mass_product(mass, v, x.a), stored.energy, stored.rate};
  has_balance_point_ = true;
}

void Audit::begin_step(const March& march) {
  sample_.begin(steps_ + 1, march.h() == 0);
  has_balance_point_ = false;
  if (spares_nodes_) point_ = {};
}

void Audit::group(const March& march, std::size_t g) {
  const Plan& plan = march.plan();
  const int first = plan.groups[g].first, behind = plan.group_end(g);
  if (follows_pivots_) follow_pivots(march.node(first).t);
  if (!sample_.takes() && (behind <= plan.end || (spares_nodes_ && !sample_.takes_next()))) return;
  const TimedTask timed(Task::Audit);
  const auto place = [first](int i) { return static_cast<std::size_t>(i - first); };
  if (plan.end >= first && plan.end < behind) {
    const Node& x = march.node(plan.end);
    if (spares_nodes_ && !sample_.takes()) {  // before a step that is
      const Mass mass = mass_at(x, place(plan.end));
      if (balances_) note_balance(x, mass);
      point_.has_figures = true;
      point_.kinetic = kinetic(mass, x);
      power(march, plan.end, mass);
    } else {
      const system::Workspace& w = motion_.workspace(place(plan.end));
      note(x, w);
      if (balances_) note_balance(x, w.mass);
      if (sample_.takes() || sample_.takes_next()) note_figures(x, w);
      if (sample_.takes_next() && !sample_.takes()) power(march, plan.end, w.mass);
      leak_[march.slot(plan.end)] = point_.leak.sum;
    }
  }
  for (int i = first; sample_.takes() && i < behind; ++i) {
    if (!plan.has_rate[static_cast<std::size_t>(i)]) continue;
    const bool is_known = i == plan.end || !spares_nodes_;
    power(march, i, is_known ? motion_.workspace(place(i)).mass : mass_at(march.node(i), place(i)));
    if (may_leak_ && !is_reduced_) leak_[march.slot(i)] = leak(march.node(i), motion_.workspace(place(i))).sum;
  }
}

void Audit::follow_pivots(double t) {
  const double ratio = motion_.pivot_ratio();
  largest_pivot_ratio_ = std::max(largest_pivot_ratio_, ratio);
  if (ratio >= smallest_pivot_ratio_) return;
  smallest_pivot_ratio_ = ratio;
  passage_ = t;
}

void Audit::accept(const March& march) {
  const TimedTask timed(Task::Audit);
  const Plan& plan = march.plan();
  const Node& end = march.node(plan.end);
  const double t = end.t, h = march.h();
  const double stands_for = sample_.stands_for();
  double work = last_work_, leak_work = last_leak_work_, leaked = 0.5 * h * (last_leak_ + point_.leak.sum);
  if (sample_.takes() && knows_last_) {
    if (has_plain_mass_) {
      work = integral(march, work_, power_);
      const double gap = point_.kinetic - last_kinetic_ - (work - last_work_);
      gap_step_.keep(std::abs(gap), t);
      gap_ += stands_for * gap;
      gap_variance_ += stands_for * (stands_for - 1) * gap * gap;
      force_steps_ += stands_for * point_.force;
    }
    leak_work = integral(march, leak_work_, leak_);
    leaked += stands_for * (leak_work - last_leak_work_ - leaked);
  }
  work_[march.slot(plan.end)] = last_work_ = work;
  leak_work_[march.slot(plan.end)] = last_leak_work_ = leak_work;
  leaked_ += leaked;
  leak_step_.keep(std::abs(leaked), t, point_.leak.of_largest);
  since_balance_point_ += h;
  ++steps_since_balance_point_;
  if (has_balance_point_) {
    balance_.add(t, since_balance_point_, balance_point_, steps_since_balance_point_ == 1);
    since_balance_point_ = 0;
    steps_since_balance_point_ = 0;
  }
  most_gap_ = std::max(most_gap_, std::abs(gap_));
  most_leaked_ = std::max(most_leaked_, std::abs(leaked_));
  most_error_ = std::max(most_error_, std::abs(gap_ - leaked_));
  if (spares_nodes_) {
    const system::Data& data = motion_.data();
    rolling_limits_.note_limits({end.t, end.q, end.v, end.a, end.lambda, data.parameters.data(), data.sides.data()});
  }
  keep(t);
  ++steps_;
  sample_.accept(steps_);
}

Quality Audit::quality() const {
  const double error = lost_balance() ? balance_.error() : bounded(most_error_);
  return {true,           has_plain_mass_, energy(),          error, most_leaked_, position_,
          velocity_.size, normalization_,  least_pivot_ratio_};
}

}  // namespace perilune::simulation
