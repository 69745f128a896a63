// SPDX-License-Identifier: MIT
// The adjoint equations of independent coordinates where the system needs_points(), with the residual R(q, v, a,
// lambda) of points: R_y^T w = (p_v, 0) for w = (mu, mu_Phi), where y = (a, lambda), makes mu the weights of the
// equations of motion. They keep K mu = 0 with K = R_lambda^T (Phi_q - Q_lambda^T), so that d of them, s = B_s mu, say
// all.
#include "sensitivity/continuous/continuous_equations.hpp"
#include "sensitivity/independent_coordinates/selection.hpp"

namespace perilune::sensitivity {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The adjoints of z and w themselves.
class IndependentAdjoint final : public AdjointEquations {
 public:
  IndependentAdjoint(const Problem& problem, LinearizedMotion& motion)
      : problem_(problem),
        motion_(motion),
        chosen_(motion),
        seeds_(*problem.system),
        work_(problem),
        top_(motion.m()) {}

  std::size_t size() const override { return chosen_.size(); }
  bool wants_change() override { return chosen_.is_outgrown(); }
  void prepare() override { chosen_.choose(); }

  void begin(std::size_t o, AdjointBundle& bundle, double* y) override {
    pull_back(bundle.q[o], bundle.v[o].data(), bundle.data[o].data(), y);
  }

  void end(std::size_t o, const double* y, AdjointBundle& bundle) override {
    for (auto* each : {&bundle.q[o], &bundle.v[o]}) std::fill(each->begin(), each->end(), 0.0);
    chosen_.positions.add_spread(y, bundle.q[o].data());
    chosen_.velocities.add_spread(y + chosen_.positions.freedoms(), bundle.v[o].data());
  }

  void slope(std::size_t o, const double* y, double* dy, double* data, double* parameters) override {
    const std::size_t n = motion_.n();
    seeds_.clear();
    if (const auto& integral = problem_.objectives[o]->integral) {
      seeds_.add(*integral, work_.integral[o], motion_.point(), 1);
    }
    chosen_.positions.add_spread(y, seeds_.z.data() + n);  // z' is of v
    chosen_.velocities.add_spread(y + chosen_.positions.freedoms(), seeds_.a.data());
    motion_.dynamics().adjoint(seeds_.a.data(), seeds_.lambda.data(), seeds_.z.data());
    for (std::size_t k = 0; k < seeds_.data_count(); ++k) data[k] += seeds_.data()[k];
    for (std::size_t k = 0; k < seeds_.parameters.size(); ++k) parameters[k] += seeds_.parameters[k];
    q_.assign(seeds_.z.begin(), seeds_.z.begin() + static_cast<std::ptrdiff_t>(n));
    pull_back(q_, seeds_.z.data() + n, data, dy);
    for (std::size_t k = 0; k < size(); ++k) dy[k] = -dy[k];
  }

  Index positions() const { return chosen_.positions.freedoms(); }
  Index velocities() const { return chosen_.velocities.freedoms(); }
  /// R^T x and S^T x, where R and S move all coordinates with the independent ones, and with the constraints.
  struct Parts {
    VectorXd open, held;
  };
  Parts parts_of_positions(const VectorXd& x) { return parts(chosen_.positions, x); }
  Parts parts_of_velocities(const VectorXd& x) { return parts(chosen_.velocities, x); }
  /// B_v^T w.
  VectorXd spread_velocities(const VectorXd& w) const {
    VectorXd x = VectorXd::Zero(static_cast<Index>(motion_.n()));
    chosen_.velocities.add_spread(w.data(), x.data());
    return x;
  }
  VectorXd spread_positions(const VectorXd& z) const {
    VectorXd x = VectorXd::Zero(static_cast<Index>(motion_.n()));
    chosen_.positions.add_spread(z.data(), x.data());
    return x;
  }

 private:
  Parts parts(const Selection& selection, const VectorXd& x) {
    chosen_.update();
    Parts out{VectorXd(selection.freedoms()), VectorXd::Zero(static_cast<Index>(motion_.m()))};
    selection.solve_transposed(x.data(), out.held.data(), out.open.data());
    return out;
  }
  /// Adjoints of q (which is lost) and v become those of z and w; adds to those of the data.
  void pull_back(std::vector<double>& q, const double* v, double* data, double* y) {
    chosen_.update();
    std::fill(top_.begin(), top_.end(), 0.0);
    chosen_.velocities.solve_transposed(v, top_.data(), y + chosen_.positions.freedoms());
    motion_.add_transposed(Block::JacobianRate, top_.data(), q.data(), -1);
    motion_.add_transposed(Block::PhiRateData, top_.data(), data, -1);
    std::fill(top_.begin(), top_.end(), 0.0);
    chosen_.positions.solve_transposed(q.data(), top_.data(), y);
    motion_.add_transposed(Block::PhiData, top_.data(), data, -1);
  }

  const Problem& problem_;
  LinearizedMotion& motion_;
  TwoSelections chosen_;
  Seeds seeds_;
  ObjectiveWork work_;
  std::vector<double> top_, q_;
};

/// What the forms that have s for an unknown share.
class WeightAdjoint : public AdjointEquations {
 public:
  WeightAdjoint(const Problem& problem, LinearizedMotion& motion)
      : motion_(motion),
        explicit_(problem, motion),
        weights_(rows_of(motion.system(), true)),
        n_(static_cast<Index>(motion.n())),
        m_(static_cast<Index>(motion.m())) {
    choose_weights();
  }

  bool wants_change() override {
    update();
    if (explicit_.wants_change()) return true;
    constexpr double limit = 2;
    if (weights_.largest() < limit) return false;
    Selection other(rows_of(motion_.system(), true));
    other.choose(border(), motion_.point().t);
    return 2 * other.largest() < weights_.largest();
  }
  void prepare() override {
    explicit_.prepare();
    choose_weights();
  }

 protected:
  /// Time derivatives of R_v^T w, R_a^T w and R_lambda^T w at constant w.
  struct Rates {
    VectorXd v, a, lambda;
  };
  Rates rates(const VectorXd& w) {
    Rates out{VectorXd::Zero(n_), VectorXd::Zero(n_), VectorXd::Zero(m_)};
    motion_.add_rates_transposed(w.data(), {.v = out.v.data(), .a = out.a.data(), .lambda = out.lambda.data()});
    return out;
  }
  /// R_y^-T (top, low).
  VectorXd solve_transposed(const VectorXd& top, const VectorXd& low) {
    VectorXd x(n_ + m_);
    x << top, low;
    motion_.dynamics().solve_transposed(x.data());
    return x;
  }
  /// w of the adjoint of the independent velocities.
  VectorXd weights_of(const VectorXd& velocity) {
    return solve_transposed(explicit_.spread_velocities(velocity), VectorXd::Zero(m_));
  }
  VectorXd pick(const VectorXd& w) const { return weights_.pick(w.head(n_)); }
  /// mu from K mu = low and s.
  VectorXd spread(const VectorXd& s, const VectorXd& low) {
    update();
    return weights_.solve(low, s);
  }
  /// (M - Q_a)^T mu.
  VectorXd inertia_transposed(const VectorXd& mu) {
    VectorXd x = VectorXd::Zero(n_);
    motion_.add_transposed(Block::Inertia, mu.data(), x.data());
    return x;
  }

  LinearizedMotion& motion_;
  IndependentAdjoint explicit_;
  Selection weights_;
  Index n_, m_;

 private:
  MatrixXd border() { return motion_.dense(Block::Jacobian) + motion_.dense(Block::Loads).transpose(); }
  void choose_weights() {
    weights_.choose(border(), motion_.point().t);
    visit_ = motion_.visit();
  }
  void update() {
    if (visit_ == motion_.visit()) return;
    weights_.update(border());
    visit_ = motion_.visit();
  }

  long visit_ = 0;
};

/// Zhu 2014, eqs. 3.131 to 3.135: the adjoint of z stays, s stands for that of w, with s' from R_y^T w' = (p_v', 0) -
/// R_y'^T w.
class WeightFirstOrder final : public WeightAdjoint {
 public:
  using WeightAdjoint::WeightAdjoint;
  std::size_t size() const override { return explicit_.size(); }

  void begin(std::size_t o, AdjointBundle& bundle, double* y) override {
    explicit_.begin(o, bundle, y);
    double* s = y + explicit_.positions();
    Eigen::Map<VectorXd> own(s, explicit_.velocities());
    own = pick(weights_of(own));
  }

  void end(std::size_t o, const double* y, AdjointBundle& bundle) override {
    explicit_.end(o, state(y).first.data(), bundle);
  }

  void slope(std::size_t o, const double* y, double* dy, double* data, double* parameters) override {
    const auto [of_state, w] = state(y);
    explicit_.slope(o, of_state.data(), dy, data, parameters);
    Eigen::Map<VectorXd> own(dy + explicit_.positions(), explicit_.velocities());
    const Rates moving = rates(w);
    own = pick(solve_transposed(explicit_.spread_velocities(own) - moving.a, -moving.lambda));
  }

 private:
  /// The adjoints of z and w, and w.
  std::pair<VectorXd, VectorXd> state(const double* y) {
    const Index z = explicit_.positions();
    const VectorXd mu = spread(Eigen::Map<const VectorXd>(y + z, explicit_.velocities()), VectorXd::Zero(m_));
    const IndependentAdjoint::Parts of_velocity = explicit_.parts_of_velocities(inertia_transposed(mu));
    VectorXd of_state(z + of_velocity.open.size()), w(n_ + m_);
    of_state << Eigen::Map<const VectorXd>(y, z), of_velocity.open;
    w << mu, -of_velocity.held;
    return {of_state, w};
  }
};

/// Zhu 2014, eqs. 3.146 and 3.147: s and s'. With A = M - Q_a and C = E_v it is
///   R^T ((A^T mu)'' - (C^T mu)' + E_q^T mu - G_q + G_v') = 0,
/// as what the constraints add is normal to R; K mu = 0 and its rates give the rest of mu, mu' and mu''. Constraints on
/// velocities leave less than two numbers per coordinate: not for these.
class WeightSecondOrder final : public WeightAdjoint {
 public:
  WeightSecondOrder(const Problem& problem, LinearizedMotion& motion)
      : WeightAdjoint(problem, motion), costs_(problem, CostTerms::Eliminated) {}
  std::size_t size() const override { return explicit_.size(); }

  void begin(std::size_t o, AdjointBundle& bundle, double* y) override {
    const Index d = explicit_.velocities();
    explicit_.begin(o, bundle, y);
    Eigen::Map<VectorXd> first(y, d), second(y + d, d);
    const VectorXd w = weights_of(second), mu = w.head(n_);
    const Rates moving = rates(w);
    VectorXd z = VectorXd::Zero(static_cast<Index>(2 * motion_.n()) + motion_.system().data_count());
    motion_.dynamics().subtract_partials_transposed(w.data(), z.data());
    const VectorXd top = -explicit_.spread_positions(first) - of_velocity(o) - z.segment(n_, n_) - moving.a;
    second = pick(solve_transposed(top, -moving.lambda));
    first = pick(w);
  }

  void end(std::size_t o, const double* y, AdjointBundle& bundle) override {
    explicit_.end(o, state(o, curve(y)).data(), bundle);
  }

  void slope(std::size_t o, const double* y, double* dy, double* data, double* parameters) override {
    const Curve at = curve(y);
    explicit_.slope(o, state(o, at).data(), dy, data, parameters);  // for the integrands of the gradient
    const CostGradient& g = costs_.at(o, motion_, true);
    const Index d = explicit_.velocities();
    VectorXd second = VectorXd::Zero(n_ + m_);
    motion_.add_second_rates_transposed(padded(at.mu).data(), second.data());
    const Rates of_rate = rates(padded(at.rate));
    VectorXd top = Map(g.of.z.data(), n_) - Map(g.v_rate.data(), n_) + at.moving.v - second.head(n_) - 2 * of_rate.a;
    motion_.add_transposed(Block::Stiffness, at.mu.data(), top.data(), -1);
    motion_.add_transposed(Block::Damping, at.rate.data(), top.data());
    const VectorXd x = solve_transposed(top, -second.tail(m_) - 2 * of_rate.lambda);
    std::copy_n(y + d, d, dy);
    Eigen::Map<VectorXd>(dy + d, d) = pick(x);
  }

 private:
  using Map = Eigen::Map<const VectorXd>;
  /// mu, mu', and the rates of the matrices on mu.
  struct Curve {
    VectorXd mu, rate;
    Rates moving;
  };
  Curve curve(const double* y) {
    const Index d = explicit_.velocities();
    Curve out;
    out.mu = spread(Map(y, d), VectorXd::Zero(m_));
    out.moving = rates(padded(out.mu));
    out.rate = spread(Map(y + d, d), -out.moving.lambda);
    return out;
  }
  VectorXd padded(const VectorXd& mu) const {
    VectorXd w = VectorXd::Zero(n_ + m_);
    w.head(n_) = mu;
    return w;
  }
  /// G_v.
  VectorXd of_velocity(std::size_t o) { return Map(costs_.at(o, motion_, true).of.z.data() + n_, n_); }
  /// The adjoints of z and z'.
  VectorXd state(std::size_t o, const Curve& at) {
    const IndependentAdjoint::Parts of_rate = explicit_.parts_of_velocities(inertia_transposed(at.mu));
    VectorXd x = -of_velocity(o) - at.moving.a - inertia_transposed(at.rate);
    motion_.add_transposed(Block::Damping, at.mu.data(), x.data());
    motion_.add_transposed(Block::JacobianRate, of_rate.held.data(), x.data(), -1);
    VectorXd out(explicit_.positions() + of_rate.open.size());
    out << explicit_.parts_of_positions(x).open, of_rate.open;
    return out;
  }

  CostIntegrands costs_;
};

}  // namespace

std::unique_ptr<AdjointEquations> independent_first_order(const Problem& problem, LinearizedMotion& motion) {
  return std::make_unique<IndependentAdjoint>(problem, motion);
}

std::unique_ptr<AdjointEquations> independent_first_order_implicit(const Problem& problem, LinearizedMotion& motion) {
  return std::make_unique<WeightFirstOrder>(problem, motion);
}

std::unique_ptr<AdjointEquations> independent_second_order(const Problem& problem, LinearizedMotion& motion) {
  return std::make_unique<WeightSecondOrder>(problem, motion);
}

}  // namespace perilune::sensitivity
