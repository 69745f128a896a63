// SPDX-License-Identifier: MIT
// Tangents of the nodes of a run in several parameter directions, found along with the nodes themselves and sharing
// their factorizations.
#pragma once
#include <array>
#include <optional>

#include "linalg/lanes.hpp"
#include "sensitivity/discrete/tangent.hpp"

namespace perilune::sensitivity {

/// A ring like that of the nodes.
class TangentListener final : public integrator::StepListener {
 public:
  /// Whether others read what this finds, or only what the objectives read of it has to be found.
  enum class Readers { Others, Objectives };
  /// `quadrature` listens before this one: its values of the integrands are used here.
  TangentListener(const Problem& problem, Motion& motion, const TangentBundle& bundle, Quadrature& quadrature,
                  Readers readers);

  void start(const integrator::March& march) override;
  void begin_step(const integrator::March&) override {}
  void group(const integrator::March& march, std::size_t g) override;
  void accept(const integrator::March& march) override;
  bool differentiates() const override { return true; }
  bool reads_multipliers() const override {
    return !read_ || read_->multipliers || !motion_.differentiates_without_multipliers();
  }

  /// Of a node of the step in work or before it.
  formulation::TangentNode node(const integrator::March& march, int i);
  /// Of the last mesh point.
  const formulation::TangentNode& end() const { return end_; }
  /// Of the time of the last mesh point, by direction: it moves where an event ends the step.
  const std::vector<double>& end_times() const { return start_time_; }
  /// Derivatives of the integral parts, [objective][direction].
  std::vector<std::vector<double>> integrals() const;
  /// Those of the extrema, likewise; zero for other objectives. After the run.
  const std::vector<std::vector<double>>& extrema();

 private:
  double* rates(const integrator::March& march, int i) { return rates_.data() + march.slot(i) * rates_size_; }
  double* totals(const integrator::March& march, int i) { return totals_.data() + march.slot(i) * rates_size_; }
  void combine(const integrator::March& march, const std::vector<integrator::Link>& links, integrator::Part to,
               double* out);
  /// Where a point goes by some of the coordinates alone; of the others what was found at the last mesh point is as
  /// good, as in March.
  void propose_point(const integrator::March& march, const integrator::PlanNode& how,
                     const std::vector<int>& coordinates, const formulation::TangentNode& y);
  void find_terms(const integrator::March& march, const std::vector<integrator::Link>& links, integrator::Part to);
  /// Where the quadrature just evaluated the integrands.
  void rate(const integrator::March& march, int i, std::size_t in_group);

  const Problem& problem_;
  Motion& motion_;
  const TangentBundle& bundle_;
  Quadrature& quadrature_;
  std::optional<formulation::TangentsRead> read_;  // none: all are
  std::size_t half_, multipliers_, z_size_, node_size_, rates_size_;
  std::array<std::size_t, 4> part_;     // where a part (integrator::Part) stands among a node's numbers
  std::vector<double> ring_;            // per node: z, x, and u, mu of forms that have them
  std::vector<double> rates_, totals_;  // per node: of the integrands, of the integrals, [objective][direction]
  /// The end of the step where it moves with its event, and with that of the step before.
  void tick(const integrator::March& march, const integrator::PlanGroup& group);
  void move_end(const integrator::March& march, const integrator::EndSlopes& slopes);

  /// Keeps the tangents of the mesh point that was reached.
  void keep_point(const integrator::March& march, int node);
  /// Of peaks found since: the points they depend on are the last few.
  void follow_peaks();

  std::vector<double> points_;           // of the last mesh points: q, v, a, lambda, time
  std::size_t point_count_ = 0;          // of the mesh so far
  std::vector<std::size_t> peaks_seen_;  // of every objective, how many
  std::vector<std::vector<double>> extrema_;
  std::vector<double> sum_;
  std::vector<double> start_time_;  // tangents of the time that the coming step starts at
  std::vector<linalg::Term> terms_;
  std::vector<formulation::TangentNode> group_;
  formulation::TangentNode end_;
};

}  // namespace perilune::sensitivity
