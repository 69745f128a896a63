// SPDX-License-Identifier: MIT
// The adjoints of Maggi's form, in independent coordinates that are chosen anew where they have become a bad choice.
// Parameters that enter the constraints move the dependent coordinates too (pull_back knows), and objectives may read
// everything. E = M a + Phi_q^T lambda - Q, contracted with x = R s, stands for the reduced equations contracted with
// s: the derivative of its product with z, z' and the data is that of the reduced ones.
#include "sensitivity/continuous/continuous_equations.hpp"
#include "sensitivity/independent_coordinates/partition.hpp"

namespace perilune::sensitivity {

namespace {

using Vector = Partition::Vector;
using Map = Eigen::Map<const Vector>;

/// What the three forms share. The unknowns are two vectors of d numbers, `first` and `second` below.
class MaggiAdjoint : public AdjointEquations {
 public:
  MaggiAdjoint(const Problem& problem, LinearizedMotion& motion)
      : motion_(motion),
        costs_(problem, CostTerms::Eliminated),
        partition_(motion),
        n_(static_cast<Eigen::Index>(motion.n())) {
    MaggiAdjoint::prepare();
  }

  std::size_t size() const override { return 2 * static_cast<std::size_t>(partition_.freedoms()); }

  bool wants_change() override {
    update();
    return partition_.is_outgrown();
  }
  void prepare() override {
    partition_.choose();
    time_ = motion_.point().t;
  }

  void begin(std::size_t o, AdjointBundle& bundle, double* y) override {
    update();
    const Map q(bundle.q[o].data(), n_), v(bundle.v[o].data(), n_);
    store(y, from_state(o, partition_.pull_back(q, v, Vector::Zero(n_), bundle.data[o].data())));
  }

  void end(std::size_t o, const double* y, AdjointBundle& bundle) override {
    update();
    const Pair p = to_state(o, load(y));
    Eigen::Map<Vector>(bundle.q[o].data(), n_) = partition_.spread(p.z);
    Eigen::Map<Vector>(bundle.v[o].data(), n_) = partition_.spread(p.rate);
  }

  void slope(std::size_t o, const double* y, double* dy, double* data, double* parameters) override {
    update();
    store(dy, rates(o, load(y), data, parameters));
  }

 protected:
  using Pair = Partition::Pulled;
  /// The unknowns from the adjoints of z and z', and back.
  virtual Pair from_state(std::size_t o, const Pair& p) = 0;
  virtual Pair to_state(std::size_t o, const Pair& y) = 0;
  virtual Pair rates(std::size_t o, const Pair& y, double* data, double* parameters) = 0;

  /// G_z - (Kbar + Mbar_z z'')^T s and G_z' - Cbar^T s; adds the integrands of the gradient.
  Pair load_equations(const CostGradient& g, const Vector& s, double* data, double* parameters) {
    const Vector x = partition_.r(s);
    Vector q = Map(g.of.z.data(), n_), v = Map(g.of.z.data() + n_, n_), a = Vector::Zero(n_);
    motion_.add_transposed(Block::Stiffness, x.data(), q.data(), -1);
    motion_.add_transposed(Block::Damping, x.data(), v.data(), -1);
    motion_.add(Block::Mass, x.data(), a.data(), -1);
    for (std::size_t k = 0; k < g.of.data_count(); ++k) data[k] += g.of.data()[k];
    for (std::size_t k = 0; k < g.of.parameters.size(); ++k) parameters[k] += g.of.parameters[k];
    motion_.add_transposed(Block::ResidualData, x.data(), data, -1);
    return partition_.pull_back(std::move(q), std::move(v), a, data);
  }

  LinearizedMotion& motion_;
  CostIntegrands costs_;
  Partition partition_;

 private:
  void update() {
    if (motion_.point().t == time_) return;
    partition_.update();
    time_ = motion_.point().t;
  }
  Pair load(const double* y) const {
    const Eigen::Index d = partition_.freedoms();
    return {Map(y, d), Map(y + d, d)};
  }
  void store(double* y, const Pair& x) const {
    const Eigen::Index d = partition_.freedoms();
    Eigen::Map<Vector>(y, d) = x.z;
    Eigen::Map<Vector>(y + d, d) = x.rate;
  }

  double time_ = 0;

 protected:
  Eigen::Index n_;
};

/// Zhu 2014, eqs. 3.124 and 3.125: the adjoints of z and z' themselves.
class MaggiFirstOrderExplicit final : public MaggiAdjoint {
  using MaggiAdjoint::MaggiAdjoint;
  Pair from_state(std::size_t, const Pair& p) override { return p; }
  Pair to_state(std::size_t, const Pair& y) override { return y; }
  Pair rates(std::size_t o, const Pair& y, double* data, double* parameters) override {
    const CostGradient& g = costs_.at(o, motion_, false);
    const Pair f = load_equations(g, partition_.solve_mass(y.rate), data, parameters);
    return {-f.z, -y.z - f.rate};
  }
};

/// Zhu 2014, eqs. 3.131 to 3.135: the second adjoint is Mbar mu.
class MaggiFirstOrderImplicit final : public MaggiAdjoint {
  using MaggiAdjoint::MaggiAdjoint;
  Pair from_state(std::size_t, const Pair& p) override { return {p.z, partition_.solve_mass(p.rate)}; }
  Pair to_state(std::size_t, const Pair& y) override { return {y.z, partition_.mass(y.rate)}; }
  Pair rates(std::size_t o, const Pair& y, double* data, double* parameters) override {
    const CostGradient& g = costs_.at(o, motion_, false);
    const Pair f = load_equations(g, y.rate, data, parameters);
    return {-f.z, partition_.solve_mass(-y.z - f.rate - partition_.mass_rate(y.rate))};
  }
};

/// Zhu 2014, eqs. 3.146 and 3.147: mu and mu'.
class MaggiSecondOrder final : public MaggiAdjoint {
  using MaggiAdjoint::MaggiAdjoint;
  /// (Mbar' - Cbar)^T mu + G_z'^T
  Vector bracket(std::size_t o, const Vector& mu) {
    const CostGradient& g = costs_.at(o, motion_, false);
    return partition_.mass_rate(mu) - partition_.damping_transposed(mu) +
           partition_.r_transposed(Map(g.of.z.data() + n_, n_));
  }
  Pair from_state(std::size_t o, const Pair& p) override {
    const Vector mu = partition_.solve_mass(p.rate);
    return {mu, partition_.solve_mass(-p.z - bracket(o, mu))};
  }
  Pair to_state(std::size_t o, const Pair& y) override {
    return {-partition_.mass(y.rate) - bracket(o, y.z), partition_.mass(y.z)};
  }
  Pair rates(std::size_t o, const Pair& y, double* data, double* parameters) override {
    // With x = R mu, the equation is R^T times that of all coordinates,
    //   (M x)'' - (C^T x)' + E_q^T x = G_q - G_v':  what R' and R'' add to its terms cancels.
    const CostGradient& g = costs_.at(o, motion_, true);
    load_equations(g, y.z, data, parameters);
    const Partition::Curve x = partition_.curve(y.z, y.rate);
    Vector b = Map(g.of.z.data(), n_) - Map(g.v_rate.data(), n_);
    motion_.add_transposed(Block::Stiffness, x.value.data(), b.data(), -1);
    motion_.add_damping_rates_transposed(1, x.value.data(), b.data());
    motion_.add_transposed(Block::Damping, x.rate.data(), b.data());
    b -= partition_.momentum_second_rate(x);
    return {y.rate, partition_.solve_mass(partition_.r_transposed(b))};
  }
};

}  // namespace

std::unique_ptr<AdjointEquations> maggi_first_order_explicit(const Problem& problem, LinearizedMotion& motion) {
  if (needs_points(*problem.system)) return independent_first_order(problem, motion);
  return std::make_unique<MaggiFirstOrderExplicit>(problem, motion);
}

std::unique_ptr<AdjointEquations> maggi_first_order_implicit(const Problem& problem, LinearizedMotion& motion) {
  if (needs_points(*problem.system)) return independent_first_order_implicit(problem, motion);
  return std::make_unique<MaggiFirstOrderImplicit>(problem, motion);
}

std::unique_ptr<AdjointEquations> maggi_second_order(const Problem& problem, LinearizedMotion& motion) {
  if (needs_points(*problem.system)) return independent_second_order(problem, motion);
  return std::make_unique<MaggiSecondOrder>(problem, motion);
}

}  // namespace perilune::sensitivity
