// SPDX-License-Identifier: MIT
// The recursions of TreeRecursion for trees whose joints are all hinges that nothing drives, beside bodies that hang on
// nothing: chains, arms, trees of pendulums. Motions and forces of a link are those of its hinge, in which its own
// motion is a turn alone; vectors are Fours.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "formulation/tree/applied_forces.hpp"
#include "formulation/tree/four.hpp"
#include "formulation/tree/joint_tree.hpp"
#include "formulation/tree/recursion.hpp"
#include "formulation/tree/tree_choice.hpp"

namespace perilune::formulation {

/// A link in numbers that stay. Its origin o is at its hinge, or, of a free body, at its reference point r.
struct HingedLink {
  int body, parent, angle;
  bool turns, is_principal, is_balanced;  // no products of inertia; the centre of mass is o
  double mass, half_sense;
  Four by_cosine, by_sine;  // Euler parameters from the parent's: times cosine and sine of half the angle
  Four axis;                // on the parent
  Four place;               // of o from that of the parent, on the parent
  Four reference, centre;   // r and the centre of mass from o, on the link
  Four weight;              // force of gravity, in space
  Columns inertia;          // about o, on the link
};

/// Where it is and how it moves, in space: what one sweep leaves for the next.
struct HingedState {
  Columns A;
  Four p, o, v, omega;           // Euler parameters; v of o
  Four axis, from_parent;        // o - o_parent
  Four reference, turning;       // r - o, and the part of its acceleration that omega makes
  Four of_alpha, of_a;           // what velocities add to its acceleration from the parent's
  Columns N, B, M;               // moment and force are [N B; B^T M] [alpha; a] + bias
  Four moment, force;            // the bias
  Four U_moment, U_force;        // inertia times the hinge's motion
  Four alpha, a;                 // of o
  double cosine, sine;           // of half the angle
  double inverse, push, second;  // 1 / inertia of the hinge's motion, what pushes it, and its acceleration
};

// The sweeps along the links, made twice: for processors with registers of four numbers, and for all.
struct HingedLinks {
  std::span<const HingedLink> fixed;
  std::span<HingedState> states;
};
bool has_wide_registers();
/// Outwards: Euler parameters, positions and velocities of links with hinges, whose cosines and sines are known.
void place_links(const HingedLinks& links, const Node& x, bool is_wide);
/// Inertia and bias of each link alone.
void load_links(const HingedLinks& links, bool is_wide);
/// Inwards: articulated inertia and bias. False where a mass is missing.
bool gather_links(const HingedLinks& links, bool is_wide);
/// Outwards: accelerations, where those of free bodies are known. False where one is not finite.
bool accelerate_links(const HingedLinks& links, const Node& x, bool is_wide);
/// Inwards: the multipliers of the constraints that hinges stand for, and of normalizations, where accelerations are
/// known. `applied`: generalized forces, or null.
void find_multipliers(const HingedLinks& links, std::span<const Link> tree, const Node& x, const double* applied,
                      bool is_wide);
/// The acceleration of a free body by what drives it, with its articulated inertia. False where a mass is missing.
bool solve_free(const HingedState& s, const Four& moment, const Four& force, Four& alpha, Four& a);

class HingedAdjoint;
class HingedTangent;

class HingedTree final : public Recursion {
 public:
  static bool is_one(const JointTree& tree);
  HingedTree(std::shared_ptr<const system::System> system, std::shared_ptr<const system::Data> data, JointTree tree);
  ~HingedTree() override;

  std::optional<std::vector<int>> choose(const Node& x) override { return choice_.choose(x.q); }
  bool serves(const Node& x) override { return choice_.serves(x.q); }
  void set(const std::vector<int>& independent) override { choice_.set(independent); }
  bool complete(const Node& x) override;
  bool point(const Node& x, bool with_multipliers) override;
  const std::vector<int>* proposed() const override { return &proposed_; }
  bool linearize(const Node& x, bool was_just_found) override;
  bool adjoint(const Node& x, const AdjointNode& y) override;
  bool tangent(const Node& x, int count, const TangentNode& y) override;
  bool differentiates_without_multipliers() const override;
  /// Whether registers of four numbers are used: the numbers are the same without.
  void use_wide_registers(bool use) { is_wide_ = use; }

 private:
  void place(const Node& x);
  /// The sweeps of a point, without multipliers.
  bool move(const Node& x, HingedAdjoint* kept);
  bool turn(const Node& x);
  void pull(const Node& x);

  std::shared_ptr<const system::System> system_;
  std::shared_ptr<const system::Data> data_;
  JointTree tree_;
  TreeChoice choice_;
  std::vector<int> proposed_;
  std::vector<HingedLink> links_;
  std::vector<HingedState> states_;
  AppliedForces forces_;
  bool is_wide_;
  bool keeps_inertias_ = false;  // of the last point
  // Once they are wanted.
  std::unique_ptr<HingedAdjoint> adjoint_;
  std::unique_ptr<HingedTangent> tangent_;
};

}  // namespace perilune::formulation
