// SPDX-License-Identifier: MIT
// The library that every functional mock-up unit has a copy of: the whole program without its command line, behind the
// functions of FMI 3.0 (fmi3.cpp).
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "exchange/unit.hpp"

namespace perilune::lua {

/// Where it is beside this program. Throws Error where it is missing.
std::string unit_library();

/// What a host finds that loads this library and starts the unit of this folder of resources.
struct FirstUse {
  std::vector<double> outputs;
  double seconds = 0;  // that it took
};
/// Throws Error with what the unit says where it does not start.
FirstUse use_first(const std::string& library, const std::string& resources, const UnitRecord& record,
                   const std::vector<std::uint32_t>& outputs, double start);

}  // namespace perilune::lua
