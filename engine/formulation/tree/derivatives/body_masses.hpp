// SPDX-License-Identifier: MIT
// The mass, centre of mass, inertia and gravity of a link, as numbers that a system differentiates by. They enter
// M a - Q of its body as force F = m (c'' - g) and moment x x F + J alpha + omega x J omega about r, x = c - r, and
// along its Euler parameters p, whose multiplier takes that, as 2 x.F - 2 omega.J omega.
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "formulation/tree/derivatives/link_adjoint.hpp"
#include "formulation/tree/joint_tree.hpp"

namespace perilune::formulation {

class BodyMasses {
 public:
  /// Nothing where no datum of the link's body is differentiated by. `number`: of the link.
  static std::optional<BodyMasses> of(const std::vector<system::Elements>& elements, const Link& link,
                                      std::size_t number);

  std::size_t link() const { return number_; }
  /// of_data -= (M a - Q)_d^T mu, for the virtual motion mu of the link.
  void subtract_transposed(const HingedState& s, const LinkAdjoint& own, double* of_data) const;
  /// out -= (M a - Q)_d dd, in rows of coordinates, for `count` directions of the data that stand side by side.
  void subtract_product(const HingedState& s, const double* of_data, int count, double* out) const;

 private:
  static constexpr int entries = 6;  // Jxx, Jyy, Jzz, Jxy, Jxz, Jyz
  struct Motion {
    Four x, specific;  // c - r, and c'' - g
  };
  Motion motion(const HingedState& s) const;
  /// Whether a direction of the data, by column, has any part in it.
  bool is_changed(const auto& change) const {
    const auto is_any = [&](const auto& columns) {
      return std::any_of(columns.begin(), columns.end(), [&](int column) { return change(column) != 0; });
    };
    return change(of_mass_) != 0 || is_any(of_centre_) || is_any(of_inertia_) || is_any(of_gravity_);
  }

  std::size_t number_ = 0;
  int body_ = 0;
  double mass_ = 0;
  Four centre_, gravity_;
  Columns inertia_;
  // Columns among the data, or -1.
  int of_mass_ = -1;
  std::array<int, 3> of_centre_{-1, -1, -1}, of_gravity_{-1, -1, -1};
  std::array<int, entries> of_inertia_{-1, -1, -1, -1, -1, -1};
};

}  // namespace perilune::formulation
