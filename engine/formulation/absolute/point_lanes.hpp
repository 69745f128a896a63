// SPDX-License-Identifier: MIT
// Dynamics::accelerations of several motions of one system at once, one in each lane, which differ in their data: of
// one point each, or of all points of a chain, which are proposed in lanes, too. Each has the bits that it has alone;
// where one needs anything else than what the others do, it is left to itself.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <span>

#include "fibers.hpp"
#include "formulation/absolute/dynamics.hpp"
#include "formulation/point_chain.hpp"
#include "linalg/ldl_lanes.hpp"
#include "system/lanes.hpp"
#include "system/measure_lanes.hpp"

namespace perilune::formulation {

class PointLanes {
 public:
  /// Whether a processor like this one gains by it, and systems like this one can be solved so.
  static bool are_offered(const System& system);
  /// What is measured at points of chains: the first output of each, if there is one. They have to live as long.
  using Measures = std::vector<const system::Measure*>;
  PointLanes(std::shared_ptr<const System> system, const Measures& measures);

  /// What a fiber waits for.
  struct Request {
    Dynamics* dynamics;
    Dynamics::Point point;
    const PointChain* chain;  // in place of the point, if any
    bool is_done = false;
  };
  /// Of those that are not done, nothing has changed but the numbers of points, which are of no use.
  void compute(std::span<const Fibers::Request, Fibers::most> requests);

 private:
  static_assert(Fibers::most == expr::lane_count);
  using Requests = std::array<Request*, expr::lane_count>;  // by lane, null where there is none
  struct Lane {
    unsigned serial = 0;    // of the Dynamics that was there last
    bool has_data = false;  // its data stand there
    double listing = -1;    // of its solver, which is known to be that of ldl_
  };

  /// Those of the first one's kind, which are taken out of `open`.
  Requests alike(Requests& open);
  void compute_alike(Requests requests);
  /// Whether it can be done here; its data, and what the first point is made of, stand in the lane then.
  bool admit(std::size_t lane, const Request& request);
  void list_operations(const Dynamics& of, const linalg::SmallLdl& method);
  void prepare(std::size_t points, std::size_t terms);
  struct Term {
    const double *weight, *numbers;  // rows
  };
  struct Propose;
  /// The positions and velocities of a point of a chain. `term`: its first one, and then that of the next point.
  void propose(const PointChain::Shape& shape, std::size_t i, std::size_t& term);
  /// What stands in the lanes at a point, from its positions and velocities; leaves out those without accelerations.
  void find_point(std::size_t i, Requests& requests);
  struct RightSides;
  struct Finite;
  void measure(std::size_t i);
  void require_finite(const double* x, Requests& requests) const;
  /// Of a chain of so many points, or of single ones (0).
  void hand_out(std::size_t points, const Requests& requests);

  /// The numbers of a point side by side, as of a node: q, v, a, lambda; and of the start before the first one.
  std::size_t node_size() const { return 3 * n_ + m_; }
  double* node(int i) { return nodes_.row(static_cast<std::size_t>(i + 1) * node_size()); }

  std::shared_ptr<const System> system_;
  std::size_t n_, m_;
  system::SystemLanes lanes_;
  std::size_t nothing_, compliance_;  // rows behind those of the system
  std::size_t point_room_ = 0, term_room_ = 0;
  expr::LaneArray law_, nodes_, times_, weights_, measured_;
  struct Measured {
    std::size_t number;  // among all measures
    system::MeasureLanes measure;
  };
  std::vector<Measured> measures_;
  std::size_t measure_count_;
  enum LawRow : std::size_t { Rate, Position, VelocityRate, law_rows };  // of law_, as in ConstraintLaw
  std::vector<LawRow> rate_row_;                                         // of each constraint: what Phi' is weighted by
  std::vector<double> unasked_;                                          // what those get who did not ask
  std::vector<Term> terms_;                                              // of the proposal in work
  std::optional<linalg::LdlLanes> ldl_;
  std::array<Lane, expr::lane_count> known_;
};

}  // namespace perilune::formulation
