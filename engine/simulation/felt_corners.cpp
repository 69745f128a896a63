// SPDX-License-Identifier: MIT
#include "simulation/felt_corners.hpp"

#include <algorithm>
#include <cmath>

#include "at_time.hpp"

namespace perilune::simulation {

using formulation::Node;
using integrator::GroupKind;
using integrator::March;

namespace {

constexpr int parts = 16, window = 3;  // of the line, which is followed for its own length beyond either end

}  // namespace

FeltCorners::FeltCorners(const system::System& system, const system::Data& data)
    : system_(system), data_(data), work_(system) {
  system.nr().for_each([this](int row, int multiplier) { places_.push_back({row, multiplier}); });
}

void FeltCorners::start(const March& march) {
  last_.assign(march.node(-1).lambda, march.node(-1).lambda + system_.constraint_count());
}

void FeltCorners::accept(const March& march) {
  const integrator::Plan& plan = march.plan();
  for (std::size_t g = 0; g < plan.groups.size() && march.h() > 0 && !found_; ++g) {
    const GroupKind kind = plan.groups[g].kind;
    const bool has_loads = kind == GroupKind::Point || kind == GroupKind::Implicit;
    for (int i = plan.groups[g].first; i < plan.group_end(g) && !found_; ++i) {
      if (has_loads || i == plan.end) look(march.t(), march.node(i));
    }
  }
  last_.assign(march.node(plan.end).lambda, march.node(plan.end).lambda + system_.constraint_count());
}

FeltCorners::Slopes FeltCorners::slopes(const Node& x, const std::vector<double>& lambda) {
  system_.evaluate_again({x.t, x.q, x.v, x.a, lambda.data()}, data_, work_);
  return Slopes(work_.force_multiplier.begin(), work_.force_multiplier.end());
}

const FeltCorners::Slopes& FeltCorners::at(int point) const { return line_[static_cast<std::size_t>(point + parts)]; }

void FeltCorners::look(double t, const Node& x) {
  const auto on_line = [&](double s) {
    std::vector<double> lambda(last_);
    for (std::size_t k = 0; k < last_.size(); ++k) lambda[k] += s * (x.lambda[k] - last_[k]);
    return slopes(x, lambda);
  };
  const Slopes from = on_line(0), to = on_line(1);
  line_.clear();
  constexpr double at_rest = 1e-9, turned = 0.1;
  for (std::size_t e = 0; e < places_.size() && !found_; ++e) {
    const double size = std::max(std::abs(from[e]), std::abs(to[e]));
    if (!(size > at_rest && std::abs(to[e] - from[e]) > turned * size)) continue;
    if (line_.empty()) {
      for (int j = -parts; j <= 2 * parts; ++j) line_.push_back(on_line(static_cast<double>(j) / parts));
    }
    const std::optional<int> first = corner(e);
    if (!first || !is_definite(e, *first, x)) continue;
    found_ = {t + (x.t - t) * (*first + 0.5 * window) / parts, places_[e].multiplier};
  }
}

std::optional<int> FeltCorners::corner(std::size_t entry) const {
  const double sign = at(parts)[entry] < at(0)[entry] ? -1 : 1;
  const auto rise = [&](int from, int to) { return sign * (at(to)[entry] - at(from)[entry]); };
  const double share = 0.25 * rise(0, parts);
  for (int j = 0; j + window <= parts; ++j) {
    if (std::abs(rise(j, j + window)) <= share) continue;
    const int behind = j + window, ahead = parts - j;
    if (rise(-behind, 0) <= share && rise(parts, parts + ahead) <= share) return j;
  }
  return std::nullopt;
}

bool FeltCorners::is_definite(std::size_t entry, int first, const Node& x) {
  const std::vector<double> ends[] = {last_, {x.lambda, x.lambda + last_.size()}};
  double largest = 0, length = 0;
  for (const std::vector<double>& end : ends) {
    for (const double each : end) largest = std::max(largest, std::abs(each));
  }
  std::vector<double> load(last_.size(), 0.0);  // what the slopes of a size turn along is the load itself
  for (std::size_t e = 0; e < places_.size(); ++e) {
    if (places_[e].row != places_[entry].row) continue;
    const double turn = at(first + window)[e] - at(first)[e];
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
