// Reverse differentiation of the integrator's own steps: one backward pass for all parameters, one adjoint per
// objective.
#include "sensitivity/adjoint.hpp"
#include "sensitivity/node_record.hpp"

namespace perilune::sensitivity {

namespace {

using formulation::AdjointNode;
using formulation::Node;
using integrator::Link;
using integrator::March;
using integrator::Part;

/// The adjoints of the nodes of one objective, in a ring like that of the nodes.
class AdjointRing {
 public:
  explicit AdjointRing(const Motion& motion)
      : n_(static_cast<std::size_t>(motion.n())),
        m_(static_cast<std::size_t>(motion.m())),
        data_(static_cast<std::size_t>(motion.system().data_count())),
        has_own_rate_(motion.has_own_rate()),
        size_(data_ + (has_own_rate_ ? 4 * n_ + 2 * m_ : 3 * n_ + m_)),
        numbers_(size_ * March::capacity, 0.0) {}

  AdjointNode node(std::size_t slot) {
    double* z = numbers_.data() + slot * size_;
    double* a = z + 2 * n_ + data_;
    if (!has_own_rate_) return {z, a, a + n_, z + n_, nullptr};
    return {z, a, a + n_, a + n_ + m_, a + 2 * n_ + m_};
  }
  /// Forgets a node that was dealt with; what it gathered for the data stays.
  void clear(std::size_t slot) {
    double* z = numbers_.data() + slot * size_;
    std::fill_n(z, 2 * n_, 0.0);
    std::fill(z + 2 * n_ + data_, z + size_, 0.0);
  }
  /// Sum over all nodes.
  void add_data(double* out) const {
    for (std::size_t slot = 0; slot < March::capacity; ++slot) {
      const double* from = numbers_.data() + slot * size_ + 2 * n_;
      for (std::size_t k = 0; k < data_; ++k) out[k] += from[k];
    }
  }
  double* part(std::size_t slot, Part which) {
    const AdjointNode y = node(slot);
    switch (which) {
      case Part::Position:
        return y.z;
      case Part::Rate:
        return y.u;
      case Part::Velocity:
        return y.z + n_;
      case Part::Acceleration:
        return y.a;
    }
    return nullptr;
  }

 private:
  std::size_t n_, m_, data_;
  bool has_own_rate_;
  std::size_t size_;
  std::vector<double> numbers_;
};

class Backward {
 public:
  Backward(const Problem& problem, const Evaluation& run, Motion& motion, NodeRecord& record, AdjointBundle& bundle)
      : problem_(problem),
        run_(run),
        motion_(motion),
        record_(record),
        bundle_(bundle),
        objectives_(problem.objectives.size()),
        rings_(objectives_, AdjointRing(motion)),
        of_rates_(objectives_ * March::capacity, 0.0),
        of_totals_(of_rates_),
        work_(problem),
        first_(record.size()) {}

  void run() {
    const integrator::Steps& steps = run_.solution.steps;
    for (std::size_t k = steps.steps.size(); k-- > 0;) {
      check_interrupt();
      plan_ = steps.steps[k].plan;
      h_ = steps.steps[k].h;
      motion_.set_choice(steps.steps[k].choice);
      first_ -= plan_->nodes.size();
      if (k + 1 == steps.steps.size()) start_at_end();
      reverse_integrals();
      for (std::size_t g = plan_->groups.size(); g-- > 0;) reverse_group(g);
    }
    motion_.set_choice(steps.start_choice);
    reverse_start(steps.copies);
  }

 private:
  /// The ring slot of a node of the step or before it.
  std::size_t slot(int i) const {
    const auto shifted =
        static_cast<long>(first_) + i + 4L * March::capacity;  // copies of the initial point precede it
    return static_cast<std::size_t>(shifted % March::capacity);
  }
  double& of_rate(std::size_t s, std::size_t o) { return of_rates_[s * objectives_ + o]; }
  double& of_total(std::size_t s, std::size_t o) { return of_totals_[s * objectives_ + o]; }

  void start_at_end() {
    const std::size_t end = slot(plan_->end);
    const Node x = record_.node(first_ + static_cast<std::size_t>(plan_->end));
    for (std::size_t o = 0; o < objectives_; ++o) {
      of_total(end, o) = 1;
      if (problem_.objectives[o]->terminal) seed(*problem_.objectives[o]->terminal, work_.terminal[o], x, end, o, 1);
    }
  }

  void seed(const Measure& measure, std::vector<double>& work, const Node& x, std::size_t s, std::size_t o,
            double weight) {
    const AdjointNode y = rings_[o].node(s);
    measure.evaluate({x.t, x.q, x.v, x.a, x.lambda, run_.data->parameters.data()}, work);
    measure.add_gradient(work, 0, weight, {y.z, y.z + motion_.n(), y.a, y.lambda, bundle_.parameters[o].data()});
  }

  void seed_rate(const Node& x, std::size_t s) {
    for (std::size_t o = 0; o < objectives_; ++o) {
      const double weight = of_rate(s, o);
      of_rate(s, o) = 0;
      const auto& integral = problem_.objectives[o]->integral;
      if (integral && weight != 0) seed(*integral, work_.integral[o], x, s, o, weight);
    }
  }

  void reverse_integrals() {
    const std::size_t end = slot(plan_->end);
    for (std::size_t o = 0; o < objectives_; ++o) {
      const double total = of_total(end, o);
      of_total(end, o) = 0;
      for (const integrator::QuadratureLink& link : plan_->quadrature) {
        of_total(slot(link.node), o) += link.of_total * total;
        of_rate(slot(link.node), o) += h_ * link.of_rate * total;
      }
    }
  }

  void reverse_group(std::size_t g) {
    const integrator::PlanGroup& group = plan_->groups[g];
    const int end = plan_->group_end(g);
    nodes_.clear();
    for (int i = group.first; i < end; ++i) {
      nodes_.push_back(record_.node(first_ + static_cast<std::size_t>(i)));
      seed_rate(nodes_.back(), slot(i));
    }
    if (group.kind == integrator::GroupKind::Point) {
      motion_.linearize_point(nodes_.front(), Motion::Here::Again,
                              record_.factor(first_ + static_cast<std::size_t>(group.first)));
    } else if (group.kind == integrator::GroupKind::Implicit) {
      integrator::scale(group.weights, h_, coupling_);
      motion_.linearize_group(coupling_, nodes_);
    }
    for (std::size_t o = 0; o < objectives_; ++o) {
      adjoints_.clear();
      for (int i = group.first; i < end; ++i) adjoints_.push_back(rings_[o].node(slot(i)));
      if (group.kind == integrator::GroupKind::Point) motion_.adjoint_point(adjoints_.front());
      if (group.kind == integrator::GroupKind::Implicit) motion_.adjoint_group(coupling_, adjoints_);
      for (int i = group.first; i < end; ++i) {
        const integrator::PlanNode& plan = plan_->nodes[static_cast<std::size_t>(i)];
        const AdjointNode& y = adjoints_[static_cast<std::size_t>(i - group.first)];
        distribute(plan.q, Part::Position, y.z, rings_[o]);
        distribute(plan.v, Part::Velocity, y.z + motion_.n(), rings_[o]);
        distribute(plan.a, Part::Acceleration, y.a, rings_[o]);
        rings_[o].clear(slot(i));
      }
    }
  }

  void distribute(const std::vector<Link>& links, Part to, const double* from, AdjointRing& ring) const {
    const double powers[] = {1, h_, h_ * h_};
    for (const Link& link : links) {
      const double weight = link.weight * powers[integrator::power(link.part, to)];
      double* out = ring.part(slot(link.node), link.part);
      for (int k = 0; k < motion_.n(); ++k) out[k] += weight * from[k];
    }
  }

  /// The copies of the initial point, then the point itself.
  void reverse_start(int copies) {
    const std::size_t own = slot(-1);
    first_ = 0;
    const Node x = record_.node(0);
    motion_.linearize_point(x, Motion::Here::Again, record_.factor(0));
    for (int c = 2; c <= copies + 1; ++c) {
      for (std::size_t o = 0; o < objectives_; ++o) {
        of_rate(own, o) += of_rate(slot_before(own, c), o);
        for (Part p : {Part::Position, Part::Velocity, Part::Acceleration}) {
          double* to = rings_[o].part(own, p);
          const double* from = rings_[o].part(slot_before(own, c), p);
          for (int k = 0; k < motion_.n(); ++k) to[k] += from[k];
        }
        if (!motion_.has_own_rate()) continue;
        double* to = rings_[o].part(own, Part::Rate);
        const double* from = rings_[o].part(slot_before(own, c), Part::Rate);
        for (int k = 0; k < motion_.n(); ++k) to[k] += from[k];
      }
    }
    seed_rate(x, own);
    for (std::size_t o = 0; o < objectives_; ++o) {
      const AdjointNode y = rings_[o].node(own);
      motion_.adjoint_point(y);
      bundle_.q[o].assign(y.z, y.z + motion_.n());
      bundle_.v[o].assign(y.z + motion_.n(), y.z + 2 * motion_.n());
      rings_[o].add_data(bundle_.data[o].data());
    }
  }
  static std::size_t slot_before(std::size_t own, int c) {
    return (own + March::capacity - static_cast<std::size_t>(c - 1)) % March::capacity;
  }

  const Problem& problem_;
  const Evaluation& run_;
  Motion& motion_;
  NodeRecord& record_;
  AdjointBundle& bundle_;
  std::size_t objectives_;
  std::vector<AdjointRing> rings_;
  std::vector<double> of_rates_, of_totals_;  // adjoints of integrands and integrals, [slot][objective]
  ObjectiveWork work_;
  const integrator::Plan* plan_ = nullptr;
  double h_ = 0;
  std::size_t first_;  // number of the step's first node in the record
  std::vector<Node> nodes_;
  std::vector<AdjointNode> adjoints_;
  formulation::Coupling coupling_;
};

}  // namespace

Gradient discrete_adjoint(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over) {
  Evaluation run = prepare(problem, parameters);
  const auto motion = formulation::make_motion(problem.system, run.data, problem.formulation);
  NodeRecord record(*motion);
  simulate(problem, *motion, nullptr, {&record}, run);
  require_complete(run.solution);
  AdjointBundle bundle(problem);
  Backward(problem, run, *motion, record, bundle).run();
  return bundle.finish(problem, run, over);
}

}  // namespace perilune::sensitivity
