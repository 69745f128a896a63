// SPDX-License-Identifier: MIT
// The direct and the first-order adjoint equations of independent coordinates where forces feel accelerations or loads,
// or constraints on velocities leave fewer freedoms to velocities than to positions: z = B_q q and w = B_v v. The
// others follow from [Phi_q; B_q] dq = (-Phi_d dd; dz) and [J; B_v] dv = (-(J v)_q dq - (J v)_d dd; dw), where J has
// the rows of Phi_q and of A; accelerations and multipliers are those of points.
#include <Eigen/Dense>
#include <algorithm>

#include "at_time.hpp"
#include "error.hpp"
#include "sensitivity/continuous/continuous_equations.hpp"
#include "sensitivity/continuous/continuous_tangent.hpp"

namespace perilune::sensitivity {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Coordinates from which the others follow by some rows of a Jacobian.
class Selection {
 public:
  explicit Selection(std::vector<Index> rows) : rows_(std::move(rows)) {}

  Index freedoms() const { return static_cast<Index>(independent_.size()); }
  Index row_count() const { return static_cast<Index>(rows_.size()); }

  void choose(const MatrixXd& jacobian, double t) {
    independent_.clear();
    const Index n = jacobian.cols(), m = row_count();
    if (m == 0) {
      for (Index k = 0; k < n; ++k) independent_.push_back(k);
    } else {
      const Eigen::FullPivLU<MatrixXd> lu(own_rows(jacobian));
      if (lu.rank() < m) {
        throw NumericalError(at_time(t) +
                             "there are no independent coordinates: redundant constraints, or a singular position");
      }
      for (Index k = m; k < n; ++k) independent_.push_back(lu.permutationQ().indices()[k]);
      std::sort(independent_.begin(), independent_.end());
    }
    update(jacobian);
  }
  void update(const MatrixXd& jacobian) {
    const Index n = jacobian.cols(), m = row_count();
    MatrixXd bordered = MatrixXd::Zero(n, n);
    bordered.topRows(m) = own_rows(jacobian);
    for (Index k = 0; k < freedoms(); ++k) bordered(m + k, independent_[static_cast<std::size_t>(k)]) = 1;
    bordered_.compute(bordered);
    largest_ =
        freedoms() > 0 ? bordered_.solve(MatrixXd::Identity(n, n).rightCols(freedoms())).cwiseAbs().maxCoeff() : 0;
  }
  /// How much the others move with these, at most: about 1 where the choice is good.
  double largest() const { return largest_; }

  template <class Matrix>
  MatrixXd pick(const Matrix& x) const {
    MatrixXd out(freedoms(), x.cols());
    for (Index k = 0; k < freedoms(); ++k) out.row(k) = x.row(independent_[static_cast<std::size_t>(k)]);
    return out;
  }
  void add_spread(const double* z, double* x) const {
    for (Index k = 0; k < freedoms(); ++k) x[independent_[static_cast<std::size_t>(k)]] += z[k];
  }
  /// What x (n columns long) is by its own rows of `top` (m) and the independent coordinates.
  MatrixXd solve(const MatrixXd& top, const MatrixXd& independent) const {
    MatrixXd right(row_count() + freedoms(), independent.cols());
    right << own_rows(top), independent;
    return bordered_.solve(right);
  }
  /// The transpose: from the adjoint of x those of the right-hand side, of `top` into the rows of an array of m zeros.
  void solve_transposed(const double* x, double* top, double* independent) const {
    const Index n = row_count() + freedoms();
    const VectorXd both = bordered_.transpose().solve(Eigen::Map<const VectorXd>(x, n));
    for (Index k = 0; k < row_count(); ++k) top[rows_[static_cast<std::size_t>(k)]] = both[k];
    std::copy_n(both.data() + row_count(), freedoms(), independent);
  }

 private:
  MatrixXd own_rows(const MatrixXd& all) const {
    MatrixXd out(row_count(), all.cols());
    for (Index k = 0; k < row_count(); ++k) out.row(k) = all.row(rows_[static_cast<std::size_t>(k)]);
    return out;
  }

  std::vector<Index> rows_, independent_;
  Eigen::PartialPivLU<MatrixXd> bordered_;
  double largest_ = 0;
};

std::vector<Index> rows_of(const System& system, bool has_velocity_rows) {
  std::vector<Index> rows;
  for (int k = 0; k < system.constraint_count(); ++k) {
    if (has_velocity_rows || !system.is_velocity_row(k)) rows.push_back(k);
  }
  return rows;
}

/// Independent coordinates of positions and of velocities where a motion stands.
class TwoSelections {
 public:
  explicit TwoSelections(LinearizedMotion& motion)
      : positions(rows_of(motion.system(), false)), velocities(rows_of(motion.system(), true)), motion_(motion) {
    choose();
  }

  std::size_t size() const { return static_cast<std::size_t>(positions.freedoms() + velocities.freedoms()); }
  void choose() {
    const MatrixXd jacobian = motion_.dense(Block::Jacobian);
    for (Selection* each : {&positions, &velocities}) each->choose(jacobian, motion_.point().t);
    visit_ = motion_.visit();
  }
  void update() {
    if (visit_ == motion_.visit()) return;
    const MatrixXd jacobian = motion_.dense(Block::Jacobian);
    for (Selection* each : {&positions, &velocities}) each->update(jacobian);
    visit_ = motion_.visit();
  }
  /// Others would be followed less violently.
  bool is_outgrown() {
    update();
    constexpr double limit = 2;  // about 1 is good; the next choice has to be worth its while
    const double own = std::max(positions.largest(), velocities.largest());
    if (own < limit) return false;
    const TwoSelections other(motion_);
    return 2 * std::max(other.positions.largest(), other.velocities.largest()) < own;
  }

  Selection positions, velocities;

 private:
  LinearizedMotion& motion_;
  long visit_ = 0;
};

class IndependentTangent final : public TangentEquations {
 public:
  using Interleaved = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

  IndependentTangent(LinearizedMotion& motion, const TangentBundle& bundle)
      : motion_(motion),
        chosen_(motion),
        n_(bundle.n),
        m_(bundle.m),
        count_(bundle.count),
        data_(motion.system().data_count()) {}

  std::size_t size() const override { return chosen_.size() * static_cast<std::size_t>(count_); }
  bool wants_change() override { return chosen_.is_outgrown(); }
  void prepare() override { chosen_.choose(); }

  /// Direction by direction: dz, then dw.
  void begin(const TangentBundle& bundle, double* y) override {
    using Constant = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
    const Constant q(bundle.z.data(), n_, count_), v(bundle.z.data() + n_ * count_, n_, count_);
    chosen_.update();
    Eigen::Map<MatrixXd> state(y, static_cast<Index>(chosen_.size()), count_);
    state << chosen_.positions.pick(q), chosen_.velocities.pick(v);
  }

  void complete(const double* y, TangentBundle& bundle, double* x, double* dy) override {
    chosen_.update();
    const Index positions = chosen_.positions.freedoms(), velocities = chosen_.velocities.freedoms();
    const Eigen::Map<const MatrixXd> state(y, positions + velocities, count_);
    auto rows = [&](Index first, Index size) { return Interleaved(bundle.z.data() + first * count_, size, count_); };
    const MatrixXd data = rows(2 * n_, data_);
    const MatrixXd q = chosen_.positions.solve(-times(Block::PhiData, data), state.topRows(positions));
    const MatrixXd v = chosen_.velocities.solve(-times(Block::JacobianRate, q) - times(Block::PhiRateData, data),
                                                state.bottomRows(velocities));
    rows(0, n_) = q;
    rows(n_, n_) = v;
    motion_.dynamics().tangent(bundle.z.data(), static_cast<int>(count_), x);
    Eigen::Map<MatrixXd> slope(dy, positions + velocities, count_);
    slope << chosen_.positions.pick(v), chosen_.velocities.pick(Interleaved(x, n_, count_));
  }

 private:
  MatrixXd times(Block block, const MatrixXd& x) const {
    MatrixXd out = MatrixXd::Zero(m_, x.cols());
    for (Index k = 0; k < x.cols(); ++k) motion_.add(block, x.col(k).data(), out.col(k).data());
    return out;
  }

  LinearizedMotion& motion_;
  TwoSelections chosen_;
  Index n_, m_, count_, data_;
};

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

 private:
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

}  // namespace

std::unique_ptr<TangentEquations> independent_tangent(LinearizedMotion& motion, const TangentBundle& bundle) {
  return std::make_unique<IndependentTangent>(motion, bundle);
}

std::unique_ptr<AdjointEquations> independent_first_order(const Problem& problem, LinearizedMotion& motion) {
  return std::make_unique<IndependentAdjoint>(problem, motion);
}

}  // namespace perilune::sensitivity
