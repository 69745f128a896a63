// SPDX-License-Identifier: MIT
// Names of units, against the definitions of the units.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "model/unit.hpp"

using perilune::model::unit_in_si;

namespace {

constexpr double pi = 3.14159265358979323846;

struct Known {
  const char* name;
  double size;
  const char* si;
  std::array<double, 5> dimension;  // kg, m, s, A, K
};

}  // namespace

TEST_CASE("units by name", "[signals]") {
  const Known all[] = {{"mm", 1e-3, "m", {0, 1, 0, 0, 0}},
                       {"kN", 1e3, "N", {1, 1, -2, 0, 0}},
                       {"kg", 1, "kg", {1, 0, 0, 0, 0}},
                       {"g", 1e-3, "kg", {1, 0, 0, 0, 0}},
                       {"kg m^2", 1, "kg m^2", {1, 2, 0, 0, 0}},
                       {"m/s^2", 1, "m/s^2", {0, 1, -2, 0, 0}},
                       {"N/mm", 1e3, "N/m", {1, 0, -2, 0, 0}},
                       {"N m/deg", 180 / pi, "N m/rad", {1, 2, -2, 0, 0}},
                       {"km/h", 1 / 3.6, "m/s", {0, 1, -1, 0, 0}},
                       {"deg", pi / 180, "rad", {0, 0, 0, 0, 0}},
                       {"mrad", 1e-3, "rad", {0, 0, 0, 0, 0}},
                       {"rev/s", 2 * pi, "rad/s", {0, 0, -1, 0, 0}},
                       {"rpm", 2 * pi / 60, "rad/s", {0, 0, -1, 0, 0}},
                       {"rev/min", 2 * pi / 60, "rad/s", {0, 0, -1, 0, 0}},
                       {"min", 60, "s", {0, 0, 1, 0, 0}},
                       {"mm^3", 1e-9, "m^3", {0, 3, 0, 0, 0}},
                       {"1/s", 1, "1/s", {0, 0, -1, 0, 0}},
                       {"bar", 1e5, "Pa", {1, -1, -2, 0, 0}},
                       {"N/(m s)", 1, "N/(m s)", {1, 0, -3, 0, 0}},
                       {"kN/(mm s) m", 1e6, "N/(m s) m", {1, 1, -3, 0, 0}},
                       {"N/mm^1.5", std::pow(1e3, 1.5), "N/m^1.5", {1, -0.5, -2, 0, 0}},
                       {"%", 1e-2, "", {0, 0, 0, 0, 0}}};
  for (const Known& each : all) {
    INFO(each.name);
    const auto found = unit_in_si(each.name);
    REQUIRE(found);
    CHECK(found->size == Approx(each.size).epsilon(1e-15));
    CHECK(found->si == each.si);
    CHECK(found->dimension == each.dimension);
  }
}

TEST_CASE("names that are none of a unit", "[signals]") {
  for (const char* name : {"", "furlong", "Hz", "m/", "m//s", "m^", "m^x", "m^nan", "N m ", "kdeg", "rpm/s", "N or N m",
                           "k", "N/(m", "N/()", "(m)s", "N/(m (s))"}) {
    INFO(name);
    CHECK_FALSE(unit_in_si(name));
  }
}
