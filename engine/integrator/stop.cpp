// Ending a run where a function of the motion becomes zero.
#include <cmath>
#include <cstdio>

#include "error.hpp"
#include "integrator/stepping.hpp"

namespace perilune::integrator {

bool Run::has_crossed() {
  if (!last_value_) last_value_ = options_.stop->value(march_.node(-1));
  const double value = options_.stop->value(march_.node(march_.plan().end));
  const bool is_across = *last_value_ != 0 && (value == 0 || std::signbit(value) != std::signbit(*last_value_));
  if (!is_across) last_value_ = value;
  return is_across;
}

double Run::attempt(double h) {
  const formulation::Choice choice = march_.motion().choice();
  march_.attempt(*plan_, h, newton_tolerance_, choice);
  return options_.stop->value(march_.node(plan_->end));
}

double Run::bracketed(double h, double value) {
  // Regula falsi; an end that stays counts for half (Illinois).
  double low = 0, at_low = *last_value_, high = h, at_high = value;
  if (plan_ != &march_.plan()) at_high = attempt(high);
  int side = 0;
  for (int k = 0; k < 100 && at_high != 0 && high - low > 1e-16 * h; ++k) {
    const double middle = (low * at_high - high * at_low) / (at_high - at_low);
    if (!(middle > low && middle < high)) break;
    const double found = attempt(middle);
    if (found == 0) return middle;
    if (std::signbit(found) == std::signbit(at_high)) {
      if (high - middle < 1e-15 * h) return middle;
      high = middle;
      at_high = found;
      if (side == 1) at_low /= 2;
      side = 1;
    } else {
      if (middle - low < 1e-15 * h) return middle;
      low = middle;
      at_low = found;
      if (side == -1) at_high /= 2;
      side = -1;
    }
  }
  return high;
}

double Run::nearby(double h, double value) {
  double before = h * (1 + 1e-4), at_before = attempt(before);
  for (int k = 0; k < 50 && value != 0 && at_before != value; ++k) {
    const double next = h - value * (h - before) / (value - at_before);
    before = h;
    at_before = value;
    h = next;
    value = attempt(h);
    if (std::abs(h - before) <= 1e-15 * std::abs(h)) return h;
  }
  return h;
}

void Run::end_at(double h, double full) {
  // Differences with three extrapolations, of steps long enough for rounding not to matter.
  Stop stop;
  std::vector<std::vector<double>> table;
  for (int level = 0; level < 4; ++level) {
    const double by = std::ldexp(0.1 * full, -level);
    auto probe = [&](double length) {
      std::vector<double> values{attempt(length)};
      const std::vector<double> objectives = options_.stop->objectives(march_);
      values.insert(values.end(), objectives.begin(), objectives.end());
      return values;
    };
    const std::vector<double> up = probe(h + by), down = probe(h - by);
    std::vector<std::vector<double>> next{std::vector<double>(up.size())};
    for (std::size_t i = 0; i < up.size(); ++i) next[0][i] = (up[i] - down[i]) / (2 * by);
    double factor = 4;
    for (const std::vector<double>& previous : table) {
      std::vector<double> better(up.size());
      for (std::size_t i = 0; i < up.size(); ++i) {
        better[i] = (factor * next.back()[i] - previous[i]) / (factor - 1);
      }
      next.push_back(std::move(better));
      factor *= 4;
    }
    table = std::move(next);
  }
  stop.slope = table.back().front();
  stop.objectives.assign(table.back().begin() + 1, table.back().end());
  attempt(h);
  take(march_.t() + h);
  out_.stop = std::move(stop);
}

void Run::accept_at_stop() {
  plan_ = &march_.plan();
  const double h = march_.h();
  end_at(nearby(h, options_.stop->value(march_.node(plan_->end))), h);
}

}  // namespace perilune::integrator
