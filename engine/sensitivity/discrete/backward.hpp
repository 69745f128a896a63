// SPDX-License-Identifier: MIT
// The backward sweep through the nodes of a run: adjoints of all objectives at once, and on request their derivatives
// in some directions of the parameters, all by the same linearizations.
#pragma once
#include "sensitivity/discrete/adjoint.hpp"
#include "sensitivity/discrete/adjoint_ring.hpp"
#include "sensitivity/discrete/node_record.hpp"
#include "sensitivity/intervals/carried.hpp"
#include "sensitivity/second/tangent_record.hpp"
#include "system/second_order.hpp"

namespace perilune::sensitivity {

/// What derivatives of adjoints need besides: the tangents of the nodes along directions first, first + 1, ..., and
/// where the results go, a bundle for each of these.
struct SecondSweep {
  const TangentRecord& tangents;
  std::size_t first;
  std::vector<AdjointBundle>& bundles;
  system::SecondOrder products;
};

class Backward {
 public:
  /// `second` may be null. The adjoints of the state and the time that the bundles hold are those of the end of the run
  /// (zero where nothing follows), in the end those of its start; those of the data and the parameters are added to.
  Backward(const Problem& problem, const Evaluation& run, Motion& motion, AdjointBundle& bundle,
           SecondSweep* second = nullptr);
  /// Follows objectives first, ..., last - 1 alone: of the others nothing is found. Before the sweep.
  void keep_to(std::size_t first, std::size_t last);
  /// The whole run, of which all is recorded.
  void run(NodeRecord& record);
  /// The same piece by piece: steps first, ..., last - 1, where `last` is what was `first` before. Only these have to
  /// be recorded.
  void sweep(std::size_t first, std::size_t last, NodeRecord& record);
  /// After the first step: needs the initial point.
  void finish(NodeRecord& record);
  /// In its place where the run begins in the middle of another, at a mesh point that its steps refer to alone: the
  /// adjoints of that point by its q, v, a and lambda; of the bundle it adds to data and parameters alone. Throws Error
  /// where steps refer to more.
  std::vector<Seeds> hand_over(NodeRecord& record);

  // The whole run in intervals, each by a sweep of its own:
  /// Before the sweep that ends at a boundary. The adjoints of what is carried across it are still zero.
  void begin(const Carried& at);
  /// After the sweep that comes to a boundary: what is left are the adjoints of its blocks. Of the bundle it adds to
  /// data and parameters alone.
  void hand_over(NodeRecord& record, const Carried& at);
  /// The adjoints of a block, to be set before a sweep or taken after it. `ring`: an objective's number, or that of one
  /// of its derivatives.
  double* numbers_of(std::size_t ring, const Carried::Block& block);
  void wake(std::size_t ring) { rings_[ring].wake(); }
  std::size_t ring_of(std::size_t o, std::size_t direction) const { return objectives_ * (1 + direction) + o; }
  /// All that a sweep leaves to the one before it, the bundle with it: another process goes on from there, for the same
  /// run. Not where second derivatives are followed.
  template <class Archive>
  friend void archive_fields(Archive& archive, Backward& backward) {
    archive(backward.first_, backward.of_rates_, backward.of_totals_, backward.of_start_time_, backward.linearizations_,
            backward.bundle_);
    for (AdjointRing& ring : backward.rings_) archive(ring);
  }
  /// Linearizations of points and groups, of all sweeps so far.
  long linearizations() const { return linearizations_; }
  /// Nothing is left of any node.
  bool is_clear() const;

 private:
  /// The ring slot of a node of the step or before it.
  std::size_t slot(int i) const;
  double& of_rate(std::size_t s, std::size_t o) { return of_rates_[s * objectives_ + o]; }
  double& of_total(std::size_t s, std::size_t o) { return of_totals_[s * objectives_ + o]; }
  void start_at_end();
  /// What a unit of the stop condition is worth to an objective, with what follows the run.
  double weight_of_stop(std::size_t o) const;
  /// Adds weight times the gradient of an output of a measure at node `index` of the record, which stands in ring slot
  /// s. `second_work` is read where second derivatives are wanted only.
  void seed(const Measure& measure, std::vector<double>& work, Measure::SecondWork* second_work, std::size_t index,
            std::size_t s, std::size_t o, double weight, int output = 0);
  void seed_rate(std::size_t index, std::size_t s);
  /// Adds what extrema depend on at a mesh point, which stands in ring slot s.
  void seed_peaks(std::size_t point, std::size_t s, bool moves);
  void reverse_integrals();
  /// The end of a step that moves with its event, and with that of the step before.
  void reverse_moving_end(const integrator::EndSlopes& slopes);
  void reverse_group(std::size_t g);
  /// The adjoint of a group of nodes for every objective that has one. `index`: of its first node in the record.
  void reverse_nodes(integrator::GroupKind kind, std::size_t index);
  /// The same for the nodes of a step with equations of its own, and the node it starts from.
  void reverse_own_step(const formulation::StepScheme& scheme);
  /// What sampled numbers become is read from the node before.
  void reverse_tick(const integrator::PlanGroup& group);
  /// Subtracts what the change of the derivatives along the tangents contributes to the adjoints' derivatives: those of
  /// the objective whose adjoint was found last.
  void subtract_curvature(std::size_t index, std::size_t o);
  void gather(std::size_t ring, std::vector<formulation::AdjointNode>& out);
  /// `among`: coordinates that are not zero; null for all.
  void distribute(const std::vector<integrator::Link>& links, integrator::Part to, const double* from,
                  const std::vector<int>* among, AdjointRing& ring) const;
  /// The copies of the initial point, then the point itself.
  void reverse_start(int copies);
  std::size_t directions() const { return second_ ? second_->bundles.size() : 0; }
  AdjointBundle& bundle_of(std::size_t ring) {
    return ring < objectives_ ? bundle_ : second_->bundles[ring / objectives_ - 1];
  }

  const Problem& problem_;
  const Evaluation& run_;
  Motion& motion_;
  NodeRecord* record_ = nullptr;
  AdjointBundle& bundle_;
  SecondSweep* second_;
  std::size_t objectives_;
  std::size_t followed_first_ = 0, followed_last_;  // of them
  long linearizations_ = 0;
  std::size_t ring_;                          // nodes kept, as in the run
  std::vector<AdjointRing> rings_;            // of the adjoints, then of their derivatives
  std::vector<double> of_rates_, of_totals_;  // adjoints of integrands and integrals, [slot][objective]
  std::vector<double> of_start_time_;         // adjoints of the time that the step after this one starts at
  ObjectiveWork work_;
  std::vector<Measure::SecondWork> second_terminal_, second_integral_;
  const integrator::Plan* plan_ = nullptr;
  double h_ = 0;
  std::size_t first_ = 1;  // number of the step's first node in the record
  std::vector<formulation::Node> nodes_;
  std::vector<std::size_t> slots_;
  std::vector<formulation::AdjointNode> adjoints_;
  std::vector<double> curvature_weights_;
  std::vector<system::Direction> along_;           // of a node, by direction
  std::vector<system::PointGradient> curvatures_;  // likewise
  formulation::Coupling coupling_;
};

}  // namespace perilune::sensitivity
