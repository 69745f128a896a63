// SPDX-License-Identifier: MIT
#include "simulation/peak/peaks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "simulation/peak/search.hpp"

namespace perilune::simulation {

using expr::Quantity;
using integrator::March;

namespace {

bool are_same(const formulation::Sides& a, const formulation::Sides& b) { return a == b || (a && b && *a == *b); }

}  // namespace

Peaks::Peaks(const Problem& problem, const std::vector<double>& parameters)
    : n_(static_cast<std::size_t>(problem.system->coordinate_count())),
      m_(static_cast<std::size_t>(problem.system->constraint_count())),
      parameters_(parameters),
      length_(problem.end - problem.start),
      numbers_(3 * n_ + m_, 0.0) {
  for (std::size_t o = 0; o < problem.objectives.size(); ++o) {
    const std::optional<Extremum>& extremum = problem.objectives[o]->extremum;
    if (!extremum) continue;
    Tracker tracker{o,
                    problem.objectives[o].get(),
                    extremum->is_minimum ? -1.0 : 1.0,
                    {},
                    {},
                    {},
                    extremum->signal.make_work(),
                    {},
                    std::numeric_limits<double>::infinity(),
                    -std::numeric_limits<double>::infinity()};
    std::vector<double> work = extremum->signal.make_work();
    extremum->signal.visit_gradient(work, 0, [&](Quantity quantity, int index, double) {
      const auto k = static_cast<std::size_t>(index);
      if (quantity == Quantity::Position || quantity == Quantity::Velocity) tracker.coordinates.push_back(k);
      if (quantity == Quantity::Acceleration) tracker.accelerations.push_back(k);
      if (quantity == Quantity::Multiplier) tracker.multipliers.push_back(k);
    });
    std::sort(tracker.coordinates.begin(), tracker.coordinates.end());
    tracker.coordinates.erase(std::unique(tracker.coordinates.begin(), tracker.coordinates.end()),
                              tracker.coordinates.end());
    trackers_.push_back(std::move(tracker));
  }
}

const Peaks::Tracker* Peaks::tracker_of(std::size_t objective) const {
  for (const Tracker& tracker : trackers_) {
    if (tracker.objective == objective) return &tracker;
  }
  return nullptr;
}

const Peak* Peaks::of(std::size_t objective) const {
  const Tracker* tracker = tracker_of(objective);
  return tracker && tracker->best ? &*tracker->best : nullptr;
}

std::size_t Peaks::changes(std::size_t objective) const {
  const Tracker* tracker = tracker_of(objective);
  return tracker ? tracker->changes : 0;
}

void Peaks::start(const March& march) {
  if (empty()) return;
  sides_ = march.motion().sides();
  append(march, -1);
}

void Peaks::append(const March& march, int node) {
  // Of the points before the step that comes next, those are kept that its interpolation reaches back to.
  Point point;
  if (window_.size() >= most_support && next_ > 0) {
    std::rotate(window_.begin(), window_.begin() + 1, window_.end());
    point.numbers = std::move(window_.back().numbers);
    window_.pop_back();
    --next_;
  }
  const formulation::Node& x = march.node(node);
  point.number = points_++;
  point.t = x.t;
  point.numbers.clear();
  for (const double* part : {x.q, x.v, x.a}) point.numbers.insert(point.numbers.end(), part, part + n_);
  point.numbers.insert(point.numbers.end(), x.lambda, x.lambda + m_);
  window_.push_back(std::move(point));
}

void Peaks::accept(const March& march) {
  if (empty()) return;
  const bool is_anew = march.h() == 0, is_same_form = are_same(sides_, march.motion().sides());
  if (is_anew && is_same_form && is_last_again(march.node(march.plan().end))) {
    window_.pop_back();
    append(march, march.plan().end);  // no step was added: what is to be looked at stays
    return;
  }
  if (is_anew || !is_same_form) {
    flush();
    sides_ = march.motion().sides();
    window_.erase(window_.begin(), is_anew ? window_.end() : window_.end() - 1);
    next_ = 0;
  }
  append(march, march.plan().end);
  constexpr std::size_t ahead = most_support / 2;
  while (next_ + ahead < window_.size()) examine(next_++);
}

bool Peaks::is_last_again(const formulation::Node& x) const {
  constexpr double rounding = 1e-7;  // of Newton's iteration
  const double* last = numbers(window_.size() - 1);
  const auto are_near = [](const double* a, const double* b, std::size_t count) {
    double size = 0, difference = 0;
    for (std::size_t i = 0; i < count; ++i) {
      size = std::max(size, std::abs(a[i]));
      difference = std::max(difference, std::abs(a[i] - b[i]));
    }
    return difference <= rounding * size;
  };
  return are_near(last, x.q, n_) && are_near(last + n_, x.v, n_) && are_near(last + 2 * n_, x.a, n_) &&
         are_near(last + 3 * n_, x.lambda, m_);
}

void Peaks::flush() {
  if (window_.size() == 1) {
    for (Tracker& tracker : trackers_) {
      const Extremum& window = *tracker.what->extremum;
      const Place at{0, window_[0].t, true, 0};
      if (at.t >= window.from && at.t <= window.to) take(tracker, at, value(tracker, at));
    }
  }
  while (next_ + 1 < window_.size()) examine(next_++);
}

void Peaks::finish() {
  if (empty()) return;
  flush();
  for (Tracker& tracker : trackers_) {
    if (!tracker.best) continue;
    tracker.best->spread = tracker.greatest - tracker.lowest;
    tracker.best->error = std::max(tracker.best->error, tracker.seen - tracker.sign * tracker.best->value);
  }
}

void Peaks::examine(std::size_t i) {
  for (std::vector<Place>& places : shared_) places.clear();
  for (Tracker& tracker : trackers_) examine(tracker, i);
}

void Peaks::examine(Tracker& tracker, std::size_t i) {
  const Extremum& window = *tracker.what->extremum;
  const double begin = std::max(window_[i].t, window.from), end = std::min(window_[i + 1].t, window.to);
  if (!(begin <= end)) return;
  const double before = tracker.best ? tracker.sign * tracker.best->value : -std::numeric_limits<double>::infinity();
  // What changes accelerations or reactions changes the steps, too; a polynomial through them may swing in between.
  const system::Measure& signal = window.signal;
  const bool is_fine = !signal.reads(Quantity::Acceleration) && !signal.reads(Quantity::Multiplier);
  std::size_t looked = 0;
  look([&](double t) { return value(tracker, shared_place(tracker, i, t, looked++)); }, begin, end,
       is_fine ? (end - begin) / length_ : 0, times_, values_);
  double best = before, best_time = begin;
  const auto consider = [&](double t, double found) {
    if (found > best) {
      best = found;
      best_time = t;
    }
  };
  consider(begin, values_.front());
  consider(end, values_.back());
  const auto [least, greatest] = std::minmax_element(values_.begin(), values_.end());
  if (begin < end && 2 * *greatest - *least > before) {
    const auto slope_of = [&](const Place& at) {
      value(tracker, at);
      return slope(tracker, at);
    };
    const auto slope_at = [&](double t) { return slope_of(place(tracker, i, t)); };
    const std::size_t first = looked - times_.size();
    double from = slope_of(shared_place(tracker, i, times_[0], first));
    for (std::size_t j = 0; j + 1 < times_.size(); ++j) {
      const double at = from;
      from = slope_of(shared_place(tracker, i, times_[j + 1], first + j + 1));
      if (!(at >= 0 && from < 0)) continue;
      const double t = at == 0 ? times_[j] : sign_change(times_[j], at, times_[j + 1], from, slope_at);
      consider(t, value(tracker, place(tracker, i, t)));
    }
  }
  if (best > before) take(tracker, place(tracker, i, best_time), best);
  if (is_compared(tracker) && 2 * *greatest - *least > before) look_at_points(tracker, i, begin, end);
}

bool Peaks::is_rough(const Tracker& tracker, std::size_t i) const {
  constexpr double early = 0.2;  // in the middle of a step positions have no weight
  const HermiteWeights weights = hermite_weights(2, early, window_[i + 1].t - window_[i].t);
  return std::any_of(tracker.accelerations.begin(), tracker.accelerations.end(), [&](std::size_t k) {
    const double from = numbers(i)[2 * n_ + k], to = numbers(i + 1)[2 * n_ + k];
    const double off = hermite(weights, i, k) - (from + early * (to - from));
    return std::abs(off) > 0.5 * std::max(std::abs(from), std::abs(to));
  });
}

Peaks::Place Peaks::place(const Tracker& tracker, std::size_t i, double t) const {
  const bool is_start = t <= window_[i].t, is_end = t >= window_[i + 1].t;
  Place at{i, t, is_start || is_end, is_start ? i : i + 1};
  const double h = window_[i + 1].t - window_[i].t, theta = is_start ? 0 : is_end ? 1 : (t - window_[i].t) / h;
  const std::size_t size = window_.size(), last_first = size > most_support ? size - most_support : 0;
  at.first = std::min(i >= 2 ? i - 2 : 0, last_first);
  at.count = std::min(most_support, size - at.first);
  at.bends = at.count < 5;
  if (at.bends && is_rough(tracker, i)) {  // a straight line has no peaks of its own
    at.bends = false;
    at.first = i;
    at.count = 2;
  }
  if (at.bends || !tracker.coordinates.empty()) {
    at.q = hermite_weights(0, theta, h);
    at.v = hermite_weights(1, theta, h);
    at.a = hermite_weights(2, theta, h);
    if (at.bends) at.jerk = hermite_weights(3, theta, h);
  }
  if (!tracker.accelerations.empty() || !tracker.multipliers.empty()) {
    Times times{};
    for (std::size_t j = 0; j < at.count; ++j) times[j] = window_[at.first + j].t;
    at.weights = lagrange_weights(times, at.count, t);
    at.slopes = lagrange_slopes(times, at.count, t);
  }
  return at;
}

Peaks::Place Peaks::shared_place(const Tracker& tracker, std::size_t i, double t, std::size_t k) {
  const bool reads_state = !tracker.coordinates.empty();
  const bool reads_more = !tracker.accelerations.empty() || !tracker.multipliers.empty();
  std::vector<Place>& places = shared_[(reads_state ? 1 : 0) + (reads_more ? 2 : 0)];
  if (k < places.size() && places[k].t == t) return places[k];
  Place found = place(tracker, i, t);
  const bool is_own = found.count < 5;  // it depends on how rough the signal is
  if (k == places.size() && !is_own) places.push_back(found);
  return found;
}

double Peaks::lagrange(const Times& weights, const Place& at, std::size_t number) const {
  double sum = 0;
  for (std::size_t j = 0; j < at.count; ++j) sum += weights[j] * numbers(at.first + j)[number];
  return sum;
}

double Peaks::value(Tracker& tracker, const Place& at) {
  if (at.is_point) {
    numbers_ = window_[at.point].numbers;
  } else {
    for (const std::size_t k : tracker.coordinates) {
      numbers_[k] = hermite(at.q, at.step, k);
      numbers_[n_ + k] = hermite(at.v, at.step, k);
    }
    for (const std::size_t k : tracker.accelerations) {
      numbers_[2 * n_ + k] = at.bends ? hermite(at.a, at.step, k) : lagrange(at.weights, at, 2 * n_ + k);
    }
    for (const std::size_t k : tracker.multipliers) numbers_[3 * n_ + k] = lagrange(at.weights, at, 3 * n_ + k);
  }
  const double found =
      checked_value(*tracker.what, tracker.what->extremum->signal, point_of(at.t, numbers_), tracker.work);
  tracker.lowest = std::min(tracker.lowest, found);
  tracker.greatest = std::max(tracker.greatest, found);
  return tracker.sign * found;
}

double Peaks::slope(Tracker& tracker, const Place& at) {
  double sum = 0;
  tracker.what->extremum->signal.visit_gradient(tracker.work, 0, [&](Quantity quantity, int index, double by) {
    const auto k = static_cast<std::size_t>(index);
    if (quantity == Quantity::Time) sum += by;
    if (quantity == Quantity::Position) sum += by * numbers_[n_ + k];
    if (quantity == Quantity::Velocity) sum += by * hermite(at.a, at.step, k);
    if (quantity == Quantity::Acceleration) {
      sum += by * (at.bends ? hermite(at.jerk, at.step, k) : lagrange(at.slopes, at, 2 * n_ + k));
    }
    if (quantity == Quantity::Multiplier) sum += by * lagrange(at.slopes, at, 3 * n_ + k);
  });
  return tracker.sign * sum;
}

void Peaks::take(Tracker& tracker, const Place& at, double found) {
  if (tracker.best && !(found > tracker.sign * tracker.best->value)) return;
  Peak peak;
  peak.value = tracker.sign * found;
  peak.t = at.t;
  value(tracker, at);
  add_parts(tracker, at, peak);
  peak.error = at.is_point ? 0 : error(tracker, at);
  tracker.best = std::move(peak);
  ++tracker.changes;
}

void Peaks::add_parts(Tracker& tracker, const Place& at, Peak& peak) {
  const std::size_t first = at.is_point ? at.point : std::min(at.first, at.step);
  const std::size_t last = at.is_point ? at.point : std::max(at.first + at.count - 1, at.step + 1);
  for (std::size_t j = first; j <= last; ++j) {
    peak.parts.push_back({window_[j].number, std::vector<double>(numbers_.size(), 0.0), 0.0});
  }
  const auto part = [&](std::size_t point) -> Peak::Part& { return peak.parts[point - first]; };
  // A point that moves in time with its numbers kept is one that stays, with what the polynomial says changed back.
  const double h = at.is_point ? 0 : window_[at.step + 1].t - window_[at.step].t;
  const std::array<HermiteWeights, 2> jerks =
      at.is_point ? std::array<HermiteWeights, 2>{} : std::array{hermite_weights(3, 0, h), hermite_weights(3, 1, h)};
  const auto spread_hermite = [&](const HermiteWeights& weights, std::size_t k, double by) {
    for (std::size_t end = 0; end < 2; ++end) {
      Peak::Part& to = part(at.step + end);
      const double* of = weights.data() + 3 * end;
      for (std::size_t order = 0; order < 3; ++order) to.numbers[order * n_ + k] += by * of[order];
      const double* x = numbers(at.step + end) + k;
      to.time -= by * (of[0] * x[n_] + of[1] * x[2 * n_] + of[2] * hermite(jerks[end], at.step, k));
    }
  };
  Times times{};
  for (std::size_t j = 0; j < at.count; ++j) times[j] = window_[at.first + j].t;
  const auto spread_lagrange = [&](std::size_t number, double by) {
    for (std::size_t j = 0; j < at.count; ++j) {
      Peak::Part& to = part(at.first + j);
      to.numbers[number] += by * at.weights[j];
      to.time -= by * at.weights[j] * lagrange(lagrange_slopes(times, at.count, times[j]), at, number);
    }
  };
  tracker.what->extremum->signal.visit_gradient(tracker.work, 0, [&](Quantity quantity, int index, double by) {
    const auto k = static_cast<std::size_t>(index);
    const std::size_t order = quantity == Quantity::Position       ? 0
                              : quantity == Quantity::Velocity     ? 1
                              : quantity == Quantity::Acceleration ? 2
                                                                   : 3;
    switch (quantity) {
      case Quantity::Position:
      case Quantity::Velocity:
      case Quantity::Acceleration:
      case Quantity::Multiplier:
        if (at.is_point) {
          part(at.point).numbers[order * n_ + k] += by;
        } else if (order < 2 || (order == 2 && at.bends)) {
          spread_hermite(order == 0 ? at.q : order == 1 ? at.v : at.a, k, by);
        } else {
          spread_lagrange(order * n_ + k, by);
        }
        break;
      case Quantity::Time:
        if (at.is_point) part(at.point).time += by;
        break;
      case Quantity::Parameter:
        peak.parameters.emplace_back(index, by);
        break;
      case Quantity::Side:
      case Quantity::Argument:
      case Quantity::Absence:
        break;
    }
  });
}

}  // namespace perilune::simulation
