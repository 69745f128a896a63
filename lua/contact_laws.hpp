// SPDX-License-Identifier: MIT
// Laws of normal force and friction as scripts hold them.
#pragma once
#include "args.hpp"
#include "model/contact/contact.hpp"

namespace perilune::lua {

/// Its user value is the table of properties.
template <class Law>
struct LawHandle {
  ModelPtr model;  // of numbers that are expressions; nullptr if all are plain
  Law law;
  std::string text;  // hertz { stiffness = 100000 }
};

}  // namespace perilune::lua
