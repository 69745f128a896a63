// SPDX-License-Identifier: MIT
// What finds points of a motion of a tree of bodies in joint coordinates, by sweeps along it: in space and in the
// plane.
#pragma once
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "formulation/node.hpp"
#include "system/system.hpp"

namespace perilune::formulation {

class Recursion {
 public:
  virtual ~Recursion() = default;

  /// The independent coordinates, ascending, that go with the tree's joints at q.
  virtual std::vector<int> choose(const double* q) const = 0;
  /// Whether those of the last set() do at q: no dependent coordinate of a joint moves much faster than they.
  virtual bool serves(const double* q) const = 0;
  /// As choose() gave them: what all below goes by.
  virtual void set(const std::vector<int>& independent) = 0;

  /// The dependent entries of x.q and x.v from the independent ones; false where there are none: Euler parameters
  /// above one. Signs of Euler parameters are those nearest to what stands there.
  virtual bool complete(const Node& x) = 0;
  /// The same, then x.a and, with multipliers, x.lambda; false, too, where a mass is missing or a number is not finite.
  virtual bool point(const Node& x, bool with_multipliers) = 0;
  /// Of what stands in x.q and x.v the coordinates that these go by, ascending: of the others what is near does. Null:
  /// all.
  virtual const std::vector<int>* proposed() const { return nullptr; }
};

/// Inertia of a joint's own motion below this part of that of its link is rounding: there is none.
inline constexpr double least_inertia = 1e-13;

/// That of a mechanism, or why there is none: `"x", defined at ..., closes a loop`. q: a position where all joints are
/// closed, which says which way axes point.
std::variant<std::unique_ptr<Recursion>, std::string> recursion_of(const std::shared_ptr<const system::System>& system,
                                                                   const std::shared_ptr<const system::Data>& data,
                                                                   const double* q);
bool is_tree(const system::System& system, const system::Data& data, const double* q);

}  // namespace perilune::formulation
