// SPDX-License-Identifier: MIT
// Adjoints of the points of HingedTree by the same sweeps, in place of the linearized equations in all coordinates.
//
// The accelerations follow from s^T F = 0 for every virtual motion s of the joints, F = inverse dynamics. For adjoints
// of accelerations, s solves the tree's equations with these as forces, by the articulated inertias (inwards and
// outwards); with mu the virtual motion of the links, what remains is the derivative of
//   L = (the objective by its adjoints) - sum over links of mu . (M a - Q)
// by the joints' coordinates and rates, where accelerations, s and forces stay. It goes inwards once: every link hands
// its parent the adjoints of its own motion. Vectors of a link are varied as its axes see them, beside a turn xi of
// these, so that what is fixed on a link drops out: with axis e, place d and coordinate z of a hinge
//   omega = omega_p + e z'        varies by  that of omega_p + e dz' + (omega x e) dz,   and so do alpha, a, v, mu;
// compare Carpentier and Mansard, Analytical derivatives of rigid body dynamics algorithms, 2018.
#pragma once
#include <memory>
#include <vector>

#include "formulation/tree/derivatives/body_masses.hpp"
#include "formulation/tree/derivatives/element_slopes.hpp"
#include "formulation/tree/derivatives/hinge_places.hpp"
#include "formulation/tree/derivatives/hinge_weights.hpp"
#include "formulation/tree/derivatives/link_adjoint.hpp"
#include "formulation/tree/hinged_tree.hpp"

namespace perilune::formulation {

class HingedAdjoint {
 public:
  HingedAdjoint(const system::System& system, std::shared_ptr<const system::Data> data, const JointTree& tree,
                const TreeChoice& choice);

  /// Between the sweeps of a point: inertias before they are articulated.
  void keep_inertias(const HingedLinks& links, bool is_wide);
  /// What elements say at x.
  void linearize_elements(const Node& x);
  /// Whether any says anything beside the sweeps: forces, and data of bodies.
  bool has_elements() const { return !forces_.empty() || !masses_.empty(); }
  /// Whether data turn the axes of hinges on their bodies, before there is an object or after, and where they move
  /// hinges.
  static bool turn_hinges(const system::System& system, const JointTree& tree);
  bool turns_hinges() const { return !hinges_.empty(); }
  /// Of a link: whether forces act on its body or data of it are differentiated by, and whether such forces depend on
  /// how it moves.
  bool pulls(std::size_t link) const { return pulls_[link] != 0; }
  bool reads_motion(std::size_t link) const { return reads_motion_[link] != 0; }
  /// Coordinates whose generalized forces add_forces() may change, ascending.
  const std::vector<int>& pulled() const { return pulled_; }
  const std::vector<HingePlaces>& places() const { return places_; }
  /// Of has_elements() the tangents of generalized forces: adds to out (n) for `count` directions side by side, z as
  /// TangentNode has it.
  void add_forces(const HingedLinks& links, const double* z, int count, double* out) const;
  std::span<const LinkAdjoint> inertias() const { return adjoints_; }
  /// As Motion::adjoint_point() after these, where the links stand at x. `applied`: generalized forces there (n), or
  /// null. False, with y as it was, where adjoints of multipliers are not zero, or a mass is missing.
  bool find(const HingedLinks& links, const Node& x, const AdjointNode& y, const double* applied, bool is_wide);

 private:
  bool float_free(const HingedLinks& links);
  void add_elements(const HingedLinks& links, double* z) const;
  void finish_free(const HingedLinks& links, const Node& x, double* z) const;

  const system::System& system_;
  std::shared_ptr<const system::Data> data_;
  const TreeChoice& choice_;
  int n_;
  std::vector<LinkAdjoint> adjoints_;
  std::vector<double> virtual_motion_;      // mu, n
  std::vector<ElementSlopes> forces_;       // of what acts without mass and constraint
  std::vector<BodyMasses> masses_;          // with data that are differentiated by
  std::vector<char> pulls_, reads_motion_;  // by link
  std::vector<int> pulled_;
  std::vector<HingePlaces> places_;   // the same of hinges whose places alone move
  std::vector<HingeWeights> hinges_;  // the same of other hinges
};

}  // namespace perilune::formulation
