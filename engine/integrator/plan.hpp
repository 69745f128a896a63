// SPDX-License-Identifier: MIT
// What one step of an integrator does, as data: which nodes it asks for, and how their proposals combine earlier nodes.
// Whoever executes a plan needs no more to differentiate it.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "formulation/node.hpp"
#include "formulation/point_chain.hpp"

namespace perilune::integrator {

using formulation::Coupling;
using formulation::Node;

enum class Part { Position, Rate, Velocity, Acceleration };  // q, u = q', v, a of a node

/// A term of a linear combination. Nodes of the step count from 0, those before it backwards from -1.
struct Link {
  int node;
  Part part;
  double weight;  // without the power of h that its place asks for: h per time derivative taken away
};

struct PlanNode {
  double c = 1;            // at the time t + c h
  std::vector<Link> q, v;  // proposals
  std::vector<Link> a;     // of a combination
};

enum class GroupKind {
  Combination,  // nothing is solved for: q, v and a are the given combinations
  Point,        // q and v proposed, the formulation does the rest
  Implicit,     // solved for together
  Projection,   // q and v proposed, those on the constraints found; no accelerations
  OwnStep,      // all from the node before the step, by the scheme
  Tick,         // q and v proposed, but the sampled numbers that are due, found at the node before this one in the step
};

struct PlanGroup {
  GroupKind kind = GroupKind::Point;
  int first = 0;
  Coupling weights{1};  // without powers of h
  formulation::StepScheme scheme = {};
  std::vector<int> due = {};  // of a tick: numbers in System::sampled()
};

/// A term of the initial guess of a and lambda.
struct GuessLink {
  int node;
  double weight;
};

/// Psi at the end of the step: the sum of of_total Psi(node) + h of_rate g(node) over these terms.
struct QuadratureLink {
  int node;
  double of_total;
  double of_rate;
};

struct Plan {
  std::vector<PlanNode> nodes;
  std::vector<PlanGroup> groups;
  std::vector<QuadratureLink> quadrature;
  /// What the iteration for implicit nodes starts with; empty: the line through the last two mesh points.
  std::vector<GuessLink> guess;
  int end = 0;  // the node that becomes the mesh point
  /// Nodes of the step whose integrands are asked for, by this step or by later ones.
  std::vector<char> has_rate;
  /// The points that the step begins with, as far as they follow from the node before it and from each other; found by
  /// finish(). Empty where there are less than two.
  formulation::PointChain::Shape chain;
  struct ChainWeight {
    double weight;  // without the power of h
    int power;
  };
  std::vector<ChainWeight> chain_weights;

  int group_end(std::size_t g) const {
    return g + 1 < groups.size() ? groups[g + 1].first : static_cast<int>(nodes.size());
  }
  /// To be called once all is filled in.
  void finish();
  /// How many nodes before the step its own refer to. Those of a guess on the line are not counted.
  int reach() const;
  bool guesses_on_line() const;
  bool has_points_alone() const;
};

/// Appends the point at a proposal, which is projected onto the constraints before if it `projects`.
void append_point(Plan& plan, PlanNode proposal, bool projects);

/// A step of no length: the point anew, from the positions and velocities before it, with `copies` as at the start of a
/// run.
Plan restart_plan(int copies);

/// The same of a step of hardly any length, which with other parameters may be longer: it follows the motion as Euler's
/// method does, whose derivative by a length of zero is exact.
Plan sliver_plan(int copies);

/// A step of no length in which the sampled numbers `due` take their next values, with `copies` as at the start.
/// `from`: the node that ends the step before.
Plan tick_plan(int from, int copies, const std::vector<int>& due);

/// Time derivatives that a part stands for.
inline int order_of(Part part) { return part == Part::Position ? 0 : part == Part::Acceleration ? 2 : 1; }
inline double* part_of(const Node& x, Part part) {
  switch (part) {
    case Part::Position:
      return x.q;
    case Part::Rate:
      return x.u;
    case Part::Velocity:
      return x.v;
    case Part::Acceleration:
      return x.a;
  }
  return nullptr;
}
/// The power of h that a link from one part to a proposed one needs.
inline int power(Part from, Part to) { return order_of(from) - order_of(to); }

/// weights with their powers of h.
void scale(const Coupling& weights, double h, Coupling& out);

}  // namespace perilune::integrator
