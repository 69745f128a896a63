// SPDX-License-Identifier: MIT
#include "integrator/event/switches.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "at_time.hpp"
#include "error.hpp"

namespace perilune::integrator {

namespace {

/// What changes less than a thousand times in a run does not chatter.
constexpr double rare = 1e6;

double side_of(double value) { return value < 0 ? 1 : -1; }

bool matters(int number, const system::System& system, const Integrals* integrals) {
  return system.is_switch_of_law(number) || (integrals && integrals->reads_switch(number));
}

}  // namespace

bool any_matters(const system::System& system, const Integrals* integrals) {
  const int count = system.switches() ? system.switches()->output_count() : 0;
  for (int k = 0; k < count; ++k) {
    if (matters(k, system, integrals)) return true;
  }
  return false;
}

Switches::Switches(Motion& motion, double shortest, const Integrals* integrals, FindPoint find)
    : motion_(motion),
      functions_(*motion.system().switches()),
      shortest_(shortest),
      work_(functions_.make_work()),
      flipped_at_(static_cast<std::size_t>(functions_.output_count()), -std::numeric_limits<double>::infinity()),
      signs_(flipped_at_.size()),
      rest_(flipped_at_.size(), shortest),
      is_held_(flipped_at_.size()),
      is_idle_(flipped_at_.size()),
      flipped_after_(flipped_at_.size(), -1000),
      quick_(flipped_at_.size()),
      search_(functions_, std::move(find)) {
  // A side that nothing reads holds nothing.
  system::Data data = motion.data();
  const std::vector<double> none(flipped_at_.size(), 0.0);
  for (std::size_t k = 0; k < none.size(); ++k) {
    std::vector<double> sides = none;
    motion.system().set_sides(sides, data);
    const std::vector<double> before = data.packed;
    sides[k] = 1;
    motion.system().set_sides(sides, data);
    const int number = static_cast<int>(k);
    const bool is_of_integrals = integrals && integrals->reads_switch(number);
    is_held_[k] = data.packed != before || (is_of_integrals && motion.system().is_held_switch(number));
    is_idle_[k] = !matters(number, motion.system(), integrals);
    if (!is_held_[k] && !is_idle_[k]) watched_.push_back(number);
  }
}

std::vector<Switches::Course> Switches::courses(const Node& x) const {
  const system::Data& data = motion_.data();
  system::Measure::DualWork work = functions_.make_dual_work();
  functions_.evaluate_along({x.t, x.q, x.v, x.a, x.lambda, data.parameters.data(), data.sides.data()},
                            {1, x.u, x.a, nullptr, nullptr}, work);
  std::vector<Course> out;
  for (int k = 0; k < functions_.output_count(); ++k) {
    const auto& function = functions_.dual(work, k);
    out.push_back({function.v, function.g[0]});
  }
  return out;
}

std::vector<int> Switches::at_zero(const Node& x) const {
  const std::vector<Course> all = courses(x);
  std::vector<int> out;
  for (int k = 0; k < functions_.output_count(); ++k) {
    if (is_held(k) && all[static_cast<std::size_t>(k)].is_at_zero(shortest_)) out.push_back(k);
  }
  return out;
}

bool Switches::start(const Node& first, const formulation::Sides& before) {
  waiting_.clear();
  auto sides = std::make_shared<std::vector<double>>(flipped_at_.size(), -1.0);
  for (std::size_t k = 0; k < sides->size(); ++k) {
    if (is_idle_[k]) (*sides)[k] = 0;
  }
  motion_.set_sides(std::move(sides));
  settle(-1, first);
  if (!before || before->size() != flipped_at_.size()) return false;
  sides = std::make_shared<std::vector<double>>(motion_.data().sides);
  const std::vector<Course> all = courses(first);
  for (const int number : at_zero(first)) {
    const auto k = static_cast<std::size_t>(number);
    if (is_idle_[k]) continue;
    // What did not act before comes from where its rate says.
    (*sides)[k] = (*before)[k] != 0 ? (*before)[k] : side_of(-all[k].rate);
    waiting_.push_back(number);
  }
  if (waiting_.empty()) return false;
  motion_.set_sides(std::move(sides));
  settle(-1, first);
  waiting_.clear();
  return true;
}

void Switches::evaluate(const Node& x) {
  const system::Data& data = motion_.data();
  functions_.evaluate({x.t, x.q, x.v, x.a, x.lambda, data.parameters.data(), data.sides.data()}, work_);
}

double Switches::found(int number) const { return functions_.value(work_, number); }

double Switches::value(int number, const Node& x) {
  evaluate(x);
  return found(number);
}

double Switches::slope(int number, const Node& x, const system::MotionPoint& direction) const {
  const system::Data& data = motion_.data();
  return functions_.slope({x.t, x.q, x.v, x.a, x.lambda, data.parameters.data(), data.sides.data()}, number, direction);
}

bool Switches::move_alike(int first, int second, const Node& x) {
  evaluate(x);
  // All outputs of the functions visit the same variables in the same order.
  const auto slopes_of = [this](int number) {
    std::vector<double> out;
    functions_.visit_gradient(work_, number, [&](expr::Quantity, int, double slope) { out.push_back(slope); });
    return out;
  };
  const std::vector<double> one = slopes_of(first), other = slopes_of(second);
  const auto product = [](const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  };
  const double square = product(other, other), ratio = square > 0 ? product(one, other) / square : 0;
  double left = 0;
  for (std::size_t k = 0; k < one.size(); ++k) left += (one[k] - ratio * other[k]) * (one[k] - ratio * other[k]);
  constexpr double rounding = 1e-12;
  return left <= rounding * rounding * product(one, one);
}

bool Switches::is_across(int number, double value) const {
  const double side = motion_.data().sides[static_cast<std::size_t>(number)];
  return side != 0 && side != side_of(value);
}

bool Switches::enters(int number) const { return motion_.data().sides[static_cast<std::size_t>(number)] < 0; }

bool Switches::ends_just_before(const Node& start, const Node& end, double h) {
  before_.resize(signs_.size());
  evaluate(start);
  for (std::size_t k = 0; k < signs_.size(); ++k) before_[k] = found(static_cast<int>(k));
  evaluate(end);
  for (std::size_t k = 0; k < signs_.size(); ++k) {
    const double at_start = before_[k], at_end = found(static_cast<int>(k));
    if (is_idle_[k] || motion_.data().sides[k] == 0 || !(at_start * at_end > 0)) continue;
    if (std::abs(at_end) * h <= 2 * shortest_ * (std::abs(at_start) - std::abs(at_end))) return true;
  }
  return false;
}

double Switches::part_before_leaving(const Node& start, const Node& end) {
  constexpr double kept = 0.25;
  before_.resize(signs_.size());
  evaluate(start);
  for (std::size_t k = 0; k < signs_.size(); ++k) before_[k] = found(static_cast<int>(k));
  evaluate(end);
  double part = 1;
  for (std::size_t k = 0; k < signs_.size(); ++k) {
    const int number = static_cast<int>(k);
    if (!moves(number) || enters(number) || !(before_[k] < 0)) continue;
    const double after = found(number);
    if (after > kept * before_[k]) part = std::min(part, (1 - kept) * before_[k] / (before_[k] - after));
  }
  return part;
}

std::optional<int> Switches::crossed(const Node& x, const std::vector<int>& but) {
  evaluate(x);
  for (int k = 0; k < functions_.output_count(); ++k) {
    if (std::isnan(found(k)) && !is_idle_[static_cast<std::size_t>(k)]) {
      throw NumericalError(at_time(x.t) + "the condition of \"" + motion_.system().switch_name(k) +
                           "\" is not a number: it divides by zero, or has a root, power or logarithm of a negative "
                           "number");
    }
    if (is_across(k, found(k)) && std::find(but.begin(), but.end(), k) == but.end()) return k;
  }
  return std::nullopt;
}

std::optional<Crossing> Switches::crossing(const Node& start, const Node& end, const std::vector<int>& but) {
  const system::Data& data = motion_.data();
  for (std::size_t k = 0; k < signs_.size(); ++k) signs_[k] = -data.sides[k];
  for (const int k : but) signs_[static_cast<std::size_t>(k)] = 0;
  return search_(start, end, static_cast<std::size_t>(motion_.n()), data.parameters.data(), data.sides.data(), signs_);
}

void Switches::settle(int number, const Node& x) {
  // Functions may read the sides of others.
  for (int round = 0; round < functions_.output_count(); ++round) {
    evaluate(x);
    auto sides = std::make_shared<std::vector<double>>(motion_.data().sides);
    for (int k = 0; k < functions_.output_count(); ++k) {
      double& side = (*sides)[static_cast<std::size_t>(k)];
      const double value = found(k);
      const bool waits = std::find(waiting_.begin(), waiting_.end(), k) != waiting_.end();
      // One that is at zero may have changed its side right here.
      if (k != number && !waits && side != 0 && value != 0) side = side_of(value);
    }
    if (*sides == motion_.data().sides) return;
    motion_.set_sides(std::move(sides));
  }
}

bool Switches::flip(int number, const Node& x) {
  evaluate(x);
  flipped_ = number;
  waiting_.clear();
  for (int other = 0; other < functions_.output_count(); ++other) {
    if (other != number && is_held(other) && is_across(other, found(other))) waiting_.push_back(other);
  }
  std::erase_if(waiting_, [&](int other) { return move_alike(number, other, x); });
  auto sides = std::make_shared<std::vector<double>>(motion_.data().sides);
  const auto k = static_cast<std::size_t>(number);
  // Friction that sticks, or rounding about zero, would have it change for ever.
  // What changes with time alone does not.
  constexpr int few_steps = 3, often = 4;
  const double since = x.t - flipped_at_[k];
  const bool is_quick = steps_ - flipped_after_[k] <= few_steps && since < rare * shortest_ &&
                        !motion_.system().is_switch_in_time(number);
  quick_[k] = is_quick ? quick_[k] + 1 : 0;
  const bool chatters = since < rest_[k] || quick_[k] >= often;
  const bool is_often = quick_[k] >= often;
  if (is_often) {
    rest_[k] = std::max(rest_[k], 100 * since);
    quick_[k] = 0;
  }
  (*sides)[k] = chatters ? 0 : -(*sides)[k];
  flipped_at_[k] = x.t;
  flipped_after_[k] = steps_;
  has_let_go_ = has_let_go_ || chatters;
  if (chatters) let_go_ = number;
  motion_.set_sides(std::move(sides));
  settle(number, x);
  return !is_often;
}

std::optional<int> Switches::waiting(const Node& x) {
  evaluate(x);
  for (const int k : waiting_) {
    // One at zero may have been flipped right here; if not, the next step begins with it.
    if (found(k) != 0 && is_across(k, found(k))) return k;
  }
  return std::nullopt;
}

bool Switches::find_followers(const Node& x) {
  const formulation::Sides before = motion_.sides();
  settle(flipped_, x);
  return *motion_.sides() != *before;
}

formulation::Sides Switches::sides_with(const formulation::Sides& from, const std::vector<int>& changed,
                                        const std::vector<int>& fixed, const Node& x) {
  auto sides = std::make_shared<std::vector<double>>(*from);
  for (const int k : changed) (*sides)[static_cast<std::size_t>(k)] *= -1;
  motion_.set_sides(std::move(sides));
  const std::vector<int> waiting = waiting_;
  waiting_.insert(waiting_.end(), fixed.begin(), fixed.end());
  settle(-1, x);
  waiting_ = waiting;
  return motion_.sides();
}

void Switches::follow(int number, const Node& x) {
  std::erase(waiting_, number);
  settle(flipped_, x);
}

void Switches::hold(const Node& x, double h) {
  ++steps_;
  waiting_.clear();
  if (!has_let_go_) return;
  auto sides = std::make_shared<std::vector<double>>(motion_.data().sides);
  has_let_go_ = false;
  for (std::size_t k = 0; k < sides->size(); ++k) {
    if ((*sides)[k] != 0 || is_idle_[k]) continue;
    if (h < rest_[k]) {
      has_let_go_ = true;
    } else {
      (*sides)[k] = -1;  // until the function says
      rest_[k] *= 8;
    }
  }
  motion_.set_sides(std::move(sides));
  settle(-1, x);
}

}  // namespace perilune::integrator
