// SPDX-License-Identifier: MIT
#include "analysis/path_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace perilune::analysis {

namespace {

/// A zero of f between 0 and `end`, where its values are `f0` and `f1`, by Chandrupatla's method. `f` has no value
/// where it cannot be evaluated; then the search ends there.
double find_zero(const std::function<std::optional<double>(double)>& f, double end, double f0, double f1,
                 double tolerance) {
  double a = end, fa = f1, b = 0, fb = f0, c = b, fc = fb, part = 0.5;
  for (int k = 0; k < 80; ++k) {
    const double x = a + part * (b - a);
    const auto fx = f(x);
    if (!fx) return x;
    if (std::signbit(*fx) == std::signbit(fa)) {
      c = a;
      fc = fa;
    } else {
      c = b;
      fc = fb;
      b = a;
      fb = fa;
    }
    a = x;
    fa = *fx;
    const double limit = tolerance * end / std::abs(b - a);
    if (limit > 0.5 || fa == 0) break;
    const double xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
    if (phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi) {
      part = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb);
    } else {
      part = 0.5;
    }
    part = std::clamp(part, limit, 1 - limit);
  }
  return std::abs(fa) < std::abs(fb) ? a : b;
}

constexpr std::size_t beside = StepSearch::beside;
using Beside = std::array<double, beside>;
constexpr double apart = 1e-3;  // of the points next to one another, in parts of the step

/// Of Lagrange's polynomials through these places.
Beside interpolation_weights(const Beside& places, double at) {
  Beside w{1, 1, 1, 1};
  for (std::size_t j = 0; j < beside; ++j) {
    for (std::size_t k = 0; k < beside; ++k) {
      if (k != j) w[j] *= (at - places[k]) / (places[j] - places[k]);
    }
  }
  return w;
}

}  // namespace

std::optional<Station> StepSearch::between(double length) {
  Station at;
  at.x = here_.x;
  // The guess is the cubic that has the tangents of both ends.
  const double s = length / whole_, along = equations_.product(here_.tangent, next_.tangent);
  const double of_here = (1 + 2 * s) * (1 - s) * (1 - s), of_next = s * s * (3 - 2 * s);
  const double of_first = s * (1 - s) * (1 - s) * whole_;
  const double of_second = s * s * (s - 1) * whole_ / (along > 0.1 ? along : 1);
  for (std::size_t i = 0; i < at.x.size(); ++i) {
    at.x[i] = of_here * here_.x[i] + of_next * next_.x[i] + of_first * here_.tangent[i] + of_second * next_.tangent[i];
  }
  const PathEquations::Point border = equations_.border_along(here_.tangent);
  const double level = equations_.product(here_.tangent, here_.x) + length;
  if (!equations_.correct(border, level, at.x, iterations_)) return std::nullopt;
  const auto tangent = equations_.tangent(border, at.x);
  if (!tangent) return std::nullopt;
  at.tangent = *tangent;
  at.arc = here_.arc + length;
  return at;
}

std::optional<Station> StepSearch::zero(double f0, double f1, const Test& test) {
  std::optional<Station> best;
  double least = std::numeric_limits<double>::infinity();
  find_zero(
      [&](double length) -> std::optional<double> {
        auto at = between(length);
        if (!at) {
          best.reset();
          return std::nullopt;
        }
        const double value = test(*at);
        if (std::abs(value) <= least) {
          least = std::abs(value);
          best = std::move(at);
        }
        return value;
      },
      whole_, f0, f1, 1e-14);
  return best;
}

std::optional<StepSearch::Stations> StepSearch::stations_beside(double length) {
  Stations out;
  constexpr std::array<double, beside> places{-2, -1, 1, 2};
  for (std::size_t k = 0; k < beside; ++k) {
    auto at = between(length + places[k] * apart * whole_);
    if (!at) return std::nullopt;
    at->stiffness = equations_.stiffness();
    out[k] = std::move(*at);
  }
  return out;
}

bool StepSearch::is_one_curve(const Stations& stations) const {
  constexpr double most_off = 1e-2;  // of their distance
  PathEquations::Point off = stations[2].x;
  for (std::size_t i = 0; i < off.size(); ++i) off[i] -= 3 * stations[1].x[i] - 2 * stations[0].x[i];
  return std::sqrt(equations_.product(off, off)) <= most_off * apart * whole_;
}

bool StepSearch::is_smooth_at(const Station& found) {
  const auto stations = stations_beside(found.arc - here_.arc);
  return stations && is_one_curve(*stations);
}

std::optional<Station> StepSearch::branch(double f0, double f1, const Test& test, bool& is_jump) {
  constexpr double jump = 0.1;  // of the eigenvalue, right beside where it changes its sign
  const double near = find_zero(
      [&](double length) {
        auto at = between(length);
        if (!at) return std::optional<double>();
        at->stiffness = equations_.stiffness();
        return std::optional(test(*at));
      },
      whole_, f0, f1, 1e-5);
  const auto stations = stations_beside(near);
  if (!stations) return std::nullopt;
  Beside value{}, length{};
  for (std::size_t k = 0; k < beside; ++k) {
    value[k] = test((*stations)[k]);
    length[k] = (*stations)[k].arc - here_.arc;
  }
  const Beside inverse = interpolation_weights(value, 0);
  double found = 0;
  for (std::size_t k = 0; k < beside; ++k) found += inverse[k] * length[k];
  is_jump = std::max(std::abs(value[1]), std::abs(value[2])) > jump * std::max(std::abs(f0), std::abs(f1)) ||
            !(std::abs(found - near) < apart * whole_) || !is_one_curve(*stations);
  Station out = (*stations)[0];
  const Beside share = interpolation_weights(length, found);
  for (std::size_t i = 0; i < out.x.size(); ++i) {
    out.x[i] = out.tangent[i] = 0;
    for (std::size_t k = 0; k < beside; ++k) {
      out.x[i] += share[k] * (*stations)[k].x[i];
      out.tangent[i] += share[k] * (*stations)[k].tangent[i];
    }
  }
  out.arc = here_.arc + found;
  return out;
}

}  // namespace perilune::analysis
