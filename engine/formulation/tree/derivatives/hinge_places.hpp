// SPDX-License-Identifier: MIT
// Where a hinge is on its two bodies, as numbers that a system differentiates by: what moves it on the parent by d, in
// space, moves the link by d, and what moves it on the link by l moves the link by x = -l; with the parent and with the
// link these turn.
#pragma once
#include <optional>
#include <vector>

#include "formulation/tree/derivatives/directions.hpp"
#include "formulation/tree/derivatives/link_adjoint.hpp"
#include "formulation/tree/joint_tree.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // as in four.hpp

namespace perilune::formulation {

class HingePlaces {
 public:
  /// Whether these say that places coincide.
  static bool are_of(const system::Elements& elements);
  /// Nothing where no datum of the link's hinge is one of these. `number`: of the link.
  static std::optional<HingePlaces> of(const std::vector<system::Elements>& elements, const Link& link,
                                       std::size_t number);

  std::size_t link() const { return number_; }
  /// Adds to the adjoints of the data from those of the link, with what hangs on it. `parents`: of the parent; null on
  /// the ground.
  void add(const HingedState& s, const LinkAdjoint& own, const HingedState* parent, const LinkAdjoint* parents,
           double* of_data) const;
  /// d and x in a direction of the data, or in several.
  template <class Vector>
  struct Shift {
    Vector by_parent, by_link;
  };
  template <class Direction>
  PERILUNE_INLINE Shift<typename Direction::Vector> shift(const HingedState& s, const HingedState* parent,
                                                          const double* data, const Direction& direction) const {
    const typename Direction::Vector on_parent = direction.three_of(data, on_parent_),
                                     on_link = direction.three_of(data, on_link_);
    return {parent ? times(parent->A, on_parent) : on_parent, Direction::zero() - times(s.A, on_link)};
  }

 private:
  std::size_t number_ = 0;
  int on_parent_[3]{-1, -1, -1}, on_link_[3]{-1, -1, -1};  // columns among the data, or -1
};

}  // namespace perilune::formulation

#pragma GCC diagnostic pop
