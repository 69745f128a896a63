// SPDX-License-Identifier: MIT
// The direct equations of independent coordinates where the system needs_points().
#include "sensitivity/continuous/continuous_tangent.hpp"
#include "sensitivity/independent_coordinates/selection.hpp"

namespace perilune::sensitivity {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

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

}  // namespace

std::unique_ptr<TangentEquations> independent_tangent(LinearizedMotion& motion, const TangentBundle& bundle) {
  return std::make_unique<IndependentTangent>(motion, bundle);
}

}  // namespace perilune::sensitivity
