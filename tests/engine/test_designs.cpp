// SPDX-License-Identifier: MIT
// Designs of experiments: what each of them promises about its points.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <set>

#include "error.hpp"
#include "optimize/design.hpp"

using namespace perilune;
using namespace perilune::optimize;
using Catch::Matchers::Contains;

namespace {

using Points = std::vector<std::vector<double>>;

const std::vector<Variable> three = {{"a", -1, 3}, {"b", 10, 11}, {"c", 0, 1e-6}};

std::set<int> strata_of(const Points& points, std::size_t variable) {
  const Variable& v = three[variable];
  std::set<int> strata;
  for (const auto& point : points) {
    const double fraction = (point[variable] - v.lower) / (v.upper - v.lower);
    strata.insert(static_cast<int>(std::floor(fraction * static_cast<double>(points.size()))));
  }
  return strata;
}

}  // namespace

TEST_CASE("a Latin hypercube has one point in every stratum of every variable", "[design]") {
  for (const int count : {1, 2, 17, 500}) {
    for (const std::uint64_t seed : {0u, 1u, 12345u}) {
      const Points points = design_points(LatinHypercube{count, seed}, three);
      REQUIRE(points.size() == static_cast<std::size_t>(count));
      for (std::size_t k = 0; k < three.size(); ++k) {
        const std::set<int> strata = strata_of(points, k);
        CHECK(strata.size() == points.size());
        CHECK(*strata.begin() == 0);
        CHECK(*strata.rbegin() == count - 1);
      }
    }
  }
  // The strata of two variables are paired at random: not along a diagonal, nor as another seed pairs them.
  const Points one = design_points(LatinHypercube{50, 1}, three), two = design_points(LatinHypercube{50, 2}, three);
  CHECK(one == design_points(LatinHypercube{50, 1}, three));
  CHECK(one != two);
  double covariance = 0;
  for (const auto& p : one) covariance += (p[0] - 1) / 4 * (p[1] - 10.5);
  CHECK(std::abs(covariance / 50) < 0.5 / 12);  // 1/12 on a diagonal
}

TEST_CASE("random points are uniform between the bounds", "[design]") {
  const Points points = design_points(Random{4000, 7}, three);
  REQUIRE(points.size() == 4000);
  for (std::size_t k = 0; k < three.size(); ++k) {
    double mean = 0, square = 0;
    for (const auto& p : points) {
      const double fraction = (p[k] - three[k].lower) / (three[k].upper - three[k].lower);
      CHECK((fraction >= 0 && fraction <= 1));
      mean += fraction / 4000;
      square += fraction * fraction / 4000;
    }
    CHECK(mean == Approx(0.5).margin(0.02));  // four standard deviations of the mean
    CHECK(square - mean * mean == Approx(1.0 / 12).margin(0.006));
  }
  CHECK(points == design_points(Random{4000, 7}, three));
  CHECK(points != design_points(Random{4000, 8}, three));
}

TEST_CASE("a grid has every combination, the last variable changing fastest", "[design]") {
  const Grid grid{{{3, {}}, {1, {}}, {0, {1e-7, 3e-7}}}};
  const Points expected = {{-1, 10.5, 1e-7}, {-1, 10.5, 3e-7}, {1, 10.5, 1e-7},
                           {1, 10.5, 3e-7},  {3, 10.5, 1e-7},  {3, 10.5, 3e-7}};
  CHECK(design_points(grid, three) == expected);
}

TEST_CASE("a list is taken as it stands", "[design]") {
  const Points points = {{0, 10, 0}, {3, 11, 1e-6}, {0, 10, 0}};
  CHECK(design_points(PointList{points}, three) == points);
}

TEST_CASE("designs that do not fit are refused", "[design]") {
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<Variable> open = {{"a", 0, 1}, {"k", 0, inf}};
  CHECK_THROWS_WITH(design_points(Random{3, 1}, open), Contains("\"k\" needs finite min and max"));
  CHECK_THROWS_WITH(design_points(LatinHypercube{3, 1}, open), Contains("\"k\" needs finite min and max"));
  CHECK_THROWS_WITH(design_points(Grid{{{2, {}}, {2, {}}}}, open), Contains("\"k\" needs finite min and max"));
  CHECK(design_points(Grid{{{2, {}}, {0, {5, 6}}}}, open).size() == 4);
  CHECK_THROWS_WITH(design_points(Grid{{{2, {}}}}, open), Contains("levels for 1 parameter, but there are 2"));
  CHECK_THROWS_WITH(design_points(Grid{{{2, {}}, {0, {5, -6}}}}, open), Contains("-6 of parameter \"k\" is outside"));
  CHECK_THROWS_WITH(design_points(PointList{{{0, 1}, {0}}}, open), Contains("point 2 of the list has 1 value"));
  CHECK_THROWS_WITH(design_points(PointList{{{2, 1}}}, open),
                    Contains("2 of parameter \"a\" is outside its bounds 0 to 1"));
  CHECK_THROWS_WITH(design_points(Grid{{{10000, {}}, {0, std::vector<double>(10000, 1.0)}}}, open),
                    Contains("more than the 10 million"));
}
