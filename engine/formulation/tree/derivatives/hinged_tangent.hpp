// SPDX-License-Identifier: MIT
// Tangents of the points of HingedTree by the same sweeps: what HingedAdjoint is the transpose of. Links are varied as
// their axes see them, which leaves little: outwards how they move where the joints' second rates stay, inwards what
// their joints bear then, by the articulated inertias these second rates, outwards all accelerations. Multipliers
// follow from the joints' forces. Directions go side by side, four at a time.
#pragma once
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "formulation/tree/derivatives/hinged_adjoint.hpp"
#include "formulation/tree/derivatives/link_tangent.hpp"

namespace perilune::formulation {

class HingedTangent {
 public:
  HingedTangent(const system::System& system, const JointTree& tree, const TreeChoice& choice);

  /// As Motion::tangent_point() where the links stand at x and `elements` were linearized there; `applied`: generalized
  /// forces (n). False where a mass is missing.
  bool find(const HingedLinks& links, const Node& x, int count, const TangentNode& y, const HingedAdjoint& elements,
            const double* applied, bool is_wide);

 private:
  template <class Direction>
  TangentSweep<Direction> sweep_of(const HingedLinks& links, const HingedAdjoint& elements, const Direction& direction);
  /// Unless they were found for the same readers.
  void find_wants(const HingedLinks& links, const HingedAdjoint& elements, const TangentsRead* read);
  template <class Direction>
  void begin_free(const TangentSweep<Direction>& sweep, const Node& x, double* z) const;
  template <class Direction>
  void shift_hinges(const TangentSweep<Direction>& sweep, const std::vector<HingePlaces>& places,
                    const double* of_data) const;
  template <class Direction>
  bool float_free(const TangentSweep<Direction>& sweep) const;

  const JointTree& tree_;
  const TreeChoice& choice_;
  int n_;
  std::vector<JointWrench> joints_;
  std::vector<LinkWants> wants_;
  std::optional<TangentsRead> read_;  // that they were found for; none: all
  // Of fours of directions one after the other, and of those that are left.
  std::tuple<std::vector<LinkTangent<Directions<4>>>, std::vector<LinkTangent<Directions<3>>>,
             std::vector<LinkTangent<Directions<2>>>, std::vector<LinkTangent<OneDirection>>>
      tangents_;
  std::vector<double> more_;  // tangents of generalized forces
};

}  // namespace perilune::formulation
