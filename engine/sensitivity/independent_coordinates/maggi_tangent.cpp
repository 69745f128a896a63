// SPDX-License-Identifier: MIT
// The direct equations of Maggi's form. The tangents of the dependent coordinates follow from those of the independent
// ones and the data: [Phi_q; B] dq = (-Phi_d dd; dz), and so on for velocities and accelerations.
#include "sensitivity/continuous/continuous_tangent.hpp"
#include "sensitivity/independent_coordinates/partition.hpp"

namespace perilune::sensitivity {

namespace {

using Eigen::Index;
using Vector = Partition::Vector;

using Matrix = Eigen::MatrixXd;
using Interleaved = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

class MaggiTangent final : public TangentEquations {
 public:
  MaggiTangent(LinearizedMotion& motion, const TangentBundle& bundle)
      : motion_(motion),
        partition_(motion),
        n_(bundle.n),
        m_(bundle.m),
        count_(bundle.count),
        data_(static_cast<Index>(bundle.z.size()) / std::max<Index>(count_, 1) - 2 * n_) {
    MaggiTangent::prepare();
  }

  std::size_t size() const override { return static_cast<std::size_t>(2 * partition_.freedoms() * count_); }

  bool wants_change() override {
    update();
    return partition_.is_outgrown();
  }
  void prepare() override {
    partition_.choose();
    time_ = motion_.point().t;
  }

  /// Direction by direction: dz, then dz'.
  void begin(const TangentBundle& bundle, double* y) override {
    const Index d = partition_.freedoms();
    for (Index k = 0; k < count_; ++k, y += 2 * d) {
      auto pick = [&](Index first) {
        Vector x(n_);
        for (Index i = 0; i < n_; ++i) x[i] = bundle.z[static_cast<std::size_t>((first + i) * count_ + k)];
        return partition_.pick(x);
      };
      Eigen::Map<Vector>(y, d) = pick(0);
      Eigen::Map<Vector>(y + d, d) = pick(n_);
    }
  }

  void complete(const double* y, TangentBundle& bundle, double* x, double* dy) override {
    update();
    const Index d = partition_.freedoms();
    const Eigen::Map<const Matrix> state(y, 2 * d, count_);
    auto rows = [&](Index first, Index size) { return Interleaved(bundle.z.data() + first * count_, size, count_); };
    const Matrix data = rows(2 * n_, data_);
    const Matrix q = partition_.solve(-times(Block::PhiData, data, m_), state.topRows(d));
    const Matrix v =
        partition_.solve(-times(Block::JacobianRate, q, m_) - times(Block::PhiRateData, data, m_), state.bottomRows(d));
    const Matrix curvature = times(Block::JacobianAcceleration, q, m_) + 2 * times(Block::JacobianRate, v, m_) +
                             times(Block::PhiAccelerationData, data, m_);
    Matrix a = partition_.solve(-curvature, Matrix::Zero(d, count_));
    const Matrix forces =
        -times(Block::Stiffness, q, n_) - times(Block::Damping, v, n_) - times(Block::ResidualData, data, n_);
    const Matrix left = forces - times(Block::Mass, a, n_);
    const Matrix acceleration = partition_.solve_mass(partition_.r_transposed(left));  // dz''
    a += partition_.r(acceleration);
    rows(0, n_) = q;
    rows(n_, n_) = v;
    Interleaved(x, n_, count_) = a;
    Interleaved(x + n_ * count_, m_, count_) = partition_.s_transposed(forces - times(Block::Mass, a, n_));
    Eigen::Map<Matrix> slope(dy, 2 * d, count_);
    slope.topRows(d) = state.bottomRows(d);
    slope.bottomRows(d) = acceleration;
  }

 private:
  void update() {
    if (motion_.point().t == time_) return;
    partition_.update();
    time_ = motion_.point().t;
  }
  Matrix times(Block block, const Matrix& x, Index rows) const {
    Matrix out = Matrix::Zero(rows, x.cols());
    for (Index k = 0; k < x.cols(); ++k) motion_.add(block, x.col(k).data(), out.col(k).data());
    return out;
  }

  LinearizedMotion& motion_;
  Partition partition_;
  Index n_, m_, count_, data_;
  double time_ = 0;
};

}  // namespace

std::unique_ptr<TangentEquations> maggi_tangent(LinearizedMotion& motion, const TangentBundle& bundle) {
  if (needs_points(motion.system())) return independent_tangent(motion, bundle);
  return std::make_unique<MaggiTangent>(motion, bundle);
}

}  // namespace perilune::sensitivity
