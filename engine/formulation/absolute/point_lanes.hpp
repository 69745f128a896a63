// SPDX-License-Identifier: MIT
// Dynamics::accelerations of several motions of one system at once, one in each lane, which differ in their data. Each
// has the bits that it has alone; where one needs anything else than what the others do, it is left to itself.
// Where some elements are not made for lanes, all are evaluated one by one, and what is left is solved together.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <span>

#include "fibers.hpp"
#include "formulation/absolute/dynamics.hpp"
#include "linalg/ldl_lanes.hpp"
#include "system/lanes.hpp"

namespace perilune::formulation {

class PointLanes {
 public:
  /// Whether a processor like this one gains by it, and systems like this one can be solved so.
  static bool are_offered(const System& system);
  explicit PointLanes(std::shared_ptr<const System> system);

  /// What a fiber waits for.
  struct Point {
    Dynamics* dynamics;
    double t;
    const double *q, *v;
    double *a, *lambda;
    bool is_done = false;
  };
  /// Of those that are not done, nothing has changed.
  void compute(std::span<const Fibers::Request, Fibers::most> points);

 private:
  static_assert(Fibers::most == expr::lane_count);
  struct Lane {
    unsigned serial = 0;    // of the Dynamics that was there last
    bool has_data = false;  // its data stand there
    double listing = -1;    // of its solver, which is known to be that of ldl_
  };

  /// Whether it can be done here; its data and state stand in the lane then.
  bool admit(std::size_t lane, const Point& point);
  void list_operations(const Dynamics& of, const linalg::SmallLdl& method);
  void compute_right_sides();
  using Admitted = std::array<Point*, expr::lane_count>;
  /// Leaves out those whose accelerations are not finite.
  void require_finite(Admitted& points) const;
  void hand_out(const Admitted& points);

  std::shared_ptr<const System> system_;
  std::size_t n_, m_;
  system::SystemLanes lanes_;
  std::size_t nothing_, compliance_;  // rows behind those of the system
  expr::LaneArray law_, x_;
  std::vector<double> unasked_;  // what those get who did not ask
  std::optional<linalg::LdlLanes> ldl_;
  std::array<Lane, expr::lane_count> known_;
};

}  // namespace perilune::formulation
