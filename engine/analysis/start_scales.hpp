// SPDX-License-Identifier: MIT
// How large and how fast what hangs together is, as declared and assembled: what its numbers are rounded by.
#pragma once
#include <vector>

#include "analysis/assembly.hpp"

namespace perilune::analysis {

/// Coordinates hang together where constraints tie them to each other; the ground ties nothing.
class StartScales {
 public:
  StartScales(const System& system, double t, const Data& given, const ConsistentState& found);

  /// Extent (m) of what coordinate i hangs together with: along the axes of space, or from a body to its joints; the
  /// largest coordinate where it has none of these, as a point on a rod.
  double size(int i) const { return parts_[part(i)].size; }
  /// Its fastest declared rate of the kind of coordinate i: m/s, or rad/s and rates of Euler parameters (1/s).
  double speed(int i) const { return parts_[part(i)].speed[is_length_[static_cast<std::size_t>(i)] ? 1 : 0]; }

 private:
  struct Part {
    double size = 0, speed[2] = {0, 0};
  };
  std::size_t part(int i) const { return static_cast<std::size_t>(part_of_[static_cast<std::size_t>(i)]); }

  std::vector<int> part_of_;
  std::vector<char> is_length_;
  std::vector<Part> parts_;
};

}  // namespace perilune::analysis
