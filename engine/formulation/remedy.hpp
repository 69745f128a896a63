// SPDX-License-Identifier: MIT
// Which other formulation to take where one is in trouble: the one place that messages ask.
#pragma once
#include <string>

#include "formulation/formulation.hpp"

namespace perilune::formulation {

enum class Trouble {
  Redundancy,       // constraints that follow from others, everywhere
  SingularStart,    // in the position where a motion starts
  SingularPassage,  // a motion that comes through a position where constraints lose their hold
};

/// "use mbs.a {} or mbs.b {} instead": what has no such trouble, never what is in use. `is_explicit`: the integrator.
std::string use_instead(const Formulation& in_use, Trouble trouble, bool is_explicit);

}  // namespace perilune::formulation
