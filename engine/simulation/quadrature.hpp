// SPDX-License-Identifier: MIT
// Integrals of objectives along a motion.
#pragma once
#include <span>
#include <vector>

#include "simulation/peak/peaks.hpp"

namespace perilune::simulation {

/// Accumulates the integrals of the objectives by the integrator's own rule, and follows their extrema.
class Quadrature final : public integrator::Integrals {
 public:
  Quadrature(const Problem& problem, const std::vector<double>& parameters);
  void start(const integrator::March& march) override;
  void begin_step(const integrator::March&) override { rates_of_chain_.clear(); }
  void group(const integrator::March& march, std::size_t g) override;
  void accept(const integrator::March& march) override;
  const std::vector<double>& totals() const { return totals_; }
  Peaks& peaks() { return peaks_; }
  std::vector<double> slopes(const integrator::March& march, const integrator::StepSlopes& of_nodes) override;
  bool reads_multipliers() const override;
  bool reads_motion() const override { return false; }
  double* room_for_rates(std::size_t points) override;
  bool reads_time() const override;
  bool reads_switch(int number) const override;
  std::vector<double> rates(const formulation::Node& x, const std::vector<double>& sides) override;
  double error(const integrator::March& march, std::span<const integrator::QuadratureLink> estimate, double absolute,
               double relative) override;
  /// Sums of the estimated errors of the steps; empty if none was asked for.
  const std::vector<double>& errors() const { return errors_; }
  /// Work array of an objective's integrand, evaluated at a node of the group that was reported last.
  std::vector<double>& work(std::size_t node, std::size_t objective) { return work_[node][objective]; }

 private:
  /// Derivatives of the integrands at a node of the step or before it.
  std::vector<double> rate_slopes(const integrator::March& march, const integrator::StepSlopes& of_nodes, int i);
  double* at(std::vector<double>& ring, std::size_t slot) { return ring.data() + slot * totals_.size(); }
  void rate(const integrator::March& march, int i, std::size_t node);
  /// Takes those of a group of one point from where they were found in lanes, if they were.
  bool knows_rates(const integrator::March& march, std::size_t g);
  void sum(const integrator::March& march, std::span<const integrator::QuadratureLink> links,
           std::vector<double>& sums);

  const Problem& problem_;
  const std::vector<double>& parameters_;
  std::vector<std::vector<std::vector<double>>> work_;  // [node of a group][objective]
  std::vector<double> totals_, total_ring_, rate_ring_;
  std::vector<double> rates_of_chain_;  // at the first points of the step; those that are not finite are not known
  Peaks peaks_;
  std::vector<double> sizes_;              // integrals of |g|
  std::vector<double> estimates_, fresh_;  // of the step just attempted: errors, totals
  std::vector<double> errors_;
};

}  // namespace perilune::simulation
