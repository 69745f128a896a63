// SPDX-License-Identifier: MIT
// Units of numbers that are states of the motion.
#pragma once
#include <string>

#include "model/unit.hpp"
#include "values/args.hpp"

namespace perilune::lua {

/// The field "unit". Values, rates and what laws read of a state are in SI units: another unit would be a wrong label.
inline std::string si_unit(Args& args) {
  std::string unit = args.text("unit");
  const auto known = model::unit_in_si(unit);
  if (known && known->size != 1) {
    const std::string instead = known->si.empty() ? "give none" : "give unit = \"" + known->si + "\"";
    args.fail("unit must be an SI unit, in which its values are, got \"" + unit + "\"; " + instead +
              ", and show it in another by m:signal { \"...\", " + (args.has_name() ? args.name() : "z") +
              ".value, unit = \"" + unit + "\" }");
  }
  return unit;
}

}  // namespace perilune::lua
