// SPDX-License-Identifier: MIT
#include "model/unit.hpp"

#include <charconv>
#include <cmath>
#include <numbers>

namespace perilune::model {

namespace {

using Dimension = std::array<double, 5>;

struct KnownUnit {
  std::string_view name;
  double size;
  std::string_view si;
  bool has_prefixes;
  Dimension dimension;  // kg, m, s, A, K
};

constexpr KnownUnit units[] = {{"m", 1, "m", true, {0, 1, 0, 0, 0}},
                               {"g", 1e-3, "kg", true, {1, 0, 0, 0, 0}},
                               {"s", 1, "s", true, {0, 0, 1, 0, 0}},
                               {"N", 1, "N", true, {1, 1, -2, 0, 0}},
                               {"J", 1, "J", true, {1, 2, -2, 0, 0}},
                               {"W", 1, "W", true, {1, 2, -3, 0, 0}},
                               {"Pa", 1, "Pa", true, {1, -1, -2, 0, 0}},
                               {"V", 1, "V", true, {1, 2, -3, -1, 0}},
                               {"A", 1, "A", true, {0, 0, 0, 1, 0}},
                               {"K", 1, "K", true, {0, 0, 0, 0, 1}},
                               {"rad", 1, "rad", true, {}},
                               {"deg", std::numbers::pi / 180, "rad", false, {}},
                               {"rev", 2 * std::numbers::pi, "rad", false, {}},
                               {"min", 60, "s", false, {0, 0, 1, 0, 0}},
                               {"h", 3600, "s", false, {0, 0, 1, 0, 0}},
                               {"bar", 1e5, "Pa", false, {1, -1, -2, 0, 0}},
                               {"1", 1, "1", false, {}}};

struct Prefix {
  std::string_view letter;  // of micro the sign and the Greek letter, which look alike
  double size;
};

constexpr Prefix prefixes[] = {{"p", 1e-12}, {"n", 1e-9}, {"u", 1e-6}, {"\u00b5", 1e-6}, {"\u03bc", 1e-6}, {"m", 1e-3},
                               {"c", 1e-2},  {"d", 1e-1}, {"k", 1e3},  {"M", 1e6},       {"G", 1e9}};

/// One unit with its prefix; the size in front of it is `prefix`.
const KnownUnit* find_unit(std::string_view word, double& prefix) {
  prefix = 1;
  for (const KnownUnit& unit : units) {
    if (unit.name == word) return &unit;
  }
  if (word.empty()) return nullptr;
  for (const Prefix& each : prefixes) {
    if (!word.starts_with(each.letter)) continue;
    prefix = each.size;
    for (const KnownUnit& unit : units) {
      if (unit.has_prefixes && unit.name == word.substr(each.letter.size())) return &unit;
    }
  }
  return nullptr;
}

/// Multiplies by a power of another unit, which reads as `text` in SI units.
void multiply(const UnitInSi& by, double power, const std::string& text, UnitInSi& out) {
  out.size *= std::pow(by.size, power);
  for (std::size_t k = 0; k < out.dimension.size(); ++k) out.dimension[k] += power * by.dimension[k];
  if (!out.si.empty()) out.si += power < 0 ? '/' : ' ';
  out.si += text;
}

/// Multiplies by one factor such as "s^2", or divides. False where it is not known.
bool take(std::string_view factor, bool divides, UnitInSi& out) {
  double power = 1;
  std::string_view digits;
  if (const std::size_t hat = factor.find('^'); hat != factor.npos) {
    digits = factor.substr(hat + 1);
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), power);
    if (failure != std::errc() || end != digits.data() + digits.size() || !(std::abs(power) <= 9)) return false;
    factor = factor.substr(0, hat);
  }
  double prefix = 1;
  const KnownUnit* unit = find_unit(factor, prefix);
  if (!unit) return false;
  std::string text(unit->si);
  if (power != 1) text.append("^").append(digits);
  multiply({prefix * unit->size, "", unit->dimension}, divides ? -power : power, text, out);
  return true;
}

}  // namespace

std::optional<UnitInSi> unit_in_si(std::string_view name) {
  if (name == "%") return UnitInSi{1e-2, "", {}};
  if (name == "rpm") return UnitInSi{std::numbers::pi / 30, "rad/s", {0, 0, -1, 0, 0}};
  if (name == "1") return UnitInSi{};
  UnitInSi out;
  bool divides = false;
  for (;;) {
    std::size_t end = name.find_first_of(" /");
    if (name.starts_with('(')) {
      const std::size_t close = name.find(')');
      const auto inner = close == name.npos ? std::nullopt : unit_in_si(name.substr(1, close - 1));
      if (!inner) return std::nullopt;
      multiply(*inner, divides ? -1 : 1, '(' + inner->si + ')', out);
      end = close + 1 == name.size() ? name.npos : close + 1;
      if (end != name.npos && name[end] != ' ' && name[end] != '/') return std::nullopt;
    } else if (!take(name.substr(0, end), divides, out)) {
      return std::nullopt;
    }
    if (end == name.npos) return out;
    divides = name[end] == '/';
    name.remove_prefix(end + 1);
  }
}

std::string not_known(std::string_view name) {
  // Whole names, and as they stand in products; letters alone would be found in all that has them.
  std::string advice;
  const auto has = [&](std::string_view word) {
    constexpr std::string_view between = " /^()";
    const std::size_t at = name.find(word), end = at + word.size();
    return at != name.npos && (at == 0 || between.find(name[at - 1]) != between.npos) &&
           (end == name.size() || between.find(name[end]) != between.npos);
  };
  if (has("Hz") || has("kHz")) {
    advice = "; Hz leaves open whether it counts radians or turns: write rad/s, rev/s or 1/s";
  } else if (has("t")) {
    advice = "; a tonne is Mg";
  } else if (has("l")) {
    advice = "; a litre is dm^3";
  } else if (has("\u00b0")) {
    advice = "; of angles, write deg";
  }
  return "the unit \"" + std::string(name) + "\" is not known" + advice;
}

std::string_view known_units() {
  return "m, g, s, N, J, W, Pa, V, A, K and rad, with the prefixes p, n, u, m, c, d, k, M, G as in mm and kN, deg, "
         "rev,\n"
         "min, h, bar, products and quotients as in N m, kg m^2, m/s^2, N/(m s), and rpm and % alone";
}

}  // namespace perilune::model
