// SPDX-License-Identifier: MIT
// Names of units, for what is computed in SI units and shown in others.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace perilune::model {

/// What the name of a unit says.
struct UnitInSi {
  double size = 1;                       // how many of the SI unit it is: 0.001 for "mm"
  std::string si;                        // that unit: "m" for "mm", "rad/s" for "rpm"; empty for pure numbers
  std::array<double, 5> dimension = {};  // powers of kg, m, s, A, K; angles have none
};

/// Units side by side are a product, "/" divides by the next one alone, or by those in parentheses: "N m", "m/s^2",
/// "kg m^2", "N/m^1.5", "N/(m s)". Known are m, g, s, N, J, W, Pa, V, A, K and rad with the prefixes p, n, u, m, c, d,
/// k, M, G; deg, rev, min, h, bar; and alone rpm, of a speed in rad/s, and %. Hz is not: it would leave open whether it
/// counts radians or turns. Empty where not known.
std::optional<UnitInSi> unit_in_si(std::string_view name);

/// That a unit is not known, with another to write instead where one is near.
std::string not_known(std::string_view name);
/// The above as a list, for messages.
std::string_view known_units();

}  // namespace perilune::model
