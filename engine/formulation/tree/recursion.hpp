// SPDX-License-Identifier: MIT
// What finds points of a motion of a tree of bodies in joint coordinates, by sweeps along it: in space, there with
// loops as well, and in the plane.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "formulation/node.hpp"
#include "system/system.hpp"

namespace perilune::formulation {

class Recursion {
 public:
  virtual ~Recursion() = default;

  /// The independent coordinates, ascending, that go with the tree's joints at x, and behind them what else belongs to
  /// a choice (independent_coordinates.hpp). Nothing where constraints follow from others there alone.
  virtual std::optional<std::vector<int>> choose(const Node& x) = 0;
  /// Whether those of the last set() do at x: no dependent coordinate of a joint moves much faster than they.
  virtual bool serves(const Node& x) = 0;
  /// As choose() gave them: what all below goes by.
  virtual void set(const std::vector<int>& choice) = 0;

  /// The dependent entries of x.q and x.v from the independent ones; false where there are none: Euler parameters
  /// above one. Signs of Euler parameters are those nearest to what stands there.
  virtual bool complete(const Node& x) = 0;
  /// The same, then x.a and, with multipliers, x.lambda; false, too, where a mass is missing or a number is not finite.
  virtual bool point(const Node& x, bool with_multipliers) = 0;
  /// Of what stands in x.q and x.v the coordinates that these go by, ascending: of the others what is near does. Null:
  /// all.
  virtual const std::vector<int>* proposed() const { return nullptr; }

  // Derivatives by recursions of their own, of those that have them: else the system's equations are linearized.
  /// At a point found earlier, for a given choice; x.q, x.v and x.a are found anew, unless the very last call of this
  /// object was the one of point() that found them. False where there are none.
  virtual bool linearize(const Node& /*x*/, bool /*was_just_found*/) { return false; }
  /// As Motion::adjoint_point(), after linearize(x). False, with y as it was, where this is beyond them: adjoints of
  /// multipliers.
  virtual bool adjoint(const Node& /*x*/, const AdjointNode& /*y*/) { return false; }
  /// As Motion::tangent_point(), after linearize(x). False where this is beyond them: data that move joints on their
  /// bodies.
  virtual bool tangent(const Node& /*x*/, int /*count*/, const TangentNode& /*y*/) { return false; }

  /// Whether linearize() and tangent() go without x.lambda.
  virtual bool differentiates_without_multipliers() const { return false; }

  /// Of the constraints that close loops at the last point: smallest over largest pivot.
  virtual double pivot_ratio() const { return 1; }
};

/// Inertia of a joint's own motion below this part of that of its link is rounding: there is none.
inline constexpr double least_inertia = 1e-13;

/// That of a mechanism, or why there is none: `"x" is not of a body or a hinge`. q: a position where all joints are
/// closed, which says which way axes point.
std::variant<std::unique_ptr<Recursion>, std::string> recursion_of(const std::shared_ptr<const system::System>& system,
                                                                   const std::shared_ptr<const system::Data>& data,
                                                                   const double* q);
/// How many constraints close its loops, none of a tree; nothing where there is none.
std::optional<int> closing_constraints(const system::System& system, const system::Data& data, const double* q);

}  // namespace perilune::formulation
