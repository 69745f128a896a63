// SPDX-License-Identifier: MIT
#include "simulation/felt_corners.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "at_time.hpp"

namespace perilune::simulation {

using formulation::Node;
using integrator::GroupKind;
using integrator::March;

namespace {

using Slopes = std::vector<double>;

constexpr int parts = 16;  // of the line, which is followed for its own length beyond either end

/// What rests, or has no friction, has no slopes to speak of.
bool turns(double from, double to) {
  constexpr double at_rest = 1e-9, turned = 0.1;
  const double size = std::max(std::abs(from), std::abs(to));
  return size > at_rest && std::abs(to - from) > turned * size;
}

bool has_turned(const Slopes& from, const Slopes& to) {
  for (std::size_t e = 0; e < from.size(); ++e) {
    if (turns(from[e], to[e])) return true;
  }
  return false;
}

/// As is known from two points on the line that no entry has a corner: they are a sixteenth of its change away from
/// the chord where the singularity is half a step away.
bool is_straight(const Slopes& from, const Slopes& early, const Slopes& late, const Slopes& to) {
  constexpr double least = 0.06;
  for (std::size_t e = 0; e < from.size(); ++e) {
    const double change = to[e] - from[e], aside = std::max(std::abs(early[e] - from[e] - 0.25 * change),
                                                            std::abs(late[e] - from[e] - 0.75 * change));
    if (turns(from[e], to[e]) && aside > least * std::abs(change)) return false;
  }
  return true;
}

}  // namespace

FeltCorners::FeltCorners(const system::System& system) : system_(system), work_(system) {
  system.nr().for_each([this](int row, int multiplier) { places_.push_back({row, multiplier}); });
}

void FeltCorners::start(const March& march) {
  data_ = &march.motion().data();
  keep(march.node(-1));
}

void FeltCorners::accept(const March& march) {
  if (found_) return;
  const integrator::Plan& plan = march.plan();
  const bool joins = std::exchange(goes_beyond_, false) && march.h() > 0;
  for (std::size_t g = 0; g < plan.groups.size() && march.h() > 0; ++g) {
    const GroupKind kind = plan.groups[g].kind;
    const bool has_loads = kind == GroupKind::Point || kind == GroupKind::Implicit;
    for (int i = plan.groups[g].first; i < plan.group_end(g) && !found_; ++i) {
      const Node& x = march.node(i);
      if (i == plan.end || (has_loads && has_turned(last_slopes_, slopes(x, multipliers(x)))))
        look(march.t(), last_, x, 1);
    }
  }
  const bool is_in_corner = goes_beyond_ && march.h() > 0;
  if (joins && !found_) look(time_before_last_, before_last_, march.node(plan.end), 2);
  goes_beyond_ = is_in_corner;
  before_last_ = last_;
  time_before_last_ = march.t();
  keep(march.node(plan.end));
}

void FeltCorners::keep(const Node& x) {
  last_ = multipliers(x);
  last_slopes_ = slopes(x, last_);
}

std::vector<double> FeltCorners::multipliers(const Node& x) const {
  return {x.lambda, x.lambda + system_.constraint_count()};
}

FeltCorners::Slopes FeltCorners::slopes(const Node& x, const std::vector<double>& lambda) {
  system_.evaluate_again({x.t, x.q, x.v, x.a, lambda.data()}, *data_, work_);
  return Slopes(work_.force_multiplier.begin(), work_.force_multiplier.end());
}

const FeltCorners::Slopes& FeltCorners::at(int point) const { return line_[static_cast<std::size_t>(point + parts)]; }

void FeltCorners::look(double t, const std::vector<double>& start, const Node& x, int steps) {
  const auto on_line = [&](double s) {
    std::vector<double> lambda(start);
    for (std::size_t k = 0; k < start.size(); ++k) lambda[k] += s * (x.lambda[k] - start[k]);
    return slopes(x, lambda);
  };
  const Slopes from = on_line(0), to = on_line(1);
  if (!has_turned(from, to) || is_straight(from, on_line(0.25), on_line(0.75), to)) return;
  line_.clear();
  for (int j = -parts; j <= 2 * parts; ++j) line_.push_back(on_line(static_cast<double>(j) / parts));
  for (std::size_t e = 0; e < places_.size() && !found_; ++e) {
    if (!turns(from[e], to[e])) continue;
    const int window = steps == 1 ? 3 : 2;
    const std::optional<int> first = corner(e, window);
    if (!first || !is_definite(e, *first, *first + window, start, x)) continue;
    found_ = {t + (x.t - t) * (*first + 0.5 * window) / parts, places_[e].multiplier};
  }
}

std::optional<int> FeltCorners::corner(std::size_t entry, int window) {
  const double sign = at(parts)[entry] < at(0)[entry] ? -1 : 1;
  const auto rise = [&](int from, int to) { return sign * (at(to)[entry] - at(from)[entry]); };
  const double share = 0.25 * rise(0, parts);
  for (int j = 0; j + window <= parts; ++j) {
    if (std::abs(rise(j, j + window)) <= share) continue;
    const int behind = j + window, ahead = parts - j;
    const bool goes_on = rise(parts, parts + ahead) > share;
    if (rise(-behind, 0) <= share && !goes_on) return j;
    goes_beyond_ = goes_beyond_ || goes_on;
  }
  return std::nullopt;
}

bool FeltCorners::is_definite(std::size_t entry, int first, int behind, const std::vector<double>& from,
                              const Node& x) {
  const std::vector<double> ends[] = {from, {x.lambda, x.lambda + from.size()}};
  double largest = 0, length = 0;
  for (const std::vector<double>& end : ends) {
    for (const double each : end) largest = std::max(largest, std::abs(each));
  }
  std::vector<double> load(last_.size(), 0.0);  // what the slopes of a size turn along is the load itself
  for (std::size_t e = 0; e < places_.size(); ++e) {
    if (places_[e].row != places_[entry].row) continue;
    const double turn = at(behind)[e] - at(first)[e];
    load[static_cast<std::size_t>(places_[e].multiplier)] += turn;
    length += turn * turn;
  }
  constexpr double of_rounding = 1e-8;
  const double share = 0.25 * std::abs(at(parts)[entry] - at(0)[entry]);
  for (const std::vector<double>& end : ends) {
    const double here = slopes(x, end)[entry];
    for (const int side : {-1, 1}) {
      std::vector<double> lambda = end;
      for (std::size_t k = 0; k < lambda.size(); ++k) {
        lambda[k] += side * of_rounding * largest * load[k] / std::sqrt(length);
      }
      if (std::abs(slopes(x, lambda)[entry] - here) > share) return false;
    }
  }
  return true;
}

void FeltCorners::add_warning(std::vector<std::string>& out) const {
  if (!found_) return;
  out.push_back(at_time(found_->t) + "a load of \"" + system_.constraint_name(found_->multiplier) +
                "\" that forces feel passes zero within a step, and its size has a corner there that no step ends at: "
                "derivatives may be off by as much as a step is long, whatever the tolerances; "
                "mbs.continuous_direct {} by adaptive steps follows it, and a larger load_regularization rounds it so "
                "that steps do");
}

}  // namespace perilune::simulation
