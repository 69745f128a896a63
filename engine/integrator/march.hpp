// SPDX-License-Identifier: MIT
// Executes plans on a formulation, step after step, and keeps the nodes that later steps refer to. Whoever wants to
// follow (quadrature, recording, sensitivities) listens.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "formulation/motion.hpp"
#include "integrator/plan.hpp"

namespace perilune::integrator {

using formulation::Motion;

class March;
class StepSlopes;

/// How the end of a step depends on the times of its ends, where these move with the parameters: an event ends the
/// step, or the one before it.
struct EndSlopes {
  // Of q, v, a, lambda, the integrals and the integrands there, by the time of the start with the length of the step
  // kept, and by that length; empty: it is not changed, or this changes nothing.
  std::vector<double> by_start, by_length;
  bool start_moves = false;
  bool moves_along = false;                        // the end does so by as much; else it stays, or is that of an event
  int event = -1;                                  // the switch whose function is zero at the end
  double event_by_start = 0, event_by_length = 0;  // slopes of that function
};

/// Follows the nodes of an integration. A rejected step is announced by begin_step and never accepted.
class StepListener {
 public:
  virtual ~StepListener() = default;
  /// The initial point and its copies exist: nodes -1, -2, ...
  virtual void start(const March& march) = 0;
  virtual void begin_step(const March& march) = 0;
  /// The nodes of a group were found just now.
  virtual void group(const March& march, std::size_t g) = 0;
  virtual void accept(const March& march) = 0;
  /// Wants to know EndSlopes.
  virtual bool differentiates() const { return false; }
  /// Reads multipliers of points within a step.
  virtual bool reads_multipliers() const { return true; }
  /// Reads more of the nodes of the coming step than their numbers: what the motion keeps of each until the next.
  virtual bool reads_motion() const { return true; }
  /// Room for integrands at the first points of a step, which may be found together with those of other motions: point
  /// by point, objective by objective. Null: for those who have none.
  virtual double* room_for_rates(std::size_t /*points*/) { return nullptr; }
};

/// A listener that adds up integrals.
class Integrals : public StepListener {
 public:
  /// How they, if the step just attempted were the last, depend on its length or its start; behind these numbers the
  /// same of the integrands at its end, 0 where the plan asks for none there.
  virtual std::vector<double> slopes(const March& march, const StepSlopes& of_nodes) = 0;
  /// The largest of the estimated errors sum of_total Psi(node) + h of_rate g(node) of the step just attempted, against
  /// absolute + relative times the integral of |g| so far. What accept() adds up is the estimate asked for last.
  virtual double error(const March& march, std::span<const QuadratureLink> estimate, double absolute,
                       double relative) = 0;
  /// Some integrand depends on time as such.
  virtual bool reads_time() const = 0;
  /// Some integrand changes its form with this switch.
  virtual bool reads_switch(int number) const = 0;
  /// The integrands, with switches at these sides.
  virtual std::vector<double> rates(const Node& x, const std::vector<double>& sides) = 0;
};

class March {
 public:
  /// Nodes kept: enough for the steps of every integrator and all that they may refer to. A power of two.
  static constexpr int most_nodes = 64;
  /// Enough for steps by one plan that starts from copies of the initial point: few nodes stay near the processor.
  static int nodes_for(const Plan& plan, int copies);

  March(Motion& motion, std::span<StepListener* const> listeners, int nodes = most_nodes);

  /// The initial point, and copies of it for integrators that refer to further nodes. `choice`: that of the run to be
  /// repeated, if the form makes any. Throws NumericalError.
  void start(double t, const double* q0, const double* v0, int copies, const formulation::Choice& choice = nullptr);
  /// Computes the nodes of a step from where the last accepted one ended. Throws NumericalError.
  void attempt(const Plan& plan, double h, double tolerance = 0, const formulation::Choice& choice = nullptr);
  /// The same, heard by `only` (which may be null).
  void probe(const Plan& plan, double h, double tolerance, const formulation::Choice& choice, StepListener* only);
  /// Nobody but those who listen reads multipliers of points within a step: where these do not either, they need not
  /// be found.
  void spare_multipliers();
  /// Goes on to the step just attempted; its end is declared to be at time t. `slopes`: for the listeners.
  void accept(double t, const EndSlopes* slopes = nullptr);
  const EndSlopes* slopes() const { return slopes_; }

  /// Where a step starts, with the nodes that it and later ones refer to.
  struct Snapshot {
    double t = 0;
    int first = 0;
    int ends[2] = {-1, -1};
    bool has_two_ends = false;
    formulation::Memory memory;
    std::vector<double> times, numbers;  // of the nodes -1, -2, ...
    std::size_t nodes() const { return times.size(); }
  };
  /// Before the next attempt, with the last `nodes` nodes.
  Snapshot snapshot(int nodes) const;
  /// Also of a march with another motion of the same form, system and data. The steps that follow are the same to the
  /// last bit, if they are made with the choices recorded.
  void restore(const Snapshot& at);

  /// The end of the last step, or the start: other nodes may come after it, as auxiliary accelerations do.
  const Node& last() const { return node(last_index()); }
  int last_index() const { return ends_[0]; }
  Motion& motion() const { return motion_; }
  const Plan& plan() const { return *plan_; }
  double t() const { return t_; }  // where the step starts
  double h() const { return h_; }
  std::size_t node_size() const { return node_size_; }
  /// A node of the step (0, 1, ...) or before it (-1, -2, ...).
  const Node& node(int i) const { return nodes_[slot(i)]; }
  /// The nodes of the group found last.
  std::span<const Node> group_nodes() const { return group_; }
  /// Places in the ring of nodes.
  std::size_t ring() const { return ring_; }
  /// Where a node, and what others keep about it, stands in the ring.
  std::size_t slot(int i) const { return static_cast<std::size_t>(first_ + i) & (ring_ - 1); }
  int start_count() const { return start_count_; }
  /// The coupling of the step's group g, with the powers of h.
  const Coupling& coupling(std::size_t g) const { return couplings_[g]; }
  /// Weight of a link in a proposal for the part `to`, with its power of h.
  double weight(const Link& link, Part to) const {
    return link.weight * powers_[static_cast<std::size_t>(power(link.part, to))];
  }

 private:
  /// The numbers of a node stand side by side.
  std::span<double> numbers(int i) { return {storage_.data() + slot(i) * node_size_, node_size_}; }
  std::span<const double> numbers(int i) const { return {storage_.data() + slot(i) * node_size_, node_size_}; }
  void compute(const Plan& plan, double h, double tolerance, const formulation::Choice& choice,
               std::span<StepListener* const> listeners);
  void set_step(double h);
  /// Finds the points that the step begins with together with those of other motions, if there are any and nobody who
  /// listens minds; the number of groups found.
  std::size_t find_chain(std::span<StepListener* const> listeners);
  void tick(const PlanGroup& group);
  void combine(const std::vector<Link>& links, Part to, double* out) const;
  /// For these coordinates alone.
  void combine(const std::vector<Link>& links, Part to, const std::vector<int>& coordinates, double* out) const;
  void propose(const PlanNode& how, bool is_point, const Node& x) const;
  void guess(std::span<const Node> group) const;
  void guess_by_plan(const Node& x) const;
  void guess_on_line(const Node& x) const;

  Motion& motion_;
  std::span<StepListener* const> listeners_;
  std::size_t ring_, node_size_ = 0;
  std::vector<double> storage_;
  std::vector<Node> nodes_;
  std::vector<double> tick_work_;
  std::vector<double> chain_weights_;
  std::vector<formulation::PointChain::Point> chain_points_;
  std::vector<Node> group_;  // of the group in work, side by side
  std::vector<Coupling> couplings_;
  std::array<double, 3> powers_{1, 0, 0};
  const Plan* plan_ = nullptr;
  const EndSlopes* slopes_ = nullptr;  // of the step that is being accepted
  double t_ = 0, h_ = 0;
  bool spares_multipliers_ = false;
  int first_ = 0;  // ring slot of the step's first node
  int start_count_ = 1;
  // Ends of the last two steps, relative to first_.
  int ends_[2] = {-1, -1};
  bool has_two_ends_ = false;
};

}  // namespace perilune::integrator
