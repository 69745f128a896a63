// SPDX-License-Identifier: MIT
// What closes the loops of a tree of links, in space or in the plane.
#pragma once
#include <vector>

#include "system/system.hpp"

namespace perilune::formulation {

struct Closers {
  /// The constraints that close loops: of joints that hold no link, of couplings, of whatever else is between links.
  /// One element each.
  std::vector<system::Elements> cuts;
  /// The angle of a joint that holds no link, where it is a coordinate: which, and the constraint that says what it is.
  struct Follower {
    int angle = 0;
    system::Elements turn;
  };
  std::vector<Follower> followers;

  bool has_loops() const { return !cuts.empty() || !followers.empty(); }
  /// Of the cuts.
  int constraint_count() const {
    int out = 0;
    for (const system::Elements& each : cuts) out += each.kernel->constraint_count();
    return out;
  }
};

/// One element of many, alone.
inline system::Elements single(const system::Elements& all, int element) {
  const auto nq = all.kernel->coordinate_count(), nc = all.kernel->constraint_count();
  system::Elements out;
  out.kernel = all.kernel;
  out.batch.count = 1;
  const auto coordinates = all.batch.coordinates.begin() + element * nq;
  out.batch.coordinates.assign(coordinates, coordinates + nq);
  const auto multipliers = all.batch.multipliers.begin() + element * nc;
  out.batch.multipliers.assign(multipliers, multipliers + nc);
  out.batch.data_offset = all.batch.data_offset + static_cast<std::size_t>(element * all.kernel->data_count());
  return out;
}

}  // namespace perilune::formulation
