// SPDX-License-Identifier: MIT
// Units of what is given for fields, by the parameters that it is made of.
#include <algorithm>
#include <vector>

#include "base/userdata.hpp"
#include "model/dimension.hpp"
#include "model/unit.hpp"
#include "values/args.hpp"
#include "values/conversion.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

/// "m" and "rad" of "m or rad"
std::vector<std::string_view> alternatives(std::string_view units) {
  constexpr std::string_view between = " or ";
  std::vector<std::string_view> out;
  for (auto end = units.find(between); end != units.npos; end = units.find(between)) {
    out.push_back(units.substr(0, end));
    units.remove_prefix(end + between.size());
  }
  out.push_back(units);
  return out;
}

}  // namespace

void Args::count_in(std::string_view units, std::string_view own) {
  const auto list = alternatives(units);
  const auto found = std::find(list.begin(), list.end(), own);
  if (found != list.end()) counted_unit_ = static_cast<size_t>(found - list.begin());
}

std::string_view Args::counted(std::string_view units) const {
  const auto list = alternatives(units);
  return counted_unit_ && *counted_unit_ < list.size() ? list[*counted_unit_] : units;
}

std::vector<std::string_view> Args::units_of(const Field& field) const { return alternatives(counted(field.unit)); }

void Args::count_as_signal(const Field& field, expr::NodeId node) {
  constexpr std::string_view names[] = {"angle", "displacement", "length", "x", "y", "z"};
  const auto list = alternatives(field.unit);
  if (list.size() == 1) return;
  for (const auto& [name, signal] : engine().record().signals) {
    if (std::find(std::begin(names), std::end(names), signal.what) == std::end(names)) continue;
    if (std::find(list.begin(), list.end(), signal.unit) == list.end() || engine().signal(name) != node) continue;
    return count_in(field.unit, signal.unit);
  }
}

void Args::check_dimension(const Field& field, const std::string& label, int index) const {
  const auto count = lua_istable(state_, index) ? static_cast<lua_Integer>(lua_rawlen(state_, index)) : 0;
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(state_, index, i);
    check_dimension(field, label + "[" + std::to_string(i) + "]", lua_gettop(state_));
    lua_pop(state_, 1);
  }
  const Expression* expression = test_userdata<Expression>(state_, index);
  if (!expression || expression->hides_number) return;
  const model::Dimension found = model::Dimensions(engine()).of(expression->node);
  const std::vector<std::string_view> units = units_of(field);
  const bool fits = std::any_of(units.begin(), units.end(), [&](std::string_view name) {
    const auto asked = model::unit_in_si(name);
    return !asked || found.fits(asked->dimension);
  });
  if (fits) {
    const auto twice = second_conversion(engine(), expression->node);
    if (!twice) return;
    if (twice->is_certain) fail(label + " " + twice->problem);
    return print_warnings(state_, {title() + ": " + label + " " + twice->problem});
  }
  const std::string_view named = units.size() == 1 ? units.front() : field.unit;
  const std::string unit = named == unitless ? "is a pure number" : "is in " + std::string(named);
  const auto number = parameter_index(engine(), expression->node);
  const std::string why = (found.why.empty() ? "" : ": " + found.why) + ", by the units of its parameters";
  const std::string but =
      number ? " is in " + engine().parameters()[static_cast<size_t>(*number)].unit : " is not" + why;
  fail(label + " " + unit + ", but " + described_value(state_, index) + but +
       "\na parameter's unit is given where it is declared: m:param { ..., unit = \"mm\" }; without one it fits all");
}

}  // namespace perilune::lua
