#include "integrator/switches.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace perilune::integrator {

namespace {

double side_of(double value) { return value < 0 ? 1 : -1; }

}  // namespace

Switches::Switches(Motion& motion, double shortest)
    : motion_(motion),
      functions_(*motion.system().switches()),
      shortest_(shortest),
      work_(functions_.make_work()),
      flipped_at_(static_cast<std::size_t>(functions_.output_count()), -std::numeric_limits<double>::infinity()) {}

void Switches::start(const Node& first) {
  motion_.set_sides(std::make_shared<std::vector<double>>(flipped_at_.size(), 0.0));
  settle(-1, first);
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

bool Switches::is_across(int number, double value) const {
  const double side = motion_.data().sides[static_cast<std::size_t>(number)];
  return side != 0 && side != side_of(value);
}

bool Switches::enters(int number) const { return motion_.data().sides[static_cast<std::size_t>(number)] < 0; }

std::optional<int> Switches::crossed(const Node& x, int but) {
  evaluate(x);
  for (int k = 0; k < functions_.output_count(); ++k) {
    if (k != but && is_across(k, found(k))) return k;
  }
  return std::nullopt;
}

void Switches::courses(const Node& x, double h, std::vector<Course>& out) {
  constexpr double by = 1e-6;
  const auto n = static_cast<std::size_t>(motion_.n());
  moved_.resize(2 * n);
  for (std::size_t i = 0; i < n; ++i) {
    moved_[i] = x.q[i] + by * h * x.v[i];
    moved_[n + i] = x.v[i] + by * h * x.a[i];
  }
  out.resize(flipped_at_.size());
  evaluate(x);
  for (std::size_t k = 0; k < out.size(); ++k) out[k].value = found(static_cast<int>(k));
  Node later = x;
  later.t += by * h;
  later.q = moved_.data();
  later.v = moved_.data() + n;
  evaluate(later);
  for (std::size_t k = 0; k < out.size(); ++k) out[k].slope = (found(static_cast<int>(k)) - out[k].value) / by;
}

std::optional<double> Switches::dip_of(const Course& start, const Course& end) {
  if (!(start.slope < 0 && end.slope > 0)) return std::nullopt;
  // The bottom of the cubic through both ends.
  const double rise = end.value - start.value, cube = start.slope + end.slope - 2 * rise,
               square = rise - start.slope - cube;
  const double s = -start.slope / (square + std::sqrt(std::max(0.0, square * square - 3 * cube * start.slope)));
  if (s > 0 && s < 1 && start.value + s * (start.slope + s * (square + s * cube)) < 0) return s;
  // A sharper one lies where the tangents meet: bodies that have passed through each other.
  const double meet = (end.slope - rise) / (end.slope - start.slope);
  if (meet > 0 && meet < 1 && start.value + meet * start.slope < 0) return meet;
  return std::nullopt;
}

std::optional<Switches::Dip> Switches::dip(const Node& start, const Node& end) {
  const double h = end.t - start.t;
  if (knows_start_) {
    for (Course& c : at_start_) c.slope *= h / last_h_;
  } else {
    courses(start, h, at_start_);
    knows_start_ = true;
  }
  last_h_ = h;
  courses(end, h, at_end_);
  knows_end_ = true;
  for (std::size_t k = 0; k < at_end_.size(); ++k) {
    const double sign = -motion_.data().sides[k];
    if (sign == 0) continue;
    const auto s = dip_of({sign * at_start_[k].value, sign * at_start_[k].slope},
                          {sign * at_end_[k].value, sign * at_end_[k].slope});
    if (s) return Dip{static_cast<int>(k), *s * h};
  }
  return std::nullopt;
}

void Switches::advance() {
  knows_start_ = std::exchange(knows_end_, false);
  std::swap(at_start_, at_end_);
}

void Switches::settle(int number, const Node& x) {
  // Functions may read the sides of others.
  const std::vector<double> before = motion_.data().sides;
  for (int round = 0; round < functions_.output_count(); ++round) {
    evaluate(x);
    auto sides = std::make_shared<std::vector<double>>(motion_.data().sides);
    for (int k = 0; k < functions_.output_count(); ++k) {
      const bool is_free = number >= 0 && before[static_cast<std::size_t>(k)] == 0;
      if (k != number && !is_free) (*sides)[static_cast<std::size_t>(k)] = side_of(found(k));
    }
    if (*sides == motion_.data().sides) return;
    motion_.set_sides(std::move(sides));
  }
}

void Switches::flip(int number, const Node& x) {
  knows_start_ = knows_end_ = false;
  auto sides = std::make_shared<std::vector<double>>(motion_.data().sides);
  double& side = (*sides)[static_cast<std::size_t>(number)];
  double& last = flipped_at_[static_cast<std::size_t>(number)];
  const bool chatters = x.t - last < shortest_;
  side = chatters ? 0 : -side;
  last = x.t;
  are_all_held_ = are_all_held_ && !chatters;
  motion_.set_sides(std::move(sides));
  settle(number, x);
}

void Switches::hold(const Node& x, double h) {
  if (are_all_held_ || h < shortest_) return;
  are_all_held_ = true;
  knows_start_ = false;
  settle(-1, x);
}

}  // namespace perilune::integrator
