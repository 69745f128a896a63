// SPDX-License-Identifier: MIT
#include "model/element/kernel.hpp"

namespace perilune::model {

Kernel::Symbols Kernel::symbolic_constraints(const Symbols&, const expr::Symbol&, const Symbols&) const { return {}; }

Kernel::Symbols Kernel::symbolic_constraint_rates(const Symbols&, const Symbols&, const expr::Symbol&,
                                                  const Symbols&) const {
  return {};
}

Kernel::Symbols Kernel::symbolic_residual(const Symbols&, const Symbols&, const Symbols&, const Symbols&,
                                          const expr::Symbol&, const Symbols&) const {
  return {};
}

expr::Symbol Kernel::symbolic_potential(const Symbols&, const Symbols&) const { return 0.0; }

}  // namespace perilune::model
