// SPDX-License-Identifier: MIT
#include "optimize/design.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "error.hpp"
#include "format/text.hpp"
#include "optimize/sentences.hpp"

namespace perilune::optimize {

namespace {

using Points = std::vector<std::vector<double>>;

constexpr std::size_t most_points = 10'000'000;

std::string range_text(const Variable& v) { return format::shortest(v.lower) + " to " + format::shortest(v.upper); }

void require_bounds(const Variable& v) {
  if (std::isfinite(v.lower) && std::isfinite(v.upper)) return;
  throw Error("parameter \"" + v.name +
              "\" needs finite min and max, between which the design puts its points; it has " + range_text(v));
}

void require_inside(const Variable& v, double value) {
  if (value >= v.lower && value <= v.upper) return;
  throw Error("the value " + format::shortest(value) + " of parameter \"" + v.name + "\" is outside its bounds " +
              range_text(v));
}

/// Without leaving the bounds by rounding.
double between(const Variable& v, double fraction) {
  return std::clamp(v.lower + fraction * (v.upper - v.lower), v.lower, v.upper);
}

/// The standard fixes the engine's numbers, but not those of its distributions.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  /// In [0, 1).
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  std::size_t below(std::size_t count) {
    return std::min(static_cast<std::size_t>(uniform() * static_cast<double>(count)), count - 1);
  }

 private:
  std::mt19937_64 engine_;
};

std::vector<double> level_values(const Grid::Levels& levels, const Variable& v) {
  if (!levels.values.empty()) return levels.values;
  require_bounds(v);
  if (levels.count == 1) return {between(v, 0.5)};
  std::vector<double> values;
  for (int k = 0; k < levels.count; ++k) values.push_back(between(v, static_cast<double>(k) / (levels.count - 1)));
  return values;
}

Points points_of(const Grid& grid, const std::vector<Variable>& variables) {
  if (grid.levels.size() != variables.size()) {
    throw Error("the grid has levels for " + plural(grid.levels.size(), "parameter") + ", but there are " +
                std::to_string(variables.size()) + " to be varied");
  }
  Points values;
  double count = 1;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    values.push_back(level_values(grid.levels[i], variables[i]));
    count *= static_cast<double>(values[i].size());
  }
  if (count > static_cast<double>(most_points)) {
    throw Error("the grid has " + format::shortest(count) + " points, more than the 10 million that are allowed");
  }
  Points points(static_cast<std::size_t>(count));
  for (std::size_t p = 0; p < points.size(); ++p) {
    points[p].resize(variables.size());
    std::size_t rest = p;
    for (std::size_t i = variables.size(); i-- > 0;) {
      points[p][i] = values[i][rest % values[i].size()];
      rest /= values[i].size();
    }
  }
  return points;
}

Points points_of(const PointList& list, const std::vector<Variable>& variables) {
  for (std::size_t p = 0; p < list.points.size(); ++p) {
    if (list.points[p].size() == variables.size()) continue;
    throw Error("point " + std::to_string(p + 1) + " of the list has " + plural(list.points[p].size(), "value") +
                ", but there are " + plural(variables.size(), "parameter") + " to be varied");
  }
  return list.points;
}

Points points_of(const Random& random, const std::vector<Variable>& variables) {
  Dice dice(random.seed);
  Points points(static_cast<std::size_t>(random.points));
  for (auto& point : points) {
    for (const Variable& v : variables) point.push_back(between(v, dice.uniform()));
  }
  return points;
}

Points points_of(const LatinHypercube& cube, const std::vector<Variable>& variables) {
  Dice dice(cube.seed);
  const auto count = static_cast<std::size_t>(cube.points);
  Points points(count);
  std::vector<std::size_t> strata(count);
  for (const Variable& v : variables) {
    std::iota(strata.begin(), strata.end(), std::size_t{0});
    for (std::size_t k = count; k > 1; --k) std::swap(strata[k - 1], strata[dice.below(k)]);
    for (std::size_t p = 0; p < count; ++p) {
      points[p].push_back(between(v, (static_cast<double>(strata[p]) + dice.uniform()) / static_cast<double>(count)));
    }
  }
  return points;
}

}  // namespace

std::vector<std::vector<double>> design_points(const Design& design, const std::vector<Variable>& variables) {
  if (std::holds_alternative<Random>(design) || std::holds_alternative<LatinHypercube>(design)) {
    for (const Variable& v : variables) require_bounds(v);
  }
  Points points = std::visit([&](const auto& d) { return points_of(d, variables); }, design);
  for (const auto& point : points) {
    for (std::size_t i = 0; i < variables.size(); ++i) require_inside(variables[i], point[i]);
  }
  return points;
}

}  // namespace perilune::optimize
